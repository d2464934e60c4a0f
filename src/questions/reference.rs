//! The reference page: every question with its fields and its answer, as the derives state them.

use super::door::Field;
use super::registry;

const HEAD: &str = "\
# Questions

What can be asked, through the command line, claim files, `littlestone ask` and the library. The fields
of a question are the options of its command (with `-` for `_`), the keys of its claims and the keys of
its JSON request. A claim says of any value of the answer what it is: `key = …`, `key.at_least = …`,
`key.at_most = …`, `key.below.equals = …`. Other kinds are questions with some fields set, and short
keys for some of these statements.

This page is what `littlestone generate reference` prints.
";

/// The page, in Markdown.
pub fn markdown() -> String {
    let mut page = HEAD.to_owned();
    let mut add = |line: String| {
        page.push_str(&line);
        page.push('\n');
    };
    for question in registry::all() {
        add(format!("\n## {}\n\n{}\n", question.name, question.about));
        add("| field | meaning |\n| --- | --- |".into());
        question.fields.iter().for_each(|field| add(row(field)));
        add("\n| of the answer | meaning |\n| --- | --- |".into());
        question.paths.iter().for_each(|path| add(row(&Field { required: false, ..path.clone() })));
        if !question.kinds.is_empty() {
            add("\n| other kind | claims | keys that say what is claimed |\n| --- | --- | --- |"
                .into());
        }
        for kind in question.kinds {
            let keys: Vec<String> =
                kind.asserts.iter().map(|asserted| format!("`{}`", asserted.key)).collect();
            let renamed = kind.renames.iter().map(|(key, field)| format!("`{key}` for `{field}`"));
            let keys: Vec<String> = keys.into_iter().chain(renamed).collect();
            add(format!("| `{}` | {} | {} |", kind.name, cell(kind.about), keys.join(", ")));
        }
    }
    page
}

fn row(field: &Field) -> String {
    let needed = if field.required { " (needed)" } else { "" };
    format!("| `{}`{needed} | {} |", field.name, cell(&field.about))
}

/// Text that stays in its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
