//! A slow solver for draughts: all positions in one list, turns played forwards, ply after ply.

use std::collections::HashMap;

use endmill_games::Value;
use endmill_games::draughts::{Draughts, Position};
use endmill_games::prelude::*;

use crate::solution::Solution;

/// Every position with `pieces` pieces, either side to move, from its text.
fn positions(game: &Draughts, pieces: usize) -> Vec<Position> {
    let mut diagrams: Vec<[Vec<String>; 2]> = vec![Default::default()];
    for square in 1..=32 {
        for [white, black] in diagrams.clone() {
            if white.len() + black.len() == pieces {
                continue;
            }
            let with = |side: &Vec<String>, piece: String| [side.as_slice(), &[piece]].concat();
            // White's men are crowned on 1 to 4, Black's on 29 to 32.
            if square > 4 {
                diagrams.push([with(&white, square.to_string()), black.clone()]);
            }
            diagrams.push([with(&white, format!("K{square}")), black.clone()]);
            if square < 29 {
                diagrams.push([white.clone(), with(&black, square.to_string())]);
            }
            diagrams.push([white.clone(), with(&black, format!("K{square}"))]);
        }
    }
    let mut positions = Vec::new();
    for [white, black] in diagrams {
        let both = !white.is_empty() && !black.is_empty();
        if both && white.len() + black.len() == pieces {
            for side in ["W", "B"] {
                let text = format!("{side}:W{}:B{}", white.join(","), black.join(","));
                positions.push(game.parse_position(&text).unwrap());
            }
        }
    }
    positions
}

/// The plies of every position; `None` = draw.
fn solve(game: &Draughts, positions: &[Position]) -> Vec<Option<u16>> {
    let numbers: HashMap<Position, usize> = positions.iter().copied().zip(0..).collect();
    let mut turns = Vec::new();
    // Where the turns of each position lead; `None` = to a side without pieces, which has lost.
    let next: Vec<Vec<Option<usize>>> = (positions.iter())
        .map(|position| {
            game.turns(position, &mut turns);
            let after = turns.iter().map(|turn| game.play(position, turn));
            after.map(|after| numbers.get(&after).copied()).collect()
        })
        .collect();
    let mut plies: Vec<Option<u16>> = vec![None; positions.len()];
    for ply in 0.. {
        // All tables are solved together, so every value but the first hangs on one a ply before.
        let is_decided = |next: &Vec<Option<usize>>| {
            let mut after = next
                .iter()
                .map(|next| next.map_or(Some(0), |next| plies[next]));
            if ply % 2 == 1 {
                after.any(|after| after == Some(ply - 1))
            } else {
                after.all(|after| after.is_some_and(|after| after % 2 == 1))
            }
        };
        let open = (0..positions.len()).filter(|&number| plies[number].is_none());
        let decided: Vec<usize> = open.filter(|&number| is_decided(&next[number])).collect();
        if decided.is_empty() && ply > 0 {
            return plies;
        }
        for number in decided {
            plies[number] = Some(ply);
        }
    }
    unreachable!("plies end")
}

#[test]
fn a_slow_solver_agrees_on_every_draughts_position() {
    let game = Draughts::new();
    let mut all = positions(&game, 2);
    all.extend(positions(&game, 3));
    let solution = Solution::new(&game, 3);
    // Seen from the side to move there are half as many.
    let numbered: usize = solution
        .tables()
        .map(|table| solution.values(table).len())
        .sum();
    assert_eq!(all.len(), 2 * numbered);
    for (position, plies) in all.iter().zip(solve(&game, &all)) {
        let value = match plies {
            None => Value::Draw,
            Some(plies) if plies % 2 == 0 => Value::Loss(plies),
            Some(plies) => Value::Win(plies),
        };
        let text = game.format_position(position);
        assert_eq!(solution.value(position), value, "{text}");
    }
}
