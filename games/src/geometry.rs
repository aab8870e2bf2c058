//! Where the places of a board are: plain data for programs that draw it.

/// What the places of a board are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Points, joined by edges; men stand on them.
    Point,
    /// Squares of the size 1; men stand in them.
    Square,
}

impl PlaceKind {
    /// `point` or `square`.
    pub fn name(self) -> &'static str {
        match self {
            PlaceKind::Point => "point",
            PlaceKind::Square => "square",
        }
    }
}

/// A place on which a man may stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name in texts.
    pub name: String,
    /// From the left edge of the board to the place's middle.
    pub x: f64,
    /// From the upper edge of the board to the place's middle.
    pub y: f64,
}

/// The board as a drawing: x to the right from 0 to `width`, y down from 0 to `height`.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// What the places are.
    pub kind: PlaceKind,
    /// How wide the board is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
    /// The places, in the order of the bits of a [`Setup`](crate::Setup).
    pub places: Vec<Place>,
    /// Pairs of neighbouring points, by their numbers, the lesser first; none between squares.
    pub edges: Vec<[usize; 2]>,
    /// Lines on which a mill can stand, by the numbers of their points.
    pub lines: Vec<Vec<usize>>,
}
