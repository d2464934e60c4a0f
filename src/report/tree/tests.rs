use super::*;
use crate::class::ClassBuilder;

/// POINT3 of the paper (Definition 5), and a tree of depth 1 that it shatters.
fn point3() -> (Class, ShatteredTree) {
    let mut builder = ClassBuilder::new(vec!["1".into(), "2".into(), "3".into()]);
    for i in 0..3usize {
        builder.push(Some(format!("f{}", i + 1)), (0..3).map(|x| x == i));
    }
    (builder.build(), ShatteredTree { depth: 1, points: vec![0], leaves: vec![1, 0] })
}

/// All functions on two points, which shatter the tree that asks for both.
fn cube(names: [&str; 2], hypotheses: Option<[&str; 4]>) -> (Class, ShatteredTree) {
    let mut builder = ClassBuilder::new(names.map(String::from).to_vec());
    for h in 0..4usize {
        let name = hypotheses.map(|names| names[h].to_owned());
        builder.push(name, [h >> 1 & 1 == 1, h & 1 == 1]);
    }
    (builder.build(), ShatteredTree { depth: 2, points: vec![0, 1, 1], leaves: vec![0, 1, 2, 3] })
}

/// Names that would break a careless writer, and how they are shown.
const HOSTILE: [(&str, &str); 6] = [
    ("<&\"'>]]><!--", "<&\"'>]]><!--"),
    ("a\nb\u{0}\u{ffff}", "a\\nb\\u{0}\\u{ffff}"),
    ("😀👩\u{200d}👧", "😀👩\u{200d}👧"),
    ("שלום", "שלום"),
    ("\u{202e}x\\N", "\\u{202e}x\\N"),
    ("&lt;\\", "&lt;\\"),
];

fn hostile() -> (Class, ShatteredTree) {
    let names = HOSTILE.map(|(name, _)| name);
    cube([names[0], names[1]], Some([names[2], names[3], names[4], names[5]]))
}

#[test]
fn the_ending_of_the_file_chooses_the_format() {
    let format = |name: &str| TreeFormat::from_path(Path::new(name));
    assert_eq!(format("a/tree.txt"), Ok(TreeFormat::Text));
    assert_eq!(format("tree.DOT"), Ok(TreeFormat::Dot));
    assert_eq!(format("tree.v2.svg"), Ok(TreeFormat::Svg));
    assert_eq!(format("tree.json"), Ok(TreeFormat::Json));
    for name in ["tree.png", "tree", ".svg"] {
        let message = format(name).expect_err("no format").to_string();
        assert!(message.starts_with(name), "{message}");
        assert!(message.contains(".txt, .dot, .svg or .json"), "{message}");
    }
}

#[test]
fn text() {
    let (class, tree) = point3();
    assert_eq!(
        write_tree(&class, &tree, TreeFormat::Text).as_deref(),
        Ok("1\n├─0─ f2  010\n└─1─ f1  100\n")
    );
    let (class, tree) = cube(["a", "b"], None);
    let expected = "\
a
├─0─ b
│    ├─0─ h1  00
│    └─1─ h2  01
└─1─ b
     ├─0─ h3  10
     └─1─ h4  11
";
    assert_eq!(write_tree(&class, &tree, TreeFormat::Text).as_deref(), Ok(expected));
    let (class, tree) = hostile();
    let expected = "\
<&\"'>]]><!--
├─0─ a\\nb\\u{0}\\u{ffff}
│    ├─0─ 😀👩\u{200d}👧  00
│    └─1─ \u{2068}שלום\u{2069}  01
└─1─ a\\nb\\u{0}\\u{ffff}
     ├─0─ \\u{202e}x\\N  10
     └─1─ &lt;\\  11
";
    assert_eq!(write_tree(&class, &tree, TreeFormat::Text).as_deref(), Ok(expected));
}

