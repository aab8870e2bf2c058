//! A morris board as data, and what follows from it: neighbours, mills and symmetries.
//!
//! A board is given by the names of its lines (three points on which a mill stands) and of its
//! spokes (edges without a line). Neighbours on a line are joined by an edge. Points are numbered
//! in reading order of the console board: row 1 on top, from left to right; sets of points are
//! bits of a `u32` in that order. The symmetry group is computed: all permutations of the points
//! that preserve edges and lines.

/// Points of the largest board.
pub const MAX_POINTS: usize = 24;

/// A board as it is written down.
#[derive(Debug)]
pub struct BoardSpec {
    /// Three points each, neighbours next to each other.
    pub lines: &'static [&'static str],
    /// Two points each.
    pub spokes: &'static [&'static str],
}

const RINGS: [&str; 16] = [
    "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
    "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
];

/// Three rings joined in the middle of their sides.
pub static NINE: BoardSpec = BoardSpec {
    lines: &RINGS,
    spokes: &[],
};

/// Three rings joined at the corners too.
pub static TWELVE: BoardSpec = BoardSpec {
    lines: &{
        let mut lines = [""; 20];
        let diagonals = ["a1 b2 c3", "g1 f2 e3", "a7 b6 c5", "g7 f6 e5"];
        let mut i = 0;
        while i < 20 {
            lines[i] = if i < 16 { RINGS[i] } else { diagonals[i - 16] };
            i += 1;
        }
        lines
    },
    spokes: &[],
};

/// Two rings; the spokes between them are no lines.
pub static SIX: BoardSpec = BoardSpec {
    lines: &[
        "a1 c1 e1", "b2 c2 d2", "b4 c4 d4", "a5 c5 e5", "a1 a3 a5", "b2 b3 b4", "d2 d3 d4",
        "e1 e3 e5",
    ],
    spokes: &["c1 c2", "a3 b3", "d3 e3", "c4 c5"],
};

/// Three by three with both diagonals.
pub static THREE: BoardSpec = BoardSpec {
    lines: &[
        "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3",
        "a3 b2 c1",
    ],
    spokes: &[],
};

/// A point's place on the console grid: column from `a`, row from `1`, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 0 = `a`.
    pub column: u8,
    /// 0 = `1`, on top.
    pub row: u8,
}

/// A board ready for use.
#[derive(Debug)]
pub struct Board {
    places: Vec<Place>,
    neighbours: Vec<u32>,
    lines: Vec<u32>,
    /// For each point the other two points of every line through it.
    companions: Vec<Vec<u32>>,
    symmetries: Vec<Symmetry>,
}

impl Board {
    /// Works out everything that follows from the lines and spokes.
    ///
    /// # Panics
    /// If a name in the specification is not a letter and a digit.
    pub fn new(spec: &BoardSpec) -> Board {
        let read = |text: &str| -> Vec<Place> { text.split(' ').map(read_place).collect() };
        let lines: Vec<Vec<Place>> = spec.lines.iter().map(|line| read(line)).collect();
        let spokes: Vec<Vec<Place>> = spec.spokes.iter().map(|spoke| read(spoke)).collect();

        let mut places: Vec<Place> = lines.iter().flatten().copied().collect();
        places.sort_by_key(|place| (place.row, place.column));
        places.dedup();
        let number = |place: &Place| places.iter().position(|p| p == place).expect("on a line");

        let mut neighbours = vec![0; places.len()];
        for edge in lines.iter().chain(&spokes).flat_map(|way| way.windows(2)) {
            let (a, b) = (number(&edge[0]), number(&edge[1]));
            neighbours[a] |= 1 << b;
            neighbours[b] |= 1 << a;
        }
        let lines: Vec<u32> = lines
            .iter()
            .map(|line| line.iter().map(|place| 1 << number(place)).sum())
            .collect();
        let companions = (0..places.len())
            .map(|point| {
                let through = lines.iter().filter(|&line| line >> point & 1 == 1);
                through.map(|line| line & !(1 << point)).collect()
            })
            .collect();
        let symmetries = automorphisms(&neighbours, &lines)
            .iter()
            .map(|images| Symmetry::new(images))
            .collect();
        Board {
            places,
            neighbours,
            lines,
            companions,
            symmetries,
        }
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.places.len()
    }

    /// The set of all points.
    pub fn all(&self) -> u32 {
        (1 << self.points()) - 1
    }

