//! Good and bad files; the errors are asserted in full.

use std::fs;

use super::*;

fn read_as(format: Format, text: impl AsRef<[u8]>) -> Result<Loaded> {
    read_bytes("f", text.as_ref(), Some(format))
}

fn rows(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.labels(h)).collect()
}

fn names(class: &Class) -> Vec<String> {
    (0..class.hypotheses()).map(|h| class.hypothesis_name(h).into_owned()).collect()
}

#[track_caller]
fn assert_error(format: Format, text: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(read_as(format, text).unwrap_err().to_string(), expected);
}

#[test]
fn csv_with_names_comments_quotes_and_windows_line_ends() {
    let text = "\u{feff}# two points\r\n\r\nname,\"a, b\" , c\r\nf,0,1\r\n# g is next\r\n\"g \"\"2\"\"\",\"1\", 1 \r\n";
    let loaded = read_as(Format::Csv, text).unwrap();
    assert_eq!(loaded.class.point_names(), ["a, b", "c"]);
    assert_eq!(names(&loaded.class), ["f", "g \"2\""]);
    assert_eq!(rows(&loaded.class), ["01", "11"]);
    assert!(loaded.notes.is_empty());
}

#[test]
fn csv_without_names_numbers_the_hypotheses() {
    let class = read_as(Format::Csv, "x,name\n0,1\n1,1").unwrap().class;
    assert_eq!(class.point_names(), ["x", "name"]);
    assert!(!class.has_names());
    assert_eq!(names(&class), ["h1", "h2"]);
}

#[test]
fn text_with_comments_and_spaces() {
    let class = read_as(Format::Text, "# c\n\n0110\n 1 0\t1 0  # d\r\n1111").unwrap().class;
    assert_eq!(class.point_names(), ["1", "2", "3", "4"]);
    assert_eq!(rows(&class), ["0110", "1010", "1111"]);
}

#[test]
fn json_with_integer_points_escapes_and_names() {
    let text = r#" {"hypotheses": [{"labels": "0\u0031", "name": "f\u00e9"}, {"name":"g","labels":"10"}],
        "points": [7, "b\"c"]} "#;
    let class = read_as(Format::Json, text).unwrap().class;
    assert_eq!(class.point_names(), ["7", "b\"c"]);
    assert_eq!(names(&class), ["fé", "g"]);
    assert_eq!(rows(&class), ["01", "10"]);
}

#[test]
fn equal_rows_are_merged_with_a_note_that_names_both_lines() {
    let loaded = read_as(Format::Csv, "name,a,b\n\nf,0,1\n# c\ne,1,1\ng,0,1\n").unwrap();
    assert_eq!(loaded.notes, ["f:6: hypothesis \"g\" equals \"f\" (line 3) and was merged"]);
    assert_eq!(names(&loaded.class), ["f", "e"]);
    let loaded = read_as(Format::Text, "00\n01\n11\n01\n").unwrap();
    assert_eq!(loaded.notes, ["f:4: this hypothesis equals the one in line 2 and was merged"]);
    let json = "{\"points\":[\"a\"],\n\"hypotheses\":[{\"labels\":\"0\"},\n{\"labels\":\"0\"}]}";
    let loaded = read_as(Format::Json, json).unwrap();
    assert_eq!(loaded.notes, ["f:3: this hypothesis equals the one in line 2 and was merged"]);
}

#[test]
fn many_merges_are_summed_up() {
    let loaded = read_as(Format::Text, "01\n".repeat(1 + 20 + 7)).unwrap();
    assert_eq!(loaded.notes.len(), 21);
    assert_eq!(loaded.notes[20], "f: 7 more hypotheses equal earlier ones and were merged");
}

#[test]
fn faults_of_the_encoding() {
    for format in [Format::Csv, Format::Text, Format::Json] {
        assert_error(format, "", "f: expected a class, found an empty file");
        assert_error(format, "\u{feff} \r\n", "f: expected a class, found an empty file");
        assert_error(
            format,
            b"\n\xc3\xa9\xff",
            "f:2:2: expected text in UTF-8, found the byte 0xff",
        );
        assert_error(format, "0\n1\0", "f:2:2: expected text, found a NUL byte");
    }
    let lone = "f:1:2: expected a line feed at the end of the line, found a carriage return alone";
    assert_error(Format::Csv, "a\r0\r", lone);
    assert_error(Format::Text, "0\r1\r", lone);
}

