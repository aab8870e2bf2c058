//! The part of the Python package `endmill` that is in Rust: `endmill._endmill`.
//!
//! It is thin. Questions go to an [`AnyDatabase`](endmill_probe::AnyDatabase), and its answers
//! cross as JSON with the fields that `docs/plug-in.md` promises; the classes that users see are
//! made of them in Python (`endmill/`). What must be fast crosses as numbers: single verdicts, and
//! whole arrays in `batch`. Nothing here holds the interpreter while it works.

mod batch;
mod building;
mod database;
mod errors;
mod listening;
mod rows;

use pyo3::prelude::*;

/// The native part of endmill.
#[pymodule]
fn _endmill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<database::Database>()?;
    module.add_function(wrap_pyfunction!(database::rulesets, module)?)?;
    module.add_function(wrap_pyfunction!(building::build, module)?)
}
