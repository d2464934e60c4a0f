//! Two-sided geometric noise on all integers, P(z) = (1−r)/(1+r) · r^|z|, in closed form.
//!
//! Nothing is cut off. A tail is P(z ≥ k) = r^k/(1+r) for k > 0, and 1 − r^(1−k)/(1+r) for k ≤ 0.
//!
//! # Comparisons with one noisy level
//!
//! Report-noisy-max and the sparse vector technique compare independent noisy values with *one*
//! noisy level: the winner, or the threshold. Given the level z the comparisons are independent,
//!
//! > `P(all comparisons) = Σ_z P(level = z) · Π_j P(value j ≥ z, or value j < z)`.
//!
//! Let A be one more than the greatest centre and B the least one. For z = A + k with k ≥ 0 every
//! value's tail `P(v_j ≥ z)` is a number times `r_j^k`, so that each factor is `1 − a·r_j^k` or `a·r_j^k`,
//! and the level's mass is a number times r^k. The product is a finite sum Σ c·x^k, with x a
//! product of r and some of the `r_j`, and its sum over all k ≥ 0 is Σ c/(1 − x). The same is true of
//! z = B − k with `P(v_j < z)` in place of `P(v_j ≥ z)`. Between B and A finitely many z are left. A
//! ratio of 0 is no noise; both rays begin where this makes no difference, with 0^0 = 1.
//!
//! # Cells
//!
//! Where one value is released, the ratio of two masses r^|z−a|/r^|z−b| is constant for
//! z ≤ min(a, b) and for z ≥ max(a, b). The cells `≤ from`, from + 1, …, to − 1, `≥ to` therefore
//! lose nothing of any divergence between centres in from..=to, nor between mixtures of them: all
//! masses of a mixture at z ≤ from share the factor r^(from−z).

use littlestone_base::error::{Error, Result};
use littlestone_exact::Number;

/// The noise of ratio r, 0 ≤ r < 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noise {
    ratio: Number,
}

impl Noise {
    /// The noise of that ratio; 0 is no noise.
    ///
    /// # Errors
    /// When the ratio is not in [0, 1).
    pub fn new(ratio: Number) -> Result<Self> {
        if ratio.signum() < 0 || ratio >= Number::one() {
            let message = format!("a ratio of noise is at least 0 and below 1, not {ratio}");
            return Err(Error::argument(message));
        }
        Ok(Self { ratio })
    }

    /// Noise that is 0.
    pub fn none() -> Self {
        Self { ratio: Number::zero() }
    }

    /// P(noise = k).
    pub fn equals(&self, k: i32) -> Number {
        let factor = divide(&(&Number::one() - &self.ratio), &self.one_plus());
        &factor * &self.power(k.abs())
    }

    /// P(noise ≥ k).
    pub fn at_least(&self, k: i32) -> Number {
        if k > 0 {
            return divide(&self.power(k), &self.one_plus());
        }
        &Number::one() - &divide(&self.power(1 - k), &self.one_plus())
    }

    /// P(noise ≤ k).
    pub fn at_most(&self, k: i32) -> Number {
        self.at_least(-k)
    }

    /// The probabilities of the cells of centre + noise: at most `from`, each integer between, at
    /// least `to`; one cell when `from` = `to`.
    pub fn cells(&self, centre: i32, from: i32, to: i32) -> Vec<Number> {
        if from >= to {
            return vec![Number::one()];
        }
        let between = (from + 1..to).map(|z| self.equals(z - centre));
        std::iter::once(self.at_most(from - centre))
            .chain(between)
            .chain(std::iter::once(self.at_least(to - centre)))
            .collect()
    }

    fn power(&self, k: i32) -> Number {
        self.ratio.pow(k).expect("exponents of a ratio are at least 0")
    }

    fn one_plus(&self) -> Number {
        &Number::one() + &self.ratio
    }
}

/// The names of the cells of [`Noise::cells`].
pub fn cell_names(from: i32, to: i32) -> Vec<String> {
    if from >= to {
        return vec![from.to_string()];
    }
    let between = (from + 1..to).map(|z| z.to_string());
    std::iter::once(format!("<={from}"))
        .chain(between)
        .chain(std::iter::once(format!(">={to}")))
        .collect()
}