#[test]
fn text_leaves_out_the_labels_of_large_domains_and_of_empty_ones() {
    for (points, shown) in [(0, false), (32, true), (33, false)] {
        let mut builder = ClassBuilder::new((0..points).map(|x| x.to_string()).collect());
        builder.push(None, (0..points).map(|_| true));
        let tree = ShatteredTree { depth: 0, points: vec![], leaves: vec![0] };
        let labels = if shown { format!("  {}", "1".repeat(points)) } else { String::new() };
        let expected = format!("h1{labels}\n");
        assert_eq!(write_tree(&builder.build(), &tree, TreeFormat::Text), Ok(expected));
    }
}

#[test]
fn dot() {
    let (class, tree) = point3();
    let expected = r#"graph {
    ordering = out
    node [ fontname = "Times-Roman" ]
    edge [ fontname = "Times-Roman" ]
    0 [ label = "1" shape = ellipse ]
    1 [ label = "f2\n010" shape = plaintext ]
    2 [ label = "f1\n100" shape = plaintext ]
    0 -- 1 [ label = "0" ]
    0 -- 2 [ label = "1" ]
}
"#;
    assert_eq!(write_tree(&class, &tree, TreeFormat::Dot).as_deref(), Ok(expected));
}

#[test]
fn dot_escapes_quotes_backslashes_and_character_references() {
    let (class, tree) = hostile();
    let dot = write_tree(&class, &tree, TreeFormat::Dot).expect("no limit");
    for label in [
        r#"label = "<&amp;\"'>]]><!--" shape"#,
        r#"label = "a\\nb\\u{0}\\u{ffff}" shape"#,
        r#"label = "\\u{202e}x\\N\n10" shape"#,
        r#"label = "&amp;lt;\\\n11" shape"#,
    ] {
        assert!(dot.contains(label), "{label} in {dot}");
    }
    // 7 nodes and 6 edges, a line each, between 4 lines of head and 1 of foot.
    assert_eq!(dot.lines().count(), 4 + 7 + 6 + 1);
}

#[test]
fn json() {
    let (class, tree) = point3();
    let expected = r#"{
  "depth": 1,
  "format": 1,
  "kind": "shattered-tree",
  "tree": {
    "one": {
      "hypothesis": "f1",
      "labels": "100"
    },
    "point": "1",
    "zero": {
      "hypothesis": "f2",
      "labels": "010"
    }
  }
}
"#;
    assert_eq!(write_tree(&class, &tree, TreeFormat::Json).as_deref(), Ok(expected));
    let (class, tree) = hostile();
    let json = write_tree(&class, &tree, TreeFormat::Json).expect("no limit");
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(value["tree"]["one"]["point"], HOSTILE[1].0);
    assert_eq!(value["tree"]["one"]["zero"]["hypothesis"], HOSTILE[4].0);
}

#[test]
fn svg() {
    let (class, tree) = point3();
    insta::assert_snapshot!(write_tree(&class, &tree, TreeFormat::Svg).expect("small"));
}

/// Every character datum and attribute value of a well-formed document without a DTD.
fn xml_texts(document: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let allowed = |c: char| !c.is_control() && c != '\u{fffe}' && c != '\u{ffff}' || c == '\n';
    assert!(document.chars().all(allowed), "a character that XML 1.0 refuses");
    let mut reader = quick_xml::Reader::from_str(document);
    let (mut texts, mut open, mut current) = (Vec::new(), 0, String::new());
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) if tag.attributes().any(|a| a.is_err()) => {
                panic!("a malformed attribute")
            }
            Event::Start(_) => {
                open += 1;
                current.clear();
            }
            Event::End(_) => {
                open -= 1;
                texts.push(std::mem::take(&mut current));
            }
            Event::Empty(_) => {}
            Event::Text(text) => current += &text.decode().expect("UTF-8"),
            Event::GeneralRef(name) => current.push(match name.decode().expect("UTF-8").as_ref() {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                other => panic!("the entity {other} is not predefined"),
            }),
            other => panic!("unexpected {other:?}"),
        }
    }
    assert_eq!(open, 0, "elements left open");
    texts
}

