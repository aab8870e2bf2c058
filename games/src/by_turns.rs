//! The value of a position by its turns: the best of what they lead to, seen from the other side
//! and one ply later.
//!
//! Whatever is not stored is worked out here: captures in draughts, positions with a ban in morris,
//! distances that a compact database omits, and positions whose own table is missing.
//!
//! | what is known of the positions after the turns | function |
//! |---|---|
//! | everything | [`score_of`], [`best_turn`] |
//! | some of it: outcomes without distances, nothing for missing tables | [`value_by_turns`], [`ByTurns`] |
//!
//! The proof by turns of the solver (`proof.rs`) is a second implementation on purpose: it checks
//! the values that this one makes.

use std::convert::Infallible;

use crate::numbering::Numbering;
use crate::rules::Rules;
use crate::value::{NodeValue, Outcome, Scale, TurnScore, Value, Verdict};

/// Visits the position after each turn until `visit` returns false. Allocates nothing, if
/// [`Rules::visit_routes`] does not.
fn visit_while<G: Rules, E>(
    game: &G,
    position: &G::Position,
    mut visit: impl FnMut(&G::Position) -> Result<bool, E>,
) -> Result<(), E> {
    let mut state = Ok(true);
    game.visit_routes(position, &mut |after| {
        if let Ok(true) = state {
            state = visit(&after);
        }
    });
    state.map(drop)
}

/// Returns the score of a turn to a position. `stored` gives the value of a position that has a
/// number, on this scale; others are finished, or are worth what their own turns make them.
pub fn score_of<G: Numbering>(
    game: &G,
    position: &G::Position,
    scale: Scale,
    stored: &impl Fn(G::Table, &G::Position) -> NodeValue,
) -> TurnScore {
    if let Some(table) = game.table_of(position) {
        return stored(table, position).score();
    }
    match game.finished(position) {
        Some(value) => NodeValue::new(value).score(),
        None => best_turn(game, position, scale, stored).for_other_side_on(scale),
    }
}

/// Returns the score of a position's best turn. `scale` and `stored` are those of [`score_of`].
pub fn best_turn<G: Numbering>(
    game: &G,
    position: &G::Position,
    scale: Scale,
    stored: &impl Fn(G::Table, &G::Position) -> NodeValue,
) -> TurnScore {
    let mut best = TurnScore::NONE;
    let Ok(()) = visit_while(game, position, |after| {
        best = best.max(score_of(game, after, scale, stored));
        Ok::<_, Infallible>(best < TurnScore::WINS_AT_ONCE)
    });
    best
}

/// Returns what the turns of a position make of its value, as far as `known` knows the positions
/// after them. Looks at no more turns once one of them is worth `enough`.
pub fn value_by_turns<G: Rules, E>(
    game: &G,
    position: &G::Position,
    enough: Verdict,
    mut known: impl FnMut(&G::Position) -> Result<Option<Verdict>, E>,
) -> Result<ByTurns, E> {
    let mut by_turns = ByTurns::default();
    visit_while(game, position, |after| {
        by_turns.add(known(after)?.map(Verdict::one_turn_earlier));
        Ok(by_turns.best < Some(enough))
    })?;
    Ok(by_turns)
}

/// The value of a position as far as the turns that were added prove it.
#[derive(Debug, Default)]
pub struct ByTurns {
    best: Option<Verdict>,
    /// True if nothing is known of some turn.
    unknown: bool,
    /// By outcome: true if there is a turn with this outcome whose distance is unknown.
    bare: [bool; 3],
}

impl ByTurns {
    /// Adds a turn by what it is worth for the side that makes it; `None` if that is unknown.
    pub fn add(&mut self, turn: Option<Verdict>) {
        self.best = self.best.max(turn);
        match turn {
            None => self.unknown = true,
            Some(known) => self.bare[known.outcome() as usize] |= known.value().is_none(),
        }
    }

    /// Returns true if no other turn can be better than one that was added.
    pub fn wins_at_once(&self) -> bool {
        self.best == Some(Value::Win(1).into())
    }

    /// Returns true if nothing is known of some turn.
    pub fn has_unknown_turns(&self) -> bool {
        self.unknown
    }

    /// Returns the verdict that is proved, if any. One turn proves a win, only all together prove a
    /// draw or a loss. No turns prove nothing: the game is finished, and the rules
    /// give its value.
    pub fn verdict(&self) -> Option<Verdict> {
        let best = self.best?;
        let proved = best.outcome() == Outcome::Win || !self.unknown;
        // A turn of unknown distance might be faster in a win, or last longer in a loss; but
        // nothing is faster than one ply.
        let rival = self.unknown || self.bare[best.outcome() as usize];
        let exact = self.wins_at_once() || !rival;
        proved.then(|| if exact { best } else { best.outcome().into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(value: Value) -> Option<Verdict> {
        Some(value.into())
    }

    fn bare(outcome: Outcome) -> Option<Verdict> {
        Some(outcome.into())
    }

    fn proved(turns: &[Option<Verdict>]) -> Option<Verdict> {
        let mut by_turns = ByTurns::default();
        turns.iter().for_each(|&turn| by_turns.add(turn));
        by_turns.verdict()
    }

    #[test]
    fn a_win_is_proved_by_one_turn_but_its_distance_by_all() {
        let slow = exact(Value::Win(7));
        assert_eq!(proved(&[slow, exact(Value::Draw)]), slow);
        assert_eq!(proved(&[slow, bare(Outcome::Loss)]), slow);
        assert_eq!(proved(&[slow, None]), bare(Outcome::Win));
        assert_eq!(proved(&[slow, bare(Outcome::Win)]), bare(Outcome::Win));
        let fastest = exact(Value::Win(1));
        assert_eq!(proved(&[fastest, bare(Outcome::Win), None]), fastest);
    }

    #[test]
    fn a_draw_or_a_loss_is_proved_by_all_turns_only() {
        let (draw, loss) = (exact(Value::Draw), exact(Value::Loss(8)));
        assert_eq!(proved(&[draw, loss]), draw);
        assert_eq!(proved(&[draw, bare(Outcome::Loss)]), draw);
        assert_eq!(proved(&[draw, None]), None);
        assert_eq!(proved(&[loss, exact(Value::Loss(2))]), loss);
        assert_eq!(proved(&[loss, bare(Outcome::Loss)]), bare(Outcome::Loss));
        assert_eq!(proved(&[loss, None]), None);
        assert_eq!(proved(&[None, None]), None);
        assert_eq!(proved(&[]), None);
    }
}
