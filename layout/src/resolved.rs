//! The value of a position that may have no number, by its turns.

use endmill_games::{Numbering, Value};

use crate::{NodeValue, TurnScore};

/// What a position is worth: what is stored for it, or what the rules say where the game is over, or
/// what its best turn is worth. `stored` gives the value of a position that has a number.
pub(crate) fn code_of<G: Numbering>(
    game: &G,
    position: &G::Position,
    stored: &impl Fn(G::Table, &G::Position) -> NodeValue,
) -> NodeValue {
    if let Some(table) = game.table_of(position) {
        return stored(table, position);
    }
    if let Some(value) = game.finished(position) {
        return NodeValue::new(value);
    }
    let mut best = TurnScore::NONE;
    game.visit_routes(position, &mut |after| {
        if best < TurnScore::WINS_AT_ONCE {
            best = best.max(code_of(game, &after, stored).score());
        }
    });
    NodeValue::new(best.value().unwrap_or(Value::LOST))
}
