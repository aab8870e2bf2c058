//! English draughts at the level of single turns, pinned by hand, and its counts.

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Value, perft};
use serde_json::Value as Json;

fn reference() -> Json {
    serde_json::from_str(include_str!("reference/draughts.json")).unwrap()
}

/// The legal turns of a position as texts.
fn turns(position: &str) -> Vec<String> {
    let game = Draughts::new();
    let position = game.parse_position(position).unwrap();
    let mut turns = Vec::new();
    game.turns(&position, &mut turns);
    (turns.iter().map(|turn| game.format_turn(&position, turn))).collect()
}

/// The position after a turn, both as texts.
fn after(position: &str, turn: &str) -> String {
    let game = Draughts::new();
    let position = game.parse_position(position).unwrap();
    let turn = game.parse_turn(&position, turn).unwrap();
    game.format_position(&game.play(&position, &turn))
}

#[test]
fn perft_agrees_with_the_reference() {
    let game = Draughts::new();
    let counts = &reference()["perft"]["counts"];
    for depth in 1..=9 {
        let leaves = perft(&game, &game.start(), depth);
        assert_eq!(counts[depth as usize - 1], leaves, "depth {depth}");
    }
}

#[test]
fn black_opens_towards_higher_squares() {
    let expected = ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"];
    assert_eq!(turns("start"), expected);
    assert_eq!(turns("B:B1-12:W21-32"), expected);
}

#[test]
fn white_goes_towards_lower_squares() {
    let expected = [
        "24-20", "24-19", "23-19", "23-18", "22-18", "22-17", "21-17",
    ];
    assert_eq!(turns("W:W21-32:B1-12"), expected);
}

#[test]
fn men_at_the_edges_have_one_way() {
    assert_eq!(turns("B:B4,5,12,20:W32"), ["4-8", "5-9", "12-16", "20-24"]);
    assert_eq!(
        turns("W:W29,28,21,13:B1"),
        ["29-25", "28-24", "21-17", "13-9"]
    );
}

#[test]
fn kings_step_any_way() {
    assert_eq!(turns("B:BK18:W32"), ["18-22", "18-23", "18-14", "18-15"]);
    assert_eq!(turns("W:WK18:B1"), ["18-15", "18-14", "18-23", "18-22"]);
    assert_eq!(turns("B:BK4,K29:W32"), ["4-8", "29-25"]);
}

#[test]
fn a_capture_is_mandatory_but_freely_chosen() {
    assert_eq!(turns("B:B1,12:W6,15,16"), ["1x10x19", "12x19"]);
    assert_eq!(turns("W:W32,21:B27,18,17"), ["32x23x14", "21x14"]);
}

#[test]
fn a_capture_may_fork() {
    let expected = ["2x9x18", "2x11x18", "2x11x20"];
    assert_eq!(turns("B:B2:W6,7,14,15,16"), expected);
    let mirrored = ["31x24x15", "31x22x15", "31x22x13"];
    assert_eq!(turns("W:W31:B27,26,19,18,17"), mirrored);
}

#[test]
fn a_capture_takes_what_it_jumps() {
    let fork = "B:B2:W6,7,14,15,16";
    assert_eq!(after(fork, "2x9x18"), "W:W7,15,16:B18");
    assert_eq!(after(fork, "2x11x18"), "W:W6,14,16:B18");
    assert_eq!(after("W:W18,K31:BK15", "18x11"), "B:W11,K31:B");
}

#[test]
fn men_neither_step_nor_capture_backwards() {
    assert_eq!(turns("B:B15:W10,11"), ["15-18", "15-19"]);
    assert_eq!(turns("W:W18:B22,23"), ["18-15", "18-14"]);
    assert_eq!(turns("B:BK15:W10,11"), ["15x6", "15x8"]);
}

#[test]
fn crowning_ends_the_turn() {
    assert_eq!(turns("B:B21:W25,26"), ["21x30"]);
    assert_eq!(turns("B:BK21:W25,26"), ["21x30x23"]);
    assert_eq!(turns("W:W12:B8,7"), ["12x3"]);
    assert_eq!(after("B:B21:W25,26", "21x30"), "W:W26:BK30");
    assert_eq!(after("W:W5:B28", "5-1"), "B:WK1:B28");
}

#[test]
fn two_pieces_in_a_row_cannot_be_jumped() {
    assert_eq!(turns("B:B1:W6,10"), ["1-5"]);
}

#[test]
fn no_piece_is_jumped_twice() {
    assert_eq!(turns("B:BK15:W18"), ["15x22"]);
}

#[test]
fn a_king_may_circle_back_to_where_it_started() {
    let circle = "B:BK15:W9,10,17,18,32";
    assert_eq!(turns(circle), ["15x22x13x6x15"]);
    assert_eq!(after(circle, "15x22x13x6x15"), "W:W32:BK15");
}

#[test]
fn routes_that_end_alike_are_one_turn_but_count_apart() {
    let game = Draughts::new();
    let circle = game.parse_position("B:BK15:W9,10,17,18,32").unwrap();
    assert_eq!(game.count_routes(&circle), 2);
    let mut visited = Vec::new();
    game.visit_routes(&circle, &mut |next| visited.push(next));
    assert_eq!(visited.len(), 2);
    assert_eq!(visited[0], visited[1]);
    let [one, other] = ["15x22x13x6x15", "15x6x13x22x15"];
    assert_eq!(
        game.parse_turn(&circle, one),
        game.parse_turn(&circle, other)
    );
}

#[test]
fn a_full_path_is_read_before_a_short_form() {
    let position = "B:BK15:W9,10,17,18,19";
    assert_eq!(turns(position), ["15x22x13x6x15x24", "15x24"]);
    assert_eq!(after(position, "15x24"), "W:W9,10,17,18:BK24");
    assert_eq!(after(position, "15x22x13x6x15x24"), "W:W:BK24");
}

#[test]
fn nine_pieces_can_be_taken_in_one_turn() {
    let game = Draughts::new();
    let all = game
        .parse_position("B:BK5:WK9,K10,K11,K17,K18,K19,K25,K26,K27")
        .unwrap();
    let mut turns = Vec::new();
    game.turns(&all, &mut turns);
    let most = turns.iter().map(|turn| turn.captured().count_ones()).max();
    assert_eq!(most, Some(9));
}

#[test]
fn who_cannot_move_has_lost() {
    let game = Draughts::new();
    for lost in ["B:W25,30:B21", "W:W12:B3,8", "W:W:B12", "B:W7:B"] {
        let position = game.parse_position(lost).unwrap();
        assert_eq!(game.finished(&position), Some(Value::LOST), "{lost}");
        assert_eq!(turns(lost), [""; 0], "{lost}");
        assert_eq!(game.format_position(&position), lost);
    }
    let over = game.parse_position("W:W:B12").unwrap();
    assert_eq!(game.table_of(&over), None);
    assert_eq!(game.finished(&game.start()), None);
}
