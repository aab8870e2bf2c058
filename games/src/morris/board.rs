//! A morris board as data, with the neighbours, mills and symmetries that follow from it.
//!
//! A board is given by the names of its lines (three points on which a mill stands) and of its
//! spokes (edges without a line). Neighbours on a line are joined by an edge. A point's name is its
//! column letter and row number. Points are numbered in reading order of the console board: row 1
//! on top, from left to right; sets of points are bits of a `u32` in that order. The
//! [symmetry group](super::symmetry) is computed.

use std::fmt;
use std::sync::LazyLock;

use super::symmetry::{Symmetry, symmetries};
use crate::geometry::{self, Geometry, PlaceKind};

/// The number of points of the largest board.
pub const MAX_POINTS: usize = 24;
/// The number of lines of the largest board: a set of banned lines is a word.
pub const MAX_LINES: usize = 64;
/// The number of rows of the largest drawing; columns are letters.
pub const MAX_ROWS: u8 = 26;

/// A point of the console grid: column from `a`, row from `1`, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GridPoint {
    /// 0 = `a`.
    pub column: u8,
    /// 0 = `1`, on top.
    pub row: u8,
}

impl GridPoint {
    /// Reads a name such as `a1`, ignoring case.
    pub fn read(name: &str) -> Option<GridPoint> {
        let column = name.bytes().next()?.to_ascii_lowercase();
        let digits = name.get(1..)?;
        let plain = digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0');
        let row: u8 = digits.parse().ok().filter(|_| plain)?;
        (column.is_ascii_lowercase() && (1..=MAX_ROWS).contains(&row)).then(|| GridPoint {
            column: column - b'a',
            row: row - 1,
        })
    }

    /// The sort key for numbering points.
    fn in_reading_order(self) -> (u8, u8) {
        (self.row, self.column)
    }
}

impl fmt::Display for GridPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row + 1)
    }
}

/// A board as specified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSpec {
    /// Three points each, neighbours in order.
    pub lines: Vec<[GridPoint; 3]>,
    /// Edges that are not on a line.
    pub spokes: Vec<[GridPoint; 2]>,
}

/// A named board.
#[derive(Debug)]
pub struct NamedBoard {
    /// Its name in rules files.
    pub name: &'static str,
    /// The board.
    pub spec: BoardSpec,
}

const RINGS: [&str; 16] = [
    "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
];

const DIAGONALS: [&str; 4] = ["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"];

/// The named boards. Their lines have the order of the fingerprints in files.
pub static BOARDS: LazyLock<[NamedBoard; 4]> = LazyLock::new(|| {
    let named = |name, lines: &[&str], spokes: &[&str]| NamedBoard {
        name,
        spec: BoardSpec {
            lines: lines.iter().map(|line| built_in(line)).collect(),
            spokes: spokes.iter().map(|spoke| built_in(spoke)).collect(),
        },
    };
    [
        // Three rings joined in the middle of their sides.
        named("nine", &RINGS, &[]),
        // Joined at the corners too.
        named("twelve", &[&RINGS[..], &DIAGONALS].concat(), &[]),
        // Two rings; the spokes between them are not lines.
        named(
            "six",
            &[
                "a1 c1 e1", "b2 c2 d2", "b4 c4 d4", "a5 c5 e5", "a1 a3 a5", "b2 b3 b4", "d2 d3 d4",
                "e1 e3 e5",
            ],
            &["c1 c2", "a3 b3", "d3 e3", "c4 c5"],
        ),
        // Three by three with both diagonals.
        named(
            "three",
            &[
                "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3",
                "a3 b2 c1",
            ],
            &[],
        ),
    ]
});

/// The places of a line or a spoke of a named board.
fn built_in<const N: usize>(text: &str) -> [GridPoint; N] {
    let places: Vec<GridPoint> = text.split(' ').filter_map(GridPoint::read).collect();
    places
        .try_into()
        .expect("the points of a board in this file")
}

/// Returns the board of a name.
pub fn named(name: &str) -> Option<&'static NamedBoard> {
    BOARDS.iter().find(|board| board.name == name)
}

impl BoardSpec {
    /// Returns the same board with its lines and spokes in a fixed order: that of the named board
    /// if it is one, otherwise sorted.
    pub fn normalised(&self) -> BoardSpec {
        let sorted = self.sorted();
        let known = BOARDS.iter().find(|known| known.spec.sorted() == sorted);
        known.map_or(sorted, |known| known.spec.clone())
    }

