//! Contacts that creep: how long they linger below their stick speed.

/// Times the coasting time: passing slowly with a fiftieth of the acceleration left still counts as passing.
const LINGER: f64 = 4.0;

/// A contact that creeps, as it is followed through its stick zone.
#[derive(Clone, Debug)]
pub(super) struct Zone {
    pub speed: f64,
    /// Where it stands: −1, 0 (inside), 1.
    pub side: f64,
    /// When and from which side it came, and how long it would coast; `None` if it was inside at the start.
    pub entry: Option<(f64, f64, f64)>,
    pub time: f64,
    /// Time inside before the first exit, if it began inside: the end of a stay that began in the period
    /// before.
    head: f64,
    pub began_inside: bool,
    pub stops: u32,
}

impl Zone {
    /// Zone of the contact below its stick speed.
    pub fn new(speed: f64) -> Self {
        Self { speed, side: f64::NAN, entry: None, time: 0.0, head: 0.0, began_inside: false, stops: 0 }
    }

    pub fn place(&self, v: f64) -> f64 {
        if v.abs() <= self.speed { 0.0 } else { v.signum() }
    }

    pub fn leave(&mut self, t: f64, to: f64) {
        match self.entry.take() {
            Some((since, side, coasting)) => {
                self.time += t - since;
                self.stops += u32::from(side == to || t - since > LINGER * coasting);
            }
            None => self.head = t,
        }
    }

    /// Joins a stay at the end of the period with the one at its start.
    pub fn close(&mut self, period: f64) {
        let Some((since, _, coasting)) = self.entry.take() else {
            // never left, or never entered
            if self.began_inside && self.side == 0.0 {
                self.time = period;
            } else {
                self.time += self.head;
            }
            return;
        };
        let stay = period - since + self.head;
        self.time += stay;
        self.stops += u32::from(stay > LINGER * coasting);
    }
}
