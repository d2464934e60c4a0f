//! A checker of minimax certificates by plain loops over streams, neighbours and hypotheses, on the
//! class as it is: nothing is reduced but what the certificate's own notation reduces.

use std::collections::{BTreeMap, BTreeSet};

use littlestone::exact::{BigInt, Rational, parse_rational};
use serde_json::Value;

/// A labelled example: a point and a label.
type Example = (usize, u8);
/// What a round releases: a label for each point, or one bit.
type Output = Vec<u8>;
/// A number for each history and word, in the notation of certificates.
type Table = BTreeMap<(Vec<usize>, Vec<Option<String>>), Rational>;
/// The law of the outputs of all rounds under a stream.
type LawUnder = (Vec<Example>, BTreeMap<Vec<Output>, Rational>);
/// Where columns go, and which are complemented.
type Moves = (Vec<usize>, Vec<usize>);

pub struct Naive<'c> {
    cert: &'c Value,
    points: usize,
    hypotheses: Vec<Vec<u8>>,
    joint: bool,
    realisable_only: bool,
    rounds: usize,
    columns: Vec<usize>,
}

fn number(value: &Value) -> Rational {
    parse_rational(value.as_str().expect("a number in a string")).expect("a number")
}

fn indices(value: &Value) -> Vec<usize> {
    let list = value.as_array().expect("a list");
    list.iter().map(|n| usize::try_from(n.as_u64().expect("an index")).unwrap()).collect()
}

fn bits(value: &Value) -> Vec<u8> {
    value.as_str().expect("text").bytes().map(|b| b - b'0').collect()
}

impl<'c> Naive<'c> {
    pub fn new(cert: &'c Value) -> Self {
        let hypotheses: Vec<Vec<u8>> =
            cert["hypotheses"].as_array().unwrap().iter().map(bits).collect();
        Self {
            cert,
            points: hypotheses[0].len(),
            hypotheses,
            joint: cert["notion"] == "joint",
            realisable_only: cert["streams"] == "realisable",
            rounds: usize::try_from(cert["rounds"].as_u64().unwrap()).unwrap(),
            columns: indices(&cert["columns"]),
        }
    }

    fn realisable(&self, stream: &[Example]) -> bool {
        self.hypotheses.iter().any(|h| stream.iter().all(|&(x, y)| h[x] == y))
    }

    fn is_constant(&self, x: usize) -> bool {
        self.hypotheses.iter().all(|h| h[x] == self.hypotheses[0][x])
    }

    /// The column that a point stands for, and whether it is complemented.
    fn column(&self, x: usize) -> Option<(usize, u8)> {
        if self.is_constant(x) {
            return None;
        }
        let found = (0..self.columns.len()).find_map(|k| {
            [0, 1].into_iter().find_map(|flip| {
                let like = self.hypotheses.iter().all(|h| h[self.columns[k]] ^ flip == h[x]);
                like.then_some((k, flip))
            })
        });
        Some(found.expect("every column is listed"))
    }

    /// The number of an example in the notation of certificates.
    fn numbered(&self, (x, y): Example) -> usize {
        match self.column(x) {
            None => 2 * self.columns.len(),
            Some((k, flip)) => 2 * k + usize::from(y ^ flip),
        }
    }

    /// The history of the last round of a stream, as a certificate writes it.
    fn history(&self, stream: &[Example]) -> Vec<usize> {
        let mut history: Vec<usize> = stream.iter().map(|&e| self.numbered(e)).collect();
        let last = history.pop().unwrap();
        if self.joint {
            history.push(last / 2 * 2);
        }
        history
    }

