//! The symmetries of a board: all permutations of its points that preserve edges and lines.
//!
//! A search finds them point by point. A board may have very many (a point with many dead-end
//! spokes): if there are more than `MOST`, or if the search takes too long, only those that turn or
//! mirror the drawing are used. That affects which positions the numbering merges, but not their
//! values.

use super::board::GridPoint;

/// The largest number of symmetries.
const MOST: usize = 1024;
/// The largest number of images that the search tries.
const LONGEST_SEARCH: u64 = 20_000_000;

/// A renumbering of the points; maps whole sets by two look-ups.
#[derive(Debug)]
pub struct PointMap {
    low: Box<[u32; 4096]>,
    high: Box<[u32; 4096]>,
}

impl PointMap {
    /// Returns the map from point i to `images[i]`.
    pub fn new(images: &[u8]) -> PointMap {
        let half = |from: usize| {
            let mut sets = Box::new([0u32; 4096]);
            for set in 1..4096usize {
                let lowest = set.trailing_zeros() as usize;
                let image = images.get(from + lowest).map_or(0, |&image| 1 << image);
                sets[set] = sets[set & (set - 1)] | image;
            }
            sets
        };
        PointMap {
            low: half(0),
            high: half(12),
        }
    }

    /// Returns the image of a set of points.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> u32 {
        self.low[(set & 0xfff) as usize] | self.high[(set >> 12 & 0xfff) as usize]
    }
}

/// A permutation of the points that preserves edges and lines.
#[derive(Debug)]
pub struct Symmetry {
    images: Vec<u8>,
    map: PointMap,
    /// The image of every line, by number.
    lines: Vec<u8>,
}

impl Symmetry {
    fn new(images: &[u8], lines: &[u32]) -> Symmetry {
        let map = PointMap::new(images);
        let number = |line: u32| lines.iter().position(|&known| known == line);
        let carried = lines.iter().map(|&line| number(map.apply(line)));
        let lines = carried.map(|image| image.expect("lines are preserved") as u8);
        Symmetry {
            images: images.to_vec(),
            lines: lines.collect(),
            map,
        }
    }

    /// Returns the image of every point.
    #[inline]
    pub fn images(&self) -> &[u8] {
        &self.images
    }

    /// Returns the image of a set of points.
    #[inline(always)]
    pub fn apply(&self, set: u32) -> u32 {
        self.map.apply(set)
    }

    /// Returns the image of a set of lines.
    pub fn apply_to_lines(&self, set: u64) -> u64 {
        let images = self.lines.iter().enumerate();
        let images = images.filter(|(line, _)| set >> line & 1 == 1);
        images.fold(0, |set, (_, image)| set | 1 << image)
    }
}

/// The symmetries of a board in lexicographic order, so the identity comes first.
pub(super) fn symmetries(places: &[GridPoint], neighbours: &[u32], lines: &[u32]) -> Vec<Symmetry> {
    let mut search = Search {
        neighbours,
        lines,
        images: Vec::new(),
        found: Vec::new(),
        tried: 0,
    };
    let found = match search.extend() {
        true => search.found,
        false => search.of_drawing(places),
    };
    found
        .iter()
        .map(|images| Symmetry::new(images, lines))
        .collect()
}

struct Search<'a> {
    neighbours: &'a [u32],
    lines: &'a [u32],
    /// The images of the first points.
    images: Vec<u8>,
    found: Vec<Vec<u8>>,
    tried: u64,
}