    /// Where a point stands on the console grid.
    pub fn place(&self, point: u8) -> Place {
        self.places[usize::from(point)]
    }

    /// The point at a place of the grid, if there is one.
    pub fn point_at(&self, place: Place) -> Option<u8> {
        let found = self.places.iter().position(|&p| p == place);
        found.map(|point| point as u8)
    }

    /// The name of a point, `a1` to `g7`.
    pub fn name(&self, point: u8) -> String {
        let Place { column, row } = self.place(point);
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    /// The points one step away.
    pub fn neighbours(&self, point: u8) -> u32 {
        self.neighbours[usize::from(point)]
    }

    /// The other two points of every line through a point.
    pub fn companions(&self, point: u8) -> &[u32] {
        &self.companions[usize::from(point)]
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
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }

    /// The symmetries; the identity is the first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The men of a set that stand in a mill.
    pub fn in_mills(&self, men: u32) -> u32 {
        let mills = self.lines.iter().filter(|&&line| men & line == line);
        mills.fold(0, |set, line| set | line)
    }

    /// Whether `point` and two of `men` fill a line.
    pub fn closes_mill(&self, men: u32, point: u8) -> bool {
        let pairs = &self.companions[usize::from(point)];
        pairs.iter().any(|&pair| pair & !men == 0)
    }
}

fn read_place(name: &str) -> Place {
    match name.as_bytes() {
        &[column @ b'a'..=b'g', row @ b'1'..=b'7'] => Place {
            column: column - b'a',
            row: row - b'1',
        },
        _ => panic!("{name} does not name a point"),
    }
}

/// A permutation of the points that preserves edges and lines; moves whole sets by two look-ups.
#[derive(Debug)]
pub struct Symmetry {
    images: Vec<u8>,
    low: Box<[u32; 4096]>,
    high: Box<[u32; 4096]>,
}

impl Symmetry {
    fn new(images: &[u8]) -> Symmetry {
        let half = |from: usize| {
            let mut sets = Box::new([0u32; 4096]);
            for set in 1..4096usize {
                let lowest = set.trailing_zeros() as usize;
                let image = images.get(from + lowest).map_or(0, |&image| 1 << image);
                sets[set] = sets[set & (set - 1)] | image;
            }
            sets
        };
        Symmetry {
            images: images.to_vec(),
            low: half(0),
            high: half(12),
        }
    }

    /// The image of every point.
    pub fn images(&self) -> &[u8] {
        &self.images
    }

    /// The image of a set of points.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> u32 {
        self.low[(set & 0xfff) as usize] | self.high[(set >> 12 & 0xfff) as usize]
    }
}

/// All permutations of the points that preserve edges and lines, in lexicographic order (so the
/// identity comes first), by extending partial ones point by point.
fn automorphisms(neighbours: &[u32], lines: &[u32]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    extend(neighbours, lines, &mut Vec::new(), &mut found);
    found
}

fn extend(neighbours: &[u32], lines: &[u32], images: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    let point = images.len();
    if point == neighbours.len() {
        let map = |line: &u32| -> u32 {
            let on_line = (0..point).filter(|p| line >> p & 1 == 1);
            on_line.map(|p| 1 << images[p]).sum()
        };
        if lines.iter().all(|line| lines.contains(&map(line))) {
            found.push(images.clone());
        }
        return;
    }
    for image in 0..neighbours.len() as u8 {
        let fits = !images.contains(&image)
            && (0..point).all(|p| {
                neighbours[point] >> p & 1 == neighbours[usize::from(image)] >> images[p] & 1
            });
        if fits {
            images.push(image);
            extend(neighbours, lines, images, found);
            images.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points, edges, lines and symmetries as the design states them.
    #[test]
    fn boards_have_the_stated_counts() {
        for (spec, counts) in [
            (&NINE, (24, 32, 16, 16)),
            (&TWELVE, (24, 40, 20, 16)),
            (&SIX, (16, 20, 8, 16)),
            (&THREE, (9, 16, 8, 8)),
        ] {
            let board = Board::new(spec);
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
        let board = Board::new(&THREE);
        assert_eq!(board.name(4), "b2");
        assert_eq!(board.neighbours(4), board.all() & !(1 << 4));
    }

    #[test]
    fn symmetries_move_sets_as_they_move_points() {
        let board = Board::new(&TWELVE);
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