    /// The output in the notation of certificates; the label of a constant point is dropped.
    fn seen(&self, output: &Output, example: Example) -> Option<String> {
        let text = |bits: Vec<u8>| bits.iter().map(ToString::to_string).collect::<String>();
        if !self.joint {
            // A function that is wrong where all hypotheses agree, or that tells equal columns
            // apart, has no name there.
            let names = (0..self.points).all(|x| match self.column(x) {
                None => output[x] == self.hypotheses[0][x],
                Some((k, flip)) => output[x] == output[self.columns[k]] ^ flip,
            });
            return names.then(|| text(self.columns.iter().map(|&x| output[x]).collect()));
        }
        match self.column(example.0) {
            None => (output[0] == self.hypotheses[0][example.0]).then(String::new),
            Some((_, flip)) => Some((output[0] ^ flip).to_string()),
        }
    }

    fn constant(&self) -> Option<usize> {
        self.cert["constant"].as_u64().map(|x| usize::try_from(x).unwrap())
    }

    /// The examples that have these numbers.
    fn examples_of(&self, numbers: &[usize]) -> Vec<Example> {
        let example = |&e: &usize| {
            if let Some(&x) = self.columns.get(e / 2) {
                return (x, u8::from(e % 2 == 1));
            }
            let x = self.constant().unwrap();
            (x, self.hypotheses[0][x])
        };
        numbers.iter().map(example).collect()
    }

    fn examples(&self) -> Vec<Example> {
        (0..self.points).flat_map(|x| [(x, 0), (x, 1)]).collect()
    }

    fn streams(&self) -> Vec<Vec<Example>> {
        let mut streams = vec![vec![]];
        for _ in 0..self.rounds {
            streams = streams
                .into_iter()
                .flat_map(|s: Vec<Example>| {
                    self.examples().into_iter().map(move |e| [s.clone(), vec![e]].concat())
                })
                .collect();
        }
        streams
    }

    fn outputs(&self) -> Vec<Output> {
        let length = if self.joint { 1 } else { self.points };
        (0..1usize << length)
            .map(|n| (0..length).map(|i| u8::from(n >> i & 1 == 1)).collect())
            .collect()
    }

    fn symmetries(&self) -> Vec<Moves> {
        let list = self.cert["symmetries"].as_array().unwrap();
        list.iter().map(|s| (indices(&s[0]), indices(&s[1]))).collect()
    }

    fn moved(&self, (to, flips): &Moves, example: usize) -> usize {
        if example == 2 * self.columns.len() {
            return example;
        }
        2 * to[example / 2] + ((example % 2) ^ flips[example / 2])
    }

    fn moved_history(&self, symmetry: &Moves, history: &[usize]) -> Vec<usize> {
        let mut image: Vec<usize> = history.iter().map(|&e| self.moved(symmetry, e)).collect();
        if self.joint {
            let last = image.pop().unwrap();
            image.push(last / 2 * 2);
        }
        image
    }

    fn moved_output((to, flips): &Moves, output: &str, example: Option<usize>) -> String {
        let old: Vec<usize> = output.bytes().map(|b| usize::from(b - b'0')).collect();
        if let Some(example) = example {
            let flip = flips.get(example / 2).copied().unwrap_or(0);
            return old.iter().map(|b| (b ^ flip).to_string()).collect();
        }
        let mut new = vec![0; old.len()];
        for (k, b) in old.iter().enumerate() {
            new[to[k]] = b ^ flips[k];
        }
        new.iter().map(ToString::to_string).collect()
    }

    fn moved_outputs(
        &self,
        symmetry: &Moves,
        history: &[usize],
        outputs: &[Option<String>],
    ) -> Vec<Option<String>> {
        let one = |(r, output): (usize, &Option<String>)| {
            let example = self.joint.then(|| history[r]);
            output.as_ref().map(|output| Self::moved_output(symmetry, output, example))
        };
        outputs.iter().enumerate().map(one).collect()
    }

    fn words(value: &Value) -> Vec<Option<String>> {
        let list = value.as_array().unwrap();
        list.iter().map(|o| o.as_str().map(str::to_owned)).collect()
    }

