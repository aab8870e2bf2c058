//! The Python class for an open database, or for the rules of a ruleset alone.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::available_parallelism;

use endmill_games::{Game, Outcome, Ruleset, Visitor, rulesets as all_rulesets};
use endmill_probe::answers::{DrawRankAnswer, MoveAnswer, TableAnswer};
use endmill_probe::{Database as Typed, Options, SampleFilter, Verdict};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::batch::{Batch, CHUNK, RowDatabase};
use crate::errors::{of_question, of_row};
use crate::listening::listen;
use crate::rows::Row;

/// A row in Python: mover, opponent, hands, kings, quiet.
type RowTuple = (u32, u32, (u8, u8), u32, u8);
/// The result of a batch in Python.
type FoundArrays<'py> = (Bound<'py, PyArray1<i8>>, Option<Bound<'py, PyArray1<i16>>>);

/// The tables of a ruleset, or its rules alone. Any number of threads may ask at once.
#[pyclass(frozen, module = "endmill._endmill")]
pub struct Database {
    /// `None` after closing.
    tables: RwLock<Option<Arc<dyn RowDatabase>>>,
}

/// The ids of all rulesets.
#[pyfunction]
pub fn rulesets() -> Vec<&'static str> {
    all_rulesets().map(Ruleset::id).collect()
}

struct Open<'a> {
    directory: Option<&'a Path>,
    options: &'a Options,
}

impl Visitor for Open<'_> {
    type Output = endmill_probe::Result<Arc<dyn RowDatabase>>;

    fn visit<G: Game>(self, game: G) -> endmill_probe::Result<Arc<dyn RowDatabase>> {
        Ok(match self.directory {
            Some(directory) => Arc::new(Typed::open_with(directory, game, self.options)?),
            None => Arc::new(Typed::without_tables(game)),
        })
    }
}

impl Database {
    fn tables(&self) -> PyResult<Arc<dyn RowDatabase>> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let tables = tables.as_ref().map(Arc::clone);
        tables.ok_or_else(|| PyValueError::new_err("the database is closed"))
    }

    /// Releases the interpreter lock and asks.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn RowDatabase) -> endmill_probe::Result<T> + Send,
    ) -> PyResult<T> {
        let tables = self.tables()?;
        py.detach(|| ask(&*tables)).map_err(of_question)
    }

    /// Asks like [`ask`](Database::ask), and returns the answer as JSON.
    fn ask_json<T: Serialize>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&dyn RowDatabase) -> endmill_probe::Result<T> + Send,
    ) -> PyResult<String> {
        self.ask(py, |tables| Ok(json(&ask(tables)?)))
    }
}

#[pymethods]
impl Database {
    /// Opens the tables of a ruleset in a directory, or its rules alone without a directory.
    #[new]
    fn new(
        py: Python<'_>,
        ruleset: &str,
        directory: Option<PathBuf>,
        cache_bytes: usize,
    ) -> PyResult<Database> {
        let options = Options {
            cache_bytes,
            ..Options::default()
        };
        let opened = py.detach(|| {
            Ruleset::open(ruleset)?.visit(Open {
                directory: directory.as_deref(),
                options: &options,
            })
        });
        Ok(Database {
            tables: RwLock::new(Some(opened.map_err(of_question)?)),
        })
    }