#[test]
fn faults_of_csv() {
    let check = |text, expected| assert_error(Format::Csv, text, expected);
    check("# c\n", "f: expected a header with the names of the points, found none");
    check("a,b\n", "f: expected at least one hypothesis, found none");
    check("name\nf\n", "f: expected at least one point, found none");
    check("a,b,c\n0,1,1\n\n0, 1\n", "f:4:5: expected 3 cells, found 2");
    check("a,b\n0,1\n0,1, 1,1\n", "f:3:6: expected 2 cells, found 4");
    check("name,a\nf\n", "f:2:2: expected 2 cells (a name and 1 labels), found 1");
    check("é,b\n\"0\", 2\n", "f:2:6: expected 0 or 1, found `2`");
    check("name,b\né,x\n", "f:2:3: expected 0 or 1, found `x`");
    check("a,b\n0,\n", "f:2:3: expected 0 or 1, found an empty cell");
    check("a,b\n0,01\n", "f:2:3: expected 0 or 1, found `01`");
    check(
        "a,b, a\n0,0,0\n",
        "f:1:6: expected distinct point names, found `a` again (it is point 1 already)",
    );
    check("a,,b\n0,0,0\n", "f:1:3: expected the name of a point, found an empty name");
    check("a,b,\n0,0,0\n", "f:1:5: expected the name of a point, found an empty name");
    check(
        "name,a\nf,0\n\ng,1\nf,1\n",
        "f:5:1: expected distinct names of hypotheses, found `f` again (first in line 2)",
    );
    check("name,a\n,0\n", "f:2:1: expected the name of a hypothesis, found an empty name");
    check(
        "a,\"b\n0,1\n",
        "f:1:3: expected the name of a point on one line, without control characters, \
         found `b\\n0,1`",
    );
    check("a\n\"0\n1\n", "f:2:1: expected 0 or 1, found `0\\n1`");
}

#[test]
fn faults_of_text() {
    let check = |text, expected| assert_error(Format::Text, text, expected);
    check("# only\n\n", "f: expected at least one hypothesis, found only comments");
    check("010\n# c\n0 1\n", "f:3:4: expected 3 labels, found 2");
    check("010\n0 1 1 1 0\n", "f:2:7: expected 3 labels, found 5");
    check("01\n0é\n", "f:2:2: expected 0 or 1, found `é`");
    check("0,1\n", "f:1:2: expected 0 or 1, found `,`");
}

#[test]
fn faults_of_json() {
    let check = |text: &str, expected: &str| assert_error(Format::Json, text, expected);
    check("[1]", "f:1:1: expected a class, such as {\"points\": …}, found `[1]`");
    check("  5", "f:1:3: expected a class, such as {\"points\": …}, found `5`");
    check("{\"points\": []", "f:1:14: expected more of an object, found the end of the input");
    check("{}", "f:1:1: expected an object with the key `points`, found none");
    check(
        "{\"points\": [],\n \"points\": []}",
        "f:2:2: expected each key once, found `points` again",
    );
    check(
        "{\"points\": [\"a\"],\n \"rows\": []}",
        "f:2:2: expected `points` or `hypotheses`, found `rows`",
    );
    check("{\"points\": [], \"hypotheses\": []}", "f: expected at least one point, found none");
    check(
        "{\"points\": [\"a\"], \"hypotheses\": []}",
        "f: expected at least one hypothesis, found none",
    );
    check(
        "{\"points\": 5, \"hypotheses\": []}",
        "f:1:12: expected an array of at most 1048576 elements, found integer `5`",
    );
    check("{\"points\": [1.5]}", "f:1:1: expected an object with the key `hypotheses`, found none");
    check("{\"points\" [1]}", "f:1:11: expected `:`, found `[`");
    check(
        "{\"points\": [\"a\"], \"hypotheses\": []} x",
        "f:1:37: expected valid JSON, found trailing characters",
    );
    check("{\"points\": [01]}", "f:1:14: expected valid JSON, found invalid number");

    let with =
        |points: &str, rows: &str| format!("{{\"points\":[{points}],\n\"hypotheses\":[{rows}]}}");
    let check = |points: &str, rows: &str, expected: &str| {
        assert_error(Format::Json, with(points, rows), expected);
    };
    check("1.5", "", "f:1:12: expected the name of a point, a string or an integer, found `1.5`");
    check(
        "\"é\", \"é\"",
        "",
        "f:1:17: expected distinct point names, found `é` again (it is point 1 already)",
    );
    check("\" \"", "", "f:1:12: expected the name of a point, found an empty name");
    check(
        "1",
        "\"0\"",
        "f:2:15: expected a hypothesis, such as {\"labels\": \"01\"}, found `\"0\"`",
    );
    check("1", "{}", "f:2:15: expected an object with the key `labels`, found none");
    check("1", "{\"labels\":[0]}", "f:2:25: expected a string of 0 and 1, found `[0]`");
    check("1,2", "{\"labels\":\"0x\"}", "f:2:27: expected 0 or 1, found `x`");
    check("1,2", "{\"labels\":\"0\"}", "f:2:27: expected 2 labels, found 1");
    check("1,2", "{\"labels\":\"0111\"}", "f:2:28: expected 2 labels, found 4");
    check("1", "{\"labels\":\"\\u0032\"}", "f:2:25: expected 0 or 1, found `2`");
    check(
        "1",
        "{\"labels\":\"0\"},\n {\"labels\":\"1\",\"labels\":\"1\"}",
        "f:3:16: expected each key once, found `labels` again",
    );
    check("1", "{\"label\":\"0\"}", "f:2:16: expected `name` or `labels`, found `label`");
    check(
        "1",
        "{\"labels\":\"0\"},{\"labels\":\"1\",\"name\":\"g\"}",
        "f:2:30: expected a hypothesis without a name, as the first has none, found a name",
    );
    check(
        "1",
        "{\"labels\":\"0\",\"name\":\"g\"},{\"labels\":\"1\"}",
        "f:2:41: expected a hypothesis with a name, as the first has one, found none",
    );
    check(
        "1",
        "{\"labels\":\"0\",\"name\":\"g\"},{\"labels\":\"1\",\"name\":\"g\"}",
        "f:2:62: expected distinct names of hypotheses, found `g` again (first in line 2)",
    );
    check(
        "1",
        "{\"labels\":\"0\",\"name\":7}",
        "f:2:36: expected the name of a hypothesis, a string, found `7`",
    );
}