    fn sorted(&self) -> BoardSpec {
        let order = |place: &GridPoint| place.in_reading_order();
        let mut lines = self.lines.clone();
        for line in &mut lines {
            if order(&line[2]) < order(&line[0]) {
                line.reverse();
            }
        }
        lines.sort_by_key(|line| line.map(GridPoint::in_reading_order));
        let mut spokes = self.spokes.clone();
        for spoke in &mut spokes {
            spoke.sort_by_key(order);
        }
        spokes.sort_by_key(|spoke| spoke.map(GridPoint::in_reading_order));
        BoardSpec { lines, spokes }
    }

    /// Returns the name of the board, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        let sorted = self.sorted();
        let known = BOARDS.iter().find(|known| known.spec.sorted() == sorted);
        known.map(|known| known.name)
    }

    /// Returns the points, in the order of their numbers.
    pub fn places(&self) -> Vec<GridPoint> {
        let lines = self.lines.iter().flatten();
        let mut places: Vec<GridPoint> =
            lines.chain(self.spokes.iter().flatten()).copied().collect();
        places.sort_by_key(|place| place.in_reading_order());
        places.dedup();
        places
    }

    /// Returns the names of the points of every line.
    pub fn line_names(&self) -> Vec<String> {
        self.lines.iter().map(|line| names(line)).collect()
    }

    /// Returns the names of the points of every spoke.
    pub fn spoke_names(&self) -> Vec<String> {
        self.spokes.iter().map(|spoke| names(spoke)).collect()
    }
}

/// `a1 d1 g1`.
pub(super) fn names(places: &[GridPoint]) -> String {
    let names: Vec<String> = places.iter().map(GridPoint::to_string).collect();
    names.join(" ")
}

/// A board ready for use.
#[derive(Debug)]
pub struct Board {
    places: Vec<GridPoint>,
    neighbours: Vec<u32>,
    lines: Vec<u32>,
    /// For each point, the other two points of every line through it.
    pairs_through: Vec<Vec<u32>>,
    symmetries: Vec<Symmetry>,
}

impl Board {
    /// Derives everything else from the lines and spokes.
    pub fn new(spec: &BoardSpec) -> Board {
        let places = spec.places();
        let number = |place: &GridPoint| places.iter().position(|p| p == place).expect("named");

        let mut neighbours = vec![0; places.len()];
        let along = spec.lines.iter().flat_map(|line| line.windows(2));
        for edge in along.chain(spec.spokes.iter().map(|spoke| &spoke[..])) {
            let (a, b) = (number(&edge[0]), number(&edge[1]));
            neighbours[a] |= 1 << b;
            neighbours[b] |= 1 << a;
        }
        let lines: Vec<u32> = (spec.lines.iter())
            .map(|line| line.iter().map(|place| 1 << number(place)).sum())
            .collect();
        let pairs_through = (0..places.len())
            .map(|point| {
                let through = lines.iter().filter(|&line| line >> point & 1 == 1);
                through.map(|line| line & !(1 << point)).collect()
            })
            .collect();
        let symmetries = symmetries(&places, &neighbours, &lines);
        Board {
            places,
            neighbours,
            lines,
            pairs_through,
            symmetries,
        }
    }

    /// Returns the number of points.
    #[inline]
    pub fn points(&self) -> usize {
        self.places.len()
    }

    /// Returns the set of all points.
    #[inline]
    pub fn all(&self) -> u32 {
        (1 << self.points()) - 1
    }

    /// Rows of the console grid.
    pub fn height(&self) -> u8 {
        self.places
            .iter()
            .map(|place| place.row + 1)
            .max()
            .unwrap_or(0)
    }

    /// Columns of the console grid.
    pub fn width(&self) -> u8 {
        self.places
            .iter()
            .map(|place| place.column + 1)
            .max()
            .unwrap_or(0)
    }

    /// Where a point stands on the console grid.
    pub fn place(&self, point: u8) -> GridPoint {
        self.places[usize::from(point)]
    }

    /// The point at a place of the grid, if there is one.
    pub fn point_at(&self, place: GridPoint) -> Option<u8> {
        let found = self.places.iter().position(|&p| p == place);
        found.map(|point| point as u8)
    }

    /// The name of a point, such as `a1`.
    pub fn name(&self, point: u8) -> String {
        self.place(point).to_string()
    }