impl Search<'_> {
    /// Finds every completion; returns false if there are too many.
    fn extend(&mut self) -> bool {
        let point = self.images.len();
        if point == self.neighbours.len() {
            self.found.push(self.images.clone());
            return self.found.len() <= MOST;
        }
        for image in 0..self.neighbours.len() as u8 {
            self.tried += 1;
            if self.tried > LONGEST_SEARCH {
                return false;
            }
            if self.fits(image) {
                self.images.push(image);
                let too_many = self.keeps_lines() && !self.extend();
                self.images.pop();
                if too_many {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether mapping the next point to `image` preserves the edges so far.
    fn fits(&self, image: u8) -> bool {
        let point = self.images.len();
        let (from, to) = (self.neighbours[point], self.neighbours[usize::from(image)]);
        !self.images.contains(&image)
            && from.count_ones() == to.count_ones()
            && (0..point).all(|p| from >> p & 1 == to >> self.images[p] & 1)
    }

    /// Returns whether the lines that the last point completes map to lines.
    fn keeps_lines(&self) -> bool {
        let last = self.images.len() - 1;
        let known = (2u32 << last) - 1;
        let complete = |line: &&u32| **line >> last & 1 == 1 && **line & !known == 0;
        let mut lines = self.lines.iter().filter(complete);
        lines.all(|line| self.lines.contains(&image_of(&self.images, *line)))
    }

    /// Returns only those that turn or mirror the drawing.
    fn of_drawing(&self, places: &[GridPoint]) -> Vec<Vec<u8>> {
        // The first row or column of the drawing, and its extent.
        let extent = |of: fn(&GridPoint) -> u8| {
            let first = places.iter().map(of).min().unwrap_or(0);
            let last = places.iter().map(of).max().unwrap_or(0);
            (first, last - first)
        };
        let (left, width) = extent(|place| place.column);
        let (top, height) = extent(|place| place.row);
        let mut found: Vec<Vec<u8>> = (0..8)
            .filter_map(|way| {
                let image = |place: &GridPoint| {
                    let (mut x, mut y) = (place.column - left, place.row - top);
                    if way & 4 != 0 {
                        (x, y) = (y, x);
                    }
                    if way & 1 != 0 {
                        x = width.checked_sub(x)?;
                    }
                    if way & 2 != 0 {
                        y = height.checked_sub(y)?;
                    }
                    let (column, row) = (x + left, y + top);
                    let there = places.iter().position(|p| *p == GridPoint { column, row });
                    there.map(|point| point as u8)
                };
                places.iter().map(image).collect()
            })
            .filter(|images: &Vec<u8>| self.preserves_all(images))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    fn preserves_all(&self, images: &[u8]) -> bool {
        let edges = (0..images.len()).all(|point| {
            let carried = image_of(images, self.neighbours[point]);
            self.neighbours[usize::from(images[point])] == carried
        });
        let mut lines = self.lines.iter();
        edges && lines.all(|&line| self.lines.contains(&image_of(images, line)))
    }
}

/// The image of a set of points.
fn image_of(images: &[u8], set: u32) -> u32 {
    let members = images.iter().enumerate();
    let members = members.filter(|(point, _)| set >> point & 1 == 1);
    members.fold(0, |image, (_, to)| image | 1 << to)
}

#[cfg(test)]
mod tests {
    use super::super::board::{Board, BoardSpec, GridPoint};

    fn board(lines: &[&str], spokes: &[&str]) -> Board {
        let places = |text: &str| -> Vec<GridPoint> {
            text.split(' ')
                .map(|name| GridPoint::read(name).unwrap())
                .collect()
        };
        Board::new(&BoardSpec {
            lines: lines
                .iter()
                .map(|line| places(line).try_into().unwrap())
                .collect(),
            spokes: spokes
                .iter()
                .map(|spoke| places(spoke).try_into().unwrap())
                .collect(),
        })
    }

    /// Each of four lines can be turned round, and they can change places: 2⁴ · 4!.
    #[test]
    fn lines_that_nothing_joins_have_many_symmetries() {
        let four = board(&["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a4 b4 c4"], &[]);
        assert_eq!(four.symmetries().len(), 384);
    }

    #[test]
    fn where_there_are_too_many_those_of_the_drawing_are_used() {
        let rows: Vec<String> = (1..=8).map(|row| format!("a{row} b{row} c{row}")).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let eight = board(&rows, &[]);
        assert_eq!(eight.symmetries().len(), 4);
    }

    #[test]
    fn lines_of_lines_are_carried_along() {
        let three = board(&["a1 b1 c1", "a2 b2 c2", "a3 b3 c3"], &["a1 a2"]);
        for symmetry in three.symmetries() {
            for (number, &line) in three.lines().iter().enumerate() {
                let image = symmetry.apply_to_lines(1 << number);
                let there = image.trailing_zeros() as usize;
                assert_eq!(three.lines()[there], symmetry.apply(line));
            }
        }
    }
}
