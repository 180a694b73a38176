//! Paper B (@ragulskis2017): linear and trigonometric transitions, simple and raised, with ten printed
//! numbers each.

use super::{Case, Paper, Printed, Reproduced, case, nine_panels};
use stiction::Progress;

pub(super) struct PaperB;

/// The ten facts of which the paper prints values, and the values: max and min of u, u̇, ü, H, C.
const fn printed(values: [f64; 10]) -> [Printed; 10] {
    const FACTS: [&str; 10] = [
        "position_max",
        "position_min",
        "velocity_max",
        "velocity_min",
        "acceleration_max",
        "acceleration_min",
        "friction_max",
        "friction_min",
        "slope_max",
        "slope_min",
    ];
    let mut printed = [Printed { fact: "", value: 0.0, allows: 0.5e-4 }; 10];
    let mut i = 0;
    while i < 10 {
        printed[i].fact = FACTS[i];
        printed[i].value = values[i];
        i += 1;
    }
    printed
}

// figs. 1–4. The minimum of ü in fig. 2 is printed −21.0508 in panel c and −21.0506 in panel i.
#[rustfmt::skip]
#[allow(clippy::approx_constant)]
const PRINTED: [[Printed; 10]; 4] = [
    printed([19.6296, -19.5686, 19.6286, -19.6349, 21.0595, -21.0536, 1.5659, -1.6327, 2.0, 0.0]),
    printed([19.5902, -19.5974, 19.6236, -19.6302, 21.0568, -21.0506, 1.6000, -1.5988, 3.1416, 0.0]),
    printed([19.5609, -19.4964, 19.5601, -19.5728, 22.4839, -22.4712, 3.1590, -3.2458, 2.0, -2.0]),
    printed([19.5036, -19.5098, 19.5469, -19.5554, 22.4739, -22.4659, 3.1981, -3.1996, 3.1416, -3.1416]),
];

impl Paper for PaperB {
    fn name(&self) -> &'static str {
        "paper-b"
    }

    fn cases(&self) -> &'static [Case] {
        const {
            &[
                case!("fig-1", "paper-b/fig-1.toml", false, &PRINTED[0]),
                case!("fig-2", "paper-b/fig-2.toml", false, &PRINTED[1]),
                case!("fig-3", "paper-b/fig-3.toml", false, &PRINTED[2]),
                case!("fig-4", "paper-b/fig-4.toml", false, &PRINTED[3]),
            ]
        }
    }

    fn figures(&self) -> &'static [&'static str] {
        &["fig-1", "fig-2", "fig-3", "fig-4"]
    }

    fn reproduce(&self, is_wanted: &dyn Fn(&str) -> bool, progress: &mut Progress) -> Reproduced {
        nine_panels(self, is_wanted, progress)
    }
}
