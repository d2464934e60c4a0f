//! Classes made from other classes. Names are kept where they still mean the same hypothesis or
//! point, and equal hypotheses are merged as everywhere. The work is counted as short steps.

use std::collections::HashSet;

use super::{Class, ClassBuilder, VersionSpace, size};
use littlestone_base::error::{Error, Result, show};
use littlestone_base::limits::{Meter, Stopped};

/// The dual class: the hypotheses of `class` become the points, and each point `x` becomes the
/// hypothesis `h ↦ h(x)`, called as the point was. Points with equal columns are merged.
///
/// # Errors
/// When the dual would be too large, or a limit is hit.
pub fn dual(class: &Class, meter: &mut Meter<'_>) -> Result<Class> {
    let (hypotheses, points) = (class.hypotheses(), class.points());
    size::check("the dual", points as u128, hypotheses as u128)?;
    let named = distinct((0..hypotheses).map(|h| class.hypothesis_name(h).into_owned()).collect());
    let numbered = || (1..=hypotheses).map(|h| format!("h{h}")).collect();
    let mut builder = ClassBuilder::new(named.unwrap_or_else(numbered));
    for (name, column) in class.point_names().iter().zip(class.columns()) {
        meter.work(row_steps(&builder))?;
        builder.push_packed(Some(name.clone()), &column);
    }
    Ok(builder.build())
}

/// The class with every label exchanged.
///
/// # Errors
/// When a limit is hit.
pub fn complement(class: &Class, meter: &mut Meter<'_>) -> Result<Class> {
    let all: Vec<usize> = (0..class.points()).collect();
    complement_at(class, &all, meter)
}

/// The class with the labels at the given points exchanged. A hypothesis keeps its name. This
/// changes no Littlestone dimension.
///
/// # Errors
/// When a limit is hit.
///
/// # Panics
/// When a point is not one of the class.
pub fn complement_at(class: &Class, points: &[usize], meter: &mut Meter<'_>) -> Result<Class> {
    let mut builder = ClassBuilder::new(class.point_names().to_vec());
    let mut mask = vec![0u64; builder.stride()];
    for &x in points {
        assert!(x < class.points(), "point {x} of {}", class.points());
        mask[x / 64] |= 1 << (x % 64);
    }
    let mut words = mask.clone();
    for h in 0..class.hypotheses() {
        meter.work(row_steps(&builder))?;
        for ((word, label), flip) in words.iter_mut().zip(class.row(h)).zip(&mask) {
            *word = label ^ flip;
        }
        builder.push_packed(own_name(class, h), &words);
    }
    Ok(builder.build())
}

/// The product over disjoint domains: for each pair of hypotheses `f` of `left` and `g` of
/// `right`, the hypothesis `f*g` that is `f` on the points of the one and `g` on those of the
/// other. Points `x` are called `1.x` and `2.x`, after the class they come from. The Littlestone
/// dimensions add up.
///
/// # Errors
/// When the product would be too large, or a limit is hit.
pub fn product(left: &Class, right: &Class, meter: &mut Meter<'_>) -> Result<Class> {
    let hypotheses = left.hypotheses() as u128 * right.hypotheses() as u128;
    let points = left.points() as u128 + right.points() as u128;
    size::check("the product", hypotheses, points)?;
    let prefixed = |prefix: &'static str, class: &Class| {
        class.point_names().iter().map(|x| format!("{prefix}.{x}")).collect::<Vec<_>>()
    };
    let names = [prefixed("1", left), prefixed("2", right)].concat();
    let mut builder = ClassBuilder::new(names);
    let (word, shift) = (left.points() / 64, left.points() % 64);
    let mut words = vec![0u64; builder.stride()];
    for f in 0..left.hypotheses() {
        for g in 0..right.hypotheses() {
            meter.work(row_steps(&builder))?;
            words.fill(0);
            words[..left.row(f).len()].copy_from_slice(left.row(f));
            for (i, &labels) in right.row(g).iter().enumerate() {
                words[word + i] |= labels << shift;
                if shift > 0 && labels >> (64 - shift) != 0 {
                    words[word + i + 1] |= labels >> (64 - shift);
                }
            }
            let name = (left.has_names() || right.has_names())
                .then(|| format!("{}*{}", left.hypothesis_name(f), right.hypothesis_name(g)));
            builder.push_packed(name, &words);
        }
    }
    Ok(builder.build())
}

