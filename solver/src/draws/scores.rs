//! The scores of tables, by which draws are ranked.
//!
//! The score of a table T, from the side to move, is
//! (wins − losses of T + losses − wins of its partner) ÷ (positions of both). So the partner has the
//! opposite score, and a table of equal sides has the score 0. Scores may be given instead.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use endmill_dbformat::{ScoresId, Statistics, Store};
use endmill_games::Features;
use endmill_games::value::{DrawScores, Score, ScoreNumber};
use thiserror::Error;

use crate::SolveError;
use crate::plan::Plan;

/// What is wrong with scores, or with draws that are to be ranked by them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// No table of the ruleset has a score.
    #[error("{ruleset}: no game can stay in a table for ever, so its draws have no ranks")]
    NoneStays {
        /// The id of the ruleset.
        ruleset: String,
    },
    /// A table without a given score.
    #[error("the given draw scores have none for {table}")]
    NotGiven {
        /// The table.
        table: String,
    },
    /// The scores of a table and its partner must be opposite.
    #[error(
        "the given draw scores contradict each other: {table} has {score}, {partner} has {other}"
    )]
    NotOpposite {
        /// The table.
        table: String,
        /// Its score.
        score: Score,
        /// The same material with the other side to move.
        partner: String,
        /// Its score.
        other: Score,
    },
    /// Ranks by other scores are stored.
    #[error(
        "{table} has draw ranks by other scores; rank all draws by the same scores, or remove the .drw files"
    )]
    Mixed {
        /// The table.
        table: String,
    },
    /// Conversions that do not fit the sweep by rows.
    #[error("{group} has too many ranks and conversions to be swept by rows; use --by-turns")]
    TooLong {
        /// The names of its tables.
        group: String,
    },
    /// More scores than ranks can be told apart.
    #[error("the tables have more than {} different draw scores", DrawScores::MOST)]
    TooMany,
}

/// Where the scores of tables come from.
#[derive(Clone, Debug, Default)]
pub enum ChosenScores<T> {
    /// From the counts of the tables.
    #[default]
    Counted,
    /// Given, for every table in which a game can stay.
    Given(BTreeMap<T, Score>),
    /// Those by which the draws of the store are ranked already; counted if none are.
    Stored,
}

/// The scores of the tables of a plan.
#[derive(Debug)]
pub(crate) struct TableScores<T> {
    by_table: BTreeMap<T, Score>,
    numbers: DrawScores,
    id: ScoresId,
}

impl<T: Copy + Ord + Display + Debug> TableScores<T> {
    /// The scores of all tables that a plan contains or leads to, whose outcomes are stored.
    pub(crate) fn of_plan<G: Features<Table = T>>(
        game: &G,
        store: &Store,
        plan: &Plan<T>,
        chosen: &ChosenScores<T>,
    ) -> Result<TableScores<T>, SolveError> {
        check_that_games_can_stay(game)?;
        if matches!(chosen, ChosenScores::Stored) {
            return match TableScores::of_store(game, store, plan)? {
                Some(stored) => Ok(stored),
                None => TableScores::of_plan(game, store, plan, &ChosenScores::Counted),
            };
        }
        let own: Vec<T> = plan
            .groups
            .iter()
            .flat_map(|group| group.own_tables())
            .collect();
        let all = Plan::new(game, &own);
        let tables = all.groups.iter().flat_map(|group| group.own_tables());
        let mut by_table = BTreeMap::new();
        for table in tables.filter(|&table| game.can_stay(table)) {
            let partner = game.partner(table);
            let score = match chosen {
                ChosenScores::Counted | ChosenScores::Stored => {
                    let counts = |table: T| -> Result<Statistics, SolveError> {
                        let opened = store.open(&table.to_string(), game.size(table))?;
                        Ok(opened.statistics().clone())
                    };
                    by_counts(&counts(table)?, &counts(partner)?)
                }
                ChosenScores::Given(given) => {
                    let score = |table: T| {
                        let name = || table.to_string();
                        let given = given.get(&table).copied();
                        given.ok_or_else(|| ScoreError::NotGiven { table: name() })
                    };
                    let (own, other) = (score(table)?, score(partner)?);
                    if own != -other {
                        return Err(SolveError::Scores(ScoreError::NotOpposite {
                            table: table.to_string(),
                            score: own,
                            partner: partner.to_string(),
                            other,
                        }));
                    }
                    own
                }
            };
            by_table.insert(table, score);
        }
        let numbers = DrawScores::new(by_table.values().copied()).ok_or(ScoreError::TooMany)?;
        Ok(TableScores {
            by_table,
            numbers,
            id: chosen.id(),
        })
    }

