//! A number of bytes.

use std::fmt;
use std::str::FromStr;

/// A number of bytes: `1000`, `64K`, `256M`, `1G`, in powers of 1024.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size(pub u64);

impl Default for Size {
    /// 256 MiB.
    fn default() -> Self {
        Self(1 << 28)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, shift) = match text.as_bytes().last() {
            Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
            Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
            Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
            _ => (text, 0),
        };
        digits
            .parse()
            .ok()
            .and_then(|number: u64| number.checked_mul(1 << shift))
            .map(Self)
            .ok_or_else(|| "expected a number of bytes such as 1000, 64K, 256M or 1G".to_owned())
    }
}

/// In the largest unit that divides it.
impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "G"), (20, "M"), (10, "K"), (0, "")];
        let fits = |shift: &u32| self.0.trailing_zeros() >= *shift && (self.0 > 0 || *shift == 0);
        let (shift, unit) = units.into_iter().find(|(shift, _)| fits(shift)).unwrap_or((0, ""));
        write!(f, "{}{unit}", self.0 >> shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_units_and_a_limit() {
        let size = |text: &str| text.parse().map(|Size(bytes)| bytes);
        assert_eq!(size("1000"), Ok(1000));
        assert_eq!(size("64k"), Ok(65_536));
        assert_eq!(size("2G"), Ok(2_147_483_648));
        for wrong in ["", "K", "-1", "1.5M", "1T", "17179869184G", "é"] {
            assert!(size(wrong).is_err(), "{wrong:?}");
        }
    }
}
