//! Chess, king and rook against king: rules and numbering, and nothing else.
//!
//! White has the rook. A stalemate is a draw by rule; Black's king may take a rook that is not
//! guarded, and that is a draw at once. There are two tables, `KRvK` with White to move and `KvKR`
//! with Black to move. Boards that are symmetric to each other are one position.

use std::fmt;

use endmill_games::{Colour, Description, Features, Numbering, Pieces, Rules, Value};
use endmill_layout::PlainLayout;

/// The square of a captured rook; the others are 0 (a1) to 63 (h8).
const TAKEN: u8 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The squares of White's king, White's rook and Black's king.
    pub squares: [u8; 3],
    pub to_move: Colour,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Which of the three pieces moves.
    pub piece: usize,
    pub to: u8,
}

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table(pub Colour);

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self.0 {
            Colour::White => "KRvK",
            Colour::Black => "KvKR",
        })
    }
}

pub struct Krk {
    /// By table: the first board of every orbit, in order.
    positions: [Vec<Position>; 2],
    /// By table: the rank of every legal board.
    ranks: [Vec<u32>; 2],
}

impl Krk {
    pub fn new() -> Krk {
        let mut krk = Krk {
            positions: Default::default(),
            ranks: [vec![u32::MAX; 1 << 18], vec![u32::MAX; 1 << 18]],
        };
        for board in 0..1 << 18 {
            for to_move in [Colour::White, Colour::Black] {
                let squares = [12, 6, 0].map(|shift| (board >> shift & 63) as u8);
                let position = Position { squares, to_move };
                let table = to_move as usize;
                if is_legal(&position) && krk.ranks[table][board] == u32::MAX {
                    let rank = krk.positions[table].len() as u32;
                    for image in images(&position) {
                        krk.ranks[table][board_of(&image)] = rank;
                    }
                    krk.positions[table].push(position);
                }
            }
        }
        krk
    }
}

fn board_of(position: &Position) -> usize {
    let squares = position.squares.into_iter().map(usize::from);
    squares.fold(0, |board, square| board << 6 | square)
}

/// The images of a position under the symmetries of the board, the position included.
pub fn images(position: &Position) -> Vec<Position> {
    let image = |symmetry: u8, square: u8| {
        let mirrored = square ^ ((symmetry & 1) * 7) ^ ((symmetry >> 1 & 1) * 56);
        let turned = mirrored % 8 * 8 + mirrored / 8;
        if symmetry < 4 { mirrored } else { turned }
    };
    let squares = (0..8).map(|symmetry| position.squares.map(|square| image(symmetry, square)));
    let to_move = position.to_move;
    squares
        .map(|squares| Position { squares, to_move })
        .collect()
}

/// The square at an offset, if it is on the board.
fn step(square: u8, files: i8, ranks: i8) -> Option<u8> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then_some((8 * rank + file) as u8)
}

/// The neighbours of a square.
fn around(square: u8) -> impl Iterator<Item = u8> {
    let steps = (-1..=1).flat_map(|files| (-1..=1).map(move |ranks| (files, ranks)));
    let steps = steps.filter(|&step| step != (0, 0));
    steps.filter_map(move |(files, ranks)| step(square, files, ranks))
}

/// The squares that a rook reaches, up to and including a king in each direction.
fn rook_reach(rook: u8, kings: [u8; 2]) -> Vec<u8> {
    let mut reach = Vec::new();
    for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        for far in 1..8 {
            let Some(to) = step(rook, far * files, far * ranks) else {
                break;
            };
            reach.push(to);
            if kings.contains(&to) {
                break;
            }
        }
    }
    reach
}

/// Returns whether Black's king would be attacked on a square.
fn is_attacked(position: &Position, on: u8) -> bool {
    let [king, rook, _] = position.squares;
    let by_rook = on != rook && rook_reach(rook, [king, on]).contains(&on);
    by_rook || around(king).any(|square| square == on)
}

/// The pieces are on different squares, the kings are not adjacent, and Black is not in check when
/// White is to move.
fn is_legal(position: &Position) -> bool {
    let [king, rook, bare] = position.squares;
    let apart = king != rook && rook != bare && king != bare;
    let kings_apart = around(king).all(|square| square != bare);
    let quiet = position.to_move == Colour::Black || !is_attacked(position, bare);
    apart && kings_apart && quiet
}

impl Rules for Krk {
    type Position = Position;
    type Turn = Turn;

    fn description(&self) -> Description {
        Description {
            id: "krk".to_owned(),
            game: "chess",
            title: "King and rook against king".to_owned(),
            points: 64,
            symmetries: 8,
            ..Description::default()
        }
    }

    fn rules_text(&self) -> String {
        "chess, king and rook against king, numbering=1".to_owned()
    }

    fn start(&self) -> Position {
        self.unrank(Table(Colour::White), 0)
    }

    fn to_move(&self, position: &Position) -> Colour {
        position.to_move
    }

    fn finished(&self, position: &Position) -> Option<Value> {
        if position.squares[1] == TAKEN {
            return Some(Value::Draw);
        }
        let mut turns = Vec::new();
        self.turns(position, &mut turns);
        let mated = is_attacked(position, position.squares[2]);
        let value = if mated { Value::LOST } else { Value::Draw };
        turns.is_empty().then_some(value)
    }

    fn turns(&self, position: &Position, turns: &mut Vec<Turn>) {
        let [king, rook, bare] = position.squares;
        turns.clear();
        if rook == TAKEN {
            return;
        }
        if position.to_move == Colour::Black {
            let to = around(bare).filter(|&to| !is_attacked(position, to));
            return turns.extend(to.map(|to| Turn { piece: 2, to }));
        }
        let near_bare = |to: u8| around(bare).any(|square| square == to);
        let to = around(king).filter(|&to| to != rook && !near_bare(to));
        turns.extend(to.map(|to| Turn { piece: 0, to }));
        let to = rook_reach(rook, [king, bare]).into_iter();
        let to = to.filter(|&to| to != king);
        turns.extend(to.map(|to| Turn { piece: 1, to }));
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        let mut squares = position.squares;
        if turn.to == squares[1] {
            squares[1] = TAKEN;
        }
        squares[turn.piece] = turn.to;
        let to_move = position.to_move.other();
        Position { squares, to_move }
    }
}

impl Numbering for Krk {
    type Table = Table;

    fn tables(&self, pieces: Option<u32>) -> Vec<Table> {
        let all = [Table(Colour::White), Table(Colour::Black)].into_iter();
        all.filter(|_| pieces.is_none_or(|most| most >= 3))
            .collect()
    }

    fn size(&self, table: Table) -> u64 {
        self.positions[table.0 as usize].len() as u64
    }

    fn pieces(&self, _: Table) -> Pieces {
        Pieces::on_board(3)
    }

    fn partner(&self, table: Table) -> Table {
        Table(table.0.other())
    }

    /// Taking the rook ends the game.
    fn outside(&self, _: Table) -> Vec<Table> {
        Vec::new()
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        (position.squares[1] != TAKEN).then_some(Table(position.to_move))
    }

    fn rank(&self, position: &Position) -> u64 {
        u64::from(self.ranks[position.to_move as usize][board_of(position)])
    }

    fn unrank(&self, table: Table, index: u64) -> Position {
        self.positions[table.0 as usize][index as usize]
    }
}

impl Features for Krk {}

impl PlainLayout for Krk {}
