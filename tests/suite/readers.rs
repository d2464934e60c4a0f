//! Readers of classes, expressions and streams: any bytes give a class or a placed error, what
//! was written is read again, and the example files are what they say.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::config;
use littlestone::class::{
    Class, Format, Loaded, families, load, load_relative, parse_stream, read_bytes, read_class,
};
use littlestone::error::{Error, Result};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const FORMATS: [Option<Format>; 4] =
    [None, Some(Format::Csv), Some(Format::Text), Some(Format::Json)];

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/classes").join(name)
}

fn rows(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.labels(h)).collect()
}

/// Checks what every result of a reader must satisfy: a class that is not empty and has distinct
/// rows, or an error whose place exists in the text.
fn check(text: &[u8], result: Result<Loaded>) {
    match result {
        Ok(Loaded { class, .. }) => {
            assert!(class.points() > 0 && class.hypotheses() > 0);
            let distinct: BTreeSet<String> = rows(&class).into_iter().collect();
            assert_eq!(distinct.len(), class.hypotheses());
            let names: BTreeSet<&String> = class.point_names().iter().collect();
            assert_eq!(names.len(), class.points());
        }
        Err(error) => check_place(text, &error),
    }
}

fn check_place(text: &[u8], error: &Error) {
    if let Error::Malformed { position, expected, found } = error {
        assert!(!expected.is_empty() && !found.is_empty());
        if let Some(line) = position.line {
            let text = String::from_utf8_lossy(text);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
            let line = text.split('\n').nth(line - 1).expect("the line exists");
            let column = position.column.expect("a line comes with a column");
            assert!((1..=line.chars().count() + 1).contains(&column), "{error}");
        }
    }
}

/// A table with names that need quoting.
#[derive(Debug, Clone)]
struct Table {
    points: Vec<String>,
    names: Option<Vec<String>>,
    rows: Vec<String>,
}

impl Table {
    fn csv(&self) -> String {
        let all: Vec<&String> = self.points.iter().chain(self.names.iter().flatten()).collect();
        let style = if all.iter().any(|name| name.contains('#')) {
            csv::QuoteStyle::Always
        } else {
            csv::QuoteStyle::Necessary
        };
        let mut writer = csv::WriterBuilder::new().quote_style(style).from_writer(Vec::new());
        let first = self.names.as_ref().map(|_| "name".to_owned());
        writer.write_record(first.iter().chain(&self.points)).expect("a string can be written");
        for (h, row) in self.rows.iter().enumerate() {
            let name = self.names.as_ref().map(|names| names[h].clone());
            writer
                .write_record(name.into_iter().chain(row.chars().map(String::from)))
                .expect("a string can be written");
        }
        String::from_utf8(writer.into_inner().expect("a string can be written"))
            .expect("a string can be written")
    }

    fn json(&self) -> String {
        let hypothesis = |h: usize| match &self.names {
            None => serde_json::json!({ "labels": self.rows[h] }),
            Some(names) => serde_json::json!({ "labels": self.rows[h], "name": names[h] }),
        };
        let hypotheses: Vec<_> = (0..self.rows.len()).map(hypothesis).collect();
        let value = serde_json::json!({ "points": self.points, "hypotheses": hypotheses });
        serde_json::to_string_pretty(&value).expect("a string can be written")
    }

    fn assert_same(&self, class: &Class) {
        assert_eq!(class.point_names(), self.points);
        assert_eq!(rows(class), self.rows);
        assert_eq!(class.has_names(), self.names.is_some());
        for (h, name) in self.names.iter().flatten().enumerate() {
            assert_eq!(class.hypothesis_name(h), name.as_str());
        }
    }
}

/// Names that need quoting; a number at the end makes them distinct.
fn names(count: usize) -> impl Strategy<Value = Vec<String>> {
    let name = "[a-c0-9,;:\"#é(){}\\\\][a-c0-9 ,\"#é]{0,4}";
    prop::collection::vec(name, count)
        .prop_map(|names| names.iter().enumerate().map(|(i, name)| format!("{name}~{i}")).collect())
}

fn tables() -> impl Strategy<Value = Table> {
    (1usize..80, 1usize..12, any::<bool>()).prop_flat_map(|(points, hypotheses, named)| {
        let labels = prop::collection::vec(select(vec!['0', '1']), points)
            .prop_map(|row| row.into_iter().collect::<String>());
        (names(points), names(hypotheses), prop::collection::vec(labels, hypotheses)).prop_map(
            move |(points, mut names, mut rows)| {
                let mut seen = BTreeSet::new();
                rows.retain(|row| seen.insert(row.clone()));
                names.truncate(rows.len());
                Table { points, names: named.then_some(names), rows }
            },
        )
    })
}