    /// Releases files and memory after the current questions.
    fn close(&self) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        *tables = None;
    }

    #[getter]
    fn closed(&self) -> bool {
        self.tables().is_err()
    }

    // By the rules

    #[getter]
    fn has_kings(&self) -> PyResult<bool> {
        Ok(self.tables()?.has_kings())
    }

    fn ruleset(&self, py: Python<'_>) -> PyResult<String> {
        self.ask_json(py, |tables| Ok(tables.ruleset()))
    }

    fn text(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask(py, |tables| tables.text(position.into()))
    }

    fn state(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_json(py, |tables| tables.state(position.into()))
    }

    fn turns(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_json(py, |tables| tables.turns(position.into()))
    }

    fn turn(&self, py: Python<'_>, position: &str, turn: &str) -> PyResult<String> {
        self.ask_json(py, |tables| tables.turn(position.into(), turn.into()))
    }

    fn play(&self, py: Python<'_>, position: &str, turn: &str) -> PyResult<String> {
        self.ask(py, |tables| {
            let after = tables.play(position.into(), turn.into())?;
            tables.text((&after).into())
        })
    }

    fn diagram(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        let diagram = self.ask(py, |tables| tables.diagram(position.into()))?;
        Ok(diagram.to_string())
    }

    fn row(&self, py: Python<'_>, position: &str) -> PyResult<RowTuple> {
        let row = self.ask(py, |tables| tables.row(position))?;
        let [own, other] = row.hands;
        Ok((row.mover, row.opponent, (own, other), row.kings, row.quiet))
    }

    fn text_of_row(&self, py: Python<'_>, row: RowTuple) -> PyResult<String> {
        let (mover, opponent, (own, other), kings, quiet) = row;
        let row = Row {
            mover,
            opponent,
            hands: [own, other],
            kings,
            quiet,
        };
        self.ask(py, |tables| tables.text_of_row(row))
    }

    // By the tables

    fn coverage(&self, py: Python<'_>) -> PyResult<String> {
        self.ask_json(py, |tables| Ok(tables.ruleset().coverage))
    }

    fn covers(&self, py: Python<'_>, position: &str) -> PyResult<bool> {
        self.ask(py, |tables| tables.covers(position.into()))
    }

    /// The outcome, and the plies if there are any.
    fn probe(&self, py: Python<'_>, position: &str) -> PyResult<(&'static str, Option<u16>)> {
        let verdict = self.ask(py, |tables| tables.verdict(position.into()))?;
        Ok((name(verdict), verdict.plies()))
    }

    fn draw_rank(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_json(py, |tables| {
            let rank = tables.draw_rank(position.into())?;
            Ok(rank.map(DrawRankAnswer::from))
        })
    }

    fn moves(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_json(py, |tables| -> endmill_probe::Result<Vec<MoveAnswer>> {
            tables.moves(position.into())
        })
    }

    fn line(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_json(py, |tables| tables.line(position.into()))
    }

    #[pyo3(signature = (table, outcome, plies, n, seed))]
    fn sample(
        &self,
        py: Python<'_>,
        table: &str,
        outcome: Option<&str>,
        plies: Option<u16>,
        n: usize,
        seed: u64,
    ) -> PyResult<String> {
        let outcome = outcome.map(|outcome| match outcome {
            "win" => Ok(Outcome::Win),
            "draw" => Ok(Outcome::Draw),
            "loss" => Ok(Outcome::Loss),
            other => {
                let message = format!("{other:?} is not an outcome: use win, draw or loss");
                Err(PyValueError::new_err(message))
            }
        });
        let wanted = SampleFilter {
            outcome: outcome.transpose()?,
            plies,
        };
        self.ask_json(py, |tables| tables.sample(table, &wanted, n, seed))
    }

    fn tables_json(&self, py: Python<'_>) -> PyResult<String> {
        let without_plies = |table| TableAnswer {
            plies: None,
            ..table
        };
        self.ask_json(py, |tables| {
            let tables = tables.tables()?.into_iter();
            Ok(tables.map(without_plies).collect::<Vec<_>>())
        })
    }

    fn table_json(&self, py: Python<'_>, table: &str) -> PyResult<String> {
        self.ask_json(py, |tables| tables.table(table))
    }

    /// Probes the rows of arrays. They are copied first, since another thread of Python may write to
    /// them.
    #[pyo3(signature = (mover, opponent, hands, kings, quiet, plies, threads))]
    #[allow(clippy::too_many_arguments)]
    fn probe_batch<'py>(
        &self,
        py: Python<'py>,
        mover: PyReadonlyArray1<'py, u32>,
        opponent: PyReadonlyArray1<'py, u32>,
        hands: Option<PyReadonlyArray2<'py, u8>>,
        kings: Option<PyReadonlyArray1<'py, u32>>,
        quiet: Option<PyReadonlyArray1<'py, u8>>,
        plies: bool,
        threads: Option<usize>,
    ) -> PyResult<FoundArrays<'py>> {
        let rows = Batch {
            mover: mover.as_array().to_vec(),
            opponent: opponent.as_array().to_vec(),
            hands: hands.map(|hands| {
                let hands = hands.as_array();
                hands
                    .rows()
                    .into_iter()
                    .map(|row| [row[0], row[1]])
                    .collect()
            }),
            kings: kings.map(|kings| kings.as_array().to_vec()),
            quiet: quiet.map(|quiet| quiet.as_array().to_vec()),
        };
        let tables = self.tables()?;
        let count = rows.mover.len();
        let threads = threads.or_else(|| available_parallelism().ok().map(Into::into));
        let threads = threads.unwrap_or(1).max(1);
        let found = if count <= CHUNK {
            // Too short to be interrupted.
            py.detach(|| tables.probe_rows(&rows, plies, 1, &|| false))
        } else {
            listen(
                py,
                |listener| tables.probe_rows(&rows, plies, threads, &|| listener.stopped()),
                |_, ()| Ok(()),
            )?
        };
        let found = found.map_err(|error| of_row(error.row, error.error))?;
        let plies = plies.then(|| found.plies.into_pyarray(py));
        Ok((found.outcomes.into_pyarray(py), plies))
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict.outcome() {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "loss",
    }
}

fn json(answer: &impl Serialize) -> String {
    // The keys of answers are strings, and their numbers are finite.
    serde_json::to_string(answer).expect("answers serialise")
}
