//! What the database knows about a position and its turns.

use endmill_games::{Evaluate, Features, Game, Outcome};
use endmill_probe::{Database, RankedTurn, Result, TurnValue, Verdict};

/// The bonus of a drawing turn if all replies lose: less than a man, more than positional advantages.
const TRAP: i32 = 50;

/// The knowledge about the turns of a position.
pub(crate) enum Knowledge<G: Evaluate + Features> {
    /// This turn is best.
    Best(G::Turn, Verdict),
    /// These turns, and perhaps others, keep the outcome; each with a bonus.
    Keeping(Verdict, Vec<(G::Turn, i32)>),
    /// Nothing.
    Nothing,
}

impl<G: Evaluate + Features> Knowledge<G> {
    /// Asks the database about a position of a game in progress, and for the best of these turns.
    pub(crate) fn ask(
        database: &Database<G>,
        position: &G::Position,
        turns: &[G::Turn],
    ) -> Result<Knowledge<G>> {
        let mut all = Vec::new();
        database.game().turns(position, &mut all);
        if turns.len() < all.len() {
            return Knowledge::ask_among(database, position, turns);
        }
        let verdict = match database.probe(position) {
            Ok(verdict) => verdict,
            Err(error) if error.is_missing() => return Ok(Knowledge::Nothing),
            Err(error) => return Err(error),
        };
        if verdict.outcome() == Outcome::Draw {
            let mut drawing = keeping(database.moves(position)?, Outcome::Draw);
            for (_, after, bonus) in &mut drawing {
                *bonus = trap(database, after)?;
            }
            return Ok(Knowledge::among(verdict, drawing));
        }
        match database.best(position) {
            Ok(Some(best)) => Ok(Knowledge::Best(best.turn, verdict)),
            Ok(None) => Ok(Knowledge::Nothing),
            Err(error) if error.is_missing() => {
                let moves = database.moves(position)?;
                // Perhaps not the shortest win, but a certain one.
                let sure = moves.first().filter(|first| {
                    let known = first.value.verdict();
                    known.is_some_and(|known| known.plies().is_some())
                });
                if let Some(first) = sure.filter(|_| verdict.outcome() == Outcome::Win) {
                    return Ok(Knowledge::Best(first.turn, verdict));
                }
                let keeping = keeping(moves, verdict.outcome());
                Ok(Knowledge::among(verdict, keeping))
            }
            Err(error) => Err(error),
        }
    }

    /// The same for some of the turns. The value of the position does not help: this requires a known
    /// win, or the values of all these turns.
    fn ask_among(
        database: &Database<G>,
        position: &G::Position,
        turns: &[G::Turn],
    ) -> Result<Knowledge<G>> {
        let mut moves = database.moves(position)?;
        moves.retain(|ranked| turns.contains(&ranked.turn));
        let all_known = moves.iter().all(|ranked| ranked.value.verdict().is_some());
        let best = moves.first();
        let Some((turn, verdict)) = best.and_then(|best| Some((best.turn, best.value.verdict()?)))
        else {
            return Ok(Knowledge::Nothing);
        };
        let wins = verdict.outcome() == Outcome::Win;
        if verdict.plies().is_some() && (wins || all_known) {
            return Ok(Knowledge::Best(turn, verdict));
        }
        if !wins && !all_known {
            return Ok(Knowledge::Nothing);
        }
        let kept = keeping(moves, verdict.outcome());
        Ok(Knowledge::among(verdict, kept))
    }

    fn among(verdict: Verdict, turns: Vec<(G::Turn, G::Position, i32)>) -> Knowledge<G> {
        if turns.is_empty() {
            return Knowledge::Nothing;
        }
        let turns = turns.into_iter().map(|(turn, _, bonus)| (turn, bonus));
        Knowledge::Keeping(verdict, turns.collect())
    }
}

/// The turns that are known to lead to an outcome.
fn keeping<G: Evaluate + Features>(
    moves: Vec<RankedTurn<G>>,
    outcome: Outcome,
) -> Vec<(G::Turn, G::Position, i32)> {
    let keeps = |ranked: &RankedTurn<G>| {
        let known = ranked.value.verdict();
        known.is_some_and(|known| known.outcome() == outcome)
    };
    let kept = moves.into_iter().filter(keeps);
    kept.map(|ranked| (ranked.turn, ranked.after, 0)).collect()
}

/// How easily the other side errs in a drawn position: by the share of its turns that lose.
fn trap<G: Evaluate + Features>(database: &Database<G>, position: &G::Position) -> Result<i32> {
    let replies = database.moves(position)?;
    let loses = |reply: &&RankedTurn<G>| {
        let known = reply.value.verdict();
        known.is_some_and(|known| known.outcome() == Outcome::Loss)
    };
    let losing = replies.iter().filter(loses).count() as i32;
    Ok(TRAP * losing / replies.len().max(1) as i32)
}

/// The game under best play from a position, as far as the database knows it, with at most `most`
/// turns.
pub(crate) fn best_line<G: Evaluate + Features>(
    database: &Database<G>,
    position: &G::Position,
    most: usize,
) -> Vec<G::Turn> {
    let mut last = *position;
    let next = std::iter::from_fn(|| {
        let best = database.best(&last).ok().flatten()?;
        last = best.after;
        Some(best.turn)
    });
    next.take(most).collect()
}

/// Returns the tables that are missing to evaluate the turns of a position. The table of the position
/// comes first: building it builds the others.
pub fn missing_tables<G: Game>(database: &Database<G>, position: &G::Position) -> Vec<String> {
    // A damaged file is reported by whatever uses it.
    let moves = database.moves(position).unwrap_or_default();
    let missing = moves.into_iter().filter_map(|ranked| match ranked.value {
        TurnValue::Known(_) => None,
        TurnValue::Missing(table) => Some(table),
    });
    let missing: Vec<Option<String>> = missing.collect();
    let own = database.game().table_of(position);
    let own = own.filter(|_| !missing.is_empty());
    let own = own.map(|table| table.to_string());
    own.into_iter()
        .chain(missing.into_iter().flatten())
        .collect()
}
