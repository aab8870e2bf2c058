//! A database of any game behind one object-safe trait.

use std::path::Path;

use games::{Game, Outcome, Ruleset, Setup, Visitor};
use probe::{Answer, Options, Verdict};

use crate::status::Failure;
use crate::types::{Coverage, LineEnd, Turn};

/// A database that is open. One handle may be used by any number of threads at once; only closing
/// it needs that nobody else uses it any more.
pub struct Database(pub(crate) Box<dyn Questions>);

/// What can be asked without knowing the game.
pub(crate) trait Questions: Send + Sync {
    fn read(&self, text: &str) -> Result<Setup, Failure>;
    fn write(&self, setup: &Setup) -> Result<String, Failure>;
    fn covers(&self, setup: &Setup) -> Result<bool, Failure>;
    fn outcome(&self, setup: &Setup) -> Result<Outcome, Failure>;
    fn verdict(&self, setup: &Setup) -> Result<Verdict, Failure>;
    fn turns(&self, setup: &Setup) -> Result<Vec<Turn>, Failure>;
    fn line(&self, setup: &Setup) -> Result<(Vec<Turn>, LineEnd), Failure>;
    fn coverage(&self) -> Coverage;
}

impl Database {
    pub(crate) fn open(
        directory: &Path,
        ruleset: &str,
        options: &Options,
    ) -> Result<Database, Failure> {
        Ruleset::find(ruleset)?.visit(Open { directory, options })
    }
}

struct Open<'a> {
    directory: &'a Path,
    options: &'a Options,
}

impl Visitor for Open<'_> {
    type Output = Result<Database, Failure>;

    fn visit<G: Game>(self, game: G) -> Result<Database, Failure> {
        let database = probe::Database::open_with(self.directory, game, self.options)?;
        Ok(Database(Box::new(database)))
    }
}

impl<G: Game> Questions for probe::Database<G> {
    fn read(&self, text: &str) -> Result<Setup, Failure> {
        let position = self.game().parse_position(text)?;
        Ok(self.game().setup(&position))
    }

    fn write(&self, setup: &Setup) -> Result<String, Failure> {
        let position = self.game().legal(setup)?;
        Ok(self.game().format_position(&position))
    }

    fn covers(&self, setup: &Setup) -> Result<bool, Failure> {
        Ok(probe::Database::covers(self, &self.game().legal(setup)?))
    }

    fn outcome(&self, setup: &Setup) -> Result<Outcome, Failure> {
        let position = self.game().legal(setup)?;
        self.probe_outcome(&position)?.ok_or(Failure::NotKnown)
    }

    fn verdict(&self, setup: &Setup) -> Result<Verdict, Failure> {
        Ok(self.probe(&self.game().legal(setup)?)?)
    }

    fn turns(&self, setup: &Setup) -> Result<Vec<Turn>, Failure> {
        let position = self.game().legal(setup)?;
        let moves = self.moves(&position)?;
        let turns = moves.iter().map(|ranked| {
            let text = self.game().format_turn(&position, &ranked.turn);
            Turn::new(&text, &ranked.answer)
        });
        Ok(turns.collect())
    }

    fn line(&self, setup: &Setup) -> Result<(Vec<Turn>, LineEnd), Failure> {
        let line = probe::Database::line(self, &self.game().legal(setup)?)?;
        let turns = line.steps.iter().map(|step| {
            let text = self.game().format_turn(&step.position, &step.turn);
            Turn::new(&text, &Answer::Known(step.verdict))
        });
        let end = match line.end {
            probe::LineEnd::Finished => LineEnd::Finished,
            probe::LineEnd::Repetition => LineEnd::Repetition,
            probe::LineEnd::Cut => LineEnd::Cut,
        };
        Ok((turns.collect(), end))
    }

    fn coverage(&self) -> Coverage {
        let coverage = probe::Database::coverage(self);
        let tables = &coverage.tables;
        let most_pieces = tables.iter().map(|covered| covered.pieces).max();
        Coverage {
            tables: tables.len() as u32,
            tables_with_plies: tables.iter().filter(|covered| covered.has_plies).count() as u32,
            most_pieces: most_pieces.unwrap_or(0),
            complete_to: coverage.complete_to,
            whole_game: coverage.whole_game,
        }
    }
}
