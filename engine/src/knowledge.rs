//! What the database says about the root.

use games::{Game, Outcome};
use probe::{Database, Ranked, Result, Verdict};

/// Points for a drawing turn after which every reply but one loses: less than a man, more than
/// any nicety.
const TRAP: i32 = 50;

/// What is known about the turns of a position.
pub(crate) enum Knowledge<G: Game> {
    /// This turn is best.
    Best(G::Turn, Verdict),
    /// These turns, and perhaps others, keep the outcome; each with what speaks for it.
    Keeping(Verdict, Vec<(G::Turn, i32)>),
    /// Nothing.
    Nothing,
}

impl<G: Game> Knowledge<G> {
    /// Asks the database about a position in which the game is not over.
    pub(crate) fn ask(database: &Database<G>, position: &G::Position) -> Result<Knowledge<G>> {
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
                // Not the shortest win perhaps, but one with an end.
                let sure = moves.first().filter(|first| {
                    let known = first.answer.verdict();
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

    fn among(verdict: Verdict, turns: Vec<(G::Turn, G::Position, i32)>) -> Knowledge<G> {
        if turns.is_empty() {
            return Knowledge::Nothing;
        }
        let turns = turns.into_iter().map(|(turn, _, bonus)| (turn, bonus));
        Knowledge::Keeping(verdict, turns.collect())
    }
}

/// The turns that are known to lead to an outcome.
fn keeping<G: Game>(moves: Vec<Ranked<G>>, outcome: Outcome) -> Vec<(G::Turn, G::Position, i32)> {
    let keeps = |ranked: &Ranked<G>| {
        let known = ranked.answer.verdict();
        known.is_some_and(|known| known.outcome() == outcome)
    };
    let kept = moves.into_iter().filter(keeps);
    kept.map(|ranked| (ranked.turn, ranked.after, 0)).collect()
}

/// How easily the other side goes wrong in a drawn position: the share of its turns that lose.
fn trap<G: Game>(database: &Database<G>, position: &G::Position) -> Result<i32> {
    let replies = database.moves(position)?;
    let loses = |reply: &&Ranked<G>| {
        let known = reply.answer.verdict();
        known.is_some_and(|known| known.outcome() == Outcome::Loss)
    };
    let losing = replies.iter().filter(loses).count() as i32;
    Ok(TRAP * losing / replies.len().max(1) as i32)
}

/// The game under best play from a position, as far as the database knows it and no longer than
/// `most` turns.
pub(crate) fn best_line<G: Game>(
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