#[test]
fn the_content_decides_where_the_extension_is_silent() {
    let sniff = |text: &str| read_bytes("f", text.as_bytes(), None).unwrap().class;
    assert_eq!(sniff("# a\n\n0 1 # b\n").point_names(), ["1", "2"]);
    assert_eq!(sniff("# a\n0,2\n0,1\n").point_names(), ["0", "2"]);
    let json = "\n{\"points\":[\"p\"],\"hypotheses\":[{\"labels\":\"1\"}]}";
    assert_eq!(sniff(json).point_names(), ["p"]);
    assert_eq!(Format::of_path(Path::new("a/b.CSV")), Some(Format::Csv));
    assert_eq!(Format::of_path(Path::new("a/b.dat")), None);
    assert_eq!(Format::of_path(Path::new("csv")), None);
}

#[test]
fn a_tall_and_a_wide_class_are_read() {
    // 70 points span two words of a row; the expected labels are computed afresh.
    let label = |h: usize, x: usize| (h >> (x % 9)) & 1 == 1;
    let cell = |h, x| if label(h, x) { "1" } else { "0" };
    let mut text = (0..70).map(|x| format!("p{x}")).collect::<Vec<_>>().join(",");
    for h in 0..512 {
        text += "\n";
        text += &(0..70).map(|x| cell(h, x)).collect::<Vec<_>>().join(",");
    }
    let class = read_as(Format::Csv, text).unwrap().class;
    assert_eq!((class.hypotheses(), class.points()), (512, 70));
    assert!((0..512).all(|h| (0..70).all(|x| class.label(h, x) == label(h, x))));
}

#[test]
fn too_many_points_are_refused() {
    let many = crate::size::MAX_POINTS + 1;
    let limit = "more than the limit of 1048576 points";
    assert_error(Format::Text, "0".repeat(many), &format!("f has 1048577 points, {limit}"));
    assert_error(Format::Csv, ",".repeat(many), &format!("f has a line of 1048578 cells, {limit}"));
    let json = format!("{{\"points\":[{}0],\"hypotheses\":[]}}", "0,".repeat(many));
    // The comma after the first element too many.
    let column = "{\"points\":[".len() + 2 * many;
    assert_error(
        Format::Json,
        json,
        &format!("f:1:{column}: expected an array of at most 1048576 elements, found 1048577"),
    );
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.csv");
    let error = read_class(&missing).unwrap_err().to_string();
    assert_eq!(error, format!("{}: no such file", missing.display()));
    let error = read_class(folder.path()).unwrap_err().to_string();
    assert_eq!(error, format!("{}: is a directory, not a file", folder.path().display()));
    let error = read_class(&folder.path().join("a\0b")).unwrap_err();
    assert!(matches!(error, littlestone_base::error::Error::File { .. }), "{error}");

    // A sparse file: nothing of this size is written or read.
    let large = folder.path().join("large.csv");
    fs::File::create(&large).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    assert_eq!(
        read_class(&large).unwrap_err().to_string(),
        format!("{} has 268435457 bytes, more than the limit of 268435456 bytes", large.display())
    );
}

#[test]
fn a_file_is_named_in_its_faults() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs::write(&path, "a,b\n0,2\n").unwrap();
    let error = read_class(&path).unwrap_err().to_string();
    assert_eq!(error, format!("{}:2:3: expected 0 or 1, found `2`", path.display()));
}
