//! Which files a mechanism is read from.

use std::path::{Path, PathBuf};

use super::{Argument, DEPTH, Spec, Target, has_extension, parse, split_pairs, split_target};

/// Adds the files of the mechanism `text`. A text that is no mechanism, such as a number, names none.
pub(super) fn of_text(text: &str, base: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if depth > DEPTH {
        return;
    }
    // A mechanism file and `@file` are replaced by what is in them when the text is parsed.
    let (target, rest) = split_target(text);
    if has_extension(Path::new(target), "toml") {
        found.push(base.join(target));
    }
    for pair in rest.map(split_pairs).unwrap_or_default() {
        let value = pair.split_once('=').map_or("", |(_, value)| value.trim());
        found.extend(value.strip_prefix('@').map(|file| base.join(file)));
    }
    if let Ok(spec) = parse(text, base, depth) {
        of_spec(&spec, depth, found);
    }
}

fn of_spec(spec: &Spec, depth: usize, found: &mut Vec<PathBuf>) {
    if let Target::File(path) = &spec.target {
        found.push(path.clone());
    }
    spec.arguments.values().for_each(|argument| of_argument(argument, depth + 1, found));
}

fn of_argument(argument: &Argument, depth: usize, found: &mut Vec<PathBuf>) {
    match argument {
        Argument::Text(text) => {
            let inner = text.trim();
            let inner = inner.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(inner);
            of_text(inner, Path::new(""), depth, found);
        }
        Argument::List(items) => items.iter().for_each(|item| of_argument(item, depth, found)),
        Argument::Mechanism(spec) => of_spec(spec, depth, found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_nested_mechanisms_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("m.toml"), "use = \"compose\"\nof = { use = \"in.rhai\" }\n").unwrap();
        let mut found = Vec::new();
        of_text("m.toml:k=2", folder.path(), 0, &mut found);
        of_text("compose:of=(b.json),k=2", Path::new(""), 0, &mut found);
        of_text("soa-learner:flip=1/8", Path::new(""), 0, &mut found);
        let expected = [path("m.toml"), path("in.rhai"), "b.json".into()];
        assert_eq!(found, expected);
    }
}
