//! Reads the FEN of the common morris programs.
//!
//! `board side phase action wBoard wHand bBoard bHand wRemove bRemove …`: the board is the inner,
//! middle and outer ring, eight characters each, clockwise from the top as those programs draw it;
//! `O` is White, `@` Black, `*` free. Points correspond by name. The first eight fields suffice.
//! The action is `p` (place), `s` (select a man to move) or `r` (remove): then the side to move has
//! closed a mill and its removal is pending. Pending removals are counted for the side that makes
//! them.

use super::Morris;
use super::board::GridPoint;
use super::position_text::MEN;
use crate::colour::Colour;
use crate::error::{ParseError, Problem};
use crate::setup::Setup;

pub(super) const RINGS: [[&str; 8]; 3] = [
    ["d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"],
    ["d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"],
    ["d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"],
];

/// The content of a FEN.
pub(super) struct Fen {
    pub setup: Setup,
    /// Set if the side to move has closed a mill and must remove a man.
    pub pending: Option<Pending>,
}

/// A pending removal.
pub(super) struct Pending {
    /// Where in the text it is given.
    pub at: usize,
    /// The number of men to remove; `None` if the text does not give it.
    pub count: Option<u32>,
    /// Whether the game is in its moving phase, so the last turn was a step, not a placement.
    pub moving: bool,
}

/// A field of the text and its position.
struct Field<'a> {
    text: &'a str,
    at: usize,
}

impl Field<'_> {
    fn expected(&self, expected: &str) -> ParseError {
        let (expected, found) = (expected.to_owned(), self.text.to_owned());
        ParseError::at(self.at, Problem::Syntax { expected, found })
    }

    fn count(&self, expected: &str) -> Result<u32, ParseError> {
        self.text.parse().map_err(|_| self.expected(expected))
    }
}

/// Returns the blank-separated fields of a text.
fn fields(text: &str) -> Vec<Field<'_>> {
    let start = text.as_ptr() as usize;
    text.split_whitespace()
        .map(|field| {
            let byte = field.as_ptr() as usize - start;
            let at = text[..byte].chars().count();
            Field { text: field, at }
        })
        .collect()
}

/// Returns whether a text looks like a FEN: no other notation has a slash.
pub(super) fn is_fen(text: &str) -> bool {
    text.contains('/')
}

impl Morris {
    pub(super) fn read_fen(&self, text: &str) -> Result<Fen, ParseError> {
        let fields = fields(text);
        let known = |name: &&str| {
            let place = GridPoint::read(name);
            place.and_then(|place| self.board.point_at(place)).is_some()
        };
        if !RINGS.iter().flatten().all(known) {
            return Err(fields[0].expected("a position as W:W…:B…: this FEN is for 24 points"));
        }
        let [
            board,
            side,
            phase,
            action,
            white,
            white_hand,
            black,
            black_hand,
            more @ ..,
        ] = fields.as_slice()
        else {
            let last = &fields[fields.len() - 1];
            return Err(last.expected("at least eight fields: board, side, phase, action, counts"));
        };
        let to_move = match side.text {
            "w" => Colour::White,
            "b" => Colour::Black,
            _ => return Err(side.expected("the side to move, w or b")),
        };
        if !matches!(phase.text, "r" | "p" | "m" | "o" | "n") {
            return Err(phase.expected("the phase: r, p, m, o or n"));
        }
        if !matches!(action.text, "p" | "s" | "r" | "?") {
            return Err(action.expected("the action: p, s, r or ?"));
        }
        let removals = more.iter().take(2);
        let removals: Vec<u32> = removals
            .map(|field| field.count("a number of pending removals"))
            .collect::<Result<_, _>>()?;
        let count = removals.into_iter().max().filter(|&count| count > 0);
        let pending = (action.text == "r" || count.is_some()).then(|| Pending {
            at: action.at,
            count,
            moving: phase.text == "m",
        });
        let pieces = self.read_rings(board)?;
        for (field, men, what) in [
            (white, pieces[0], "white's number of men on the board"),
            (black, pieces[1], "black's number of men on the board"),
        ] {
            let (given, counted) = (field.count(what)?, men.count_ones());
            if given != counted {
                let what = what.to_owned();
                let problem = Problem::Contradiction {
                    what,
                    given,
                    counted,
                };
                return Err(ParseError::at(field.at, problem));
            }
        }
        let hand = [
            white_hand.count("the men in White's hand")?,
            black_hand.count("the men in Black's hand")?,
        ];
        let mut setup = Setup::empty(to_move);
        setup.pieces[MEN] = pieces.map(u64::from);
        setup.hand[MEN] = hand;
        Ok(Fen { setup, pending })
    }

    fn read_rings(&self, field: &Field<'_>) -> Result<[u32; 2], ParseError> {
        let rings: Vec<&str> = field.text.split('/').collect();
        if rings.len() != 3 || rings.iter().any(|ring| ring.chars().count() != 8) {
            return Err(field.expected("three rings of eight points"));
        }
        let mut men = [0; 2];
        for (r, ring) in rings.iter().enumerate() {
            for (i, c) in ring.chars().enumerate() {
                let name = RINGS[r][i].as_bytes();
                let place = GridPoint {
                    column: name[0] - b'a',
                    row: name[1] - b'1',
                };
                let point = self.board.point_at(place).expect("a point of the rings");
                match c {
                    'O' => men[0] |= 1 << point,
                    '@' => men[1] |= 1 << point,
                    '*' => {}
                    _ => {
                        let expected = "O, @ or *".to_owned();
                        let problem = Problem::Syntax {
                            expected,
                            found: c.to_string(),
                        };
                        return Err(ParseError::at(field.at + r * 9 + i, problem));
                    }
                }
            }
        }
        Ok(men)
    }
}
