//! The library programs in `examples/` do what they say.

#[path = "../../examples/mistakes.rs"]
#[allow(dead_code, reason = "the program's main function is not called")]
mod mistakes;
#[path = "../../examples/shattered_tree.rs"]
#[allow(dead_code, reason = "the program's main function is not called")]
mod shattered_tree;

/// ⌊log2 16⌋ = 4 for thresholds on 15 points, by binary search; and each round of an adversary
/// that walks down a shattered tree is a mistake, which halves the 16 hypotheses.
#[test]
fn the_adversary_forces_as_many_mistakes_as_the_dimension() {
    let mut out = Vec::new();
    mistakes::show(&mut out).expect("the game is played");
    let text = String::from_utf8(out).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 5, "{text}");
    for (line, (size, dimension)) in lines.iter().zip([(16, 4), (8, 3), (4, 2), (2, 1)]) {
        let start = format!("{size:>2} hypotheses of dimension {dimension}: ");
        assert!(line.starts_with(&start), "{text}");
    }
    assert_eq!(lines[4], "mistakes: 4, Littlestone dimension: 4");
}

/// Twelve hypotheses bound the dimension by ⌊log2 12⌋ = 3. The verifier, which shares no code with
/// the search, accepts a certificate of both bounds that the program prints.
#[test]
fn the_tree_of_multiples_is_certified() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut out = Vec::new();
    shattered_tree::show(&mut out, &folder.path().join("proof.json")).expect("it is certified");
    let text = String::from_utf8(out).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    let d: usize = lines[0]
        .strip_prefix("Littlestone dimension: ")
        .and_then(|d| d.parse().ok())
        .expect("the dimension comes first");
    assert!(d <= 3, "{text}");
    // A complete tree has 2^(d + 1) − 1 nodes, one a line.
    assert_eq!(lines.len(), 1 + (1 << (d + 1)) - 1 + 2, "{text}");
    assert_eq!(
        lines[lines.len() - 2..],
        [format!("proved: Ldim ≥ {d}"), format!("proved: Ldim ≤ {d}")]
    );
}