    /// The points one step away.
    #[inline]
    pub fn neighbours(&self, point: u8) -> u32 {
        self.neighbours[usize::from(point)]
    }

    /// Returns the other two points of every line through a point.
    #[inline]
    pub fn pairs_through(&self, point: u8) -> &[u32] {
        &self.pairs_through[usize::from(point)]
    }

    /// Pairs of neighbouring points.
    pub fn edges(&self) -> u32 {
        self.neighbours
            .iter()
            .map(|set| set.count_ones())
            .sum::<u32>()
            / 2
    }

    /// The lines as sets of three points.
    #[inline]
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// Returns the lines of a set that go through a point, as bits.
    #[inline]
    pub(super) fn through(&self, lines: u64, point: u8) -> u64 {
        let through = self.members(lines);
        let through = through.filter(|&line| self.lines[line] >> point & 1 == 1);
        through.fold(0, |set, line| set | 1 << line)
    }

    /// The numbers of the lines of a set.
    pub(super) fn members(&self, lines: u64) -> impl Iterator<Item = usize> {
        (0..self.lines.len()).filter(move |line| lines >> line & 1 == 1)
    }

    /// The symmetries; the identity is the first.
    #[inline]
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The men of a set that stand in a mill.
    #[inline]
    pub fn in_mills(&self, men: u32) -> u32 {
        let mills = self.lines.iter().filter(|&&line| men & line == line);
        mills.fold(0, |set, line| set | line)
    }

    /// Returns the board as a drawing, as wide and as high as the console grid.
    pub fn geometry(&self) -> Geometry {
        let members = |set: u32| (0..self.points()).filter(move |point| set >> point & 1 == 1);
        let points = (0..self.points()).map(|point| {
            let at = self.places[point];
            geometry::Place {
                name: self.name(point as u8),
                x: f64::from(at.column),
                y: f64::from(at.row),
            }
        });
        let last =
            |of: fn(&GridPoint) -> u8| f64::from(self.places.iter().map(of).max().unwrap_or(0));
        let edges = (0..self.points()).flat_map(|from| {
            let further = members(self.neighbours[from]).filter(move |&to| to > from);
            further.map(move |to| [from, to])
        });
        Geometry {
            kind: PlaceKind::Point,
            width: last(|place| place.column),
            height: last(|place| place.row),
            places: points.collect(),
            edges: edges.collect(),
            lines: (self.lines.iter())
                .map(|&line| members(line).collect())
                .collect(),
        }
    }

    /// Returns how many mills a man on `point` closes with two of `men`.
    #[inline]
    pub fn mills_closed(&self, men: u32, point: u8) -> u32 {
        let pairs = self.pairs_through[usize::from(point)].iter();
        pairs.map(|&pair| u32::from(pair & !men == 0)).sum()
    }

    /// Returns whether a man on `point` closes a mill with two of `men`.
    #[inline]
    pub fn closes_mill(&self, men: u32, point: u8) -> bool {
        let pairs = &self.pairs_through[usize::from(point)];
        pairs.iter().any(|&pair| pair & !men == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points, edges, lines and symmetries as the design states them.
    #[test]
    fn boards_have_the_stated_counts() {
        for (name, counts) in [
            ("nine", (24, 32, 16, 16)),
            ("twelve", (24, 40, 20, 16)),
            ("six", (16, 20, 8, 16)),
            ("three", (9, 16, 8, 8)),
        ] {
            let board = Board::new(&named(name).unwrap().spec);
            let counted = (
                board.points(),
                board.edges(),
                board.lines().len(),
                board.symmetries().len(),
            );
            assert_eq!(counted, counts);
        }
    }

    #[test]
    fn the_centre_of_three_touches_every_point() {
        let board = Board::new(&named("three").unwrap().spec);
        assert_eq!(board.name(4), "b2");
        assert_eq!(board.neighbours(4), board.all() & !(1 << 4));
    }

    #[test]
    fn symmetries_move_sets_as_they_move_points() {
        let board = Board::new(&named("twelve").unwrap().spec);
        for symmetry in board.symmetries() {
            for line in board.lines() {
                assert!(board.lines().contains(&symmetry.apply(*line)));
            }
            for (point, &image) in symmetry.images().iter().enumerate() {
                assert_eq!(symmetry.apply(1 << point), 1 << image);
            }
        }
    }
}