#[test]
fn svg_is_well_formed_and_shows_hostile_names_as_they_are() {
    let (class, tree) = hostile();
    let texts = xml_texts(&write_tree(&class, &tree, TreeFormat::Svg).expect("small"));
    for (_, shown) in HOSTILE {
        let found = texts.iter().any(|t| t == shown || t.split(' ').any(|word| word == shown));
        assert!(found, "{shown:?} in {texts:?}");
    }
}

#[test]
fn svg_keeps_a_long_name_whole_in_its_title() {
    let long = "a-name-far-too-long-for-its-node".repeat(8);
    let (class, tree) = cube([&long, "b"], None);
    let texts = xml_texts(&write_tree(&class, &tree, TreeFormat::Svg).expect("small"));
    assert!(texts.contains(&long));
    assert!(texts.iter().any(|t| t.contains('…')));
}

#[test]
fn svg_refuses_trees_that_nobody_can_read() {
    for (depth, ok) in [(12, true), (13, false)] {
        let tree =
            ShatteredTree { depth, points: vec![0; (1 << depth) - 1], leaves: vec![0; 1 << depth] };
        let (class, _) = point3();
        let drawn = write_tree(&class, &tree, TreeFormat::Svg);
        assert_eq!(drawn.is_ok(), ok);
        if let Err(error) = drawn {
            let message = error.to_string();
            assert!(message.contains("8192 leaves, more than the limit of 4096"), "{message}");
        }
    }
}

#[test]
fn complete_trees_have_equally_spaced_leaves_and_centred_parents() {
    for depth in 0..=6 {
        for name in ["x", "a point with a long name", "&"] {
            let mut node = Node::leaf("h");
            for _ in 0..depth {
                node = Node {
                    label: name.into(),
                    details: vec![],
                    children: vec![Child::new("0", node.clone()), Child::new("1", node)],
                };
            }
            let layout = layout::Layout::new(&node);
            let leaves: Vec<i64> =
                layout.nodes.iter().filter(|n| n.children.is_empty()).map(|n| n.x).collect();
            let steps: Vec<i64> = leaves.windows(2).map(|w| w[1] - w[0]).collect();
            assert!(steps.windows(2).all(|w| w[0] == w[1]), "{steps:?}");
            for node in &layout.nodes {
                if let [(_, zero), (_, one)] = node.children[..] {
                    assert_eq!(2 * node.x, layout.nodes[zero].x + layout.nodes[one].x);
                }
            }
        }
    }
}

#[test]
fn nothing_overlaps_in_trees_of_mixed_shape() {
    /// A tree of shapes, names and line counts that vary with a seed (a linear congruence).
    fn grow(seed: &mut u64, depth: usize) -> Node {
        let mut next = |n: u64| {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) % n
        };
        let label = "word ".repeat(usize::try_from(1 + next(7)).expect("small"));
        let details = (0..next(3)).map(|i| format!("line {i}")).collect();
        let count = if depth == 0 { 0 } else { next(4) };
        let children =
            (0..count).map(|i| Child::new(format!("edge {i}"), grow(seed, depth - 1))).collect();
        Node { label, details, children }
    }
    for seed in 0..200 {
        let root = grow(&mut (seed * 977 + 1), 5);
        let layout = layout::Layout::new(&root);
        for (i, a) in layout.nodes.iter().enumerate() {
            assert!(a.x - a.half >= 0 && a.x + a.half <= layout.width);
            assert!(a.y - a.above >= 0 && a.y + a.below <= layout.height);
            for b in &layout.nodes[..i] {
                let apart = (a.x - b.x).abs() >= a.half + b.half
                    || a.y - a.above >= b.y + b.below
                    || b.y - b.above >= a.y + a.below;
                assert!(apart, "seed {seed}: {} and {}", a.node.label, b.node.label);
            }
        }
    }
}