/// Small edits of a text: at each place some bytes are replaced by others.
fn edits() -> impl Strategy<Value = Vec<(Index, usize, Vec<u8>)>> {
    let pieces: Vec<Vec<u8>> = [
        "", "0", "1", "2", ",", "\"", "\"\"", "\n", "\r", "\r\n", "#", " ", "{", "}", "[", "]",
        ":", "\\", "\\u0030", "\\ud800", "é", "\u{feff}", "\0", "name", "labels", "points",
        "1e999", "null", "-", "(", ")", ";",
    ]
    .iter()
    .map(|piece| piece.as_bytes().to_vec())
    .chain([vec![0xff], vec![0xc3]])
    .collect();
    prop::collection::vec((any::<Index>(), 0usize..3, select(pieces)), 0..5)
}

fn edited(text: &str, edits: &[(Index, usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, removed, piece) in edits {
        let at = place.index(bytes.len() + 1);
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, piece.iter().copied());
    }
    bytes
}

/// Texts put together from what expressions are made of. None has a `-` of its own, which would
/// read the standard input, and no number can grow by what follows it.
fn expressions() -> impl Strategy<Value = String> {
    let pieces = select(vec![
        "dual(",
        "complement(",
        "product(",
        "union(",
        "restrict(",
        "project(",
        "point:3",
        "threshold:4",
        "\"point:2\"",
        "\"",
        "(",
        ")",
        ")",
        ")",
        ",",
        ";",
        "; 1:0",
        "; 1",
        ", 2:1",
        ", 2",
        ":",
        " ",
        "é",
        "none.csv",
        "#",
        "\0",
        "\n",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

/// Expressions that are well-formed, over classes with the points 1 and 2.
fn good_expressions() -> impl Strategy<Value = String> {
    let leaf = select(vec!["point:2", "threshold:2"]).prop_map(str::to_owned);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (inner.clone(), select(vec!["1", "2"]))
                .prop_map(|(c, x)| format!("complement({c};{x})")),
            inner.prop_map(|c| format!("project( {c} ; 2, 1 )")),
            two.prop_map(|(c, d)| format!("union({c}, {d})")),
        ]
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn any_bytes_give_a_class_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in FORMATS {
            check(&bytes, read_bytes("f", &bytes, format));
        }
    }

    #[test]
    fn any_text_gives_a_class_or_an_error(text in "[01,\"#\\[\\]{}: \r\nn\u{feff}é]{0,60}") {
        for format in FORMATS {
            check(text.as_bytes(), read_bytes("f", text.as_bytes(), format));
        }
    }

    #[test]
    fn damaged_files_give_a_class_or_an_error(
        table in tables(),
        damage in edits(),
        text in select(vec![0, 1, 2]),
    ) {
        let text = [table.csv(), table.json(), table.rows.join("\n")][text].clone();
        let bytes = edited(&text, &damage);
        for format in FORMATS {
            check(&bytes, read_bytes("f", &bytes, format));
        }
    }

    #[test]
    fn what_is_written_is_read_again(table in tables(), windows in any::<bool>()) {
        let line_ends = |text: String| if windows { text.replace('\n', "\r\n") } else { text };
        let read = |text: &str, format| read_bytes("f", text.as_bytes(), Some(format)).unwrap();
        let csv = read(&line_ends(table.csv()), Format::Csv);
        table.assert_same(&csv.class);
        let json = read(&line_ends(table.json()), Format::Json);
        table.assert_same(&json.class);
        prop_assert_eq!(&csv, &json);
        let text = read(&line_ends(table.rows.join("\n")), Format::Text);
        prop_assert_eq!(rows(&text.class), table.rows);
        prop_assert!(csv.notes.is_empty() && text.notes.is_empty());
    }

    #[test]
    fn any_expression_gives_a_class_or_an_error(spec in expressions()) {
        check(spec.as_bytes(), load_relative(&spec, Path::new("no such directory")));
    }

    #[test]
    fn good_expressions_give_classes(spec in good_expressions()) {
        let class = load(&spec).unwrap().class;
        prop_assert!((2..=4).contains(&class.hypotheses()));
    }

    #[test]
    fn any_stream_gives_examples_or_an_error(text in "([1-4]|[,:\"# é\n]|:0|:1,|\r\n){0,30}") {
        let class = families::generate("point", "3").unwrap();
        match parse_stream(&class, &text, "s") {
            Ok(stream) => prop_assert!(stream.iter().all(|&(x, _)| x < 3)),
            Err(error) => check_place(text.as_bytes(), &error),
        }
    }

    #[test]
    fn a_stream_is_read_as_it_was_written(
        table in tables(),
        examples in prop::collection::vec((any::<Index>(), any::<bool>()), 0..20),
        in_lines in any::<bool>(),
    ) {
        let class = read_bytes("f", table.json().as_bytes(), Some(Format::Json)).unwrap().class;
        let examples: Vec<(usize, bool)> = examples
            .into_iter()
            .map(|(x, y)| (x.index(class.points()), y))
            // A name with a quotation mark cannot be quoted.
            .filter(|&(x, _)| !class.point_names()[x].contains('"'))
            .collect();
        let shown: Vec<String> = examples
            .iter()
            .map(|&(x, y)| format!("\"{}\":{}", class.point_names()[x], u8::from(y)))
            .collect();
        let text = shown.join(if in_lines { "\n" } else { "," });
        prop_assert_eq!(parse_stream(&class, &text, "s"), Ok(examples));
    }
}

#[test]
fn the_examples_are_what_they_say() {
    // Sizes: 7 points have 8 thresholds and 7·8/2 + 1 intervals; there are 20 monotone functions
    // of 3 variables (the Dedekind number), 7 lines in the Fano plane, and 9 squares with
    // distinct knight's attacks on a 3 × 3 board.
    let sizes = [
        ("bit.csv", 2, 2),
        ("empty-essential-set.txt", 7, 4),
        ("fano.json", 7, 7),
        ("intervals.csv", 29, 7),
        ("knight.csv", 9, 9),
        ("major-scales.json", 12, 12),
        ("monotone3.txt", 20, 8),
        ("point3.csv", 3, 3),
        ("seven-segment.csv", 10, 7),
        ("thresholds.csv", 8, 7),
    ];
    let mut files: Vec<String> = fs::read_dir(example(""))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, sizes.map(|(file, ..)| file));
    for (file, hypotheses, points) in sizes {
        let loaded = read_class(&example(file)).unwrap();
        assert_eq!((loaded.class.hypotheses(), loaded.class.points()), (hypotheses, points));
        assert_eq!(loaded.notes, Vec::<String>::new(), "{file}");
    }
}

