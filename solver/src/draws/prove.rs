//! The rank of a draw by its turns, by the plain rules alone.
//!
//! A second implementation on purpose, like [`proof`](crate::proof): it knows no layouts, seeds or
//! un-moves, and no packed form of a rank.

use endmill_games::value::{Ranked, ScoreNumber};
use endmill_games::{Numbering, Value};

/// What a turn is worth for the side that makes it, and whether it leaves the table.
struct Turn {
    worth: Ranked,
    /// The plies that the position after it takes to convert, if it stays in the group.
    inside: Option<u16>,
}

/// The value of a position of a table by its turns, and how soon it converts; 0 if it stays, or if its
/// table has no score of its `own`. `known` returns the same of a position that has a table.
pub(super) fn derived<G: Numbering>(
    game: &G,
    table: G::Table,
    position: &G::Position,
    own: Option<ScoreNumber>,
    known: &impl Fn(G::Table, &G::Position) -> (Ranked, u16),
) -> (Ranked, u16) {
    let partner = game.partner(table);
    let turns = turns(game, position, Some(partner), known);
    let best = worth(game, position, &turns);
    let (Some(own), Ranked::Draw(rank)) = (own, best) else {
        return (best, 0);
    };
    if rank == own {
        return (best, 0);
    }
    let keeping = turns.iter().filter(|turn| turn.worth == best);
    let plies = keeping.map(|turn| turn.inside.map_or(1, |plies| plies + 1));
    let plies = match rank > own {
        true => plies.min(),
        false => plies.max(),
    };
    // A game that is drawn by rule has no turn.
    (best, plies.unwrap_or(1))
}

fn turns<G: Numbering>(
    game: &G,
    position: &G::Position,
    partner: Option<G::Table>,
    known: &impl Fn(G::Table, &G::Position) -> (Ranked, u16),
) -> Vec<Turn> {
    let mut turns = Vec::new();
    if game.finished(position).is_none() {
        game.turns(position, &mut turns);
    }
    let after = turns.iter().map(|turn| {
        let after = game.play(position, turn);
        match game.table_of(&after) {
            Some(table) => {
                let (ranked, plies) = known(table, &after);
                Turn {
                    worth: -ranked,
                    inside: (Some(table) == partner).then_some(plies),
                }
            }
            // The game is over, or the position remembers something that no table holds.
            None => Turn {
                worth: -worth(game, &after, &self::turns(game, &after, None, known)),
                inside: None,
            },
        }
    });
    after.collect()
}

/// The value of a position with these turns.
fn worth<G: Numbering>(game: &G, position: &G::Position, turns: &[Turn]) -> Ranked {
    match game.finished(position) {
        Some(Value::Draw) => Ranked::Draw(0),
        Some(Value::Win(_)) => Ranked::Win,
        Some(Value::Loss(_)) => Ranked::Loss,
        None => turns
            .iter()
            .map(|turn| turn.worth)
            .max()
            .unwrap_or(Ranked::Loss),
    }
}
