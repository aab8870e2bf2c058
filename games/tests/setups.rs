//! Positions as sets of places: which bit is which place, and what is refused.

use endmill_games::draughts::Draughts;
use endmill_games::prelude::*;
use endmill_games::{Colour, Setup};
use endmill_testkit::morris;

const MEN: usize = 0;
const KINGS: usize = 1;

/// Men only.
fn setup(white: u64, black: u64, to_move: Colour) -> Setup {
    let mut setup = Setup::empty(to_move);
    setup.pieces[MEN] = [white, black];
    setup
}

/// White has pieces of a kind too.
fn with(mut setup: Setup, kind: usize, white: u64) -> Setup {
    setup.pieces[kind][0] = white;
    setup
}

fn with_hands(mut setup: Setup, hands: [u32; 2]) -> Setup {
    setup.hand[MEN] = hands;
    setup
}

/// Row 1 on top, from left to right, as docs/rules.md draws the boards.
const BITS: [(&str, &str); 3] = [
    (
        "nine",
        "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7",
    ),
    ("six", "a1 c1 e1 b2 c2 d2 a3 b3 d3 e3 b4 c4 d4 a5 c5 e5"),
    ("three", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
];

#[test]
fn bits_are_points_in_reading_order() {
    for (id, names) in BITS {
        let game = morris(id);
        let names: Vec<&str> = names.split(' ').collect();
        for bit in 0..names.len() {
            // Three other men for the side that is not to move.
            let others: Vec<usize> = (0..names.len()).filter(|&i| i != bit).take(3).collect();
            let black = others.iter().map(|&i| 1 << i).sum();
            let position = game.legal(&setup(1 << bit, black, Colour::White)).unwrap();
            let [a, b, c] = others[..] else {
                panic!("three others")
            };
            let text = format!("W:W{}:B{},{},{}", names[bit], names[a], names[b], names[c]);
            assert_eq!(game.parse_position(&text), Ok(position), "{text}");
        }
    }
}

#[test]
fn bits_are_squares_less_one_whoever_is_to_move() {
    let game = Draughts::new();
    for square in 1..=32 {
        let other = if square == 16 { 17 } else { 16 };
        for (to_move, side) in [(Colour::White, "W"), (Colour::Black, "B")] {
            let men = setup(0, 1 << (other - 1), to_move);
            let setup = with(men, KINGS, 1 << (square - 1));
            let text = format!("{side}:WK{square}:B{other}");
            assert_eq!(game.legal(&setup), Ok(game.parse_position(&text).unwrap()));
        }
    }
}

#[test]
fn hands_belong_to_colours() {
    let game = morris("nine");
    let setup = with_hands(setup(0b11, 0b1100, Colour::Black), [6, 7]);
    let position = game.legal(&setup).unwrap();
    assert_eq!(game.format_position(&position), "B:Wa1,d1:Bg1,b2:H6,7");
}

#[test]
fn what_cannot_stand_on_the_board_is_refused() {
    let nine = morris("nine");
    let three = 0b111;
    let cases = [
        (
            setup(1 << 24, three, Colour::White),
            "bit 24 is not a point",
        ),
        (
            setup(0b1100, three, Colour::White),
            "point g1 is used twice",
        ),
        (
            setup(0x3ff << 3, three, Colour::White),
            "white has 10 men, nine allows 9",
        ),
        (
            setup(three, 0b11000, Colour::White),
            "black has only 2 men and is not to move: the game was over before",
        ),
        (
            with(setup(three, 0b111000, Colour::White), KINGS, 1 << 9),
            "nine has no other kinds of pieces",
        ),
        (
            Setup {
                memory: [1, 0],
                ..setup(three, 0b111000, Colour::White)
            },
            "nine has no count of quiet plies",
        ),
        (
            Setup {
                memory: [0, 1],
                ..setup(three, 0b111000, Colour::White)
            },
            "nine has no banned lines",
        ),
        (
            with_hands(setup(three, 0b111000, Colour::White), [1, 2]),
            "white cannot be to move with 1 man in white's hand and 2 in black's",
        ),
        (
            with_hands(setup(three, 0b111000, Colour::White), [u32::MAX, u32::MAX]),
            "white has 4294967295 men, nine allows 9",
        ),
    ];
    for (setup, expected) in cases {
        assert_eq!(nine.legal(&setup).unwrap_err().to_string(), expected);
    }

    let draughts = Draughts::new();
    let cases = [
        (
            setup(0b110000, 0b100000, Colour::Black),
            "square 6 is used twice",
        ),
        (
            setup(1, 1 << 10, Colour::Black),
            "man on its crowning row: 1",
        ),
        (
            setup(1 << 10, 1 << 31, Colour::Black),
            "man on its crowning row: 32",
        ),
        (
            setup(1 << 10, 0x1fff, Colour::Black),
            "square 11 is used twice",
        ),
        (
            setup(1 << 20, 0x1fff, Colour::Black),
            "black has 13 men, draughts allows 12",
        ),
        (
            setup(0, 1 << 10, Colour::Black),
            "white has no pieces and is not to move: the game was over before",
        ),
        (
            with(setup(1 << 20, 1 << 10, Colour::Black), KINGS, 1 << 20),
            "square 21 is used twice",
        ),
        (
            setup(1 << 32, 1 << 10, Colour::Black),
            "bit 32 is not a square",
        ),
        (
            with_hands(setup(1 << 20, 1 << 10, Colour::Black), [1, 0]),
            "draughts has no men in hand",
        ),
    ];
    for (setup, expected) in cases {
        assert_eq!(draughts.legal(&setup).unwrap_err().to_string(), expected);
    }
}