/// The union of two classes over the same points, in the order of `left`. When a name would stand
/// for two different hypotheses, or a class has no names, all hypotheses are numbered.
///
/// # Errors
/// When the classes have different points, the union would be too large, or a limit is hit.
pub fn union(left: &Class, right: &Class, meter: &mut Meter<'_>) -> Result<Class> {
    let missing = |from: &Class, other: &Class, which: &str| {
        let other: HashSet<&str> = other.point_names().iter().map(String::as_str).collect();
        let name = from.point_names().iter().find(|name| !other.contains(name.as_str()))?;
        let name = show(name);
        let message =
            format!("the union needs equal points, but only the {which} class has {name}");
        Some(Error::argument(message))
    };
    if let Some(error) = missing(left, right, "first").or_else(|| missing(right, left, "second")) {
        return Err(error);
    }
    let hypotheses = left.hypotheses() as u128 + right.hypotheses() as u128;
    size::check("the union", hypotheses, left.points() as u128)?;
    let order = {
        let places: std::collections::HashMap<&str, usize> =
            right.point_names().iter().enumerate().map(|(x, name)| (name.as_str(), x)).collect();
        left.point_names().iter().map(|name| places[name.as_str()]).collect::<Vec<_>>()
    };
    let mut collect = |named: bool| -> Result<Class, Stopped> {
        let mut builder = ClassBuilder::new(left.point_names().to_vec());
        for f in 0..left.hypotheses() {
            meter.work(row_steps(&builder))?;
            builder.push_packed(own_name(left, f).filter(|_| named), left.row(f));
        }
        for g in 0..right.hypotheses() {
            meter.work(row_steps(&builder))?;
            let name = own_name(right, g).filter(|_| named);
            builder.push(name, order.iter().map(|&x| right.label(g, x)));
        }
        Ok(builder.build())
    };
    if left.has_names() && right.has_names() {
        let class = collect(true)?;
        let names = (0..class.hypotheses()).map(|h| class.hypothesis_name(h).into_owned());
        if distinct(names.collect()).is_some() {
            return Ok(class);
        }
    }
    Ok(collect(false)?)
}

/// The hypotheses consistent with the examples (the version space `H|Q` of Section 7.1), over
/// the same points and under the same names. There may be none.
///
/// # Errors
/// When a limit is hit.
///
/// # Panics
/// When a point is not one of the class.
pub fn restrict(class: &Class, examples: &[(usize, bool)], meter: &mut Meter<'_>) -> Result<Class> {
    let columns = class.columns();
    let space = examples
        .iter()
        .fold(VersionSpace::full(class), |space, &(x, y)| space.restrict(&columns[x], y));
    let mut builder = ClassBuilder::new(class.point_names().to_vec());
    for h in space.iter() {
        meter.work(row_steps(&builder))?;
        builder.push_packed(Some(class.hypothesis_name(h).into_owned()), class.row(h));
    }
    Ok(builder.build())
}

/// The restriction of the hypotheses to the given points, which must be distinct, in this order.
/// Hypotheses that agree there are merged under the name of the first.
///
/// # Errors
/// When a limit is hit.
///
/// # Panics
/// When a point is not one of the class.
pub fn project(class: &Class, points: &[usize], meter: &mut Meter<'_>) -> Result<Class> {
    let names = points.iter().map(|&x| class.point_names()[x].clone()).collect();
    let mut builder = ClassBuilder::new(names);
    for h in 0..class.hypotheses() {
        meter.work(row_steps(&builder))?;
        let name = class.hypothesis_name(h).into_owned();
        builder.push(Some(name), points.iter().map(|&x| class.label(h, x)));
    }
    Ok(builder.build())
}

/// Short steps for one more row, with its name and its entry in the index.
fn row_steps(builder: &ClassBuilder) -> usize {
    512 + 8 * 64 * builder.stride()
}

/// The name of a hypothesis, if the class gives names.
fn own_name(class: &Class, h: usize) -> Option<String> {
    class.has_names().then(|| class.hypothesis_name(h).into_owned())
}