    /// The scores by which the draws of a store are ranked; `None` if none of the plan's are.
    pub(crate) fn of_store<G: Features<Table = T>>(
        game: &G,
        store: &Store,
        plan: &Plan<T>,
    ) -> Result<Option<TableScores<T>>, SolveError> {
        let mut tables = plan.groups.iter().flat_map(|group| group.involved());
        let id = tables.find_map(|table| store.draw_scores(&table.to_string()).transpose());
        let Some(id) = id.transpose()? else {
            return Ok(None);
        };
        if id == ChosenScores::<T>::Counted.id() {
            let counted = TableScores::of_plan(game, store, plan, &ChosenScores::Counted)?;
            return Ok(Some(counted));
        }
        // Given scores are those that the files state.
        let own: Vec<T> = plan
            .groups
            .iter()
            .flat_map(|group| group.own_tables())
            .collect();
        let all = Plan::new(game, &own);
        let mut given = BTreeMap::new();
        for table in all.groups.iter().flat_map(|group| group.own_tables()) {
            let name = table.to_string();
            if game.can_stay(table) && store.draw_scores(&name)?.is_some() {
                let opened = store.open(&name, game.size(table))?;
                store.open_draws(&opened)?;
                let list = opened.draw_file().map(|file| file.codec().list());
                given.extend(list.and_then(|list| Some((table, list.own?))));
            }
        }
        let mut scores = TableScores::of_plan(game, store, plan, &ChosenScores::Given(given))?;
        scores.id = id;
        Ok(Some(scores))
    }

    /// The numbers of the scores.
    pub(crate) fn numbers(&self) -> &DrawScores {
        &self.numbers
    }

    /// What stands for these scores in files.
    pub(crate) fn id(&self) -> ScoresId {
        self.id
    }

    /// The number of a table's own score, if a game can stay in it.
    pub(crate) fn own(&self, table: T) -> Option<ScoreNumber> {
        let score = self.by_table.get(&table)?;
        Some(
            self.numbers
                .number(*score)
                .expect("all scores are numbered"),
        )
    }

    /// The tables of a score that a table leads to, or that table itself.
    pub(crate) fn tables_of<G: Features<Table = T>>(
        &self,
        game: &G,
        table: T,
        score: Score,
    ) -> Vec<String> {
        let reached = Plan::new(game, &[table]);
        let tables = reached.groups.iter().flat_map(|group| group.own_tables());
        let same = tables.filter(|table| self.by_table.get(table) == Some(&score));
        same.map(|table| table.to_string()).collect()
    }
}

impl<T: Display> ChosenScores<T> {
    /// What stands for the scores in files.
    pub(crate) fn id(&self) -> ScoresId {
        let mut text = "draw scores 1\n".to_owned();
        match self {
            ChosenScores::Counted | ChosenScores::Stored => text.push_str("counted\n"),
            ChosenScores::Given(given) => {
                let lines = given
                    .iter()
                    .map(|(table, score)| format!("{table} {score}\n"));
                let mut lines: Vec<String> = lines.collect();
                lines.sort();
                text.extend(lines);
            }
        }
        ScoresId::of(&text)
    }
}

fn by_counts(own: &Statistics, partner: &Statistics) -> Score {
    let signed = |count: u64| count as i64;
    let advantage =
        signed(own.wins) - signed(own.losses) + signed(partner.losses) - signed(partner.wins);
    Score::new(advantage, own.positions() + partner.positions())
}

/// Fails if draws have no ranks under these rules.
pub(crate) fn check_that_games_can_stay<G: Features>(game: &G) -> Result<(), ScoreError> {
    let mut tables = game.tables(None).into_iter();
    match tables.any(|table| game.can_stay(table)) {
        true => Ok(()),
        false => Err(ScoreError::NoneStays {
            ruleset: game.description().id,
        }),
    }
}
