//! The limit surface of a body's patch, as a mesh.

use crate::reply::Reply;
use keyed::Diagnostic;
use stiction::body::Body;
use stiction_study::patch::{PatchStudy, diagnosed, limit_points, plan};

/// The finest mesh that a page asks for.
const FINEST: usize = 200;

/// Rows of equal elevation from pole to pole: Fx, Fy, Mz of each point, row by row.
pub fn limit_surface(
    body: &Body,
    rows: usize,
    columns: usize,
    reply: &mut Reply,
) -> Result<(), Vec<Diagnostic>> {
    let (rows, columns) = (rows.clamp(3, FINEST), columns.clamp(3, FINEST));
    let study = PatchStudy::from(body.loaded_patch());
    let points = limit_points(&study).map_err(|faults| diagnosed(&faults))?;
    let top = plan(&study).map_err(|faults| diagnosed(&faults))?;
    let mesh: Vec<f64> = points
        .parallels(rows, columns)
        .iter()
        .flatten()
        .flat_map(|point| [point.wrench.fx, point.wrench.fy, point.wrench.mz])
        .collect();
    let at = reply.place(&mesh);
    reply.put("mesh", at);
    reply.put("rows", rows);
    reply.put("columns", columns + 1);
    reply.put("force", points.force);
    reply.put("moment", points.moment);
    reply.put("centre_of_pressure", top.centre_of_pressure.to_vec());
    Ok(())
}
