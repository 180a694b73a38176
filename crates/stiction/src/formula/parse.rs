//! From text to a program, by recursive descent; every fault with its place.

use super::{Function, MAX_LENGTH, MAX_NESTING, MAX_STACK, Op};
use std::fmt;

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// The place in the text, in characters from 1.
    pub column: usize,
    /// The text about it, with the place marked.
    pub marked: String,
    /// What is wrong.
    pub problem: FormulaProblem,
}

/// What can be wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormulaProblem {
    /// The text ends where something must follow.
    Ends,
    /// Something does not belong here.
    Unexpected,
    /// A text is no number, or too large.
    NotANumber,
    /// A name that nothing has.
    UnknownName(String),
    /// Something that is no function is called.
    NotAFunction(String),
    /// A function without its arguments.
    NoBrackets(String),
    /// A function has another number of arguments.
    Arguments {
        /// The function.
        name: String,
        /// How many it takes.
        takes: usize,
    },
    /// Two stars.
    Stars,
    /// Too deep.
    Nested,
    /// Too long.
    Long,
}

impl fmt::Display for FormulaFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { column, marked, problem } = self;
        write!(f, "{marked}, column {column}: ")?;
        match problem {
            FormulaProblem::Ends => write!(f, "the formula ends, but something must follow"),
            FormulaProblem::Unexpected => write!(f, "this does not belong here"),
            FormulaProblem::NotANumber => write!(f, "this is no number, or too large for one"),
            FormulaProblem::UnknownName(name) => {
                write!(f, "{name} is neither v nor a parameter; functions are {}", names())
            }
            FormulaProblem::NotAFunction(name) => {
                write!(f, "no function is called {name}; functions are {}", names())
            }
            FormulaProblem::NoBrackets(name) => write!(f, "{name} needs its argument in brackets"),
            FormulaProblem::Arguments { name, takes: 1 } => write!(f, "{name} takes 1 argument"),
            FormulaProblem::Arguments { name, takes } => write!(f, "{name} takes {takes} arguments"),
            FormulaProblem::Stars => write!(f, "a power is written with ^"),
            FormulaProblem::Nested => write!(f, "nested too deep, but at most {MAX_NESTING} levels are read"),
            FormulaProblem::Long => write!(f, "too long, but at most {MAX_LENGTH} characters are read"),
        }
    }
}

fn names() -> String {
    Function::NAMED.map(|(name, _)| name).join(", ")
}

/// Characters shown on each side of a fault.
const SHOWN: usize = 24;

struct Parser<P> {
    text: Vec<char>,
    at: usize,
    nesting: usize,
    /// Numbers on the stack after the steps so far.
    stack: usize,
    ops: Vec<Op>,
    parameters: P,
}

/// The program of a formula in `v`.
pub(super) fn parsed<'a, P>(text: &str, parameters: P) -> Result<Vec<Op>, FormulaFault>
where
    P: Iterator<Item = (&'a str, f64)> + Clone,
{
    let text: Vec<char> = text.chars().take(MAX_LENGTH + 1).collect();
    let mut parser = Parser { text, at: 0, nesting: 0, stack: 0, ops: Vec::new(), parameters };
    if parser.text.len() > MAX_LENGTH {
        return Err(parser.fault(MAX_LENGTH, MAX_LENGTH, FormulaProblem::Long));
    }
    parser.sum()?;
    match parser.peek() {
        None => Ok(parser.ops),
        Some(_) => Err(parser.unexpected()),
    }
}

type Read<T = ()> = Result<T, FormulaFault>;

impl<'a, P: Iterator<Item = (&'a str, f64)> + Clone> Parser<P> {
    /// The next character that is no blank.
    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn fault(&self, start: usize, end: usize, problem: FormulaProblem) -> FormulaFault {
        let part = |range: std::ops::Range<usize>| self.text[range].iter().collect::<String>();
        let (first, last) = (start.saturating_sub(SHOWN), (end + SHOWN).min(self.text.len()));
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        let marked = format!(
            "{}{}▸{}◂{}{}",
            dots(first > 0),
            part(first..start),
            part(start..end),
            part(end..last),
            dots(last < self.text.len())
        );
        FormulaFault { column: start + 1, marked, problem }
    }

    /// What is wrong with the next character.
    fn unexpected(&mut self) -> FormulaFault {
        match self.peek() {
            None => self.fault(self.text.len(), self.text.len(), FormulaProblem::Ends),
            Some('*') if self.at > 0 && self.text[self.at - 1] == '*' => {
                self.fault(self.at - 1, self.at + 1, FormulaProblem::Stars)
            }
            Some(_) => self.fault(self.at, self.at + 1, FormulaProblem::Unexpected),
        }
    }

