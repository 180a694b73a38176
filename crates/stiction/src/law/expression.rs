//! A law by its formula.
//!
//! ```text
//!   φ(v) = s · (the formula at v),   at v = 0 everything between both sides of it, and ±s μs
//! ```
//!
//! The formula has the sliding velocity `v`, named parameters, + − * / ^, brackets, `pi` and sin, cos, tan, exp, ln, sqrt, tanh, atan, asinh,
//! abs, sign, min, max: `sign(v)/(1 + 3*abs(v))`. It need not be odd. A jump at v = 0, such as that of sign(v), or a static value makes it
//! set-valued there, so that the contact sticks exactly; anywhere else value and slope must be bounded and friction must not push, which is checked with
//! intervals up to the speed `reach`. Beyond it friction is held; a run that slides faster says so. Slopes come by automatic differentiation. Kinks away from rest, such
//! as those of min and max, cost accuracy unless they are declared as `kinks`.
//!
#![cfg_attr(doc, doc = include_str!("../../images/law/expression.svg"))]

use super::scales::share_speed;
use super::{FrictionBounds, Graph, Law, RestBand, Scales, Slip, StickCriterion, breakpoints_within};
use crate::formula::{Formula, FormulaBounds, FormulaFault, is_name, is_taken};
use crate::{Error, Faults};
use std::collections::BTreeMap;
#[cfg(feature = "serde")]
use {schemars::JsonSchema, serde::Deserialize, serde::Serialize};

/// A law by its formula in v, as it is written.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema), serde(deny_unknown_fields))]
#[cfg_attr(feature = "serde", schemars(rename = "Expression"))]
pub struct ExpressionTable {
    /// The friction coefficient as a formula in the sliding velocity v (m/s) and the parameters.
    pub phi: String,
    /// Parameters of the formula, by their names.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "BTreeMap::is_empty"))]
    pub parameters: BTreeMap<String, f64>,
    /// Static friction coefficient μs at v = 0, not below the formula beside it; that of the formula if absent (-).
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub mu_static: Option<f64>,
    /// Velocities beside 0 at which the formula has a kink, ascending (m/s).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub kinks: Vec<f64>,
    /// Speed up to which the formula holds; beyond it friction is held (m/s).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::ten"))]
    pub reach: f64,
    /// Factor s of all coefficients (-).
    #[cfg_attr(feature = "serde", serde(default = "crate::absent::one"))]
    pub scale: f64,
}

/// A law by its formula in v: checked, differentiated, set-valued at rest if it jumps there.
///
/// Formula, parameters and reach are read once, so that evaluation is fast; they cannot be changed in place.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
#[cfg_attr(feature = "serde", serde(from = "ExpressionTable", into = "ExpressionTable"))]
pub struct Expression {
    table: ExpressionTable,
    formula: Result<Formula, FormulaFault>,
    /// What the formula reaches, or a place near which it is not bounded.
    bounds: Result<FormulaBounds, f64>,
    /// Its limits at rest, from below and from above.
    beside_rest: [f64; 2],
    /// Speed of the break-away force of a continuous law.
    stick_speed: f64,
    /// Static friction coefficient μs (-).
    pub mu_static: Option<f64>,
    /// Factor s of all coefficients (-).
    pub scale: f64,
}

/// The nearest velocity to rest.
const NEAREST: f64 = f64::MIN_POSITIVE;
/// Limits of both sides that differ by less than this part of the largest value are the same.
const SAME: f64 = 1e-12;

impl From<ExpressionTable> for Expression {
    fn from(table: ExpressionTable) -> Self {
        let named = table.parameters.iter().map(|(name, value)| (name.as_str(), *value));
        let formula = Formula::parse(&table.phi, named);
        let reach = table.reach;
        let bounds = match &formula {
            Ok(formula) if reach.is_finite() && reach > NEAREST => {
                let sides = [formula.bounds(NEAREST, reach), formula.bounds(-reach, -NEAREST)];
                match sides {
                    [Ok(a), Ok(b)] => {
                        Ok(FormulaBounds { value: a.value.max(b.value), slope: a.slope.max(b.slope) })
                    }
                    [Err(v), _] | [_, Err(v)] => Err(v),
                }
            }
            _ => Ok(FormulaBounds::default()),
        };
        let beside_rest = match (&formula, &bounds) {
            (Ok(formula), Ok(_)) => [-NEAREST, NEAREST].map(|v| formula.value(v)),
            _ => [0.0; 2],
        };
        let (mu_static, scale) = (table.mu_static, table.scale);
        let mut law = Self { table, formula, bounds, beside_rest, stick_speed: 0.0, mu_static, scale };
        if law.graph() == Graph::Continuous && law.bound() > 0.0 {
            law.stick_speed = law.first_peak();
        }
        law
    }
}

