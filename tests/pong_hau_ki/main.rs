//! The smallest game: rules and numbering in 120 lines, solved, stored, verified and probed by the
//! same code as the games that are built in.
//!
//! A perfectly played game is a draw: Philip D. Straffin, "Position Graphs for Pong Hau K'i and Mu
//! Torere", Mathematics Magazine 68 (1995).

mod game;
#[path = "../../games/tests/laws/numbering.rs"]
mod laws;

use std::collections::HashMap;

use endmill_games::{Colour, Numbering, Rules, Value, perft};
use endmill_testkit::{Built, example, plies};
use game::{PongHauKi, Position};

fn built() -> Built<PongHauKi> {
    Built::new(PongHauKi, None, &plies(true))
}

/// A board as text, row by row: `x` moves, `o` waits.
fn after_each_turn(board: &str) -> Vec<String> {
    const LINES: [(usize, usize); 7] = [(0, 2), (0, 3), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4)];
    let free = board.find('.').unwrap();
    let along = |(a, b)| match free {
        _ if free == a => Some(b),
        _ if free == b => Some(a),
        _ => None,
    };
    let ends = LINES.into_iter().filter_map(along);
    let movable = ends.filter(|&from| board.as_bytes()[from] == b'x');
    let after = movable.map(|from| {
        let mut men: Vec<char> = board.chars().collect();
        men.swap(from, free);
        let other_side = |man| match man {
            'x' => 'o',
            'o' => 'x',
            free => free,
        };
        men.into_iter().map(other_side).collect()
    });
    after.collect()
}

/// The value of a board as far as `plies` show it, by minimax; a draw if they do not suffice.
fn minimax(board: &str, plies: u16, known: &mut HashMap<(String, u16), Value>) -> Value {
    if let Some(&value) = known.get(&(board.to_owned(), plies)) {
        return value;
    }
    let after = after_each_turn(board);
    let value = match plies {
        _ if after.is_empty() => Value::LOST,
        0 => Value::Draw,
        _ => {
            let worth = |next: &String| minimax(next, plies - 1, known).one_turn_earlier();
            after.iter().map(worth).max().unwrap()
        }
    };
    known.insert((board.to_owned(), plies), value);
    value
}

fn board_of(position: &Position) -> String {
    let [own, other] = [position.to_move, position.to_move.other()];
    let man = |point: u8| match point {
        _ if position.men[own as usize] >> point & 1 == 1 => 'x',
        _ if position.men[other as usize] >> point & 1 == 1 => 'o',
        _ => '.',
    };
    (0..5).map(man).collect()
}

#[test]
fn the_table_obeys_the_laws() {
    let tables = PongHauKi.tables(None);
    laws::tables_come_after_what_they_lead_to(&PongHauKi, &tables);
    laws::what_is_left_out_follows_from_one_turn(&PongHauKi, &tables);
    laws::walk(&PongHauKi, tables[0]);
}

/// Thirty boards allow no win longer than thirty plies.
#[test]
fn every_answer_equals_a_minimax_on_another_board() {
    let built = built();
    let database = &built.database;
    let mut known = HashMap::new();
    let mut counts = HashMap::new();
    for index in 0..30 {
        for to_move in [Colour::White, Colour::Black] {
            let mut position = PongHauKi.unrank("2v2", index);
            if to_move == Colour::Black {
                position.men.swap(0, 1);
                position.to_move = to_move;
            }
            let value = database.probe(&position).unwrap().value().unwrap();
            let expected = minimax(&board_of(&position), 30, &mut known);
            assert_eq!(value, expected, "{position:?}");
            *counts.entry(value).or_insert(0) += 1;
        }
    }
    let expected = [(Value::Draw, 48), (Value::Win(1), 8), (Value::LOST, 4)];
    assert_eq!(counts, HashMap::from(expected));
}

#[test]
fn the_start_is_a_draw() {
    let start = PongHauKi.start();
    assert_eq!(perft(&PongHauKi, &start, 1), 2);
    let built = built();
    let answer = built.database.probe(&start).unwrap();
    assert_eq!(answer, Value::Draw.into());
}

#[test]
fn the_table_is_swept_by_rows_and_proved_by_turns() {
    let built = built();
    example::is_verified_by_rows_and_by_turns(&built);
    example::every_answer_follows_from_its_turns(&built.database);
    example::threads_do_not_change_the_files(&PongHauKi);
}