/// The names, if they are distinct.
fn distinct(names: Vec<String>) -> Option<Vec<String>> {
    let different = names.iter().collect::<HashSet<_>>().len() == names.len();
    different.then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(points: &[&str], rows: &[(&str, &str)]) -> Class {
        let mut builder = ClassBuilder::new(points.iter().map(|&x| x.to_owned()).collect());
        for (name, labels) in rows {
            builder.push(Some((*name).to_owned()), labels.chars().map(|c| c == '1'));
        }
        builder.build()
    }

    fn shown(class: &Class) -> Vec<String> {
        let row = |h| format!("{} {}", class.hypothesis_name(h), class.labels(h));
        (0..class.hypotheses()).map(row).collect()
    }

    #[test]
    fn the_dual_swaps_roles_and_merges_equal_columns() {
        let c = class(&["a", "b", "c"], &[("f", "010"), ("g", "111")]);
        let dual = dual(&c, &mut Meter::default()).unwrap();
        assert_eq!(dual.point_names(), ["f", "g"]);
        assert_eq!(shown(&dual), ["a 01", "b 11"]);
    }

    #[test]
    fn the_dual_numbers_points_whose_names_would_coincide() {
        let c = class(&["a"], &[("f", "0"), ("f", "1")]);
        assert_eq!(dual(&c, &mut Meter::default()).unwrap().point_names(), ["h1", "h2"]);
    }

    #[test]
    fn a_dual_with_too_many_points_is_refused() {
        let mut builder = ClassBuilder::new((0..21).map(|x| x.to_string()).collect());
        for h in 0..=1u64 << 20 {
            builder.push_packed(None, &[h]);
        }
        assert_eq!(
            dual(&builder.build(), &mut Meter::default()).unwrap_err().to_string(),
            "the dual has 1048577 points, more than the limit of 1048576 points"
        );
    }

    #[test]
    fn complement_flips_all_columns_or_some() {
        let c = class(&["a", "b", "c"], &[("f", "010"), ("g", "111")]);
        let free = &mut Meter::default();
        let flipped = complement(&c, free).unwrap();
        assert_eq!(shown(&flipped), ["f 101", "g 000"]);
        let some = complement_at(&c, &[2, 0], free).unwrap();
        assert_eq!(shown(&some), ["f 111", "g 010"]);
        assert_eq!(complement(&flipped, free).unwrap(), c);
    }

    #[test]
    fn the_product_puts_rows_side_by_side() {
        let c = class(&["a", "b"], &[("f", "01"), ("g", "10")]);
        let product = product(&c, &class(&["b"], &[("u", "0"), ("v", "1")]), &mut Meter::default());
        let product = product.unwrap();
        assert_eq!(product.point_names(), ["1.a", "1.b", "2.b"]);
        assert_eq!(shown(&product), ["f*u 010", "f*v 011", "g*u 100", "g*v 101"]);
    }

    #[test]
    fn the_product_is_right_across_word_boundaries() {
        // Widths around multiples of the word; the labels are put together as strings instead.
        for (m, n) in [(63, 1), (63, 2), (64, 64), (65, 127), (1, 64), (100, 100), (128, 1)] {
            let wide = |n: usize, step: usize| {
                let mut builder = ClassBuilder::new((0..n).map(|x| x.to_string()).collect());
                builder.push(None, (0..n).map(|x| x % step == 0));
                builder.push(None, (0..n).map(|x| x % (step + 1) == 1 || x + 1 == n));
                builder.build()
            };
            let (left, right) = (wide(m, 2), wide(n, 3));
            let product = product(&left, &right, &mut Meter::default()).unwrap();
            let mut expected = Vec::new();
            for f in 0..left.hypotheses() {
                expected.extend(
                    (0..right.hypotheses()).map(|g| left.labels(f) + right.labels(g).as_str()),
                );
            }
            let rows: Vec<_> = (0..product.hypotheses()).map(|h| product.labels(h)).collect();
            assert_eq!(rows, expected, "{m} + {n} points");
        }
    }

    #[test]
    fn a_product_with_too_many_hypotheses_is_refused() {
        let mut builder = ClassBuilder::new((0..13).map(|x| x.to_string()).collect());
        for h in 0..=1u64 << 12 {
            builder.push_packed(None, &[h]);
        }
        let c = builder.build();
        // 4097² = 16785409.
        assert_eq!(
            product(&c, &c, &mut Meter::default()).unwrap_err().to_string(),
            "the product has 16785409 hypotheses, more than the limit of 16777216 hypotheses"
        );
    }

    #[test]
    fn the_union_goes_by_the_names_of_the_points() {
        let left = class(&["a", "b"], &[("f", "01"), ("g", "11")]);
        let right = class(&["b", "a"], &[("u", "10"), ("v", "01")]);
        let union = |a: &Class, b: &Class| union(a, b, &mut Meter::default());
        assert_eq!(shown(&union(&left, &right).unwrap()), ["f 01", "g 11", "v 10"]);
        let clash = class(&["a", "b"], &[("f", "10")]);
        assert_eq!(shown(&union(&left, &clash).unwrap()), ["h1 01", "h2 11", "h3 10"]);
        let same = class(&["a", "b"], &[("f", "01")]);
        assert_eq!(union(&left, &same).unwrap(), left);
    }

    #[test]
    fn a_union_over_different_points_is_refused() {
        let message = |a: &[&str], b: &[&str]| {
            let (a, b) = (class(a, &[]), class(b, &[]));
            union(&a, &b, &mut Meter::default()).unwrap_err().to_string()
        };
        assert_eq!(
            message(&["a", "b"], &["a"]),
            "the union needs equal points, but only the first class has `b`"
        );
        assert_eq!(
            message(&["a"], &["a", "c"]),
            "the union needs equal points, but only the second class has `c`"
        );
    }

    #[test]
    fn restriction_keeps_names_and_may_leave_nothing() {
        let mut builder = ClassBuilder::new(vec!["a".into(), "b".into()]);
        for labels in [[false, false], [false, true], [true, true]] {
            builder.push(None, labels);
        }
        let c = builder.build();
        let restrict = |c: &Class, q: &[_]| restrict(c, q, &mut Meter::default()).unwrap();
        assert_eq!(shown(&restrict(&c, &[(1, true)])), ["h2 01", "h3 11"]);
        assert_eq!(shown(&restrict(&c, &[])), ["h1 00", "h2 01", "h3 11"]);
        assert_eq!(restrict(&c, &[(0, true), (1, false)]).hypotheses(), 0);
    }

    #[test]
    fn projection_reorders_and_merges() {
        let c = class(&["a", "b", "c"], &[("f", "010"), ("g", "011"), ("k", "110")]);
        let projected = project(&c, &[1, 0], &mut Meter::default()).unwrap();
        assert_eq!(projected.point_names(), ["b", "a"]);
        assert_eq!(shown(&projected), ["f 10", "k 11"]);
    }
}
