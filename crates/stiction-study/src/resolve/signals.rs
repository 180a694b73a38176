//! Signals: harmonics with their windows, and tables from points, files and shorthands.

use super::Resolve;
use crate::noise;
use crate::point_file;
use crate::scenario::{NoiseTable, PointTable, SignalTable, SpanTable, StepTable};
use stiction::Faults;
use stiction::ShortNumber;
use stiction::system::{Signal, TimeTable, Wave, Window};

impl Resolve<'_> {
    /// A signal from its keys; none if they are wrong.
    pub(super) fn signal(&mut self, key: &str, form: &SignalTable) -> Option<Signal> {
        let mut is_sound = self.check(key, |faults| {
            faults.finite("constant", form.constant);
            faults.finite("amplitude", form.amplitude);
            faults.finite("phase", form.phase);
            if let Some(omega) = form.omega {
                faults.positive("omega", omega);
            }
        });
        if form.amplitude != 0.0 && form.omega.is_none() {
            self.fault(&format!("{key}.amplitude"), "given without omega, which it needs", None);
            is_sound = false;
        }
        let table = match &form.table {
            None => None,
            Some(points) => Some(self.points(&format!("{key}.table"), points)?),
        };
        let window = self.window(key, [form.start, form.end, form.period], form.omega.is_some())?;
        let wave = form.omega.map(|omega| Wave { window, ..Wave::new(form.amplitude, omega, form.phase) });
        is_sound.then(|| Signal {
            constant: form.constant,
            waves: wave.into_iter().collect(),
            tables: table.into_iter().collect(),
            ..Signal::default()
        })
    }

    /// The window of a harmonic from its keys; none if they are wrong.
    pub(super) fn window(
        &mut self,
        key: &str,
        [start, end, period]: [Option<f64>; 3],
        has_wave: bool,
    ) -> Option<Option<Window>> {
        let given = [("start", start), ("end", end), ("period", period)];
        let Some((first, _)) = given.iter().find(|(_, value)| value.is_some()) else { return Some(None) };
        let missing = if !has_wave {
            Some((*first, "omega"))
        } else if period.is_some() && start.is_none() {
            Some(("period", "start"))
        } else if period.is_some() && end.is_none() {
            Some(("period", "end"))
        } else {
            None
        };
        if let Some((name, missing)) = missing {
            let message = format!("given without {missing}, which it needs");
            self.fault(&format!("{key}.{name}"), message, None);
            return None;
        }
        let window =
            Window { start: start.unwrap_or(f64::NEG_INFINITY), end: end.unwrap_or(f64::INFINITY), period };
        let is_sound = self.check(key, |faults| {
            given.iter().for_each(|(name, value)| _ = value.is_none_or(|value| faults.finite(name, value)));
            window.check(faults);
        });
        is_sound.then_some(Some(window))
    }

    /// A table from its points or its file.
    pub(super) fn points(&mut self, key: &str, points: &PointTable) -> Option<TimeTable> {
        let PointTable { times, values, file, step, ramp, pulse, chirp, noise, period, .. } = points;
        let given = [
            ("times", !times.is_empty() || !values.is_empty()),
            ("file", file.is_some()),
            ("step", step.is_some()),
            ("ramp", ramp.is_some()),
            ("pulse", pulse.is_some()),
            ("chirp", chirp.is_some()),
            ("noise", noise.is_some()),
        ];
        let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name);
        if let (Some(first), Some(second)) = (given.next(), given.next()) {
            self.fault(&format!("{key}.{second}"), format!("given beside {first}, but one is enough"), None);
            return None;
        }
        if let Some(chirp) = chirp {
            return self.chirp(key, points, chirp);
        }
        if let Some(noise) = noise {
            return self.noise(key, points, noise);
        }
        if let Some((name, table)) = shorthand(points) {
            let is_sound = self.check(&format!("{key}.{name}"), |faults| {
                let [at, end] = if name == "step" { ["at", "at"] } else { ["start", "end"] };
                table.times.iter().for_each(|t| _ = faults.finite(at, *t));
                table.values.iter().for_each(|x| _ = faults.finite("value", *x));
                let last = table.times[table.times.len() - 1];
                faults.at_least(end, last, table.times[0], "it does not end before it begins");
            });
            if name != "pulse" && period.is_some() {
                let message = format!("given beside {name}, which does not repeat itself");
                self.fault(&format!("{key}.period"), message, Some("give a pulse, or times and values"));
                return None;
            }
            let is_sound = is_sound && self.check(key, |faults| table.check(faults));
            return is_sound.then_some(table);
        }
        let [times, values] = match &points.file {
            None => [points.times.clone(), points.values.clone()],
            Some(path) => {
                let names = [points.time_column.as_deref(), points.value_column.as_deref()];
                match point_file::read(path, names, self.budget.memory) {
                    Ok(columns) => columns,
                    Err(fault) => {
                        let name = fault.column.map_or("file", |k| ["time_column", "value_column"][k]);
                        self.fault(&format!("{key}.{name}"), fault.message, fault.hint);
                        return None;
                    }
                }
            }
        };
        let table = TimeTable { times, values, period: points.period };
        if let Some(row) = table.times.windows(3).position(|three| three[0] == three[2]) {
            let name = if points.file.is_some() { "file" } else { "times" };
            let message = format!(
                "three points at {} s, from number {} on, but a jump has two: the value before and the one after",
                ShortNumber(table.times[row]),
                row + 1
            );
            self.fault(&format!("{key}.{name}"), message, Some("leave those between out"));
            return None;
        }
        let Some(path) = &points.file else {
            return self.check(key, |faults| table.check(faults)).then_some(table);
        };
        // what is wrong with a column is wrong with the file
        let found = Faults::of(|faults| table.check(faults));
        for fault in &found {
            let name = if fault.key == "period" { "period" } else { "file" };
            self.fault(&format!("{key}.{name}"), format!("{path}: {}", fault.error), None);
        }
        found.is_empty().then_some(table)
    }

    /// A table of noise.
    fn noise(&mut self, key: &str, points: &PointTable, noise: &NoiseTable) -> Option<TimeTable> {
        let key = format!("{key}.noise");
        let is_sound = self.check(&key, |faults| {
            faults.not_negative("rms", noise.rms);
            faults.not_negative("low", noise.low);
            if faults.finite("high", noise.high) {
                faults.at_least("high", noise.high, noise.low, "the band begins at low");
                faults.positive("high", noise.high);
            }
            faults.positive("duration", noise.duration);
        });
        if !is_sound {
            return None;
        }
        let (n_points, n_tones) = noise::size(noise);
        if n_points > noise::MAX_POINTS {
            let message = format!("{n_points:.0} points, but at most {:.0} are made", noise::MAX_POINTS);
            self.fault(&format!("{key}.duration"), message, Some("shorten it, or lower high"));
            return None;
        }
        if n_tones < 1.0 {
            let message = "no tone of the band fits into the duration";
            self.fault(&format!("{key}.duration"), message, Some("lengthen it, or widen the band"));
            return None;
        }
        let (times, values) = noise::points(noise);
        let table = TimeTable { times, values, period: points.period };
        self.check(&key, |faults| table.check(faults)).then_some(table)
    }
}

/// The table of a step, a ramp or a pulse, with its name.
fn shorthand(PointTable { step, ramp, pulse, period, .. }: &PointTable) -> Option<(&'static str, TimeTable)> {
    let table = |times: Vec<f64>, values: Vec<f64>| TimeTable { times, values, period: *period };
    if let Some(StepTable { at, value }) = step {
        return Some(("step", table(vec![*at, *at], vec![0.0, *value])));
    }
    if let Some(SpanTable { start, end, value }) = ramp {
        return Some(("ramp", table(vec![*start, *end], vec![0.0, *value])));
    }
    let SpanTable { start, end, value } = pulse.as_ref()?;
    Some(("pulse", table(vec![*start, *start, *end, *end], vec![0.0, *value, *value, 0.0])))
}
