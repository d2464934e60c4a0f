//! The types of the fields of the question.

use itertools::Itertools as _;

use crate::catalogue::candidates::{Parameters, Variant};
use crate::exact::{Rational, parse_rational};
use crate::questions::written::{Reads, whole};

/// The ambient dimension d.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ambient(pub i32);

impl Reads for Ambient {
    const FORMAT: &'static str = "whole";
    const EXAMPLE: &'static str = "1";

    fn read(text: &str) -> Result<Self, String> {
        let expected = || format!("expected a number from 0 to {}", Parameters::GREATEST_AMBIENT);
        text.parse().map(Self).map_err(|_| expected())
    }
}

/// What random choices are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

impl Reads for Seed {
    const FORMAT: &'static str = "seed";
    const EXAMPLE: &'static str = "7";

    fn read(text: &str) -> Result<Self, String> {
        whole(text).map(Self)
    }
}

/// Numbers with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed<T>(pub Vec<T>);

impl Reads for Listed<Rational> {
    const FORMAT: &'static str = "numbers";
    const EXAMPLE: &'static str = "1/8,1/16";

    fn read(text: &str) -> Result<Self, String> {
        let read = |item: &str| parse_rational(item.trim());
        let read = text.split(',').map(read).collect::<Result<_, _>>();
        read.map(Self).map_err(|error| format!("expected rational numbers: {error}"))
    }
}

impl Reads for Listed<u32> {
    const FORMAT: &'static str = "numbers";
    const EXAMPLE: &'static str = "1,2";

    fn read(text: &str) -> Result<Self, String> {
        let read = text.split(',').map(|item| item.trim().parse());
        let read = read.collect::<Result<_, std::num::ParseIntError>>();
        read.map(Self).map_err(|_| format!("expected numbers from 1 to {}", u32::MAX))
    }
}

impl Reads for Variant {
    const FORMAT: &'static str = "variant";
    const EXAMPLE: &'static str = "paper";

    fn read(text: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        found.map(|(_, variant)| *variant).ok_or_else(|| {
            format!("expected one of {}", Self::ALL.iter().map(|(name, _)| name).join(", "))
        })
    }
}
