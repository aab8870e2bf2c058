//! Seeds as games work them out, row by row, against seeds turn by turn.

use endmill_games::draughts::{self, Draughts};
use endmill_games::morris::{self, Morris};
use endmill_games::prelude::*;
use endmill_games::{Rules, Ruleset, Value};
use endmill_layout::Layout;
use endmill_layout::{Group, NodeValue, Part, Seed, TurnScore};

use crate::solution::Solution;

/// Whether a turn leads into the part it comes from.
type Stays<G> = fn(&G, &<G as Rules>::Position, &<G as Rules>::Turn) -> bool;

fn plain_seed<G: Game + Layout>(
    solution: &Solution<'_, G>,
    game: &G,
    position: &G::Position,
    stays: Stays<G>,
) -> Seed {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    let (inside, outside): (Vec<_>, Vec<_>) =
        turns.iter().partition(|turn| stays(game, position, turn));
    let values = (outside.iter()).map(|turn| solution.value(&game.play(position, turn)));
    Seed {
        inside: inside.len() as u16,
        outside: values
            .map(|value| NodeValue::new(value).score())
            .max()
            .unwrap_or(TurnScore::NONE),
    }
}

/// The number in its table of each node of a table. A position and its original must agree.
fn numbers(group: &impl Group, rows: std::ops::Range<usize>) -> Vec<u64> {
    let mut numbers = Vec::new();
    for row in rows {
        let first = group.first_position(row);
        let (copies, originals) = (group.copies(row), group.originals(row));
        match copies.zip(originals) {
            Some((copies, originals)) => {
                for (position, &column) in (0..).zip(&originals) {
                    assert_eq!(copies[column as usize], position, "row {row}");
                }
                assert_eq!(
                    copies.iter().max(),
                    originals
                        .len()
                        .checked_sub(1)
                        .map(|last| last as u32)
                        .as_ref()
                );
                numbers.extend(copies.iter().map(|&copy| first + u64::from(copy)));
            }
            None => {
                assert!(group.copies(row).is_none() && group.originals(row).is_none());
                numbers.extend(first..first + group.width() as u64);
            }
        }
    }
    numbers
}

fn assert_seeds_agree<G: Game + Layout>(game: &G, pieces: u32, stays: Stays<G>) {
    let solution = Solution::new(game, pieces);
    for table in solution.tables() {
        let group = game.group(table);
        let Some((_, rows)) = group
            .tables()
            .into_iter()
            .find(|(listed, _)| *listed == table)
        else {
            panic!("{table} is not in its group");
        };
        let numbers = numbers(&group, rows);
        let mut seen = vec![false; numbers.len()];
        for layer in 0..group.layers() {
            for part in (0..group.parts(layer)).map(|number| group.part(layer, number)) {
                for phase in (0..2).filter(|&phase| group.phase_tables()[phase] == Some(table)) {
                    let (rows, width) = (part.phases()[phase].clone(), part.width(phase));
                    let starts = part.runs(phase);
                    let run = rows.len() * width / starts.len();
                    let homes = starts.iter().flat_map(|&start| start..start + run);
                    let homes: Vec<usize> = homes.collect();
                    let mut seeds = Vec::new();
                    for (row, homes) in rows.zip(homes.chunks(width)) {
                        part.seed(row, &solution, &mut Default::default(), &mut seeds);
                        assert_eq!(seeds.len(), width);
                        for (seed, &home) in seeds.iter().zip(homes) {
                            let position = game.unrank(table, numbers[home]);
                            let plain = plain_seed(&solution, game, &position, stays);
                            assert_eq!(*seed, plain, "{}", game.format_position(&position));
                            seen[home] = true;
                        }
                    }
                }
            }
        }
        assert!(
            seen.iter().all(|&seen| seen),
            "parts leave nodes of {table} out"
        );
    }
}

#[test]
fn draughts_seeds_are_those_of_the_turns() {
    // Kings go to and fro within a part; men lead out of it.
    fn stays(game: &Draughts, position: &draughts::Position, turn: &draughts::Turn) -> bool {
        let after = game.play(position, turn);
        turn.captured() == 0 && after.opponent().men().reverse_bits() == position.own().men()
    }
    assert_seeds_agree(&Draughts::new(), 4, stays);
}

#[test]
fn morris_seeds_are_those_of_the_turns() {
    fn stays(_: &Morris, _: &morris::Position, turn: &morris::Turn) -> bool {
        turn.removed() == 0
    }
    for (id, pieces) in [("nine", 7), ("nine-nofly", 6), ("six", 9), ("three", 6)] {
        assert_seeds_agree(&endmill_testkit::morris(id), pieces, stays);
    }
}

/// Captures that leave a ban behind, and those that take several men, which rows do not tell the worth
/// of: with five men a side can break a mill and close another.
#[test]
fn seeds_of_bans_are_those_of_the_turns() {
    fn stays(_: &Morris, _: &morris::Position, turn: &morris::Turn) -> bool {
        turn.removed() == 0
    }
    for rules in [
        "",
        "flying = false",
        "removals = \"each-mill\"",
        "taking = \"any\"",
    ] {
        let text = format!(
            "id = \"banned\"\nboard = \"six\"\nmen = 6\nbroken-mill = \"banned\"\n{rules}\n"
        );
        let ruleset = Ruleset::from_toml("banned", &text).unwrap_or_else(|error| panic!("{error}"));
        let game = morris::of(ruleset).expect("a morris game");
        assert_seeds_agree(&game, 11, stays);
    }
}

/// Ranges that begin and end anywhere, in the middle of rows and slices too.
#[test]
fn captures_resolved_in_bulk_are_worth_what_their_turns_say() {
    let game = Draughts::new();
    let solution = Solution::new(&game, 4);
    for table in solution.tables() {
        let size = game.size(table);
        let mut features = Vec::new();
        for first in (0..size).step_by(9_973) {
            let range = first..size.min(first + 5_000);
            game.features(table, range.clone(), &mut features);
            let mut values = vec![Value::Win(9999); features.len()];
            assert!(game.resolve(table, first, &features, &solution, &mut values));
            for (index, (feature, value)) in range.zip(features.iter().zip(values)) {
                let expected = match feature.resolved {
                    true => solution.values(table)[index as usize],
                    false => Value::Win(9999),
                };
                assert_eq!(value, expected, "{table} {index}");
            }
        }
    }
}