#[test]
fn the_example_of_definition_5_is_the_family() {
    let file = read_class(&example("point3.csv")).unwrap().class;
    assert_eq!(file, load("point:3").unwrap().class);
}

#[test]
fn the_examples_have_their_properties() {
    let class = |file| read_class(&example(file)).unwrap().class;
    // Any two lines of a projective plane meet in exactly one point.
    let fano = rows(&class("fano.json"));
    for f in &fano {
        for g in fano.iter().filter(|g| *g != f) {
            let common = f.bytes().zip(g.bytes()).filter(|&(a, b)| (a, b) == (b'1', b'1')).count();
            assert_eq!(common, 1);
        }
    }
    // The scale on the next semitone is the same pattern, turned by one.
    let scales = rows(&class("major-scales.json"));
    for pair in scales.windows(2) {
        let (head, last) = pair[0].split_at(11);
        assert_eq!(pair[1], format!("{last}{head}"));
    }
    // Adding an element to the input never turns a monotone function off.
    for row in rows(&class("monotone3.txt")) {
        let value = |k: usize| row.as_bytes()[k];
        assert!((0..8).all(|k| (0..3).all(|i| value(k) <= value(k | 1 << i))));
    }
    // A knight attacks the square that attacks it.
    let knight = class("knight.csv");
    assert!((0..9).all(|a| (0..9).all(|b| knight.label(a, b) == knight.label(b, a))));
    let ones = |row: &String| row.matches('1').count();
    // A board of 3 × 3 has 8 knight's moves, each in two directions.
    assert_eq!(rows(&knight).iter().map(ones).sum::<usize>(), 16);
    // Segments lit by the digits 0 to 9.
    let segments: Vec<usize> = rows(&class("seven-segment.csv")).iter().map(ones).collect();
    assert_eq!(segments, [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]);
}
