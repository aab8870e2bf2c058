//! Turns: steps, and captures of any length.
//!
//! Which pieces can capture, and how many steps there are, is computed for all pieces at once: a
//! piece can jump in a direction if the next square has an opposing piece and the one after is
//! empty; so shift the empty squares back, keep the opposing pieces, and shift back again. Only the
//! captures themselves are followed piece by piece.

use super::board::{Direction, LAST_ROW, NEIGHBOURS, Position, Side, singles};

/// The squares of the longest turn. A jump changes row and column by two, so a jumper stays on a
/// grid of 4×4 squares, between which lie 9 that can be jumped, each once.
const LONGEST: usize = 1 + 9;

/// A whole turn, in the frame of the side that makes it. A capture has one of its routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The indices of the squares visited; unused entries are 0, so that equal turns compare equal.
    squares: [u8; LONGEST],
    length: u8,
    captured: u32,
    crowns: bool,
}

impl Turn {
    fn at(square: u32) -> Turn {
        let mut squares = [0; LONGEST];
        squares[0] = square.trailing_zeros() as u8;
        Turn {
            squares,
            length: 1,
            captured: 0,
            crowns: false,
        }
    }

    fn then(mut self, to: u32, captured: u32, crowns: bool) -> Turn {
        self.squares[usize::from(self.length)] = to.trailing_zeros() as u8;
        self.length += 1;
        self.captured |= captured;
        self.crowns = crowns;
        self
    }

    /// Returns the squares visited from the first to the last, each as a set.
    pub(super) fn path(&self) -> impl Iterator<Item = u32> + '_ {
        let visited = &self.squares[..usize::from(self.length)];
        visited.iter().map(|&index| 1 << index)
    }

    pub(super) fn from(&self) -> u32 {
        1 << self.squares[0]
    }

    pub(super) fn to(&self) -> u32 {
        1 << self.squares[usize::from(self.length) - 1]
    }

    /// Returns the squares of the captured pieces.
    pub fn captured(&self) -> u32 {
        self.captured
    }

    /// Returns whether a man is crowned.
    pub fn crowns(&self) -> bool {
        self.crowns
    }

    /// Returns whether two routes have the same effect.
    pub(super) fn ends_like(&self, other: &Turn) -> bool {
        (self.from(), self.to(), self.captured) == (other.from(), other.to(), other.captured)
    }
}

/// Returns the pieces of the side to move that can capture.
#[inline]
pub fn jumpers(position: &Position) -> u32 {
    let (victims, empty) = (position.opponent.pieces(), position.empty());
    Direction::ALL.into_iter().fold(0, |found, way| {
        found | position.own.jumpers(way, victims, empty)
    })
}

/// Returns the pieces of the side to move that can step in a direction.
#[inline(always)]
pub(super) fn steppers(position: &Position, way: Direction) -> u32 {
    position.own.going(way) & way.reverse().step(position.empty())
}

/// Returns whether the side to move has any turn.
pub(super) fn can_move(position: &Position) -> bool {
    let mut ways = Direction::ALL.into_iter();
    ways.any(|way| steppers(position, way) != 0) || jumpers(position) != 0
}

/// Visits every turn, each route of a capture separately.
pub(super) fn visit_routes(position: &Position, mut visit: impl FnMut(Turn)) {
    let jumpers = jumpers(position);
    if jumpers != 0 {
        visit_jumps(position, jumpers, &mut visit);
    } else {
        visit_steps(position, visit);
    }
}

/// Returns the number of turns, counting each route of a capture.
pub(super) fn count_routes(position: &Position) -> u64 {
    let jumpers = jumpers(position);
    if jumpers != 0 {
        let mut routes = 0;
        visit_jumps(position, jumpers, &mut |_| routes += 1);
        return routes;
    }
    let steps = Direction::ALL.map(|way| steppers(position, way).count_ones());
    u64::from(steps.iter().sum::<u32>())
}

/// Visits every step, even where captures are mandatory.
pub(super) fn visit_steps(position: &Position, mut visit: impl FnMut(Turn)) {
    let empty = position.empty();
    for from in singles(position.own.pieces()) {
        for &way in directions(position.own, from) {
            let to = way.step(from) & empty;
            if to != 0 {
                let crowns = to & crowning(position.own, from) != 0;
                visit(Turn::at(from).then(to, 0, crowns));
            }
        }
    }
}

