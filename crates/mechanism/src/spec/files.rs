//! Which files a mechanism is read from.

use std::path::{Path, PathBuf};

use super::{DEPTH, EXTENSIONS, has_extension, split_pairs, split_target, unwrapped};
use littlestone_base::file;

/// Adds the files of the mechanism `text`. A text that is no mechanism, such as a number, names none.
pub(super) fn of_text(text: &str, base: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if depth > DEPTH {
        return;
    }
    let (target, rest) = split_target(unwrapped(text));
    if EXTENSIONS.iter().any(|extension| target.ends_with(extension)) {
        of_file(&base.join(target), depth, found);
    }
    for pair in rest.map(split_pairs).unwrap_or_default() {
        let (_, value) = pair.split_once('=').unwrap_or(("", pair));
        of_value(value.trim(), base, depth + 1, found);
    }
}

/// Adds the files of a parameter as it is typed; the items of a list are parameters, too.
fn of_value(text: &str, base: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if let Some(path) = text.strip_prefix('@') {
        return of_file(&base.join(path), depth, found);
    }
    let items = split_pairs(unwrapped(text));
    if items.len() == 1 || items[0].contains('=') || depth > DEPTH {
        return of_text(text, base, depth, found);
    }
    for item in items {
        of_value(item.trim(), base, depth + 1, found);
    }
}

/// Adds a file, and those that a mechanism file names.
fn of_file(path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    found.push(path.to_path_buf());
    if !has_extension(path, "toml") || depth > DEPTH {
        return;
    }
    // What cannot be read is told when the mechanism is read.
    if let Ok(text) = file::read_text(path, file::MAX_TEXT_BYTES)
        && let Ok(table) = text.parse::<toml::Table>()
    {
        let base = path.parent().unwrap_or(Path::new(""));
        for value in table.values() {
            of_toml(value, base, depth + 1, found);
        }
    }
}

fn of_toml(value: &toml::Value, base: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    match value {
        toml::Value::String(text) => of_value(text, base, depth, found),
        toml::Value::Array(items) => {
            for item in items {
                of_toml(item, base, depth, found);
            }
        }
        toml::Value::Table(table) => {
            for item in table.values() {
                of_toml(item, base, depth, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_nested_mechanisms_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let nested = "use = \"compose\"\nk = \"@k.txt\"\nof = { use = \"in.rhai\" }\n";
        std::fs::write(path("m.toml"), nested).unwrap();
        let mut found = Vec::new();
        of_text("m.toml:k=2", folder.path(), 0, &mut found);
        of_text("compose:of=(a.rhai:p=1/4),k=2", Path::new(""), 0, &mut found);
        of_text("combined:first=(b.json),table=(0,@c.txt)", Path::new(""), 0, &mut found);
        of_text("soa-learner:flip=1/8", Path::new(""), 0, &mut found);
        found.sort();
        let mut expected = vec![path("m.toml"), path("k.txt"), path("in.rhai")];
        expected.extend(["a.rhai", "b.json", "c.txt"].map(PathBuf::from));
        expected.sort();
        assert_eq!(found, expected);
    }
}
