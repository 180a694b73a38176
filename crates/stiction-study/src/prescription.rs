//! What an outcome says of degrees of freedom whose motion is prescribed: they stand among the others, with
//! what holds them.

use crate::facts::ColumnKind;
use crate::outcome::{Column, Fact, Outcome};
use crate::reduction::ReportedDegrees;
use crate::scenario::OneOrMany;
use crate::task::Shown;
use stiction::system::Prescribed;

/// Gives facts of degrees of freedom their own numbers.
pub(crate) fn renumber(prescribed: &Prescribed, facts: &mut Vec<Fact>) {
    ReportedDegrees(&prescribed.free).renumber_facts(facts);
}

/// Expands an outcome of the free degrees of freedom to all of them; the run ended at `t_end` (s).
pub(crate) fn expand(prescribed: &Prescribed, t_end: f64, outcome: &mut Outcome) {
    let n = prescribed.n();
    renumber(prescribed, &mut outcome.facts);
    for columns in [&mut outcome.samples, &mut outcome.instants] {
        add_columns(prescribed, columns);
    }
    if let Shown::Motion { n: shown, .. } = &mut outcome.shown {
        *shown = n;
    }
    if let Some(end) = &mut outcome.end {
        let states = prescribed.states(t_end);
        for (list, order) in [(&mut end.position, 0), (&mut end.velocity, 1)] {
            let mut all = vec![0.0; n];
            prescribed.free.iter().zip(list.iter()).for_each(|(i, x)| all[*i] = *x);
            prescribed.motions.iter().zip(&states).for_each(|(m, state)| all[m.dof] = state[order]);
            *list = OneOrMany::Many(all);
        }
    }
}

/// Puts the columns of prescribed degrees of freedom among the others, and the reactions at the end.
fn add_columns(prescribed: &Prescribed, columns: &mut Vec<Column>) {
    let n = prescribed.n();
    let Some(times) = columns.first().map(|column| column.values.clone()) else { return };
    let states: Vec<Vec<[f64; 3]>> = times.iter().map(|t| prescribed.states(*t)).collect();
    let reported = ReportedDegrees(&prescribed.free);
    let mut all: Vec<Column> =
        std::mem::take(columns).into_iter().filter_map(|c| reported.column(c)).collect();
    let kinds = [ColumnKind::Position, ColumnKind::Velocity, ColumnKind::Acceleration];
    for (order, kind) in kinds.into_iter().enumerate() {
        for (k, motion) in prescribed.motions.iter().enumerate() {
            let values = states.iter().map(|row| row[k][order]).collect();
            let column = Column::new(kind, values).numbered(motion.dof, n);
            // after the last of its kind with a smaller number, else before the first of its kind, else after
            // the kinds before it
            let is_before = |c: &Column| c.kind == kind && c.index < Some(motion.dof);
            let is_kind = |c: &Column| c.kind == kind;
            let is_earlier = |c: &Column| c.kind == ColumnKind::Time || kinds[..order].contains(&c.kind);
            let last = |is: &dyn Fn(&Column) -> bool| all.iter().rposition(is).map(|i| i + 1);
            let place =
                last(&is_before).or_else(|| all.iter().position(is_kind)).or_else(|| last(&is_earlier));
            all.insert(place.unwrap_or(0), column);
        }
    }
    let of = |kind: ColumnKind| all.iter().filter(|c| c.kind == kind).map(|c| &c.values).collect::<Vec<_>>();
    let [q, v, a] = kinds.map(of);
    let friction = of(ColumnKind::Friction);
    let reactions = |(i, t): (usize, &f64)| {
        let row = |columns: &[&Vec<f64>]| columns.iter().map(|column| column[i]).collect::<Vec<f64>>();
        prescribed.reactions(*t, [&row(&q), &row(&v), &row(&a)], &row(&friction))
    };
    let rows: Vec<Vec<f64>> = times.iter().enumerate().map(reactions).collect();
    for (k, motion) in prescribed.motions.iter().enumerate() {
        let values = rows.iter().map(|row| row[k]).collect();
        all.push(Column::new(ColumnKind::Reaction, values).numbered(motion.dof, n));
    }
    *columns = all;
}
