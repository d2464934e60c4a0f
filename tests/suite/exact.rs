//! Exact numbers against second computations: other formulas, other representations, theory.

mod enclosures;
mod numbers;
mod polynomials;
mod rings;
mod tools;

/// The numbers stand below everything else: they import nothing of the crate but its errors, and their
/// properties the number of cases.
#[test]
fn the_numbers_import_only_errors() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/exact");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            for (at, _) in line.match_indices("crate::") {
                let rest = &line[at..];
                let allowed = ["crate::error", "crate::exact", "crate::properties"]
                    .iter()
                    .any(|p| rest.starts_with(p));
                assert!(allowed, "{}:{}: {line}", path.display(), number + 1);
                seen += 1;
            }
        }
    }
    assert!(seen > 0, "the error type is imported somewhere");
}
