//! Which modes hold after an event, by trying all combinations.

use super::*;

impl Follower {
    /// Takes the modes that are true for the next moment; `reached` has come to rest or to a corner.
    pub(super) fn decide(&mut self, reached: Option<usize>) -> Result<(), String> {
        let open: Vec<usize> = (0..self.places.len())
            .filter(|&i| Some(i) == reached || self.modes[i] == Mode::Stick || self.is_open(i))
            .collect();
        self.project(&open);
        let choices: Vec<Vec<Mode>> = open.iter().map(|&i| self.choices(i)).collect();
        let n_all: usize = choices.iter().map(Vec::len).product();
        // for each answer: its modes, how many stick, and the motion that follows
        let mut answers: Vec<(Vec<Mode>, usize, Series)> = Vec::new();
        for code in 0..n_all {
            let mut modes = self.modes.clone();
            let mut rest = code;
            for (&i, choices) in open.iter().zip(&choices) {
                modes[i] = choices[rest % choices.len()];
                rest /= choices.len();
            }
            let phase = self.phase(&modes)?;
            let series = self.series(&phase, ASKED);
            let holds = phase.conditions.iter().all(|(contact, row)| {
                let lead = along(row, &series).into_iter().find(|x| *x != 0.0);
                match contact.map(|i| (open.contains(&i), modes[i])) {
                    // what slides must move away; what rests may stay on its limit, and on a corner any piece
                    // will do
                    Some((true, Mode::Slip(_))) => lead.is_some_and(|x| x > 0.0),
                    Some((true, _)) | None => lead.is_none_or(|x| x > 0.0),
                    Some((false, _)) => true,
                }
            });
            if holds {
                let n_stick = modes.iter().filter(|mode| **mode == Mode::Stick).count();
                answers.push((modes, n_stick, series));
            }
        }
        let Some(best) = answers.iter().max_by_key(|answer| answer.1) else {
            return Err("own integration: no modes are true".into());
        };
        // static friction above kinetic may leave several answers: the engines rest where they can
        let is_part = |(modes, _, series): &(Vec<Mode>, usize, Series)| {
            let rests = |i: usize| modes[i] != Mode::Stick || best.0[i] == Mode::Stick;
            (0..modes.len()).all(rests) || is_same(&series.x, &best.2.x)
        };
        self.is_ambiguous |= !answers.iter().all(is_part);
        self.modes = best.0.clone();
        Ok(())
    }

    /// What an open contact may do.
    fn choices(&self, i: usize) -> Vec<Mode> {
        match &self.places[i].graph {
            Graph::Coulomb { .. } => vec![Mode::Stick, Mode::Slip(1.0), Mode::Slip(-1.0)],
            Graph::Polyline(corners) => {
                let v = self.sliding(i);
                let distance = |k: &usize| (corners[*k][0] - v).abs();
                let nearest =
                    (0..corners.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
                vec![Mode::Piece(nearest), Mode::Piece(nearest + 1)]
            }
        }
    }

    /// Takes the rounding out of the velocities of open contacts with Coulomb's law: they are at rest.
    fn project(&mut self, open: &[usize]) {
        let n = self.n;
        let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for &i in open {
            if !matches!(self.places[i].graph, Graph::Coulomb { .. }) {
                continue;
            }
            // Gram–Schmidt in the metric of M⁻¹, with the velocity made right for each direction in turn
            let whole = self.places[i].w.clone();
            let mut w = whole.clone();
            for (b, mb) in &basis {
                let factor = dot(&w, mb);
                w.iter_mut().zip(b).for_each(|(w, b)| *w -= factor * b);
            }
            let mw = times(&self.inverse, &w);
            let square = dot(&w, &mw);
            if square <= DEPENDENT * dot(&whole, &times(&self.inverse, &whole)) {
                continue;
            }
            let excess = self.sliding(i) / square;
            self.x[n..2 * n].iter_mut().zip(&mw).for_each(|(v, mw)| *v -= excess * mw);
            let root = square.sqrt();
            basis.push((w.iter().map(|x| x / root).collect(), mw.iter().map(|x| x / root).collect()));
        }
    }
}
