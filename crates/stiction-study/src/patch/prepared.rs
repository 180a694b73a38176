//! A patch with what has been prepared of it: every question about it prepares a variant of the patch at most
//! once.

use keyed::Diagnostic;
use std::sync::{Arc, Mutex, PoisonError};
use stiction::Fault;
use stiction::patch::{Closure, Constants, LimitSurface, Patch, PatchFriction};

/// A patch, and its variants that have been prepared: other closures, about its centre, without height.
#[derive(Debug, Default)]
struct Made {
    frictions: Vec<(Patch, Arc<PatchFriction>)>,
    surfaces: Vec<(Patch, Arc<LimitSurface>)>,
}

/// A patch that questions are asked about.
#[derive(Debug)]
pub struct PatchStudy {
    patch: Patch,
    made: Mutex<Made>,
}

impl From<Patch> for PatchStudy {
    fn from(patch: Patch) -> Self {
        Self { patch, made: Mutex::default() }
    }
}

impl PatchStudy {
    /// The patch.
    pub fn patch(&self) -> &Patch {
        &self.patch
    }

    /// The patch as it is, ready to be evaluated.
    pub fn friction(&self) -> Result<Arc<PatchFriction>, Vec<Fault>> {
        self.variant(self.patch.clone())
    }

    /// The patch about its centre, evaluated by a closure.
    pub fn centred(&self, closure: Closure, constants: Constants) -> Result<Arc<PatchFriction>, Vec<Fault>> {
        self.variant(Patch { centre: [0.0; 2], closure, constants, ..self.patch.clone() })
    }

    /// A variant of the patch, ready to be evaluated.
    pub(crate) fn variant(&self, patch: Patch) -> Result<Arc<PatchFriction>, Vec<Fault>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, friction)) = made.frictions.iter().find(|(known, _)| *known == patch) {
            return Ok(friction.clone());
        }
        let friction = Arc::new(patch.prepare()?);
        made.frictions.push((patch, friction.clone()));
        Ok(friction)
    }

    /// What the patch holds at rest, about its reference point.
    pub fn surface(&self) -> Result<Arc<LimitSurface>, Vec<Fault>> {
        self.surface_of(self.patch.clone())
    }

    /// What the patch holds at rest, about its centre.
    pub fn centred_surface(&self) -> Result<Arc<LimitSurface>, Vec<Fault>> {
        self.surface_of(Patch { centre: [0.0; 2], ..self.patch.clone() })
    }

    fn surface_of(&self, patch: Patch) -> Result<Arc<LimitSurface>, Vec<Fault>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, surface)) = made.surfaces.iter().find(|(known, _)| *known == patch) {
            return Ok(surface.clone());
        }
        let surface = Arc::new(patch.limit_surface()?);
        made.surfaces.push((patch, surface.clone()));
        Ok(surface)
    }

    /// How often a variant was prepared so far.
    pub fn n_prepared(&self) -> usize {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.frictions.len() + made.surfaces.len()
    }
}

/// What the core refuses about a patch, at the keys of its file.
pub fn diagnosed(faults: &[Fault]) -> Vec<Diagnostic> {
    let diagnose = |fault: &Fault| Diagnostic {
        key: format!("patch.{}", fault.key),
        message: fault.error.to_string(),
        place: None,
        hint: fault.error.hint().map(str::to_owned),
    };
    faults.iter().map(diagnose).collect()
}
