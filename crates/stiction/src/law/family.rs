//! What one list of the laws is turned into: the enum that users name, its numbers, and the one dispatch.

/// A number of a law that may be left out or not.
pub(super) trait Number {
    fn read(&self) -> Option<f64>;
    fn write(&mut self, value: f64);
    /// Replaces every value by `f` of it.
    fn map(&mut self, f: &dyn Fn(f64) -> f64);
}

impl Number for f64 {
    fn read(&self) -> Option<f64> {
        Some(*self)
    }
    fn write(&mut self, value: f64) {
        *self = value;
    }
    fn map(&mut self, f: &dyn Fn(f64) -> f64) {
        *self = f(*self);
    }
}

/// Of a list its sum; setting it scales the list.
impl Number for Vec<f64> {
    fn read(&self) -> Option<f64> {
        Some(self.iter().sum())
    }
    fn write(&mut self, value: f64) {
        let (n, sum) = (self.len() as f64, self.iter().sum::<f64>());
        self.iter_mut().for_each(|x| *x = if sum != 0.0 { *x * (value / sum) } else { value / n });
    }
    fn map(&mut self, f: &dyn Fn(f64) -> f64) {
        self.iter_mut().for_each(|x| *x = f(*x));
    }
}

impl Number for Option<f64> {
    fn read(&self) -> Option<f64> {
        *self
    }
    fn write(&mut self, value: f64) {
        *self = Some(value);
    }
    fn map(&mut self, f: &dyn Fn(f64) -> f64) {
        *self = Option::map(*self, f);
    }
}

/// What comes before the name of a parameter of a formula.
pub(super) const PARAMETERS: &str = "parameters.";

/// The second of two: what belongs to a part of a row that may be absent.
macro_rules! second {
    ($first:ident, $second:tt) => {
        $second
    };
}
pub(super) use second;