impl From<Expression> for ExpressionTable {
    fn from(law: Expression) -> Self {
        Self { mu_static: law.mu_static, scale: law.scale, ..law.table }
    }
}

impl Expression {
    /// The law of this formula, whose parameters have these values.
    pub fn new(phi: &str, parameters: &[(&str, f64)]) -> Self {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        Self::from(ExpressionTable {
            phi: phi.to_owned(),
            parameters,
            mu_static: None,
            kinks: Vec::new(),
            reach: 10.0,
            scale: 1.0,
        })
    }

    pub(super) fn examples() -> Vec<Self> {
        let stribeck = Self::new(
            "(mu + (mu_s - mu)*exp(-abs(v)/v_s))*sign(v)",
            &[("mu", 0.3), ("mu_s", 0.5), ("v_s", 0.2)],
        );
        let hyperbolic = Self { mu_static: Some(1.2), ..Self::new("sign(v)/(1 + 3*abs(v))", &[]) };
        let smooth = Self { scale: 0.5, ..Self::new("0.6*tanh(v/0.02)", &[]) };
        let cut = Self::from(ExpressionTable {
            kinks: vec![-0.3, 0.3],
            ..Self::new("0.2*sign(v) + max(-0.1, min(0.1, v/3))", &[]).table
        });
        // harder to pull than to push
        let uneven = Self::new("(0.4 + 0.1*sign(v))*tanh(v/0.05)", &[]);
        vec![stribeck, hyperbolic, smooth, cut, uneven]
    }

    /// The formula as it is written.
    pub fn phi(&self) -> &str {
        &self.table.phi
    }

    /// The parameters of the formula.
    pub fn parameters(&self) -> &BTreeMap<String, f64> {
        &self.table.parameters
    }

    /// The same law with another value of a parameter; none if it has no such parameter.
    pub fn with_parameter(&self, name: &str, value: f64) -> Option<Self> {
        let mut table = ExpressionTable::from(self.clone());
        *table.parameters.get_mut(name)? = value;
        Some(Self::from(table))
    }

    /// The formula with a factor tanh(|v|/width) and no static value: continuous.
    pub(super) fn with_transition(&self, width: f64) -> Option<Self> {
        let table = ExpressionTable::from(self.clone());
        // a name that the user has not taken
        let name = (0..).map(|k| format!("width_{k}")).find(|name| !table.parameters.contains_key(name))?;
        let phi = format!("({})*tanh(abs(v)/{name})", table.phi);
        let mut parameters = table.parameters.clone();
        parameters.insert(name, width);
        Some(Self::from(ExpressionTable { phi, parameters, mu_static: None, ..table }))
    }

    /// The formula and its slope at a velocity that is not rest.
    #[inline]
    fn branch(&self, v: f64) -> [f64; 2] {
        let (Ok(formula), Ok(_)) = (&self.formula, &self.bounds) else { return [0.0; 2] };
        let reach = self.table.reach;
        if v.abs() < reach { formula.value_and_slope(v) } else { [formula.value(reach.copysign(v)), 0.0] }
    }

    /// The coefficients at rest.
    #[inline]
    fn rest(&self) -> RestBand {
        let same = SAME * self.bounds.as_ref().map_or(0.0, |bounds| bounds.value);
        RestBand::new(self.beside_rest, self.mu_static.unwrap_or(0.0), same).scaled(self.scale)
    }

    /// Speed up to which the curve has made nearly all of its way.
    fn reach(&self) -> f64 {
        let (end, size) = (self.branch(self.table.reach)[0], self.bound().max(f64::MIN_POSITIVE));
        let is_there = |v: f64| self.scale * (self.branch(v)[0] - end).abs() <= 0.02 * size;
        let mut v = self.table.reach;
        while v > 1e-6 * self.table.reach && is_there(0.5 * v) && is_there(0.35 * v) {
            v *= 0.5;
        }
        let last = self.table.kinks.iter().fold(0.0, |last: f64, v| last.max(v.abs()));
        v.max(1.6 * last)
    }

