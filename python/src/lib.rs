//! The native module of the Python package `endmill`: `endmill._endmill`.
//!
//! It is thin. Questions go to an [`AnyDatabase`](endmill_probe::AnyDatabase). Answers are returned as
//! JSON with the fields that `docs/json.md` promises, from which `endmill/` makes the classes that
//! users see. For speed, single verdicts and whole arrays (`batch`) are returned as numbers. No
//! question holds the interpreter lock.

#![forbid(unsafe_code)]

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
