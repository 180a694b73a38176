
/// Runs `work`, which computes on threads of its own and tells the calling one how far it has come. What is done is kept if it
/// is stopped.
pub fn watched_rows<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    deadline: Deadline,
    work: impl FnOnce(&mut dyn FnMut(SweepProgress) -> bool) -> Result<T, DatasetError> + Send,
) -> PyResult<T> {
    let mut watch = Listener::new(progress, deadline);
    let mut tell = |done: SweepProgress| {
        let SweepProgress { before, computed, rows } = done;
        watch.tell((before + computed) as f64 / rows.max(1) as f64)
    };
    let found = py.detach(|| bug::guarded(|| work(&mut tell)));
    let found = found.map_err(|bug| errors::internal(py, &bug))?;
    if let Some(error) = watch.stopped(py, found.is_ok(), None) {
        return Err(error);
    }
    let found = found.map_err(|error| crate::sweep::raised(py, &error))?;
    watch.close(py)?;
    Ok(found)
}
