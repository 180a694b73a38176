//! Normal loads that vary and forces of controllers along a motion, from its samples.

use crate::facts::ColumnKind;
use crate::outcome::Column;
use stiction::math::Matrix;
use stiction::simulate::Samples;
use stiction::system::{System, Threshold};

/// The normal load of every contact whose load varies (N): constant part, signal, and what positions and
/// velocities add; never negative.
pub(crate) fn normal_loads(system: &System, samples: &Samples) -> Vec<Column> {
    let m = system.contacts.len();
    let mut columns = Vec::new();
    for varying in &system.elements.contacts {
        let moves = varying.by_position.iter().chain(&varying.by_velocity).any(|x| *x != 0.0);
        let Some(contact) =
            system.contacts.get(varying.contact).filter(|_| moves || !varying.load.is_constant())
        else {
            continue;
        };
        let load = |row: usize| {
            let by_motion = product(&varying.by_position, &samples.position, row)
                + product(&varying.by_velocity, &samples.velocity, row);
            (contact.load + varying.load.at(samples.t[row]) + by_motion).max(0.0)
        };
        let values = (0..samples.t.len()).map(load).collect();
        columns.push(Column::new(ColumnKind::NormalLoad, values).numbered(varying.contact, m));
    }
    columns
}

/// The force of controllers and state spaces on every degree of freedom that one acts on (N), limits
/// included.
pub(crate) fn control_forces(system: &System, samples: &Samples) -> Vec<Column> {
    let Some(feedback) = &system.elements.feedback else { return Vec::new() };
    let n = system.n();
    let n_own = samples.states.len().saturating_sub(feedback.initial.len());
    let states = &samples.states[n_own..];
    // limits of controllers; corners of springs see no input
    let limits: Vec<&Threshold> =
        system.elements.thresholds.iter().filter(|limit| !limit.by_input.is_empty()).collect();
    let inputs: Vec<Vec<f64>> =
        feedback.inputs.iter().map(|input| samples.t.iter().map(|t| input.at(*t)).collect()).collect();
    let mut columns = Vec::new();
    for dof in 0..n {
        let rows = [&feedback.f_position, &feedback.f_velocity, &feedback.f_state, &feedback.f_input];
        if rows.iter().all(|matrix| row_of(matrix, dof).iter().all(|x| *x == 0.0)) {
            continue;
        }
        let force = |row: usize| {
            let wanted = product(row_of(&feedback.f_position, dof), &samples.position, row)
                + product(row_of(&feedback.f_velocity, dof), &samples.velocity, row)
                + product(row_of(&feedback.f_state, dof), states, row)
                + product(row_of(&feedback.f_input, dof), &inputs, row);
            let taken = limits.iter().map(|limit| {
                let quantity = product(&limit.by_position, &samples.position, row)
                    + product(&limit.by_velocity, &samples.velocity, row)
                    + product(&limit.by_state, states, row)
                    + product(&limit.by_input, &inputs, row);
                (quantity - limit.at).max(0.0) * limit.force[dof]
            });
            wanted + taken.sum::<f64>()
        };
        let values = (0..samples.t.len()).map(force).collect();
        columns.push(Column::new(ColumnKind::ControlForce, values).numbered(dof, n));
    }
    columns
}

fn row_of(matrix: &Matrix, i: usize) -> &[f64] {
    &matrix.data[i * matrix.n_cols..(i + 1) * matrix.n_cols]
}

/// The sum of factors times columns at a row.
fn product(factors: &[f64], columns: &[Vec<f64>], row: usize) -> f64 {
    factors
        .iter()
        .zip(columns)
        .map(|(factor, column)| factor * column.get(row).copied().unwrap_or(f64::NAN))
        .sum()
}
