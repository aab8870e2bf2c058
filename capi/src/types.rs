//! The plain structs that cross the border.

use std::ffi::c_char;

use games::{Colour, Setup};
use probe::{Access, Answer, Options, Verdict};

use crate::status::{Failure, Status, fill};

/// Bytes of the text of a turn, the final 0 included.
pub const TURN_TEXT: usize = 48;
/// Bytes of the name of a table, the final 0 included.
pub const TABLE_NAME: usize = 40;
/// Bytes that the text of a position takes at the most, the final 0 included.
pub const POSITION_TEXT: usize = 128;

/// The colours, in `endmill_position.to_move`.
pub const WHITE: u8 = 0;
/// The other one.
pub const BLACK: u8 = 1;

/// Files are mapped into memory. They must not be changed in place while the database is open.
pub const MAPPED: u8 = 0;
/// Files are read: for network disks, 32-bit systems, and files that may be overwritten.
pub const POSITIONED: u8 = 1;

/// How a database is read, and what it may take. Begin with endmill_default_options().
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct DatabaseOptions {
    /// Bytes of decoded blocks to keep; 0 keeps none.
    pub cache_bytes: u64,
    /// Files to keep open or mapped.
    pub open_files: u32,
    /// ENDMILL_MAPPED or ENDMILL_POSITIONED.
    pub access: u8,
}

/// A position, unchecked: fill it in, or let endmill_morris(), endmill_draughts() or
/// endmill_read_position() do it. Every question checks that it is legal.
///
/// A set of places is 32 bits. Draughts: bit i is square i+1, whoever is to move. Morris: the
/// points in reading order, row 1 first; on the boards of 24 points
///
///      0 ---------  1 ---------  2        a1 d1 g1
///          3 -----  4 -----  5            b2 d2 f2
///              6 -  7 -  8                c3 d3 e3
///      9   10  11      12  13   14        a4 b4 c4 e4 f4 g4
///             15 - 16 - 17                c5 d5 e5
///         18 ----- 19 ----- 20            b6 d6 f6
///     21 --------- 22 --------- 23        a7 d7 g7
///
/// six: 0-2 a1 c1 e1, 3-5 b2 c2 d2, 6-9 a3 b3 d3 e3, 10-12 b4 c4 d4, 13-15 a5 c5 e5;
/// three: 0-2 a1 b1 c1, 3-5 a2 b2 c2, 6-8 a3 b3 c3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Position {
    /// White's men, and kings.
    pub white: u32,
    /// Black's men, and kings.
    pub black: u32,
    /// Which of them are kings; 0 in morris.
    pub kings: u32,
    /// Men still in White's hand; 0 in draughts.
    pub white_hand: u8,
    /// Men still in Black's hand; 0 in draughts.
    pub black_hand: u8,
    /// ENDMILL_WHITE or ENDMILL_BLACK.
    pub to_move: u8,
}

/// Who wins. Values are those of the side to move in the position that was asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Outcome {
    /// The side to move loses.
    Loss = -1,
    /// Neither side can force the end.
    Draw = 0,
    /// The side to move wins.
    Win = 1,
}

/// What a position or a turn is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Value {
    /// Who wins.
    pub outcome: Outcome,
    /// Plies to the end of the game: odd in a win, even in a loss, 0 = already lost. 0 in a draw,
    /// and where plies_known is false.
    pub plies: u16,
    /// Whether plies is the distance of a win or loss.
    pub plies_known: bool,
}

/// A turn with what is known of it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Turn {
    /// As the game writes it: "a1-a4xg7", "22x15x8".
    pub text: [c_char; TURN_TEXT],
    /// ENDMILL_STATUS_OK, or ENDMILL_STATUS_TABLE_MISSING: then value means nothing.
    pub status: Status,
    /// What it is worth for the side that makes it, this turn counted as a ply.
    pub value: Value,
    /// The table that is missing; empty if none is, or if no table could have so many pieces.
    pub missing: [c_char; TABLE_NAME],
}

