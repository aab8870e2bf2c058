//! Derives distances that are not stored from those of the turns.
//!
//! A compact database leaves out the plies of some tables ([`Features::leaves_plies_out`]). It stores
//! the outcomes of their positions, and the distances follow from the positions one turn ahead, which
//! are stored. Only turns that matter are looked up: for a win those to lost positions, for a loss all.
//! Symmetric positions are looked up once.

use endmill_games::by_turns::ByTurns;
use endmill_games::{Features, Outcome, Verdict};

use crate::database::{Database, or_missing};
use crate::error::{ProbeError, Result};
use crate::prober::Prober;
use crate::table_set::Entry;

impl<G: Features> Prober<'_, G> {
    /// Adds the distance to a known outcome if the table leaves plies out.
    pub(crate) fn derived(
        &mut self,
        entry: &Entry<G::Table>,
        position: &G::Position,
        known: Verdict,
    ) -> Result<Verdict> {
        let Database { game, lookup } = self.database;
        if known.value().is_some() || !game.leaves_plies_out(entry.table) {
            return Ok(known);
        }
        let opened = or_missing(lookup.table_set.open(game, entry))?;
        if !opened.is_some_and(|opened| opened.leaves_plies_out()) {
            return Ok(known);
        }
        if let Some(value) = game.finished(position) {
            return self.agreed(entry, known, Some(value.into()));
        }
        let by_turns = self.turns_that_count(position, known.outcome())?;
        match by_turns.verdict() {
            // A table ahead is missing, so the distance is not known.
            None if by_turns.has_unknown_turns() => Ok(known),
            derived => self.agreed(entry, known, derived),
        }
    }

    /// The value by the turns that matter for this outcome.
    fn turns_that_count(&mut self, position: &G::Position, outcome: Outcome) -> Result<ByTurns> {
        let game = &self.database.game;
        let mut by_turns = ByTurns::default();
        let mut ahead = Vec::new();
        game.visit_routes(position, &mut |after| match game.table_of(&after) {
            Some(table) => ahead.push(((table, game.rank(&after)), after)),
            None => by_turns.add(
                game.finished(&after)
                    .map(|value| Verdict::from(value).one_turn_earlier()),
            ),
        });
        ahead.sort_unstable_by_key(|&(place, _)| place);
        ahead.dedup_by_key(|&mut (place, _)| place);
        if outcome == Outcome::Win {
            // The other turns do not win, so their distances do not matter.
            let mut winning = Vec::with_capacity(ahead.len());
            for (place, after) in ahead {
                match self.known_outcome(&after)? {
                    Some(Outcome::Loss) => winning.push((place, after)),
                    Some(_) => {}
                    None => by_turns.add(None),
                }
            }
            ahead = winning;
        }
        for (_, after) in ahead {
            if by_turns.wins_at_once() {
                break;
            }
            let after = self.known(&after)?.ok();
            by_turns.add(after.map(Verdict::one_turn_earlier));
        }
        Ok(by_turns)
    }

    /// Checks that a derived distance agrees with the stored outcome.
    fn agreed(
        &self,
        entry: &Entry<G::Table>,
        known: Verdict,
        derived: Option<Verdict>,
    ) -> Result<Verdict> {
        match derived {
            Some(derived) if derived.outcome() == known.outcome() => Ok(derived),
            _ => Err(ProbeError::Contradiction {
                table: entry.name.clone(),
            }),
        }
    }
}
