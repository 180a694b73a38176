//! Curves of friction in files.

use crate::point_file;
use stiction::law::{FrictionLaw, Polyline};

/// What is wrong with a file of points: the key below the law, the message, the way out.
pub(crate) struct CurveFault {
    pub key: &'static str,
    pub message: String,
    pub hint: Option<&'static str>,
}

/// The law with the points of its file, if it has one.
pub(crate) fn with_points(law: &FrictionLaw, memory: u64) -> Result<FrictionLaw, CurveFault> {
    let FrictionLaw::Polyline(curve @ Polyline { file: Some(path), .. }) = law else {
        let named = match law {
            FrictionLaw::Polyline(curve) if curve.velocity_column.is_some() => {
                Some("polyline.velocity_column")
            }
            FrictionLaw::Polyline(curve) if curve.coefficient_column.is_some() => {
                Some("polyline.coefficient_column")
            }
            _ => None,
        };
        return match named {
            None => Ok(law.clone()),
            Some(key) => {
                Err(CurveFault { key, message: "given without file, which it needs".into(), hint: None })
            }
        };
    };
    if !curve.velocities.is_empty() || !curve.coefficients.is_empty() {
        let message = "given beside velocities and coefficients, but one is enough".into();
        return Err(CurveFault { key: "polyline.file", message, hint: None });
    }
    let names = [curve.velocity_column.as_deref(), curve.coefficient_column.as_deref()];
    let [velocities, coefficients] = point_file::read(path, names, memory).map_err(|fault| {
        let keys = ["polyline.velocity_column", "polyline.coefficient_column"];
        let key = fault.column.map_or("polyline.file", |k| keys[k]);
        CurveFault { key, message: fault.message, hint: fault.hint }
    })?;
    let (file, velocity_column, coefficient_column) = (None, None, None);
    let curve =
        Polyline { velocities, coefficients, file, velocity_column, coefficient_column, ..curve.clone() };
    Ok(FrictionLaw::Polyline(curve))
}