/// Visits every capture of some pieces, each route separately.
pub fn visit_jumps(position: &Position, jumpers: u32, visit: &mut impl FnMut(Turn)) {
    let victims = position.opponent.pieces();
    for from in singles(jumpers) {
        Jumper::new(position.own, from, victims, position.empty())
            .visit_ends(Turn::at(from), visit);
    }
}

/// Returns the directions of a piece.
fn directions(own: Side, piece: u32) -> &'static [Direction] {
    if own.kings & piece != 0 {
        &Direction::ALL
    } else {
        &Direction::FORWARD
    }
}

/// Returns the squares on which a piece is crowned.
fn crowning(own: Side, piece: u32) -> u32 {
    if own.kings & piece != 0 { 0 } else { LAST_ROW }
}

/// A capture, as far as it has come.
pub trait Route: Copy {
    /// Returns the square that the piece has reached.
    fn at(&self) -> u32;

    /// Returns the squares of the pieces that it has jumped.
    fn captured(&self) -> u32;

    /// Returns the route after one more jump.
    fn then(self, to: u32, over: u32, crowns: bool) -> Self;
}

impl Route for Turn {
    fn at(&self) -> u32 {
        self.to()
    }

    fn captured(&self) -> u32 {
        self.captured
    }

    fn then(self, to: u32, over: u32, crowns: bool) -> Turn {
        Turn::then(self, to, over, crowns)
    }
}

/// A capturing piece: what does not change while it jumps.
#[derive(Clone, Copy, Debug)]
pub struct Jumper {
    king: bool,
    victims: u32,
    /// The empty squares, with the one that it came from: it may pass and end there. Jumped pieces
    /// stay on the board until the turn is over, but that only means that none is jumped twice:
    /// they are between the squares of the jumper's grid, never on them.
    empty: u32,
}

impl Jumper {
    /// The piece of `own` on a square.
    #[inline(always)]
    pub fn new(own: Side, from: u32, victims: u32, empty: u32) -> Jumper {
        Jumper {
            king: own.kings & from != 0,
            victims,
            empty: empty | from,
        }
    }

    fn ways(&self) -> &'static [Direction] {
        match self.king {
            true => &Direction::ALL,
            false => &Direction::FORWARD,
        }
    }

    fn is_crowned_on(&self, square: u32) -> bool {
        !self.king && square & LAST_ROW != 0
    }

    /// The piece that is jumped from a square this way, and where that leads; 0 if none is.
    #[inline(always)]
    fn next(&self, way: Direction, at: u32, captured: u32) -> (u32, u32) {
        let over = way.step(at) & self.victims & !captured;
        (over, way.step(over) & self.empty)
    }

    /// Returns whether the capture is over here: no other piece can be jumped, or the man is
    /// crowned.
    #[inline(always)]
    pub fn ends(&self, at: u32, captured: u32) -> bool {
        // Usually no other piece is near.
        let near = NEIGHBOURS[at.trailing_zeros() as usize];
        if near & self.victims & !captured == 0 || self.is_crowned_on(at) {
            return true;
        }
        let mut ends = 0;
        for &way in self.ways() {
            ends |= self.next(way, at, captured).1;
        }
        ends == 0
    }

    /// Visits every way to complete a capture that is not over.
    pub fn visit_ends<R: Route>(&self, route: R, visit: &mut impl FnMut(R)) {
        for &way in self.ways() {
            let (over, to) = self.next(way, route.at(), route.captured());
            if to == 0 {
                continue;
            }
            let route = route.then(to, over, self.is_crowned_on(to));
            if self.ends(to, route.captured()) {
                visit(route);
            } else {
                self.visit_ends(route, visit);
            }
        }
    }
}

/// Replaces `turns` with all legal turns; the first of the routes that end alike represents all.
pub(super) fn turns(position: &Position, turns: &mut Vec<Turn>) {
    turns.clear();
    visit_routes(position, |route| {
        // Steps are unique, so only captures need comparing.
        if route.captured == 0 || !turns.iter().any(|turn| turn.ends_like(&route)) {
            turns.push(route);
        }
    });
}

/// The position after a legal turn.
#[inline]
pub fn play(position: &Position, turn: &Turn) -> Position {
    let Position {
        mut own,
        mut opponent,
        colour,
    } = *position;
    let (from, to) = (turn.from(), turn.to());
    let becomes_king = turn.crowns || own.kings & from != 0;
    own.men &= !from;
    own.kings &= !from;
    if becomes_king {
        own.kings |= to;
    } else {
        own.men |= to;
    }
    opponent.men &= !turn.captured;
    opponent.kings &= !turn.captured;
    let after = Position {
        own,
        opponent,
        colour,
    };
    after.turned()
}
