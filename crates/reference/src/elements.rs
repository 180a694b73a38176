//! Force elements of scenarios, each as the lines that a table of what is supported and a soak of all pairs put into
//! a system.

/// A force element.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Table of the reference that describes it; empty if another element has it.
    pub table: &'static str,
    /// Name in tables.
    pub name: &'static str,
    /// Lines of the system.
    pub lines: &'static str,
}

const fn element(table: &'static str, name: &'static str, lines: &'static str) -> Element {
    Element { table, name, lines }
}

/// A harmonic load.
pub const LOAD: &str = "force = { amplitude = 1.0, omega = 0.7 }\n";

/// All elements.
pub const ELEMENTS: &[Element] = &[
    element("Load", "harmonic load", LOAD),
    element(
        "Points",
        "load by points in time",
        "force.table = { times = [0.0, 1.0, 2.0], values = [0.0, 1.0, 0.0], period = 2.0 }\n",
    ),
    element(
        "",
        "load that begins and ends, again and again",
        "force = { amplitude = 1.0, omega = 3.0, start = 0.5, end = 2.0, period = 4.0 }\n",
    ),
    element("Base", "moving base", "base = { amplitude = 0.1, omega = 0.7 }\n"),
    element(
        "VaryingLoad",
        "normal load that varies in time",
        "friction.load_varies = { amplitude = 0.5, omega = 1.4 }\n",
    ),
    element("", "normal load that varies with the motion", "friction.load_varies.by_position = [0.1]\n"),
    element("", "belt that varies in time", "friction.belt_varies = { amplitude = 0.5, omega = 0.7 }\n"),
    element(
        "Spring",
        "spring of straight pieces",
        "spring = { positions = [-1.0, -0.5, 0.5, 1.0], forces = [-2.5, -0.5, 0.5, 2.5] }\n",
    ),
    element("", "polynomial spring", "spring.polynomial = [1.0, 0.0, 2.0]\n"),
    element("Stop", "rigid stop", "stop = { upper = 0.5, restitution = 0.7 }\n"),
    element("", "elastic stop", "stop = { upper = 0.5, stiffness = 200.0 }\n"),
    element(
        "",
        "elastic stop with limited damping",
        "stop = { upper = 0.5, stiffness = 200.0, damping = 4.0, limited_damping = true }\n",
    ),
    element(
        "",
        "stop fixed in space beside a moving base",
        "base = { amplitude = 0.1, omega = 0.7 }\nstop = { upper = 0.5, restitution = 0.7, fixed_in_space = true }\n",
    ),
    element(
        "Prescribed",
        "prescribed position",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n",
    ),
    element(
        "",
        "prescribed acceleration",
        "prescribed = { dof = 1, acceleration = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n",
    ),
    element(
        "",
        "stop on a prescribed motion",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n\
         stop = { direction = [1.0, -1.0], upper = 0.2, restitution = 0.7 }\n",
    ),
    element(
        "",
        "polynomial spring on a prescribed motion",
        "prescribed = { dof = 1, position = { amplitude = 0.5, omega = 0.7 } }\nfriction.dof = 0\n\
         spring = { direction = [1.0, -1.0], polynomial = [1.0, 0.0, 2.0] }\n",
    ),
    element("Control", "controller", "control = { kp = 4.0, ki = 2.0, kd = 1.5 }\n"),
    element(
        "StateSpace",
        "first-order states",
        "state_space = { a = [[-2.0]], b_velocity = [[-1.0]], f_state = [[0.5]] }\n",
    ),
];

impl Element {
    /// Whether it drives the system by itself.
    pub fn drives(&self) -> bool {
        ["force", "base", "prescribed"].iter().any(|key| self.lines.starts_with(key))
    }

    /// Whether the motion of the second of two masses is prescribed.
    pub fn prescribes(&self) -> bool {
        is_prescribed(self.lines)
    }
}

/// Whether lines prescribe the motion of the second of two masses.
fn is_prescribed(lines: &str) -> bool {
    lines.contains("prescribed")
}

/// The table of a system of one free mass with these lines.
pub fn system(lines: &str) -> String {
    if is_prescribed(lines) {
        return format!(
            "[system.matrices]\nmass = [1.0, 1.0]\ndamping = [[0.1, 0.0], [0.0, 0.0]]\nstiffness = [[2.0, -1.0], [-1.0, 1.0]]\n{lines}"
        );
    }
    format!("[system.oscillator]\nmass = 1.0\ndamping = 0.1\nstiffness = 1.0\n{lines}")
}

/// The parameter that a response with these lines may vary.
pub fn parameter(lines: &str) -> &'static str {
    // a prescribed motion has no mass that matters
    match (is_prescribed(lines), lines.contains("acceleration")) {
        (true, true) => "prescribed.acceleration.omega",
        (true, false) => "prescribed.position.omega",
        (false, _) => "mass",
    }
}
