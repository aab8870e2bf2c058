//! The ranks of draws: in which table a drawn game stays, and how soon it gets there.

use std::cmp::Ordering;
use std::sync::Arc;

use endmill_dbformat::StoredRank;
use endmill_games::value::Score;
use endmill_games::{Features, Outcome, Value};

use crate::database::{Database, Origin, or_missing};
use crate::error::Result;
use crate::prober::Prober;

/// How good a draw is: the score of the table in which the game stays for ever, if each side prefers
/// a better score for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawRank {
    /// The score, from the side to move, or the side that makes the turn.
    pub score: Score,
    /// The tables with this score in which the game may stay; none for a draw by rule.
    pub tables: Arc<[String]>,
    /// Plies until the game leaves its table; `None` if it stays there, or if its table has no score.
    pub conversion_plies: Option<u16>,
    /// How the score compares with that of the table: `None` if it has none.
    side: Option<Ordering>,
}

impl DrawRank {
    /// A draw by rule.
    fn by_rule() -> DrawRank {
        DrawRank {
            score: Score::ZERO,
            tables: Arc::default(),
            conversion_plies: None,
            side: None,
        }
    }

    /// Orders draws of one position as the side to move prefers them: by score; then, where it gains
    /// ground, by haste, and where it loses ground, by delay. The better is greater.
    pub fn compare(&self, other: &DrawRank) -> Ordering {
        self.score.cmp(&other.score).then_with(|| {
            let plies = |rank: &DrawRank| rank.conversion_plies.unwrap_or(0);
            let longer = plies(self).cmp(&plies(other));
            match self.side {
                Some(Ordering::Greater) => longer.reverse(),
                Some(Ordering::Less) => longer,
                _ => Ordering::Equal,
            }
        })
    }
}

impl<G: Features> Database<G> {
    /// The rank of a draw. `None` if the position is not a draw, or if the ranks that it follows from are
    /// not stored.
    pub fn draw_rank(&self, position: &G::Position) -> Result<Option<DrawRank>> {
        self.ask(|prober| prober.draw_rank(position))
    }

    /// The ranks that occur in a table, the worst first, with the number of positions that have each;
    /// `None` if they are not stored.
    pub fn draw_ranks_of(&self, table: G::Table) -> Result<Option<Vec<StoredRank>>> {
        let entry = self.entry(table)?;
        let opened = self.lookup.table_set.open(&self.game, entry)?;
        let stored = self.lookup.table_set.open_draws(entry, &opened)?;
        let list = opened.draw_file().filter(|_| stored);
        Ok(list.map(|file| file.codec().list().ranks.clone()))
    }
}

impl<G: Features> Prober<'_, G> {
    /// See [`Database::draw_rank`].
    pub fn draw_rank(&mut self, position: &G::Position) -> Result<Option<DrawRank>> {
        let Database { game, lookup } = self.database;
        match self.database.origin(position) {
            Origin::Rules(Value::Draw) => Ok(Some(DrawRank::by_rule())),
            Origin::Rules(_) => Ok(None),
            Origin::File(entry) => {
                let found = lookup.draw(game, entry, position, self.context());
                let Some((draw, list)) = or_missing(found)?.flatten() else {
                    return Ok(None);
                };
                let Some(rank) = list.ranks.get(usize::from(draw.rank)) else {
                    return Ok(None);
                };
                Ok(Some(DrawRank {
                    score: rank.score,
                    tables: Arc::clone(&rank.tables),
                    conversion_plies: (draw.plies > 0).then_some(draw.plies),
                    side: list.own.map(|own| rank.score.cmp(&own)),
                }))
            }
            Origin::Turns | Origin::Missing(_) => self.draw_rank_by_turns(position),
        }
    }

    /// The rank of a position that is not stored: the best that its turns lead to.
    fn draw_rank_by_turns(&mut self, position: &G::Position) -> Result<Option<DrawRank>> {
        let game = &self.database.game;
        let mut after = Vec::new();
        game.visit_routes(position, &mut |next| after.push(next));
        let mut best: Option<DrawRank> = None;
        for next in &after {
            match self.known_outcome(next)? {
                Some(Outcome::Win) => continue,
                Some(Outcome::Draw) => {}
                // A win, or nothing that can be said.
                Some(Outcome::Loss) | None => return Ok(None),
            }
            let Some(rank) = self.draw_rank_of_turn(position, next)? else {
                return Ok(None);
            };
            if best
                .as_ref()
                .is_none_or(|best| best.compare(&rank) == Ordering::Less)
            {
                best = Some(rank);
            }
        }
        Ok(best)
    }

    /// The rank of a turn that draws, for the side that makes it; `None` if it is not stored.
    pub(crate) fn draw_rank_of_turn(
        &mut self,
        position: &G::Position,
        after: &G::Position,
    ) -> Result<Option<DrawRank>> {
        let Some(rank) = self.draw_rank(after)? else {
            return Ok(None);
        };
        let game = &self.database.game;
        let own = self.own_score(position)?;
        let table = game.table_of(position);
        let stays = table.is_some() && game.table_of(after) == table.map(|own| game.partner(own));
        let score = -rank.score;
        let side = own.map(|own| score.cmp(&own));
        let conversion_plies = match (side, stays) {
            (None | Some(Ordering::Equal), _) => None,
            (Some(_), false) => Some(1),
            (Some(_), true) => rank.conversion_plies.map(|plies| plies + 1),
        };
        let turned = |name: &String| match game.parse_table(name) {
            Ok(table) => game.partner(table).to_string(),
            Err(_) => name.clone(),
        };
        Ok(Some(DrawRank {
            score,
            tables: rank.tables.iter().map(turned).collect(),
            conversion_plies,
            side,
        }))
    }

    /// The score of a position's own table, if it has one and its ranks are stored.
    fn own_score(&self, position: &G::Position) -> Result<Option<Score>> {
        let Database { game, lookup } = self.database;
        let table = game.table_of(position);
        let entry = table.and_then(|table| lookup.table_set.find(table));
        let Some(entry) = entry else {
            return Ok(None);
        };
        let Some(opened) = or_missing(lookup.table_set.open(game, entry))? else {
            return Ok(None);
        };
        let stored = lookup.table_set.open_draws(entry, &opened)?;
        let file = opened.draw_file().filter(|_| stored);
        Ok(file.and_then(|file| file.codec().list().own))
    }
}
