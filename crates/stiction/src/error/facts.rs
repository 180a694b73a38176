//! From a list of facts to an enum, its sentences and its hints.

use crate::ShortNumber;
use crate::error::Refusal;
use crate::formula::FormulaFault;
use std::fmt;

/// An enum of facts: the documentation of each variant, its numbers, its sentence, and the way out if there is one to point at.
macro_rules! facts {
    (
        $(#[doc = $doc:literal])+
        pub enum $fact:ident {
            $(
                $(#[doc = $about:literal])+
                $Variant:ident $({ $($(#[doc = $of_field:literal])+ $field:ident: $Type:ty,)+ })? $(($inner:ident: $Inner:ty))?
                says $text:literal $(, $arg:expr)*;
                $(hint $hint:expr;)?
            )+
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        pub enum $fact {
            $($(#[doc = $about])+ $Variant $({ $($(#[doc = $of_field])+ $field: $Type,)+ })? $(($Inner))?,)+
        }

        impl std::fmt::Display for $fact {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                use $crate::error::facts::Said;
                match self {
                    $(Self::$Variant $({ $($field),+ })? $(($inner))? => {
                        $($(let $field = $field.said();)+)?
                        $(let $inner = $inner.said();)?
                        write!(f, $text $(, $arg)*)
                    })+
                }
            }
        }

        impl $fact {
            /// The way out, where there is one to point at.
            #[allow(unused_variables)]
            pub fn hint(&self) -> Option<&'static str> {
                match self {
                    $(Self::$Variant $({ $($field),+ })? $(($inner))? => {
                        let hint: &[&'static str] = &[$($hint)?];
                        hint.first().copied()
                    })+
                }
            }
        }
    };
}
pub(crate) use facts;

/// How a field appears in a sentence.
pub(crate) trait Said {
    type As;
    fn said(&self) -> Self::As;
}

impl Said for f64 {
    type As = ShortNumber;
    fn said(&self) -> ShortNumber {
        ShortNumber(*self)
    }
}

/// Fields that appear as they are.
macro_rules! as_they_are {
    ($($Type:ty),*) => {
        $(impl Said for $Type {
            type As = Self;
            fn said(&self) -> Self {
                self.clone()
            }
        })*
    };
}
as_they_are!(usize, u32, u64, &'static str, Option<usize>, Option<f64>, Vec<usize>, Refusal, FormulaFault);

/// Contacts as scenarios and events count them, from 0.
pub(super) struct Contacts(pub Vec<usize>);

impl fmt::Display for Contacts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(usize::to_string).collect();
        match names.len() {
            0 => write!(f, ", at stops, springs or controllers"),
            1 => write!(f, ", contact {}", names[0]),
            _ => write!(f, ", contacts {}", names.join(", ")),
        }
    }
}

/// The time at which a run was stopped, if it has one.
pub(super) struct AtTime(pub Option<f64>);

impl fmt::Display for AtTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.map_or(Ok(()), |t| write!(f, " at t = {} s", ShortNumber(t)))
    }
}

/// Steps made, and the time that they reach.
pub(super) struct Reached(pub u64, pub ShortNumber);

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 > 0 { write!(f, "; {} of them reach t = {} s", self.0, self.1) } else { Ok(()) }
    }
}

/// A harmonic load by its number, or a signal.
pub(super) struct Varying(pub Option<usize>);

impl fmt::Display for Varying {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Some(harmonic) => write!(f, "harmonic load {}", harmonic + 1),
            None => f.write_str("a signal"),
        }
    }
}

/// Initial guesses, and the best residual among them.
pub(super) struct InitialGuesses(pub usize, pub f64);

impl fmt::Display for InitialGuesses {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self(starts, residual) = self;
        match residual.is_finite() {
            true => write!(f, "{starts} initial guesses, best residual {residual:.1e}"),
            false => write!(f, "none of {starts} initial guesses returns to its start"),
        }
    }
}
