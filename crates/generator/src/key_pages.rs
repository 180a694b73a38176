//! Which definitions of the schema stand on which page of the reference.

/// A page of the reference: file, title, introduction, definitions.
pub struct KeyPage {
    pub file: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub tables: &'static [&'static str],
}

/// The page that takes definitions which no page lists.
pub const OTHERS: &str = "analyses";
/// The definition that stands for the whole scenario.
pub const ROOT: &str = "Scenario";

/// All pages.
pub const PAGES: &[KeyPage] = &[
    KeyPage {
        file: "scenario",
        title: "A scenario",
        about: "A scenario is one TOML file: a system, how to integrate it, and what to find out. Only `system` is required.",
        tables: &[ROOT, "SystemKind", "IntegratorKind", "AnalysisKind"],
    },
    KeyPage {
        file: "systems",
        title: "Systems",
        about: "One mass, matrices, or a finite-element model from a few numbers. A body on a plane has [a page of its own](bodies.md).",
        tables: &[
            "Oscillator",
            "Matrices",
            "ChainSystem",
            "BeamSystem",
            "PlateSystem",
            "MotionKind",
            "ChainEnd",
            "Support",
            "MatrixForm",
            "StoredMatrix",
            "SparseEntries",
            "DampingForm",
            "ModelDamping",
            "RayleighDamping",
            "Nodes",
            "NodesWord",
            "Initial",
            "InitialVectors",
            "Reduce",
        ],
    },
    KeyPage {
        file: "loads",
        title: "Loads and signals",
        about: "Forces, moving bases, prescribed degrees of freedom, and what varies in time.",
        tables: &[
            "Load",
            "Base",
            "Prescribed",
            "Signal",
            "SignalOrNumber",
            "VaryingLoad",
            "Points",
            "Step",
            "Span",
            "Chirp",
            "Noise",
        ],
    },
    KeyPage {
        file: "contacts",
        title: "Contacts",
        about: "A contact is a law with what stands beside it: `friction.coulomb = { mu = 0.3 }`, `friction.load = 20.0`. Several contacts are a list. Each law's own parameters: [laws](laws.md).",
        tables: &["Contact", "Custom"],
    },
    KeyPage {
        file: "elements",
        title: "Springs, stops, controllers",
        about: "Elements beside masses, dampers and contacts.",
        tables: &["Spring", "Stop", "Control", "StateSpace"],
    },
    KeyPage {
        file: "bodies",
        title: "Bodies and patches",
        about: "`[system.body]` is a rigid body that slides and spins on a plane. The table `patch` is the same in a scenario and in a file for `stiction patch`.",
        tables: &[
            "Body",
            "Patch",
            "Shape",
            "Disc",
            "Ring",
            "Annulus",
            "Rectangle",
            "Polygon",
            "Piece",
            "Pressure",
            "Closure",
            "Constants",
            "Force",
            "Axes",
            "Oscillation",
            "MovingSurface",
            "InnerMass",
            "PathPoints",
        ],
    },
    KeyPage {
        file: "integrators",
        title: "Integrators",
        about: "Without a table `[integrator…]` the scenario gets `exact` where its laws allow it, else `adaptive`.",
        tables: &["FixedStep", "Adaptive", "Method", "ExactSettings"],
    },
    KeyPage {
        file: "analyses",
        title: "Analyses",
        about: "Without a table `[analysis…]` the motion from the initial state is computed (`transient`).",
        tables: &[
            "Transient",
            "StandIn",
            "SteadySettings",
            "Start",
            "HarmonicBalance",
            "Response",
            "LogAxes",
            "Overlay",
            "BifurcationSettings",
            "StabilitySettings",
            "NonlinearModeSettings",
        ],
    },
    KeyPage {
        file: "sweep",
        title: "The table of a sweep",
        about: "What `stiction sweep` does is described in [sweeps](../sweep.md).",
        tables: &["Sweep", "Axis", "Spacing", "DrawKind"],
    },
];