    /// The upper bound, or what is wrong with the learner.
    pub fn upper(&self) -> Result<Rational, String> {
        let half = &self.cert["upper"];
        let denominator = number(&half["denominator"]);
        let mut table: Table = BTreeMap::new();
        for row in half["outputs"].as_array().unwrap() {
            let (history, outputs) = (indices(&row[0]), Self::words(&row[1]));
            let mut images: Vec<_> = self
                .symmetries()
                .iter()
                .map(|s| {
                    (self.moved_history(s, &history), self.moved_outputs(s, &history, &outputs))
                })
                .collect();
            images.sort();
            images.dedup();
            for image in images {
                if table.insert(image, number(&row[2]) / &denominator).is_some() {
                    return Err("two rows have one image".into());
                }
            }
        }
        let zero = Rational::from_integer(0.into());
        if table.values().any(|q| *q < zero) {
            return Err("a probability is negative".into());
        }
        // The law of the outputs of all rounds, for each stream.
        let law = |stream: &[Example]| -> BTreeMap<Vec<Output>, Rational> {
            let mut words = vec![vec![]];
            for _ in 0..self.rounds {
                words = words
                    .into_iter()
                    .flat_map(|w: Vec<Output>| {
                        self.outputs().into_iter().map(move |o| [w.clone(), vec![o]].concat())
                    })
                    .collect();
            }
            let history = self.history(stream);
            words
                .into_iter()
                .filter_map(|word| {
                    let names: Option<Vec<Option<String>>> =
                        word.iter().zip(stream).map(|(o, &e)| self.seen(o, e).map(Some)).collect();
                    let mass = table.get(&(history.clone(), names?))?;
                    Some((word, mass.clone()))
                })
                .collect()
        };
        let laws: Vec<LawUnder> =
            self.streams().into_iter().map(|s| (s.clone(), law(&s))).collect();
        self.expect_causal(&laws)?;
        self.expect_private(&laws)?;
        let mut worst = zero;
        for (stream, law) in laws.iter().filter(|(stream, _)| self.realisable(stream)) {
            let mut sum = Rational::from_integer(0.into());
            for (word, mass) in law {
                let wrong = word
                    .iter()
                    .zip(stream)
                    .filter(|(o, (x, y))| if self.joint { o[0] != *y } else { o[*x] != *y });
                sum += mass * Rational::from_integer(BigInt::from(wrong.count()));
            }
            worst = worst.max(sum);
        }
        Ok(worst)
    }

    fn expect_causal(&self, laws: &[LawUnder]) -> Result<(), String> {
        let zero = Rational::from_integer(0.into());
        let one = Rational::from_integer(1.into());
        let mut marginals: BTreeMap<_, BTreeMap<Vec<Output>, Rational>> = BTreeMap::new();
        for (stream, law) in laws {
            if law.values().sum::<Rational>() != one {
                return Err(format!("the law under {stream:?} does not sum to 1"));
            }
            for r in 1..=self.rounds {
                let mut sums: BTreeMap<Vec<Output>, Rational> = BTreeMap::new();
                for (word, q) in law.iter().filter(|(_, q)| **q > zero) {
                    *sums.entry(word[..r].to_vec()).or_insert_with(|| zero.clone()) += q;
                }
                let seen = (stream[..r - 1].to_vec(), self.joint.then(|| stream[r - 1].0));
                if marginals.entry(seen).or_insert_with(|| sums.clone()) != &sums {
                    return Err(format!("not causal in round {r} of {stream:?}"));
                }
            }
        }
        Ok(())
    }

