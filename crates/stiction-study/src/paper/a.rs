//! Paper A: the circular-linear transition at several widths, and raised. It prints no numbers.

use super::{Case, Paper, Reproduced, case, nine_panels};
use stiction::Progress;

pub(super) struct PaperA;

impl Paper for PaperA {
    fn name(&self) -> &'static str {
        "paper-a"
    }

    fn cases(&self) -> &'static [Case] {
        const {
            &[
                case!("fig-1", "paper-a/fig-1.toml", false, &[]),
                case!("fig-2", "paper-a/fig-2.toml", false, &[]),
                case!("fig-3", "paper-a/fig-3.toml", false, &[]),
                case!("fig-4", "paper-a/fig-4.toml", false, &[]),
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
