//! The plain layout, for any game that has rules and a numbering.
//!
//! A node is a position, in the order of the numbering; rows are runs of equal length, and the last
//! one is filled up with copies of the table's last position. There is one part. The first phase is
//! a table, the second its partner; where both are one table, the second repeats the first.
//!
//! The game need not define un-moves: all inside turns of a phase are made once, and stored reversed,
//! four bytes per turn. A layout for the game would save that, and generate turns for many positions at
//! once.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use endmill_games::Features;
use endmill_games::by_turns::score_of;

use crate::absent::Absent;
use crate::{Group, Layout, Part, Seed, Solved, TurnScore, Visit};

/// Nodes in a row.
const WIDTH: usize = 1024;
/// The number of un-moves that are passed on at once.
const BATCH: usize = 1024;

/// Gives a game the plain layout: `impl PlainLayout for MyGame {}`.
pub trait PlainLayout: Features {}

impl<G: PlainLayout> Layout for G {
    type Group<'g> = PlainGroup<'g, G>;

    fn group(&self, table: G::Table) -> PlainGroup<'_, G> {
        PlainGroup::new(self, table)
    }

    fn node(&self, position: &G::Position) -> usize {
        self.rank(position) as usize
    }
}

/// See the module.
pub struct PlainGroup<'g, G: Features> {
    game: &'g G,
    /// The table of each phase; the second has no rows if there is none.
    tables: [Option<G::Table>; 2],
    /// Whether the second phase repeats the first.
    mirrored: bool,
    /// By the phase that the inside turns lead to.
    edges: [OnceLock<Edges>; 2],
}

impl<G: Features> fmt::Debug for PlainGroup<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainGroup")
            .field("tables", &self.tables)
            .finish_non_exhaustive()
    }
}

/// Reversed inside turns: for each node, the nodes of the other phase from which they lead to it.
#[derive(Debug)]
struct Edges {
    /// Where the edges of each node start, and at the end their number.
    starts: Vec<usize>,
    sources: Vec<u32>,
}

impl<'g, G: Features> PlainGroup<'g, G> {
    /// Lays a table and its partner out, whatever layout the game has.
    pub fn new(game: &'g G, table: G::Table) -> PlainGroup<'g, G> {
        let mut together = game.solved_together(table);
        together.sort();
        let first = together[0];
        let mirrored =
            together.len() == 1 && game.partner(first) == first && game.has_inside_turns(first);
        let second = if mirrored {
            Some(first)
        } else {
            together.get(1).copied()
        };
        PlainGroup {
            game,
            tables: [Some(first), second],
            mirrored,
            edges: Default::default(),
        }
    }

    fn rows(&self, phase: usize) -> Range<usize> {
        let [first, second] = self.tables.map(|table| {
            let size = table.map_or(0, |table| self.game.size(table));
            size.div_ceil(WIDTH as u64) as usize
        });
        [0..first, first..first + second][phase].clone()
    }

    /// The table of a row, and the nodes of the row counted from the table's first.
    fn place(&self, row: usize) -> (G::Table, Range<usize>) {
        let phase = usize::from(row >= self.rows(0).end);
        let first = (row - self.rows(phase).start) * WIDTH;
        let table = self.tables[phase].expect("a phase with rows has a table");
        (table, first..first + WIDTH)
    }

    /// Visits the positions that inside turns lead to from a node of a table.
    fn visit_inside(&self, table: G::Table, node: usize, mut visit: impl FnMut(&G::Position)) {
        let partner = Some(self.game.partner(table));
        let position = self.position(table, node);
        self.visit_turns(&position, |next| {
            if self.game.table_of(next) == partner {
                visit(next);
            }
        });
    }

    fn visit_turns(&self, position: &G::Position, mut visit: impl FnMut(&G::Position)) {
        let mut turns = Vec::new();
        self.game.turns(position, &mut turns);
        for turn in &turns {
            visit(&self.game.play(position, turn));
        }
    }

    /// Nodes beyond the last position are copies of it.
    fn position(&self, table: G::Table, node: usize) -> G::Position {
        let last = self.game.size(table) - 1;
        self.game.unrank(table, last.min(node as u64))
    }

    fn seed_of(&self, table: G::Table, node: usize, solved: &impl Solved<G::Table>) -> Seed {
        let game = self.game;
        let position = self.position(table, node);
        let (partner, inside) = (game.partner(table), game.has_inside_turns(table));
        let mut seed = Seed::by_rule(game.finished(&position));
        self.visit_turns(&position, |next| {
            if inside && game.table_of(next) == Some(partner) {
                seed.inside += 1;
                return;
            }
            let stored =
                |into, next: &G::Position| solved.values(into).node(game.rank(next) as usize);
            seed.outside = seed
                .outside
                .max(score_of(game, next, solved.scale(), &stored));
        });
        seed
    }

    /// The edges to the nodes of a phase.
    fn edges(&self, phase: usize) -> &Edges {
        // A table that is its own partner has the same edges in both phases.
        let phase = if self.mirrored { 0 } else { phase };
        self.edges[phase].get_or_init(|| {
            let sources = self.rows(1 - phase).len() * WIDTH;
            assert!(
                u32::try_from(sources).is_ok(),
                "a table of {sources} positions is too large for the plain layout"
            );
            let mut starts = vec![0; self.rows(phase).len() * WIDTH + 1];
            let Some(table) = self.tables[1 - phase] else {
                return Edges {
                    starts,
                    sources: Vec::new(),
                };
            };
            for source in 0..sources {
                self.visit_inside(table, source, |next| {
                    starts[self.game.rank(next) as usize + 1] += 1;
                });
            }
            for node in 1..starts.len() {
                starts[node] += starts[node - 1];
            }
            let mut filled = starts.clone();
            let mut edges = vec![0; starts[starts.len() - 1]];
            for source in 0..sources {
                self.visit_inside(table, source, |next| {
                    let place = &mut filled[self.game.rank(next) as usize];
                    edges[*place] = source as u32;
                    *place += 1;
                });
            }
            Edges {
                starts,
                sources: edges,
            }
        })
    }
}

impl<'g, G: Features> Group for PlainGroup<'g, G> {
    type Table = G::Table;
    type Part<'p>
        = &'p PlainGroup<'g, G>
    where
        Self: 'p;