    fn expect_private(&self, laws: &[LawUnder]) -> Result<(), String> {
        let zero = Rational::from_integer(0.into());
        let factor = number(&self.cert["upper"]["factor"]);
        let delta = number(&self.cert["delta"]);
        for (first, p) in laws {
            for (second, q) in laws {
                let differ: Vec<usize> =
                    (0..self.rounds).filter(|&r| first[r] != second[r]).collect();
                if differ.len() != 1 {
                    continue;
                }
                if self.realisable_only && !(self.realisable(first) && self.realisable(second)) {
                    continue;
                }
                let drop = |word: &Vec<Output>| {
                    let mut word = word.clone();
                    if self.joint {
                        word.remove(differ[0]);
                    }
                    word
                };
                let mut gaps: BTreeMap<Vec<Output>, Rational> = BTreeMap::new();
                for (word, mass) in p {
                    *gaps.entry(drop(word)).or_insert_with(|| zero.clone()) += mass;
                }
                for (word, mass) in q {
                    *gaps.entry(drop(word)).or_insert_with(|| zero.clone()) -= &factor * mass;
                }
                let sum: Rational = gaps.values().filter(|g| **g > zero).sum();
                if sum > delta {
                    return Err(format!("not private for {first:?} and {second:?}: {sum}"));
                }
            }
        }
        Ok(())
    }

    /// The lower bound, or what is wrong with the adversary.
    pub fn lower(&self) -> Result<Rational, String> {
        let half = &self.cert["lower"];
        let denominator = number(&half["denominator"]);
        let factor = number(&half["factor"]);
        let mut law: BTreeMap<Vec<usize>, Rational> = BTreeMap::new();
        for row in half["streams"].as_array().unwrap() {
            let stream = indices(&row[0]);
            let mut images: Vec<Vec<usize>> = self
                .symmetries()
                .iter()
                .map(|s| stream.iter().map(|&e| self.moved(s, e)).collect())
                .collect();
            images.sort();
            images.dedup();
            for image in images {
                let examples = self.examples_of(&image);
                if examples.len() != self.rounds || !self.realisable(&examples) {
                    return Err(format!("{examples:?} is not a realisable stream"));
                }
                if law.insert(image, number(&row[1]) / &denominator).is_some() {
                    return Err("two rows have one image".into());
                }
            }
        }
        let one = Rational::from_integer(1.into());
        let zero = Rational::from_integer(0.into());
        if law.values().sum::<Rational>() != one || law.values().any(|w| *w < zero) {
            return Err("the weights are no law".into());
        }
        let mut terms: Table = BTreeMap::new();
        let mut greatest: BTreeMap<(Vec<usize>, Vec<usize>), Rational> = BTreeMap::new();
        let mut named = BTreeSet::new();
        for row in half["multipliers"].as_array().unwrap() {
            let (first, second) = (indices(&row[0]), indices(&row[1]));
            let outputs = Self::words(&row[2]);
            let mu = number(&row[3]) / &denominator;
            let mut images: Vec<_> = self
                .symmetries()
                .iter()
                .map(|s| {
                    let pair = (self.moved_history(s, &first), self.moved_history(s, &second));
                    (pair, self.moved_outputs(s, &first, &outputs))
                })
                .collect();
            images.sort();
            images.dedup();
            for (pair, outputs) in images {
                self.expect_neighbours(&pair, &outputs)?;
                if mu < zero || !named.insert((pair.clone(), outputs.clone())) {
                    return Err("a multiplier twice, or negative".into());
                }
                for word in self.completed(&pair.0, &outputs) {
                    *terms.entry((pair.0.clone(), word)).or_insert_with(|| zero.clone()) += &mu;
                }
                for word in self.completed(&pair.1, &outputs) {
                    let entry = terms.entry((pair.1.clone(), word));
                    *entry.or_insert_with(|| zero.clone()) -= &factor * &mu;
                }
                let most = greatest.entry(pair).or_insert_with(|| zero.clone());
                if *most < mu {
                    *most = mu.clone();
                }
            }
        }
        let delta = number(&self.cert["delta"]);
        let cost = delta * greatest.values().sum::<Rational>();
        let points: Vec<Option<usize>> =
            if self.joint { (0..self.points).map(Some).collect() } else { vec![None] };
        let least =
            points.into_iter().map(|x| self.best(&mut vec![], x, &mut vec![], &law, &terms));
        Ok(least.sum::<Rational>() - cost)
    }

