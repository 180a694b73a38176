//! What a law needs beside its table: the points in a file, or the program that brings it along.

use crate::{own_laws, point_file};
use stiction::law::{Custom, FrictionLaw, Polyline};

/// What is wrong with a file of points: the key below the law, the message, the way out.
pub(crate) struct CurveFault {
    pub key: &'static str,
    pub message: String,
    pub hint: Option<&'static str>,
}

/// The law with the points of its file, if it has one; one that a program brings along as it is given.
pub(crate) fn completed(law: &FrictionLaw, memory: u64) -> Result<FrictionLaw, CurveFault> {
    if let FrictionLaw::Custom(Custom { name, .. }) = law {
        return Ok(FrictionLaw::Custom(Custom { name: name.clone(), law: own_laws::given(name) }));
    }
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