    /// Where a continuous law has its break-away force, the faster of both directions.
    fn first_peak(&self) -> f64 {
        let one = |sign: f64| share_speed(&OneWay { law: self, sign }, 1e-6 * self.table.reach);
        one(1.0).max(one(-1.0)).min(self.table.reach)
    }
}

/// A law in one direction, as if it were odd.
struct OneWay<'a> {
    law: &'a Expression,
    sign: f64,
}

impl Law for OneWay<'_> {
    fn check(&self, _faults: &mut Faults) {}
    fn coefficient(&self, slip: Slip) -> f64 {
        self.sign * self.law.branch(self.sign * slip.v.max(NEAREST))[0]
    }
    fn slope(&self, slip: Slip) -> f64 {
        self.law.branch(self.sign * slip.v.max(NEAREST))[1]
    }
    fn bound(&self) -> f64 {
        self.law.bound()
    }
}

impl Law for Expression {
    fn check(&self, faults: &mut Faults) {
        let table = &self.table;
        let mut good = faults.not_negative("scale", self.scale) & faults.positive("reach", table.reach);
        faults.within("parameters", |faults| {
            for (name, value) in &table.parameters {
                if is_taken(name) || !is_name(name) {
                    let because =
                        "a parameter is called by letters, digits and _, and not like v, pi or a function";
                    faults.push(name, Error::Unsuited { what: "this name", because });
                    good = false;
                }
                good &= faults.finite(name, *value);
            }
        });
        let formula = match &self.formula {
            Err(fault) => return faults.push("phi", Error::Formula(fault.clone())),
            Ok(formula) => formula,
        };
        if !good {
            return;
        }
        if let Err(v) = self.bounds {
            return faults.push("phi", Error::Unbounded { v });
        }
        let tiny = SAME * self.bounds.map_or(0.0, |bounds| bounds.value);
        let sides = [([NEAREST, table.reach], 1.0), ([-table.reach, -NEAREST], -1.0)];
        if let Some(v) = sides.into_iter().find_map(|(side, sign)| formula.place_below(side, sign, -tiny)) {
            return faults.push("phi", Error::Pushes { v, phi: formula.value(v) });
        }
        let [below, above] = self.beside_rest;
        if let Some(mu_static) = self.mu_static {
            let because = "friction at rest is not below that of the slowest sliding";
            faults.at_least("mu_static", mu_static, above.max(-below), because);
        }
        if table.kinks.iter().all(|v| faults.finite("kinks", *v))
            && let Some(row) = table.kinks.windows(2).position(|w| w[0] >= w[1])
        {
            faults.push("kinks", Error::NotAscending { row: row + 1, of: "kinks" });
        }
    }
    #[inline]
    fn coefficient(&self, Slip { v, demand, .. }: Slip) -> f64 {
        if v != 0.0 {
            let (Ok(formula), Ok(_)) = (&self.formula, &self.bounds) else { return 0.0 };
            let reach = self.table.reach;
            return self.scale * formula.value(if v.abs() < reach { v } else { reach.copysign(v) });
        }
        self.rest().coefficient(demand)
    }
    #[inline]
    fn slope(&self, Slip { v, .. }: Slip) -> f64 {
        match v == 0.0 && self.graph() == Graph::SetValued {
            true => 0.0,
            false => self.scale * self.branch(if v == 0.0 { NEAREST } else { v })[1],
        }
    }
    fn scales(&self) -> Scales {
        let is_set_valued = self.graph() == Graph::SetValued;
        let slope = self.scale * self.bounds.as_ref().map_or(0.0, |bounds| bounds.slope);
        Scales {
            steepest: (!is_set_valued).then_some(slope),
            stick: StickCriterion::Speed(if is_set_valued { 0.0 } else { self.stick_speed }),
            reach: Some(self.reach()),
            known_to: self.table.reach,
            ..Scales::default()
        }
    }
    fn bound(&self) -> f64 {
        let largest = self.bounds.as_ref().map_or(0.0, |bounds| bounds.value);
        self.scale * largest.max(self.mu_static.unwrap_or(0.0))
    }
    fn breakpoints(&self) -> Vec<f64> {
        breakpoints_within(self.table.reach, &self.table.kinks)
    }
    fn graph(&self) -> Graph {
        self.rest().graph()
    }
    #[inline]
    fn friction_bounds(&self, v: f64, _z: &[f64]) -> Option<FrictionBounds> {
        if v == 0.0 { self.rest().bounds() } else { None }
    }
}