/// One list of the whole family: the enum that users name, its names, its numbers with their units, and the one dispatch.
macro_rules! laws {
    ($($(#[doc = $doc:literal])* $name:literal => $Law:ident { $($field:ident: $unit:literal),* } $(by $Size:ident)?,)*) => {
        /// A friction law by name.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(Serialize, Deserialize, JsonSchema))]
        pub enum FrictionLaw {
            $($(#[doc = $doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $Law($Law),)*
            /// A law that a program brings along; a file can only name it.
            #[cfg_attr(feature = "serde", serde(rename = "custom"))]
            Custom(Custom),
            /// A law that is harder one way than the other; a contact says so beside its law.
            #[cfg_attr(feature = "serde", serde(skip))]
            Directed(Box<Directed>),
        }

        impl FrictionLaw {
            /// The names of all laws that a file can hold, in the order of the documentation.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The laws that stand in for one that really rests, with a size in place of the jump.
            pub const REGULARISED: &[&str] = &[$($(second!($Size, $name),)?)*];

            /// The number by which the law called `name` tends to one that really rests, if it stands in for one.
            pub fn size(name: &str) -> Option<Size> {
                match name { $($($name => Some(Size::$Size),)?)* _ => None }
            }

            /// The law called `name` of this size whose steady sliding has this friction, if there is one.
            fn standing_in(name: &str, limit: &FallingLimit, size: f64, inertia: f64) -> Option<Self> {
                match name {
                    $($($name => <second!($Size, $Law)>::standing_in(limit, size, inertia).map(Self::$Law),)?)*
                    _ => None,
                }
            }

            /// The name that users write.
            pub fn name(&self) -> &'static str {
                match self { $(Self::$Law(_) => $name,)* Self::Custom(_) => "custom", Self::Directed(own) => own.law.name() }
            }

            /// The numbers of the law by the names that users write, each with its unit.
            pub fn numbers(&self) -> &'static [(&'static str, &'static str)] {
                match self { $(Self::$Law(_) => &[$((stringify!($field), $unit)),*],)* Self::Custom(_) => &[], Self::Directed(own) => own.law.numbers() }
            }

            /// The number called `name`; none if the law has no such number, or it is left out.
            pub fn number(&self, name: &str) -> Option<f64> {
                if let (Self::Expression(law), Some(name)) = (self, name.strip_prefix(PARAMETERS)) {
                    return law.parameters().get(name).copied();
                }
                match self {
                    $(Self::$Law(law) => match name {
                        $(stringify!($field) => Number::read(&law.$field),)*
                        _ => None,
                    },)*
                    Self::Custom(_) => None,
                    Self::Directed(own) => if name == "reverse" { Some(own.reverse) } else { own.law.number(name) },
                }
            }

            /// Sets the number called `name`. Returns whether the law has one.
            pub fn set_number(&mut self, name: &str, value: f64) -> bool {
                if let (Self::Expression(law), Some(name)) = (&mut *self, name.strip_prefix(PARAMETERS)) {
                    let other = law.with_parameter(name, value);
                    return other.map(|other| *law = other).is_some();
                }
                match self {
                    $(Self::$Law(law) => match name {
                        $(stringify!($field) => Number::write(&mut law.$field, value),)*
                        _ => return false,
                    },)*
                    Self::Custom(_) => return false,
                    Self::Directed(own) => {
                        if name != "reverse" {
                            return own.law.set_number(name, value);
                        }
                        own.reverse = value;
                    }
                }
                true
            }

            /// Replaces the number called `name`, each one of a list, by `f` of it. Returns whether the law has one.
            pub fn map_number(&mut self, name: &str, f: &dyn Fn(f64) -> f64) -> bool {
                match self {
                    $(Self::$Law(law) => match name {
                        $(stringify!($field) => Number::map(&mut law.$field, f),)*
                        _ => return false,
                    },)*
                    Self::Custom(_) => return false,
                    Self::Directed(own) => return own.law.map_number(name, f),
                }
                true
            }

            /// Members of the family that between them use every parameter, the plainest of each law first.
            pub fn examples() -> Vec<Self> {
                let mut all = Vec::new();
                $(all.extend($Law::examples().into_iter().map(Self::$Law));)*
                all
            }
        }

        impl Law for FrictionLaw {
            fn check(&self, faults: &mut Faults) {
                if let Self::Directed(law) = self {
                    return law.check(faults);
                }
                faults.within(self.name(), |faults| match self { $(Self::$Law(law) => law.check(faults),)* Self::Custom(law) => law.check(faults), Self::Directed(law) => law.check(faults) })
            }
            #[inline]
            fn coefficient(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.coefficient(slip),)* Self::Custom(law) => law.coefficient(slip), Self::Directed(law) => law.coefficient(slip) }
            }
            fn coefficients<'a>(&self, slips: impl Iterator<Item = Slip<'a>>, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.coefficients(slips, out),)* Self::Custom(law) => law.coefficients(slips, out), Self::Directed(law) => law.coefficients(slips, out) }
            }
            #[inline]
            fn slope(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.slope(slip),)* Self::Custom(law) => law.slope(slip), Self::Directed(law) => law.slope(slip) }
            }
            fn steepest(&self) -> f64 {
                match self { $(Self::$Law(law) => law.steepest(),)* Self::Custom(law) => law.steepest(), Self::Directed(law) => law.steepest() }
            }
            fn bound(&self) -> f64 {
                match self { $(Self::$Law(law) => law.bound(),)* Self::Custom(law) => law.bound(), Self::Directed(law) => law.bound() }
            }
            fn stick_speed(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.stick_speed(),)* Self::Custom(law) => law.stick_speed(), Self::Directed(law) => law.stick_speed() }
            }
            fn stick_margin(&self, slip: Slip) -> Option<f64> {
                match self { $(Self::$Law(law) => law.stick_margin(slip),)* Self::Custom(law) => law.stick_margin(slip), Self::Directed(law) => law.stick_margin(slip) }
            }
            fn transition(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.transition(),)* Self::Custom(law) => law.transition(), Self::Directed(law) => law.transition() }
            }
            fn flat_beyond(&self) -> f64 {
                match self { $(Self::$Law(law) => law.flat_beyond(),)* Self::Custom(law) => law.flat_beyond(), Self::Directed(law) => law.flat_beyond() }
            }
            fn creep_speed(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.creep_speed(),)* Self::Custom(law) => law.creep_speed(), Self::Directed(law) => law.creep_speed() }
            }
            fn reach(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.reach(),)* Self::Custom(law) => law.reach(), Self::Directed(law) => law.reach() }
            }
            fn known_to(&self) -> f64 {
                match self { $(Self::$Law(law) => law.known_to(),)* Self::Custom(law) => law.known_to(), Self::Directed(law) => law.known_to() }
            }
            fn breakpoints(&self) -> Vec<f64> {
                match self { $(Self::$Law(law) => law.breakpoints(),)* Self::Custom(law) => law.breakpoints(), Self::Directed(law) => law.breakpoints() }
            }
            fn n_switches(&self) -> usize {
                match self { $(Self::$Law(law) => law.n_switches(),)* Self::Custom(law) => law.n_switches(), Self::Directed(law) => law.n_switches() }
            }
            fn switches(&self, slip: Slip, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.switches(slip, out),)* Self::Custom(law) => law.switches(slip, out), Self::Directed(law) => law.switches(slip, out) }
            }
            fn corners(&self) -> Option<Vec<[f64; 2]>> {
                match self { $(Self::$Law(law) => law.corners(),)* Self::Custom(law) => law.corners(), Self::Directed(law) => law.corners() }
            }
            fn sliders(&self) -> Option<Vec<Slider>> {
                match self { $(Self::$Law(law) => law.sliders(),)* Self::Custom(law) => law.sliders(), Self::Directed(law) => law.sliders() }
            }
            fn discretisation_error(&self) -> Option<f64> {
                match self { $(Self::$Law(law) => law.discretisation_error(),)* Self::Custom(law) => law.discretisation_error(), Self::Directed(law) => law.discretisation_error() }
            }
            fn slider(&self, k: usize) -> Option<Slider> {
                match self { $(Self::$Law(law) => law.slider(k),)* Self::Custom(law) => law.slider(k), Self::Directed(law) => law.slider(k) }
            }
            fn graph(&self) -> Graph {
                match self { $(Self::$Law(law) => law.graph(),)* Self::Custom(law) => law.graph(), Self::Directed(law) => law.graph() }
            }
            #[inline]
            fn hold(&self, v: f64) -> Option<Hold> {
                match self { $(Self::$Law(law) => law.hold(v),)* Self::Custom(law) => law.hold(v), Self::Directed(law) => law.hold(v) }
            }
            #[inline]
            fn hold_at_rest(&self, z: &[f64]) -> Option<Hold> {
                match self { $(Self::$Law(law) => law.hold_at_rest(z),)* Self::Custom(law) => law.hold_at_rest(z), Self::Directed(law) => law.hold_at_rest(z) }
            }
            #[inline]
            fn lag(&self, v: f64) -> Option<SliderLag> {
                match self { $(Self::$Law(law) => law.lag(v),)* Self::Custom(law) => law.lag(v), Self::Directed(law) => law.lag(v) }
            }
            #[inline]
            fn n_states(&self) -> usize {
                match self { $(Self::$Law(law) => law.n_states(),)* Self::Custom(law) => law.n_states(), Self::Directed(law) => law.n_states() }
            }
            fn state_names(&self) -> Vec<StateName> {
                match self { $(Self::$Law(law) => law.state_names(),)* Self::Custom(law) => law.state_names(), Self::Directed(law) => law.state_names() }
            }
            #[inline]
            fn state_dot(&self, slip: Slip, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.state_dot(slip, out),)* Self::Custom(law) => law.state_dot(slip, out), Self::Directed(law) => law.state_dot(slip, out) }
            }
            fn steady_states(&self, v: f64, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.steady_states(v, out),)* Self::Custom(law) => law.steady_states(v, out), Self::Directed(law) => law.steady_states(v, out) }
            }
            #[inline]
            fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
                match self { $(Self::$Law(law) => law.state_slopes(slip, out),)* Self::Custom(law) => law.state_slopes(slip, out), Self::Directed(law) => law.state_slopes(slip, out) }
            }
        }
    };
}
pub(super) use laws;
