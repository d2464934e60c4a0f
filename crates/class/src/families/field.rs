//! Arithmetic of the finite field with `q = p^m` elements.

/// The greatest order for which a field is built.
pub(super) const GREATEST_ORDER: u64 = 1 << 16;

/// The field with q elements. Elements are the numbers below q; the digits of an element in base
/// p, least first, are the coefficients of a polynomial over the integers mod p, and products are
/// taken modulo the first irreducible polynomial `x^m + c` by the number that encodes `c`.
#[derive(Debug, Clone)]
pub(super) struct Field {
    p: u64,
    /// Coefficients of `c`, least first: as many as the degree m.
    c: Vec<u64>,
}

impl Field {
    /// The field of order `q ≤ GREATEST_ORDER`, if q is a prime power.
    pub(super) fn new(q: u64) -> Option<Self> {
        let p = (2..=q).find(|p| q.is_multiple_of(*p))?;
        let (mut rest, mut degree) = (q, 0);
        while rest.is_multiple_of(p) {
            rest /= p;
            degree += 1;
        }
        if rest != 1 {
            return None;
        }
        (0..q).map(|c| Self { p, c: digits(c, p, degree) }).find(Self::is_irreducible)
    }

    /// No monic polynomial of a degree between 1 and m/2 divides the modulus.
    fn is_irreducible(&self) -> bool {
        let m = self.c.len();
        (1..=m / 2).all(|degree| {
            let count = self.p.pow(u32::try_from(degree).expect("small degree"));
            (0..count).all(|low| {
                let mut rest = self.c.clone();
                rest.push(1);
                reduce(&mut rest, &digits(low, self.p, degree), self.p);
                rest.iter().any(|&r| r != 0)
            })
        })
    }

    /// Number of elements.
    pub(super) fn order(&self) -> u64 {
        self.p.pow(u32::try_from(self.c.len()).expect("small degree"))
    }

    fn coefficients(&self, a: u64) -> Vec<u64> {
        digits(a, self.p, self.c.len())
    }

    fn element(&self, coefficients: &[u64]) -> u64 {
        coefficients.iter().rev().fold(0, |value, digit| value * self.p + digit)
    }

    fn digitwise(&self, a: u64, b: u64, op: impl Fn(u64, u64) -> u64) -> u64 {
        let (a, b) = (self.coefficients(a), self.coefficients(b));
        self.element(&a.iter().zip(&b).map(|(&a, &b)| op(a, b) % self.p).collect::<Vec<_>>())
    }

    /// `a + b`.
    pub(super) fn add(&self, a: u64, b: u64) -> u64 {
        self.digitwise(a, b, |a, b| a + b)
    }

    /// `a − b`.
    pub(super) fn sub(&self, a: u64, b: u64) -> u64 {
        self.digitwise(a, b, |a, b| a + self.p - b)
    }

    /// `a b`.
    pub(super) fn mul(&self, a: u64, b: u64) -> u64 {
        let (a, b) = (self.coefficients(a), self.coefficients(b));
        let mut product = vec![0; a.len() + b.len() - 1];
        for (i, a) in a.iter().enumerate() {
            for (j, b) in b.iter().enumerate() {
                product[i + j] = (product[i + j] + a * b) % self.p;
            }
        }
        reduce(&mut product, &self.c, self.p);
        self.element(&product)
    }
}

/// The `count` lowest digits of `a` in base `p`, least first.
fn digits(mut a: u64, p: u64, count: usize) -> Vec<u64> {
    (0..count)
        .map(|_| {
            let digit = a % p;
            a /= p;
            digit
        })
        .collect()
}

/// The remainder of a polynomial modulo `x^m + c`, where m is the number of coefficients of `c`.
fn reduce(polynomial: &mut Vec<u64>, c: &[u64], p: u64) {
    while polynomial.len() > c.len() {
        let lead = polynomial.pop().unwrap_or(0);
        let low = polynomial.len() - c.len();
        for (target, c) in polynomial[low..].iter_mut().zip(c) {
            *target = (*target + lead * (p - c)) % p;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers_are_recognised() {
        let orders: Vec<u64> = (0..=32).filter(|&q| Field::new(q).is_some()).collect();
        assert_eq!(orders, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32]);
        assert_eq!(Field::new(1 << 16).expect("a prime power").order(), 1 << 16);
        assert!(Field::new(65_535).is_none());
    }

    #[test]
    fn field_axioms() {
        for q in [2, 3, 4, 5, 8, 9, 16, 25, 27] {
            let f = Field::new(q).expect("a prime power");
            for a in 0..q {
                assert_eq!((f.add(a, 0), f.mul(a, 1), f.sub(a, a)), (a, a, 0));
                assert_eq!(a != 0, (0..q).any(|b| f.mul(a, b) == 1), "inverse of {a} mod {q}");
                for b in 0..q {
                    assert_eq!(f.mul(a, b), f.mul(b, a));
                    assert_eq!(f.sub(f.add(a, b), b), a);
                    for c in 0..q {
                        assert_eq!(f.mul(f.mul(a, b), c), f.mul(a, f.mul(b, c)));
                        assert_eq!(f.mul(a, f.add(b, c)), f.add(f.mul(a, b), f.mul(a, c)));
                    }
                }
            }
        }
    }
}