    /// Goes a level deeper.
    fn within(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let at = self.at.min(self.text.len());
            return Err(self.fault(at, at, FormulaProblem::Nested));
        }
        read(self)?;
        self.nesting -= 1;
        Ok(())
    }

    /// Adds a step; one of numbers alone is taken at once.
    fn push(&mut self, op: Op) -> Read {
        use super::scalar::Evaluable;
        let number = |op: Option<&Op>| if let Some(Op::Number(x)) = op { Some(*x) } else { None };
        let n = self.ops.len();
        let last = number(self.ops.last());
        let (takes, folded) = match op {
            Op::Number(_) | Op::Variable => (0, None),
            Op::Negate => (1, last.map(|x| -x)),
            Op::To(power) => (1, last.map(|x| x.to(power))),
            Op::Call(f) if f.n_arguments() == 1 => (1, last.map(|x| x.call(f))),
            _ => {
                let both = n.checked_sub(2).and_then(|i| number(self.ops.get(i))).zip(last);
                let folded = both.and_then(|(a, b)| match op {
                    Op::Add => Some(a + b),
                    Op::Subtract => Some(a - b),
                    Op::Multiply => Some(a * b),
                    Op::Divide => Some(a / b),
                    Op::Power => Some(a.power(b)),
                    _ => None,
                });
                (2, folded)
            }
        };
        self.stack = self.stack + 1 - takes;
        if self.stack > MAX_STACK {
            let at = self.at.min(self.text.len());
            return Err(self.fault(at, at, FormulaProblem::Nested));
        }
        match (folded, op, last) {
            (Some(x), ..) => {
                self.ops.truncate(n - takes);
                self.ops.push(Op::Number(x));
            }
            (None, Op::Power, Some(power)) => {
                self.ops.pop();
                self.ops.push(Op::To(power));
            }
            _ => self.ops.push(op),
        }
        Ok(())
    }

    fn sum(&mut self) -> Read {
        self.product()?;
        loop {
            let op = match self.peek() {
                Some('+') => Op::Add,
                Some('-') => Op::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.push(op)?;
        }
    }

    fn product(&mut self) -> Read {
        self.signed()?;
        loop {
            let op = match self.peek() {
                Some('*') => Op::Multiply,
                Some('/') => Op::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.signed()?;
            self.push(op)?;
        }
    }

    fn signed(&mut self) -> Read {
        match self.peek() {
            Some('+') => {
                self.at += 1;
                self.within(Self::signed)
            }
            Some('-') => {
                self.at += 1;
                self.within(Self::signed)?;
                self.push(Op::Negate)
            }
            _ => self.power(),
        }
    }

    fn power(&mut self) -> Read {
        self.atom()?;
        if self.take('^') {
            self.within(Self::signed)?;
            self.push(Op::Power)?;
        }
        Ok(())
    }

    fn atom(&mut self) -> Read {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.within(Self::sum)?;
                if self.take(')') { Ok(()) } else { Err(self.unexpected()) }
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.named(),
            _ => Err(self.unexpected()),
        }
    }

    fn number(&mut self) -> Read {
        let start = self.at;
        let is_part = |parser: &Self, i: usize| {
            let c = parser.text.get(i).copied().unwrap_or(' ');
            let after_e = i > start && matches!(parser.text[i - 1], 'e' | 'E');
            c.is_ascii_alphanumeric() || c == '.' || (after_e && matches!(c, '+' | '-'))
        };
        while is_part(self, self.at) {
            self.at += 1;
        }
        let word: String = self.text[start..self.at].iter().collect();
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => self.push(Op::Number(x)),
            _ => Err(self.fault(start, self.at, FormulaProblem::NotANumber)),
        }
    }

    fn named(&mut self) -> Read {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_alphanumeric() || *c == '_') {
            self.at += 1;
        }
        let (end, name) = (self.at, self.text[start..self.at].iter().collect::<String>());
        let function = Function::NAMED.iter().find(|(known, _)| *known == name).map(|(_, f)| *f);
        let is_called = self.peek() == Some('(');
        match function {
            Some(_) if !is_called => Err(self.fault(start, end, FormulaProblem::NoBrackets(name))),
            None if is_called => Err(self.fault(start, end, FormulaProblem::NotAFunction(name))),
            Some(f) => {
                self.at += 1;
                let mut n = 1;
                self.within(Self::sum)?;
                while self.take(',') {
                    self.within(Self::sum)?;
                    n += 1;
                }
                if !self.take(')') {
                    return Err(self.unexpected());
                }
                if n != f.n_arguments() {
                    let problem = FormulaProblem::Arguments { name, takes: f.n_arguments() };
                    return Err(self.fault(start, end, problem));
                }
                self.push(Op::Call(f))
            }
            None if name == "v" => self.push(Op::Variable),
            None if name == "pi" => self.push(Op::Number(std::f64::consts::PI)),
            None => match self.parameters.clone().find(|(known, _)| *known == name) {
                Some((_, value)) => self.push(Op::Number(value)),
                None => Err(self.fault(start, end, FormulaProblem::UnknownName(name))),
            },
        }
    }
}

/// Names that a parameter cannot have.
pub(crate) fn is_taken(name: &str) -> bool {
    name == "v" || name == "pi" || Function::NAMED.iter().any(|(known, _)| *known == name)
}

/// Whether a parameter of this name can be written in a formula.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
}