/// A comparison of a noisy value with the level.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    /// The value without its noise.
    pub centre: i32,
    /// Its noise.
    pub noise: &'a Noise,
    /// Whether the event is that the value is at least the level; otherwise that it is below.
    pub reaches: bool,
}

impl<'a> Comparison<'a> {
    /// The event that centre + noise ≥ level.
    pub fn reaches(centre: i32, noise: &'a Noise) -> Self {
        Self { centre, noise, reaches: true }
    }

    /// The event that centre + noise < level.
    pub fn below(centre: i32, noise: &'a Noise) -> Self {
        Self { centre, noise, reaches: false }
    }

    /// The event that centre + noise ≤ level, since all values are integers.
    pub fn at_most(centre: i32, noise: &'a Noise) -> Self {
        Self::below(centre - 1, noise)
    }

    /// The probability when the level is z.
    fn at(&self, z: i32) -> Number {
        let reach = self.noise.at_least(z - self.centre);
        if self.reaches { reach } else { &Number::one() - &reach }
    }
}

/// The probability that all comparisons with the level centre + noise come out as said; the noises
/// are independent.
pub fn joint(centre: i32, noise: &Noise, comparisons: &[Comparison<'_>]) -> Number {
    let centres = || comparisons.iter().map(|c| c.centre).chain([centre]);
    let above = 1 + centres().max().unwrap_or(centre);
    let below = centres().min().unwrap_or(centre);
    let mut sum = ray(centre, noise, comparisons, above, true);
    sum = &sum + &ray(centre, noise, comparisons, below, false);
    for z in below + 1..above {
        let factors = comparisons.iter().map(|c| c.at(z));
        sum = &sum + &factors.fold(noise.equals(z - centre), |product, p| &product * &p);
    }
    sum
}

/// The part of the sum where the level is first + k, or first − k, for all k ≥ 0.
fn ray(centre: i32, noise: &Noise, comparisons: &[Comparison<'_>], first: i32, up: bool) -> Number {
    let mut terms = vec![(noise.equals(first - centre), noise.ratio.clone())];
    for comparison in comparisons {
        // The tail that vanishes along the ray: to reach the level going up, to stay below it going
        // down. At first ± k it is the tail at first times ratio^k.
        let tail = if up {
            comparison.noise.at_least(first - comparison.centre)
        } else {
            &Number::one() - &comparison.noise.at_least(first - comparison.centre)
        };
        let vanishes = comparison.reaches == up;
        let mut product: Vec<(Number, Number)> = Vec::new();
        for (coefficient, ratio) in &terms {
            let moved = (&tail * coefficient, ratio * &comparison.noise.ratio);
            if vanishes {
                add(&mut product, moved);
            } else {
                add(&mut product, (coefficient.clone(), ratio.clone()));
                add(&mut product, (-&moved.0, moved.1));
            }
        }
        terms = product;
    }
    let sums = terms.iter().map(|(c, x)| divide(c, &(&Number::one() - x)));
    sums.fold(Number::zero(), |sum, term| &sum + &term)
}

fn add(terms: &mut Vec<(Number, Number)>, (coefficient, ratio): (Number, Number)) {
    match terms.iter_mut().find(|(_, other)| *other == ratio) {
        Some((sum, _)) => *sum = &*sum + &coefficient,
        None => terms.push((coefficient, ratio)),
    }
}

fn divide(a: &Number, b: &Number) -> Number {
    a.checked_div(b).expect("1 plus or minus a ratio below 1 is positive")
}

#[cfg(test)]
mod tests {
    use super::*;
    use littlestone_exact::parse_rational;

    fn number(text: &str) -> Number {
        parse_rational(text).unwrap().into()
    }

    fn noise(text: &str) -> Noise {
        Noise::new(number(text)).unwrap()
    }

    /// From the mass function alone: sums over |z| ≤ 40, and what they leave out, which is at most
    /// the mass of the level beyond.
    fn truncated(centre: i32, level: &Noise, comparisons: &[Comparison<'_>]) -> [Number; 2] {
        const FAR: i32 = 40;
        let mass = |noise: &Noise, z: i32| {
            let r = &noise.ratio;
            let unit = (&Number::one() - r).checked_div(&(&Number::one() + r)).unwrap();
            &unit * &r.pow(z.abs()).unwrap()
        };
        let mut low = Number::zero();
        let mut seen = Number::zero();
        let mut slack = Number::zero();
        for z in -FAR..=FAR {
            let weight = mass(level, z - centre);
            seen = &seen + &weight;
            let mut product = weight;
            for c in comparisons {
                let mut inside = Number::zero();
                let mut all = Number::zero();
                for value in -FAR..=FAR {
                    let p = mass(c.noise, value - c.centre);
                    all = &all + &p;
                    if (value >= z) == c.reaches {
                        inside = &inside + &p;
                    }
                }
                slack = &slack + &(&Number::one() - &all);
                product = &product * &inside;
            }
            low = &low + &product;
        }
        let high = &(&low + &slack) + &(&Number::one() - &seen);
        [low, high]
    }

    #[test]
    fn joint_events_lie_between_truncated_sums() {
        let (a, b, c, none) = (noise("1/4"), noise("1/2"), noise("1/3"), Noise::none());
        let cases: [(i32, &Noise, Vec<Comparison<'_>>); 6] = [
            (0, &a, vec![Comparison::reaches(1, &b), Comparison::below(-1, &b)]),
            (1, &b, vec![Comparison::below(0, &b), Comparison::at_most(1, &b)]),
            (0, &a, vec![Comparison::below(0, &none), Comparison::reaches(1, &none)]),
            (-1, &b, vec![Comparison::reaches(1, &a), Comparison::below(0, &c)]),
            (2, &none, vec![Comparison::reaches(1, &a), Comparison::below(0, &c)]),
            (0, &c, vec![]),
        ];
        for (centre, level, comparisons) in cases {
            let value = joint(centre, level, &comparisons);
            let [low, high] = truncated(centre, level, &comparisons);
            assert!(low <= value && value <= high, "{low} {value} {high}");
            assert!(&high - &low < number("2^-30"), "{} is no sharp test", &high - &low);
        }
    }

    /// All outcomes of three comparisons exhaust the possibilities.
    #[test]
    fn outcomes_sum_to_one() {
        let (level, a, b) = (noise("1/4"), noise("1/2"), noise("2/7"));
        let mut sum = Number::zero();
        for outcome in 0..8u8 {
            let comparison = |bit: u8, centre, noise| Comparison {
                centre,
                noise,
                reaches: outcome >> bit & 1 == 1,
            };
            let all = [comparison(0, 1, &a), comparison(1, -1, &b), comparison(2, 0, &a)];
            sum = &sum + &joint(0, &level, &all);
        }
        assert!(sum.is_one(), "{sum}");
    }

    /// By hand at ratio 1/2: masses 1/3, 1/6, 1/12, tails 2/3 at 0, 1/3 at 1, 1/6 at 2.
    #[test]
    fn tails_and_cells_are_geometric_series() {
        let half = noise("1/2");
        assert_eq!([0, 1, -2].map(|k| half.equals(k)), ["1/3", "1/6", "1/12"].map(number));
        let tails = [-1, 0, 1, 2].map(|k| half.at_least(k));
        assert_eq!(tails, ["5/6", "2/3", "1/3", "1/6"].map(number));
        assert_eq!(half.cells(1, 0, 3), ["1/3", "1/3", "1/6", "1/6"].map(number));
        assert_eq!(cell_names(0, 3), ["<=0", "1", "2", ">=3"]);
        assert_eq!(half.cells(1, 2, 2), [Number::one()]);
        assert_eq!(Noise::none().cells(1, 0, 2), ["0", "1", "0"].map(number));
        assert!(Noise::new(number("1")).is_err() && Noise::new(number("-1/2")).is_err());
    }

    /// Two values of one law: by symmetry the first is strictly greater as often as the second, and
    /// they are equal with probability Σ ((1/3)·2^−|z|)² = 1/9 · (1 + 2/3) = 5/27.
    #[test]
    fn equal_laws_tie_as_often_as_their_masses_meet() {
        let half = noise("1/2");
        let strictly = joint(0, &half, &[Comparison::below(0, &half)]);
        assert_eq!(strictly, number("11/27"));
        assert_eq!(joint(0, &half, &[Comparison::at_most(0, &half)]), number("16/27"));
    }
}
