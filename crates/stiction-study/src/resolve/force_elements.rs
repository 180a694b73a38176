//! Signals, varying normal loads, stops and control.

use super::Resolve;
use super::system::{Degrees, member_key};
use crate::budget::MAX_LOADS;
use crate::noise;
use crate::point_file;
use crate::scenario::{
    Acting, Base, ContactTable, ControlTable, NoiseTable, OneOrMany, PointTable, SignalTable, SpanTable,
    SpringTable, StateSpaceTable, StepTable, StopTable,
};
use stiction::Faults;
use stiction::ShortNumber;
use stiction::system::{
    CurvedSpring, Drive, ElasticStop, Feedback, ForceElements, RigidStop, Signal, SignalLoad, System,
    Threshold, TimeTable, VaryingContact, Wave, Window,
};

impl Resolve<'_> {
    /// Everything beyond matrices, harmonic loads and constant normal loads. `owners` must be set.
    pub(super) fn force_elements(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        Acting { force, friction, stop: stops, control: controls, state_space: spaces, .. }: &Acting,
    ) -> ForceElements {
        let n = degrees.n;
        let mut elements = ForceElements::default();
        for (list, found) in
            [("stop", stops.len()), ("control", controls.len()), ("state_space", spaces.len())]
        {
            if found > MAX_LOADS {
                let message = format!("{found} entries, but at most {MAX_LOADS} are allowed");
                self.fault(&format!("{prefix}.{list}"), message, None);
                return elements;
            }
        }
        for (i, load) in force.iter().enumerate() {
            let key = member_key(prefix, "force", force, i);
            // what never begins nor ends is a harmonic of the system
            let is_windowed = load.has_window();
            let own = SignalTable {
                constant: 0.0,
                amplitude: if is_windowed { load.amplitude } else { 0.0 },
                omega: load.omega.filter(|_| is_windowed),
                phase: if is_windowed { load.phase } else { 0.0 },
                start: load.start,
                end: load.end,
                period: load.period,
                table: load.table.clone(),
            };
            if !is_windowed && own.table.is_none() {
                continue;
            }
            let Some(signal) = self.signal(&key, &own) else { continue };
            let direction = self.direction(&key, degrees, &load.on);
            elements.loads.push(SignalLoad { direction, signal });
        }
        for (i, contact) in friction.iter().enumerate() {
            let key = member_key(prefix, "friction", friction, i);
            let Some(varying) = self.varying(&key, n, contact) else { continue };
            let owned = (0..self.owners.contacts.len()).filter(|k| self.owners.contacts[*k] == i);
            elements.contacts.extend(owned.map(|k| VaryingContact { contact: k, ..varying.clone() }));
        }
        self.stops(prefix, degrees, stops, &mut elements);
        let is_controlled = !controls.is_empty() || !spaces.is_empty();
        if is_controlled
            && let Some((feedback, thresholds)) = self.feedback(prefix, degrees, controls, spaces)
        {
            (elements.feedback, elements.thresholds) = (Some(feedback), thresholds);
        }
        elements
    }

    /// Stops, the rigid ones and the elastic ones in lists of their own.
    fn stops(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        stops: &OneOrMany<StopTable>,
        elements: &mut ForceElements,
    ) {
        // of each stop its number as listed and its table
        let (mut rigid, mut elastic) = (Vec::new(), Vec::new());
        for (i, stop) in stops.iter().enumerate() {
            let key = member_key(prefix, "stop", stops, i);
            if stop.upper.is_none() && stop.lower.is_none() {
                self.fault(&key, "neither upper nor lower is given", None);
            }
            let before = self.found.len();
            if stop.limited_damping && stop.damping.is_none() {
                let message = "given without damping, which it needs";
                self.fault(&format!("{key}.limited_damping"), message, None);
            }
            for (name, is_given) in
                [("restitution", stop.restitution.is_some()), ("damping", stop.damping.is_some())]
            {
                if is_given && (name == "restitution") == stop.stiffness.is_some() {
                    let message = if name == "restitution" {
                        "given beside stiffness, but an elastic stop needs none"
                    } else {
                        "given without stiffness, which it needs"
                    };
                    self.fault(&format!("{key}.{name}"), message, None);
                }
            }
            let restitution = stop.restitution.unwrap_or(0.0);
            let damping = stop.damping.unwrap_or(0.0);
            self.check(&key, |faults| {
                faults.between("restitution", restitution, 0.0, 1.0);
                faults.not_negative("damping", damping);
                if let Some(stiffness) = stop.stiffness {
                    faults.positive("stiffness", stiffness);
                }
            });
            if self.found.len() > before {
                continue;
            }
            for direction in self.directions(&key, degrees, &stop.on) {
                for (sign, position) in [(1.0, stop.upper), (-1.0, stop.lower)] {
                    let Some(position) = position else { continue };
                    let direction = direction.iter().map(|w| sign * w).collect();
                    let position = sign * position;
                    let listed = (rigid.len() + elastic.len(), i);
                    match stop.stiffness {
                        None => {
                            rigid.push(listed);
                            let own = RigidStop { direction, position, restitution, ..RigidStop::default() };
                            elements.stops.push(own);
                        }
                        Some(stiffness) => {
                            elastic.push(listed);
                            elements.elastic.push(ElasticStop {
                                direction,
                                position,
                                stiffness,
                                damping,
                                is_limited: stop.limited_damping,
                                ..ElasticStop::default()
                            });
                        }
                    }
                }
            }
        }
        (elements.stop_numbers, self.owners.stops) = rigid.into_iter().chain(elastic).unzip();
        let is_fixed =
            |k: &usize| stops.iter().nth(self.owners.stops[*k]).is_some_and(|stop| stop.fixed_in_space);
        self.owners.fixed_stops = (0..self.owners.stops.len()).filter(is_fixed).collect();
    }

    /// The loads of bases whose acceleration a table gives: −M direction b̈.
    pub(super) fn records(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        base: &OneOrMany<Base>,
        drive: &mut Drive,
        system: &mut System,
    ) {
        drive.fixed_stops = self.owners.fixed_stops.clone();
        if !drive.fixed_stops.is_empty() && base.is_empty() {
            let message = "a stop is fixed in space, but there is no base that moves";
            self.fault(&format!("{prefix}.stop"), message, None);
        }
        for (i, record) in base.iter().enumerate() {
            let key = member_key(prefix, "base", base, i);
            let Some(signal) = self.acceleration(&key, record) else { continue };
            let along = record.direction.clone().unwrap_or_else(|| degrees.together.clone());
            let mut direction = vec![0.0; degrees.n];
            // another length has been refused
            if along.len() == degrees.n {
                system.mass.add_product(-1.0, &along, &mut direction);
                drive.records.push(SignalLoad { direction: along, signal: signal.clone() });
                system.elements.loads.push(SignalLoad { direction, signal });
            }
        }
        drive.fix_stops(system);
    }

    /// The acceleration of a base but for a harmonic that never begins nor ends; none if there is nothing.
    fn acceleration(&mut self, key: &str, base: &Base) -> Option<Signal> {
        let mut signal = Signal::default();
        if base.has_window() {
            let (start, end, omega) = (base.start, base.end, base.omega);
            let window = self.window(key, [start, end, base.period], omega != 0.0)?;
            let amplitude = -base.amplitude * omega * omega;
            signal.waves.push(Wave { window, ..Wave::new(amplitude, omega, base.phase) });
        }
        if let Some(points) = &base.acceleration {
            signal.tables.push(self.points(&format!("{key}.acceleration"), points)?);
        }
        (!signal.waves.is_empty() || !signal.tables.is_empty()).then_some(signal)
    }

    /// What varies at a contact, if anything does.
    fn varying(&mut self, key: &str, n: usize, contact: &ContactTable) -> Option<VaryingContact> {
        if contact.load_varies.is_none() && contact.belt_varies.is_none() {
            return None;
        }
        let varies = contact.load_varies.clone().unwrap_or_default();
        let load = SignalTable {
            constant: 0.0,
            amplitude: varies.amplitude,
            omega: varies.omega,
            phase: varies.phase,
            start: varies.start,
            end: varies.end,
            period: varies.period,
            table: varies.table,
        };
        let load = self.signal(&format!("{key}.load_varies"), &load);
        let belt = contact.belt_varies.clone().unwrap_or_default();
        let belt = self.signal(&format!("{key}.belt_varies"), &belt);
        let mut vector = |name: &str, vector: &Option<Vec<f64>>| {
            let vector = vector.clone().unwrap_or_else(|| vec![0.0; n]);
            if vector.len() != n || vector.iter().any(|x| !x.is_finite()) {
                let message = format!("there must be {n} finite numbers");
                self.fault(&format!("{key}.load_varies.{name}"), message, None);
                return None;
            }
            Some(vector)
        };
        let by_position = vector("by_position", &varies.by_position);
        let by_velocity = vector("by_velocity", &varies.by_velocity);
        Some(VaryingContact {
            contact: 0,
            load: load?,
            belt: belt?,
            by_position: by_position?,
            by_velocity: by_velocity?,
        })
    }

    /// Controllers, then state spaces, as one feedback.
    fn feedback(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        controls: &OneOrMany<ControlTable>,
        spaces: &OneOrMany<StateSpaceTable>,
    ) -> Option<(Feedback, Vec<Threshold>)> {
        let n = degrees.n;
        let mut thresholds = Vec::new();
        let n_own: usize = (controls.iter())
            .map(|control| usize::from(control.ki != 0.0) + usize::from(control.filter.is_some()))
            .sum();
        let n_states = n_own + spaces.iter().map(|space| space.a.len()).sum::<usize>();
        let n_inputs = controls.len() + spaces.iter().map(|space| space.reference.len()).sum::<usize>();
        if n_states.max(n_inputs) > MAX_LOADS {
            let message =
                format!("{n_states} states and {n_inputs} references, but at most {MAX_LOADS} are allowed");
            self.fault(&format!("{prefix}.state_space"), message, None);
            return None;
        }
        let mut feedback = Feedback::none(n, n_states, n_inputs);
        let mut state = 0;
        for (i, control) in controls.iter().enumerate() {
            let key = member_key(prefix, "control", controls, i);
            let mut directions = self.directions(&key, degrees, &control.on);
            if directions.len() != 1 {
                self.fault(&format!("{key}.node"), "a controller acts on one node", None);
            }
            let w = directions.pop()?;
            let is_sound = self.check(&key, |faults| {
                faults.finite("kp", control.kp);
                faults.finite("ki", control.ki);
                faults.finite("kd", control.kd);
                faults.finite("integral", control.integral);
                let times = [("filter", control.filter), ("anti_windup", control.anti_windup)];
                for (key, value) in times.into_iter().chain([("limit", control.limit)]) {
                    if let Some(value) = value {
                        faults.positive(key, value);
                    }
                }
            });
            if control.anti_windup.is_some() && (control.limit.is_none() || control.ki == 0.0) {
                let missing = if control.limit.is_none() { "limit" } else { "ki" };
                let message = format!("given without {missing}, which it needs");
                self.fault(&format!("{key}.anti_windup"), message, None);
                return None;
            }
            let reference = control.reference.clone().unwrap_or_default().table();
            let reference = self.signal(&format!("{key}.reference"), &reference)?;
            if !is_sound || w.len() != n {
                return None;
            }
            feedback.inputs[i] = reference;
            let first = state;
            for a in 0..n {
                for b in 0..n {
                    *feedback.f_position.at_mut(a, b) -= control.kp * w[a] * w[b];
                    if control.filter.is_none() {
                        *feedback.f_velocity.at_mut(a, b) -= control.kd * w[a] * w[b];
                    }
                }
                *feedback.f_input.at_mut(a, i) += control.kp * w[a];
            }
            if control.ki != 0.0 {
                for (a, w) in w.iter().enumerate() {
                    *feedback.b_position.at_mut(state, a) -= w;
                    *feedback.f_state.at_mut(a, state) += control.ki * w;
                }
                *feedback.b_input.at_mut(state, i) = 1.0;
                feedback.initial[state] = control.integral;
                state += 1;
            }
            if let Some(filter) = control.filter {
                // T ẋ = w·q̇ − x, and the derivative gain acts on x
                *feedback.a.at_mut(state, state) = -1.0 / filter;
                for (a, w) in w.iter().enumerate() {
                    *feedback.b_velocity.at_mut(state, a) = w / filter;
                    *feedback.f_state.at_mut(a, state) -= control.kd * w;
                }
                state += 1;
            }
            if let Some(limit) = control.limit {
                // what the force exceeds its limit by is taken back, and ki T d(∫e dt)/dt += limited − wanted (@astrom2006)
                let wanted = |sign: f64| {
                    let mut by_input = vec![0.0; n_inputs];
                    by_input[i] = sign * control.kp;
                    let mut by_state = vec![0.0; n_states];
                    if control.ki != 0.0 {
                        by_state[first] = sign * control.ki;
                    }
                    if control.filter.is_some() {
                        by_state[state - 1] = -sign * control.kd;
                    }
                    let mut rate = vec![0.0; n_states];
                    if let Some(time) = control.anti_windup {
                        rate[first] = -sign / (control.ki * time);
                    }
                    Threshold {
                        by_position: w.iter().map(|w| -sign * control.kp * w).collect(),
                        by_velocity: match control.filter {
                            None => w.iter().map(|w| -sign * control.kd * w).collect(),
                            Some(_) => vec![0.0; n],
                        },
                        by_state,
                        by_input,
                        at: limit,
                        force: w.iter().map(|w| -sign * w).collect(),
                        rate,
                    }
                };
                thresholds.extend([wanted(1.0), wanted(-1.0)]);
            }
        }
        let (mut state, mut input) = (n_own, controls.len());
        for (i, space) in spaces.iter().enumerate() {
            let key = member_key(prefix, "state_space", spaces, i);
            self.state_space(&key, n, space, [state, input], &mut feedback)?;
            state += space.a.len();
            input += space.reference.len();
        }
        Some((feedback, thresholds))
    }

    /// Puts a state space into its place of a feedback, from this state and this input on.
    fn state_space(
        &mut self,
        key: &str,
        n: usize,
        space: &StateSpaceTable,
        [state, input]: [usize; 2],
        feedback: &mut Feedback,
    ) -> Option<()> {
        let (p, r) = (space.a.len(), space.reference.len());
        let before = self.found.len();
        for (j, reference) in space.reference.iter().enumerate() {
            let key = member_key(key, "reference", &space.reference, j);
            if let Some(signal) = self.signal(&key, &reference.table()) {
                feedback.inputs[input + j] = signal;
            }
        }
        if !space.initial.is_empty() && space.initial.len() != p {
            let message = format!("{} numbers, but A has {p} rows", space.initial.len());
            self.fault(&format!("{key}.initial"), message, None);
        }
        if space.initial.iter().any(|x| !x.is_finite()) {
            self.fault(&format!("{key}.initial"), "not finite", None);
        }
        // name, rows as written, rows and columns that fit, and where they go
        let Feedback { a, b_position, b_velocity, b_input, f_position, f_velocity, f_state, f_input, .. } =
            feedback;
        let blocks = [
            ("a", &space.a, [p, p], a, [state, state]),
            ("b_position", &space.b_position, [p, n], b_position, [state, 0]),
            ("b_velocity", &space.b_velocity, [p, n], b_velocity, [state, 0]),
            ("b_reference", &space.b_reference, [p, r], b_input, [state, input]),
            ("f_state", &space.f_state, [n, p], f_state, [0, state]),
            ("f_position", &space.f_position, [n, n], f_position, [0, 0]),
            ("f_velocity", &space.f_velocity, [n, n], f_velocity, [0, 0]),
            ("f_reference", &space.f_reference, [n, r], f_input, [0, input]),
        ];
        for (name, rows, [n_rows, n_columns], into, [first_row, first_column]) in blocks {
            if rows.is_empty() {
                continue;
            }
            if rows.len() != n_rows || rows.iter().any(|row| row.len() != n_columns) {
                let message = format!("there must be {n_rows} rows of {n_columns} numbers");
                self.fault(&format!("{key}.{name}"), message, None);
                continue;
            }
            if rows.iter().flatten().any(|x| !x.is_finite()) {
                self.fault(&format!("{key}.{name}"), "not finite", None);
                continue;
            }
            for (i, row) in rows.iter().enumerate() {
                for (j, x) in row.iter().enumerate() {
                    *into.at_mut(first_row + i, first_column + j) += x;
                }
            }
        }
        if self.found.len() > before {
            return None;
        }
        feedback.initial[state..state + p].iter_mut().zip(&space.initial).for_each(|(own, x)| *own = *x);
        Some(())
    }

    /// Adds springs of straight pieces: the piece about zero to the stiffness, and a threshold for each other corner.
    pub(super) fn springs(
        &mut self,
        prefix: &str,
        degrees: &Degrees,
        springs: &OneOrMany<SpringTable>,
        system: &mut System,
    ) {
        // matrices of other sizes are refused
        if !system.has_matching_sizes() {
            return;
        }
        for (i, spring) in springs.iter().enumerate() {
            let key = member_key(prefix, "spring", springs, i);
            if !self.is_spring(&key, spring) {
                continue;
            }
            for w in self.directions(&key, degrees, &spring.on) {
                // another length has been refused
                if w.len() != degrees.n {
                    continue;
                }
                if spring.polynomial.is_empty() {
                    add_spring(spring, &w, system);
                } else {
                    add_polynomial(&spring.polynomial, &w, system);
                }
            }
        }
    }

    fn is_spring(&mut self, key: &str, spring: &SpringTable) -> bool {
        let SpringTable { positions, forces, polynomial, .. } = spring;
        let n = positions.len();
        let (name, message) = if !polynomial.is_empty() {
            if !positions.is_empty() || !forces.is_empty() {
                ("polynomial", "given beside positions and forces, but one is enough".to_owned())
            } else if polynomial.len() > MAX_POWER {
                ("polynomial", format!("{} numbers, but at most {MAX_POWER} are allowed", polynomial.len()))
            } else if polynomial.iter().any(|c| !c.is_finite()) {
                ("polynomial", "not finite".to_owned())
            } else {
                return true;
            }
        } else if n < 2 {
            ("positions", format!("{n} points, but a spring has at least 2"))
        } else if n > MAX_CORNERS {
            ("positions", format!("{n} points, but at most {MAX_CORNERS} are allowed"))
        } else if forces.len() != n {
            ("forces", format!("{} numbers, but there are {n} positions", forces.len()))
        } else if let Some(k) = (1..n).find(|k| !(positions[*k] > positions[k - 1])) {
            ("positions", {
                let [a, b] = [positions[k], positions[k - 1]].map(ShortNumber);
                format!("{a} after {b}, but they must ascend")
            })
        } else if !positions.iter().chain(forces).all(|x| x.is_finite()) {
            ("forces", "not finite".to_owned())
        } else {
            return true;
        };
        self.fault(&format!("{key}.{name}"), message, None);
        false
    }

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
    fn points(&mut self, key: &str, points: &PointTable) -> Option<TimeTable> {
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

/// Most points of a spring: each is looked at in every event.
const MAX_CORNERS: usize = 200;

/// Highest power of a polynomial spring.
const MAX_POWER: usize = 20;

/// Adds a polynomial spring along a direction: what is linear of it to the stiffness.
fn add_polynomial(polynomial: &[f64], w: &[f64], system: &mut System) {
    for (a, b) in (0..w.len()).flat_map(|a| (0..w.len()).map(move |b| (a, b))) {
        *system.stiffness.at_mut(a, b) += polynomial[0] * w[a] * w[b];
    }
    if polynomial[1..].iter().any(|c| *c != 0.0) {
        let mut coefficients = polynomial.to_vec();
        coefficients[0] = 0.0;
        let direction = w.to_vec();
        system.elements.curved.push(CurvedSpring { direction, coefficients, ..CurvedSpring::default() });
    }
}

/// Adds a spring along a direction.
fn add_spring(SpringTable { positions, forces, .. }: &SpringTable, w: &[f64], system: &mut System) {
    let slope = |k: usize| (forces[k + 1] - forces[k]) / (positions[k + 1] - positions[k]);
    // the piece about zero, or the one next to it
    let n_pieces = positions.len() - 1;
    let own = positions[1..n_pieces].partition_point(|position| *position < 0.0);
    for (a, b) in (0..w.len()).flat_map(|a| (0..w.len()).map(move |b| (a, b))) {
        *system.stiffness.at_mut(a, b) += slope(own) * w[a] * w[b];
    }
    let preload = forces[own] - slope(own) * positions[own];
    if preload != 0.0 {
        let direction = w.iter().map(|w| -w).collect();
        system.elements.loads.push(SignalLoad { direction, signal: preload.into() });
    }
    let above = |k: usize| Threshold::corner(w, positions[k], slope(k) - slope(k - 1));
    let back: Vec<f64> = w.iter().map(|w| -w).collect();
    let below = |k: usize| Threshold::corner(&back, -positions[k], slope(k - 1) - slope(k));
    system.elements.thresholds.extend((own + 1..n_pieces).map(above).chain((1..=own).map(below)));
}
