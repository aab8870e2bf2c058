//! English draughts: sizes of tables, the numbering, and un-moves.

use endmill_games::draughts::{Draughts, Position, Table};
use endmill_games::prelude::*;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value as Json;

fn reference() -> Json {
    serde_json::from_str(include_str!("reference/draughts.json")).unwrap()
}

/// The sizes of all tables with exactly `pieces` pieces, added up.
fn positions(game: &Draughts, pieces: u32) -> u64 {
    let tables = game.tables(Some(pieces)).into_iter();
    let exactly = tables.filter(|table| table.pieces() == pieces);
    exactly.map(|table| game.size(table)).sum()
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn sizes_agree_with_the_reference() {
    let game = Draughts::new();
    let reference = reference();
    for (name, counts) in reference["tables"].as_object().unwrap() {
        let table = game.parse_table(name).unwrap();
        assert_eq!(table.to_string(), *name);
        assert_eq!(counts["positions"], game.size(table), "{name}");
    }
    for pieces in 2..=4 {
        let total = &reference["totals"][pieces.to_string()]["positions"];
        assert_eq!(*total, positions(&game, pieces), "{pieces} pieces");
    }
}

#[test]
fn sizes_add_up_to_the_known_totals() {
    let game = Draughts::new();
    let up_to = |pieces| (2..=pieces).map(|n| positions(&game, n)).sum::<u64>();
    // Worked out apart from this code, with arbitrary precision; the next test ties the same sums
    // to the reference.
    assert_eq!(up_to(5), 145_859_644);
    assert_eq!(up_to(6), 2_571_945_320);
    assert_eq!(positions(&game, 7), 34_243_113_624);
    let six = game.tables(Some(6)).into_iter();
    let largest = six.max_by_key(|&table| game.size(table)).unwrap();
    assert_eq!(
        (largest.to_string().as_str(), game.size(largest)),
        ("12v12", 124_966_800)
    );
}

/// Every diagram with both colours is one position with Black to move; the reference also counts
/// the diagrams with one colour: men on 28 squares, kings on what is left.
#[test]
fn diagrams_by_number_of_pieces_agree_with_the_reference() {
    let game = Draughts::new();
    for (pieces, diagrams) in (1..).zip(
        reference()["positions_by_pieces"]["counts"]
            .as_array()
            .unwrap(),
    ) {
        let of_one_colour: u64 = (0..=pieces)
            .map(|men| binomial(28, men) * binomial(32 - men, pieces - men))
            .sum();
        assert_eq!(
            *diagrams,
            positions(&game, pieces as u32) + 2 * of_one_colour,
            "{pieces} pieces"
        );
    }
}

#[test]
fn every_table_of_the_game_can_be_numbered() {
    let game = Draughts::new();
    let tables = game.tables(None);
    // No overflow: the tests check arithmetic. The number is worked out in `index`.
    let largest = tables.iter().map(|&table| game.size(table)).max();
    assert_eq!(largest, Some(4_342_147_381_405_342_080));
    let start = game.table_of(&game.start()).unwrap();
    assert_eq!(start.to_string(), "12.0v12.0");
    assert_eq!(game.unrank(start, game.rank(&game.start())), game.start());
}

#[test]
fn every_index_round_trips() {
    let game = Draughts::new();
    for table in game.tables(Some(3)) {
        for index in 0..game.size(table) {
            let position = game.unrank(table, index);
            assert_eq!(game.table_of(&position), Some(table));
            assert_eq!(game.rank(&position), index, "{table}");
        }
    }
}

#[test]
fn slices_hold_the_positions_with_the_same_men() {
    let game = Draughts::new();
    let table = game.parse_table("21v11").unwrap();
    let size = game.slice_size(table);
    assert_eq!(size * game.men_configurations(table), game.size(table));
    for slice in 0..game.men_configurations(table) {
        let men = game.unrank_men(table, slice);
        assert_eq!(game.rank_men(men.0, men.1), slice);
        for kings in [0, size / 2, size - 1] {
            let position = game.unrank_kings(table, men, kings);
            assert_eq!((position.own().men(), position.opponent().men()), men);
            assert_eq!(game.rank_kings(&position), kings);
            assert_eq!(game.rank(&position), slice * size + kings);
        }
    }
}

fn sample(game: &Draughts, pieces: u32) -> Vec<(Table, Position)> {
    let mut random = StdRng::seed_from_u64(8);
    let tables = game.tables(Some(pieces)).into_iter();
    let tables = tables.filter(|table| table.pieces() == pieces);
    let positions = tables.flat_map(|table| {
        let indices: Vec<u64> = (0..100)
            .map(|_| random.random_range(0..game.size(table)))
            .collect();
        indices.into_iter().map(move |index| {
            let position = game.unrank(table, index);
            assert_eq!(game.rank(&position), index);
            (table, position)
        })
    });
    positions.collect()
}

/// The positions that inside turns lead to.
fn successors(game: &Draughts, position: &Position) -> Vec<Position> {
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    turns.retain(|turn| game.is_inside(position, turn));
    (turns.iter().map(|turn| game.play(position, turn))).collect()
}

/// Every inside turn of a position can be taken back, once; every un-move can be played.
fn check_unmoves(game: &Draughts, table: Table, position: Position) {
    let mut before = Vec::new();
    for next in successors(game, &position) {
        assert_eq!(game.table_of(&next), Some(table.partner()));
        game.unmoves(&next, &mut before);
        assert_eq!(before.iter().filter(|&&p| p == position).count(), 1);
    }
    game.unmoves(&position, &mut before);
    for earlier in &before {
        assert!(successors(game, earlier).contains(&position));
    }
}

#[test]
fn turns_and_unmoves_agree_in_small_tables() {
    let game = Draughts::new();
    for table in game.tables(Some(3)) {
        for index in 0..game.size(table) {
            check_unmoves(&game, table, game.unrank(table, index));
        }
    }
}

#[test]
fn turns_and_unmoves_agree_on_samples_of_eight_pieces() {
    let game = Draughts::new();
    for (table, position) in sample(&game, 8) {
        check_unmoves(&game, table, position);
    }
}

#[test]
fn outside_turns_lead_to_the_tables_listed() {
    let game = Draughts::new();
    let mut turns = Vec::new();
    for (table, position) in sample(&game, 6) {
        game.turns(&position, &mut turns);
        for turn in turns.iter().filter(|turn| !game.is_inside(&position, turn)) {
            let reached = game.table_of(&game.play(&position, turn));
            assert!(reached.is_none_or(|reached| game.outside(table).contains(&reached)));
        }
    }
}

/// The un-moves of a position, all as texts.
fn unmoves(position: &str) -> Vec<String> {
    let game = Draughts::new();
    let position = game.parse_position(position).unwrap();
    let mut before = Vec::new();
    game.unmoves(&position, &mut before);
    before.iter().map(|p| game.format_position(p)).collect()
}

#[test]
fn men_come_from_behind_and_kings_from_anywhere() {
    let men = ["B:W32:B1,14", "B:W32:B5,10", "B:W32:B5,9"];
    assert_eq!(unmoves("W:W32:B5,14"), men);
    let king = ["B:W32:BK8", "B:W32:BK7", "B:W32:BK16", "B:W32:BK15"];
    assert_eq!(unmoves("W:W32:BK11"), king);
}

#[test]
fn nobody_comes_from_where_a_capture_was_due() {
    // On 15 the king would have had to jump 18.
    assert_eq!(
        unmoves("W:W18:BK11"),
        ["B:W18:BK8", "B:W18:BK7", "B:W18:BK16"]
    );
    // Whatever the other pieces do, the man on 1 could have jumped 6.
    assert_eq!(unmoves("W:W6:B1,K32"), [""; 0]);
}

#[test]
fn a_side_without_pieces_lost_them_to_a_capture() {
    assert_eq!(unmoves("W:W:BK11"), [""; 0]);
}