/// Why a line of best play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum LineEnd {
    /// The game is over.
    Finished = 0,
    /// A drawn game comes back to a position that was in the line before.
    Repetition = 1,
    /// A drawn game has gone on for long enough.
    Cut = 2,
}

/// What a database has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Coverage {
    /// Tables that are there.
    pub tables: u32,
    /// Those of them that have distances.
    pub tables_with_plies: u32,
    /// Pieces on the board in the largest of them.
    pub most_pieces: u32,
    /// Every table with so many pieces or fewer, and none in hand, is there.
    pub complete_to: u32,
    /// Every table of the ruleset is there.
    pub whole_game: bool,
}

impl From<Options> for DatabaseOptions {
    fn from(options: Options) -> DatabaseOptions {
        DatabaseOptions {
            cache_bytes: options.cache_bytes as u64,
            open_files: u32::try_from(options.open_files).unwrap_or(u32::MAX),
            access: match options.access {
                Access::Mapped => MAPPED,
                Access::Positioned => POSITIONED,
            },
        }
    }
}

impl TryFrom<DatabaseOptions> for Options {
    type Error = Failure;

    fn try_from(options: DatabaseOptions) -> Result<Options, Failure> {
        Ok(Options {
            access: match options.access {
                MAPPED => Access::Mapped,
                POSITIONED => Access::Positioned,
                other => return Err(Failure::argument(format!("there is no access {other}"))),
            },
            cache_bytes: usize::try_from(options.cache_bytes).unwrap_or(usize::MAX),
            open_files: options.open_files as usize,
        })
    }
}

impl TryFrom<Position> for Setup {
    type Error = Failure;

    fn try_from(position: Position) -> Result<Setup, Failure> {
        Ok(Setup {
            pieces: [position.white, position.black],
            kings: position.kings,
            hand: [position.white_hand.into(), position.black_hand.into()],
            to_move: match position.to_move {
                WHITE => Colour::White,
                BLACK => Colour::Black,
                other => return Err(Failure::argument(format!("there is no colour {other}"))),
            },
        })
    }
}

impl From<Setup> for Position {
    /// Hands of legal positions are small.
    fn from(setup: Setup) -> Position {
        Position {
            white: setup.pieces[0],
            black: setup.pieces[1],
            kings: setup.kings,
            white_hand: setup.hand[0] as u8,
            black_hand: setup.hand[1] as u8,
            to_move: match setup.to_move {
                Colour::White => WHITE,
                Colour::Black => BLACK,
            },
        }
    }
}

impl From<games::Outcome> for Outcome {
    fn from(outcome: games::Outcome) -> Outcome {
        match outcome {
            games::Outcome::Loss => Outcome::Loss,
            games::Outcome::Draw => Outcome::Draw,
            games::Outcome::Win => Outcome::Win,
        }
    }
}

impl From<Verdict> for Value {
    fn from(verdict: Verdict) -> Value {
        Value {
            outcome: verdict.outcome().into(),
            plies: verdict.plies().unwrap_or(0),
            plies_known: verdict.plies().is_some(),
        }
    }
}

impl Turn {
    /// A turn as C reads it.
    ///
    /// # Panics
    /// If its text is longer than that of any turn of any game.
    pub(crate) fn new(text: &str, answer: &Answer) -> Turn {
        let mut turn = Turn {
            text: [0; TURN_TEXT],
            status: Status::Ok,
            value: Value {
                outcome: Outcome::Draw,
                plies: 0,
                plies_known: false,
            },
            missing: [0; TABLE_NAME],
        };
        assert!(fill(&mut turn.text, text), "{text} is too long");
        match answer {
            Answer::Known(verdict) => turn.value = (*verdict).into(),
            Answer::Missing(table) => {
                turn.status = Status::TableMissing;
                let name = table.as_deref().unwrap_or_default();
                assert!(fill(&mut turn.missing, name), "{name} is too long");
            }
        }
        turn
    }
}
