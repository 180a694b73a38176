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
            /// A law defined by a program; a file can only name it.
            #[cfg_attr(feature = "serde", serde(rename = "custom"))]
            Custom(Custom),
            /// A law that is harder one way than the other; a contact says so beside its law.
            #[cfg_attr(feature = "serde", serde(skip))]
            Directed(Box<Directed>),
        }

        impl FrictionLaw {
            /// The names of all laws that a file can hold, in the order of the documentation.
            pub const NAMES: &[&str] = &[$($name),*];

            /// Regularised laws: a size takes the place of the jump of a law that is set-valued at zero velocity.
            pub const REGULARISED: &[&str] = &[$($(second!($Size, $name),)?)*];

            /// The number by which the law called `name` tends to a set-valued one, if it is a regularised law.
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

        impl FrictionLaw {
            /// The member, for methods that no inner loop calls.
            fn member(&self) -> &dyn Law {
                match self { $(Self::$Law(law) => law,)* Self::Custom(law) => law.given(), Self::Directed(law) => &**law }
            }

            /// `φ` of many slips (-): a loop that is compiled for each law.
            pub fn coefficients<'a>(&self, slips: impl Iterator<Item = Slip<'a>>, out: &mut [f64]) {
                fn each<'a>(law: &(impl Law + ?Sized), slips: impl Iterator<Item = Slip<'a>>, out: &mut [f64]) {
                    out.iter_mut().zip(slips).for_each(|(phi, slip)| *phi = law.coefficient(slip));
                }
                match self { $(Self::$Law(law) => each(law, slips, out),)* Self::Custom(law) => each(law.given(), slips, out), Self::Directed(law) => each(&**law, slips, out) }
            }
        }

        impl Law for FrictionLaw {
            fn check(&self, faults: &mut Faults) {
                if let Self::Directed(law) = self {
                    return law.check(faults);
                }
                faults.within(self.name(), |faults| {
                    match self {
                        Self::Custom(law) => law.check(faults),
                        _ => self.member().check(faults),
                    }
                    faults.scales(self.numbers().iter().filter_map(|(name, _)| Some((*name, self.number(name)?))));
                });
            }
            #[inline]
            fn coefficient(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.coefficient(slip),)* Self::Custom(law) => law.given().coefficient(slip), Self::Directed(law) => law.coefficient(slip) }
            }
            #[inline]
            fn slope(&self, slip: Slip) -> f64 {
                match self { $(Self::$Law(law) => law.slope(slip),)* Self::Custom(law) => law.given().slope(slip), Self::Directed(law) => law.slope(slip) }
            }
            #[inline]
            fn friction_bounds(&self, v: f64, z: &[f64]) -> Option<FrictionBounds> {
                match self { $(Self::$Law(law) => law.friction_bounds(v, z),)* Self::Custom(law) => law.given().friction_bounds(v, z), Self::Directed(law) => law.friction_bounds(v, z) }
            }
            #[inline]
            fn slider(&self, k: usize) -> Option<Slider> {
                match self { $(Self::$Law(law) => law.slider(k),)* Self::Custom(law) => law.given().slider(k), Self::Directed(law) => law.slider(k) }
            }
            #[inline]
            fn states(&self) -> States {
                match self { $(Self::$Law(law) => law.states(),)* Self::Custom(law) => law.given().states(), Self::Directed(law) => law.states() }
            }
            #[inline]
            fn state_dot(&self, slip: Slip, out: &mut [f64]) {
                match self { $(Self::$Law(law) => law.state_dot(slip, out),)* Self::Custom(law) => law.given().state_dot(slip, out), Self::Directed(law) => law.state_dot(slip, out) }
            }
            #[inline]
            fn state_slopes(&self, slip: Slip, out: &mut StateSlopes) {
                match self { $(Self::$Law(law) => law.state_slopes(slip, out),)* Self::Custom(law) => law.given().state_slopes(slip, out), Self::Directed(law) => law.state_slopes(slip, out) }
            }
            fn graph(&self) -> Graph {
                self.member().graph()
            }
            fn bound(&self) -> f64 {
                self.member().bound()
            }
            fn scales(&self) -> Scales {
                self.member().scales()
            }
            fn breakpoints(&self) -> Vec<f64> {
                self.member().breakpoints()
            }
            fn switches(&self, slip: Slip, out: &mut [f64]) -> usize {
                self.member().switches(slip, out)
            }
            fn corners(&self) -> Option<Vec<[f64; 2]>> {
                self.member().corners()
            }
            fn steady_states(&self, v: f64, out: &mut [f64]) {
                self.member().steady_states(v, out)
            }
        }
    };
}
pub(super) use laws;
