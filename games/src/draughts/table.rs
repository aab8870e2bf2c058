//! Tables: the material of both sides, and the order in which tables can be solved.

use std::collections::BTreeSet;
use std::fmt;

use super::board::{Position, Side};

/// The most pieces of one side.
pub(super) const MOST: u32 = 12;

/// How many pieces of each kind a side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    /// Uncrowned.
    pub men: u32,
    /// Crowned.
    pub kings: u32,
}

impl Material {
    /// Men and kings.
    #[inline]
    pub fn pieces(self) -> u32 {
        self.men + self.kings
    }

    fn of(side: Side) -> Material {
        Material {
            men: side.men.count_ones(),
            kings: side.kings.count_ones(),
        }
    }

    /// Returns all with at most `pieces` pieces, at least one.
    fn up_to(pieces: u32) -> impl Iterator<Item = Material> {
        let all = (0..=pieces)
            .flat_map(move |men| (0..=pieces - men).map(move |kings| Material { men, kings }));
        all.filter(|material| material.pieces() > 0)
    }

    /// Returns what may be left after a capture: some pieces, but not all.
    fn after_losses(self) -> impl Iterator<Item = Material> {
        let left = (0..=self.men)
            .flat_map(move |men| (0..=self.kings).map(move |kings| Material { men, kings }));
        left.filter(move |&left| left.pieces() > 0 && left != self)
    }

    fn with_a_man_crowned(self) -> Option<Material> {
        Some(Material {
            men: self.men.checked_sub(1)?,
            kings: self.kings + 1,
        })
    }
}

/// The material of both sides; each has 1 to 12 pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    own: Material,
    opponent: Material,
}

impl Table {
    /// Returns `None` unless each side has 1 to 12 pieces.
    pub fn new(own: Material, opponent: Material) -> Option<Table> {
        // Kinds first: their sum may overflow.
        let possible = |side: Material| {
            side.men <= MOST && side.kings <= MOST && (1..=MOST).contains(&side.pieces())
        };
        (possible(own) && possible(opponent)).then_some(Table { own, opponent })
    }

    /// The table of a position; `None` if the side to move has no pieces.
    #[inline]
    pub fn of(position: &Position) -> Option<Table> {
        let own = Material::of(position.own);
        let opponent = Material::of(position.opponent);
        (own.pieces() > 0).then_some(Table { own, opponent })
    }

    /// Returns the material of the side to move.
    #[inline]
    pub fn own(self) -> Material {
        self.own
    }

    /// Returns the material of the other side.
    #[inline]
    pub fn opponent(self) -> Material {
        self.opponent
    }

    /// The pieces of both sides.
    #[inline]
    pub fn pieces(self) -> u32 {
        self.own.pieces() + self.opponent.pieces()
    }

    /// The men of both sides.
    #[inline]
    pub fn men(self) -> u32 {
        self.own.men + self.opponent.men
    }

    /// Returns the same material with the other side to move.
    #[inline]
    pub fn partner(self) -> Table {
        Table {
            own: self.opponent,
            opponent: self.own,
        }
    }

    /// Returns the tables that captures and crownings may lead to. A capture is assumed to remove
    /// any pieces, though not every number of them can really be jumped in one turn.
    pub(super) fn outside(self) -> Vec<Table> {
        let crowned = self.own.with_a_man_crowned();
        let by_crowning = crowned.map(|own| Table {
            own: self.opponent,
            opponent: own,
        });
        let reached: BTreeSet<Table> =
            (by_crowning.into_iter().chain(self.after_captures())).collect();
        reached.into_iter().collect()
    }

    /// The tables that captures alone may lead to.
    pub(super) fn after_captures(self) -> Vec<Table> {
        let crowned = self.own.with_a_man_crowned();
        let reached: BTreeSet<Table> = (self.opponent.after_losses())
            .flat_map(|left| {
                let mover = std::iter::once(self.own).chain(crowned);
                mover.map(move |mover| Table {
                    own: left,
                    opponent: mover,
                })
            })
            .collect();
        reached.into_iter().collect()
    }

    /// All tables with at most `pieces` pieces, each after those that it leads to: captures leave
    /// fewer pieces, crownings as many pieces and fewer men.
    pub(super) fn up_to(pieces: u32) -> Vec<Table> {
        let mut tables: Vec<Table> = Material::up_to(MOST)
            .flat_map(|own| Material::up_to(MOST).map(move |opponent| Table { own, opponent }))
            .filter(|table| table.pieces() <= pieces)
            .collect();
        tables.sort_by_key(|&table| (table.pieces(), table.men(), table));
        tables
    }
}

/// `12v03`: one man and two kings against three kings; `12.0v11.1` if a number has two digits.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [self.own, self.opponent].map(|side| (side.men, side.kings));
        let wide = numbers.iter().any(|&(men, kings)| men > 9 || kings > 9);
        let dot = if wide { "." } else { "" };
        let [own, opponent] = numbers.map(|(men, kings)| format!("{men}{dot}{kings}"));
        f.pad(&format!("{own}v{opponent}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_comes_after_those_it_leads_to() {
        let tables = Table::up_to(8);
        let mut known = BTreeSet::new();
        for table in tables {
            for outside in table.outside() {
                assert!(known.contains(&outside), "{table} leads to {outside}");
            }
            assert!(known.insert(table));
        }
    }

    #[test]
    fn there_are_8100_tables() {
        // A side has 1 to 12 pieces of two kinds: 2 + 3 + … + 13 = 90 materials.
        assert_eq!(Table::up_to(24).len(), 90 * 90);
    }

    #[test]
    fn captures_and_crownings_lead_outside() {
        let table = Table::new(Material { men: 1, kings: 1 }, Material { men: 1, kings: 1 });
        let names: Vec<_> = (table.unwrap().outside().iter())
            .map(Table::to_string)
            .collect();
        assert_eq!(names, ["01v02", "01v11", "10v02", "10v11", "11v02"]);
    }
}
