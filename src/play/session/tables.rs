//! Builds missing tables during a game if that takes seconds and the user agrees.

use endmill_engine::missing_tables;
use endmill_games::Game;

use super::Session;
use crate::errors::chain;
use crate::missing::{self, ATTEMPTS, BuildPolicy, may_ask, yes_or_no};
use crate::play::input::Event;

impl<G: Game> Session<'_, G> {
    /// Builds a table that the position needs; returns whether to open the database again. A declined
    /// table is not offered again.
    pub(super) fn build_table(&mut self) -> anyhow::Result<bool> {
        let (build, directory) = (self.setup.build, self.setup.directory.clone());
        if build == BuildPolicy::No || build == BuildPolicy::Ask && !may_ask() {
            return Ok(false);
        }
        let tables = missing_tables(self.database, self.record.position());
        let fresh = tables
            .iter()
            .filter(|table| !self.setup.declined.contains(*table));
        let mut offered = fresh.filter_map(|table| {
            let work = missing::table(&self.setup.ruleset, table)?;
            work.takes_seconds().then_some((table.clone(), work))
        });
        let offered = offered.next();
        self.setup.declined.extend(tables);
        let Some((table, work)) = offered else {
            return Ok(false);
        };
        let question = work.question(&directory, &format!("Table {table}"));
        if build == BuildPolicy::Ask && !self.agrees(&question)? {
            return Ok(false);
        }
        self.out.flush()?;
        match work.build(&directory) {
            Ok(()) => Ok(true),
            Err(error) => self.say(&chain(&error)).map(|()| false),
        }
    }

    /// Asks a question, several times if the answer is unclear.
    fn agrees(&mut self, question: &str) -> anyhow::Result<bool> {
        for _ in 0..ATTEMPTS {
            if !self.setup.input.edits {
                write!(self.out, "{question}")?;
            }
            self.out.flush()?;
            let Event::Line(line) = self.setup.input.next(question, None) else {
                break;
            };
            if let Some(answer) = yes_or_no(&line) {
                return Ok(answer);
            }
        }
        Ok(false)
    }
}