    fn tables(&self) -> Vec<(G::Table, Range<usize>)> {
        let homes = self.phase_tables().into_iter().enumerate();
        homes
            .filter_map(|(phase, home)| Some((home?, self.rows(phase))))
            .collect()
    }

    fn width(&self) -> usize {
        WIDTH
    }

    fn first_position(&self, row: usize) -> u64 {
        self.place(row).1.start as u64
    }

    fn copies(&self, row: usize) -> Option<Vec<u32>> {
        let (table, nodes) = self.place(row);
        let held = self.game.size(table) as usize - nodes.start;
        (held < WIDTH).then(|| {
            (0..WIDTH)
                .map(|column| column.min(held - 1) as u32)
                .collect()
        })
    }

    fn phase_tables(&self) -> [Option<G::Table>; 2] {
        let [first, second] = self.tables;
        [first, second.filter(|_| !self.mirrored)]
    }

    fn has_inside_turns(&self) -> bool {
        let tables = self.tables.iter().flatten();
        tables
            .into_iter()
            .any(|&table| self.game.has_inside_turns(table))
    }

    fn layers(&self) -> usize {
        1
    }

    fn parts(&self, _: usize) -> usize {
        1
    }

    fn part(&self, _: usize, _: usize) -> &PlainGroup<'g, G> {
        self
    }
}

/// The group is its own only part.
impl<G: Features> Part for &PlainGroup<'_, G> {
    type Table = G::Table;
    type Scratch = Vec<u32>;
    type Grid<'a>
        = Absent<G::Table>
    where
        Self: 'a;
    type RowPass<'a>
        = Absent<Vec<u32>>
    where
        Self: 'a;

    fn grid(&self) -> Option<Absent<G::Table>> {
        None
    }

    fn row_pass(&self) -> Option<Absent<Vec<u32>>> {
        None
    }

    fn phases(&self) -> [Range<usize>; 2] {
        [self.rows(0), self.rows(1)]
    }

    fn width(&self, _: usize) -> usize {
        WIDTH
    }

    fn runs(&self, _: usize) -> Vec<usize> {
        vec![0]
    }

    fn mirrored(&self, row: usize, nodes: &mut Vec<usize>) -> bool {
        let second = self.rows(1);
        if !self.mirrored || !second.contains(&row) {
            return false;
        }
        nodes.clear();
        nodes.extend(self.place(row).1);
        true
    }

    fn seed(
        &self,
        row: usize,
        solved: &impl Solved<G::Table>,
        _: &mut Vec<u32>,
        seeds: &mut Vec<Seed>,
    ) {
        let (table, nodes) = self.place(row);
        seeds.clear();
        seeds.extend(nodes.map(|node| self.seed_of(table, node, solved)));
    }

    fn max_into(
        &self,
        row: usize,
        solved: &impl Solved<G::Table>,
        _: &mut Vec<u32>,
        best: &mut [TurnScore],
    ) {
        let (table, nodes) = self.place(row);
        for (node, best) in nodes.zip(best) {
            self.visit_inside(table, node, |next| {
                let partner = solved.values(self.game.partner(table));
                let code = partner.node(self.game.rank(next) as usize);
                *best = (*best).max(code.score());
            });
        }
    }

    fn unmoves(&self, row: usize, columns: &[u32], batch: &mut Vec<u32>, visit: &mut impl Visit) {
        let phase = usize::from(row >= self.rows(0).end);
        let first = self.place(row).1.start;
        let Edges { starts, sources } = self.edges(phase);
        batch.clear();
        for &column in columns {
            let node = first + column as usize;
            batch.extend_from_slice(&sources[starts[node]..starts[node + 1]]);
            if batch.len() >= BATCH {
                visit.scattered(batch);
                batch.clear();
            }
        }
        visit.scattered(batch);
    }
}