    fn expect_neighbours(
        &self,
        (first, second): &(Vec<usize>, Vec<usize>),
        outputs: &[Option<String>],
    ) -> Result<(), String> {
        let length = if self.joint { self.rounds } else { self.rounds - 1 };
        let differ: Vec<usize> = (0..length).filter(|&r| first[r] != second[r]).collect();
        let dropped: Vec<usize> = (0..outputs.len()).filter(|&r| outputs[r].is_none()).collect();
        let right = if self.joint { dropped == differ } else { dropped.is_empty() };
        if first.len() != length
            || differ.len() != 1
            || (self.joint && differ[0] + 1 == length)
            || outputs.len() != self.rounds
            || !right
        {
            return Err(format!("{first:?} and {second:?} are not compared"));
        }
        Ok(())
    }

    /// The words with what is dropped filled in, as it may be under a history.
    fn completed(&self, history: &[usize], outputs: &[Option<String>]) -> Vec<Vec<Option<String>>> {
        let Some(r) = outputs.iter().position(Option::is_none) else {
            return vec![outputs.to_vec()];
        };
        let constant = history[r] == 2 * self.columns.len();
        let choices: &[&str] = if constant { &[""] } else { &["0", "1"] };
        let filled = |choice: &&str| {
            let mut word = outputs.to_vec();
            word[r] = Some((*choice).to_owned());
            word
        };
        choices.iter().map(filled).collect()
    }

    /// The least cost of what follows examples and outputs, the point of the round being known in
    /// the joint game.
    fn best(
        &self,
        stream: &mut Vec<Example>,
        point: Option<usize>,
        word: &mut Vec<Output>,
        law: &BTreeMap<Vec<usize>, Rational>,
        terms: &Table,
    ) -> Rational {
        let zero = Rational::from_integer(0.into());
        let mut least: Option<Rational> = None;
        let listed = |e: &Example| {
            self.columns.contains(&e.0)
                || (self.constant() == Some(e.0) && e.1 == self.hypotheses[0][e.0])
        };
        for output in self.outputs() {
            let mut cost = zero.clone();
            for (numbers, weight) in law {
                let whole = self.examples_of(numbers);
                let (x, y) = whole[stream.len()];
                if whole[..stream.len()] != stream[..] || point.is_some_and(|p| p != x) {
                    continue;
                }
                if (if self.joint { output[0] } else { output[x] }) != y {
                    cost += weight;
                }
            }
            word.push(output);
            if word.len() == self.rounds {
                // Terms are about histories of the points that the certificate lists.
                let mut whole = stream.clone();
                let end = point.map(|x| {
                    let y = if self.is_constant(x) { self.hypotheses[0][x] } else { 0 };
                    (x, y)
                });
                whole.extend(end);
                if whole.iter().all(listed) {
                    if !self.joint {
                        whole.push((0, 0));
                    }
                    let outputs: Vec<Option<String>> =
                        word.iter().zip(&whole).map(|(o, &e)| Some(self.projected(o, e))).collect();
                    let history = self.history(&whole);
                    cost += terms.get(&(history, outputs)).unwrap_or(&zero);
                }
            } else {
                let labels: Vec<Example> = match point {
                    Some(x) => vec![(x, 0), (x, 1)],
                    None => self.examples(),
                };
                for e in labels {
                    stream.push(e);
                    if self.joint {
                        for x in 0..self.points {
                            cost += self.best(stream, Some(x), word, law, terms);
                        }
                    } else {
                        cost += self.best(stream, None, word, law, terms);
                    }
                    stream.pop();
                }
            }
            word.pop();
            if least.as_ref().is_none_or(|least| cost < *least) {
                least = Some(cost);
            }
        }
        least.expect("there are outputs")
    }

    /// What is seen of any output in the notation of certificates.
    fn projected(&self, output: &Output, example: Example) -> String {
        if !self.joint {
            return self.columns.iter().map(|&x| output[x].to_string()).collect();
        }
        if self.is_constant(example.0) { String::new() } else { output[0].to_string() }
    }
}
