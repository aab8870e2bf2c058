//! A group laid out for solving: the contract between a game and the solver.
//!
//! The two tables of a group are laid out as *rows* of *nodes*. A node is a position, or one of
//! several symmetric copies of it: rows are full, so that neither counting nor un-moves need to
//! know about symmetry. Every inside turn is an edge from node to node, and the un-moves of a
//! group are exactly these edges reversed, one for one; that is all that counting down needs.
//!
//! A group consists of *parts*. Reversible turns stay in their part; irreversible ones (a man of
//! draughts never steps back) lead to parts of an earlier *layer*, and are outside turns of the part.
//! Layers are solved one after the other, the parts of a layer in any order. In morris every turn is
//! reversible: there is one part.
//!
//! The rows of a part come in two *phases*, one for each side to move. The un-moves of a phase's
//! rows lead only into rows of the other phase; so while the solver works through one phase,
//! nothing writes the rows it reads.

use std::ops::Range;

use endmill_games::Value;
use endmill_games::value::{Scale, TableValues};

use crate::TurnScore;
use crate::grid::Grid;
use crate::row_pass::RowPass;

/// What is known of a node before its group is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    /// Inside turns.
    pub inside: u16,
    /// The best outside turn. A finished game that is drawn by rule counts as one that draws.
    pub outside: TurnScore,
}

impl Seed {
    /// No turn at all: the side to move has lost.
    pub const NO_TURN: Seed = Seed {
        inside: 0,
        outside: TurnScore::NONE,
    };

    /// The seed of a node whose game is over with this value, if it is: a draw by rule counts as an
    /// outside turn that draws.
    pub fn by_rule(finished: Option<Value>) -> Seed {
        Seed {
            outside: match finished {
                Some(Value::Draw) => TurnScore::DRAW,
                _ => TurnScore::NONE,
            },
            ..Seed::NO_TURN
        }
    }
}

/// Solved tables, each as the values of its nodes, row after row.
pub trait Solved<Table>: Sync {
    /// The values of a table, in whatever form it is held. A group that has several layers may also
    /// ask for its own tables, in which the layers before the one that is being solved are filled in.
    fn values(&self, table: Table) -> TableValues<'_>;

    /// What the values say beyond outcomes.
    fn scale(&self) -> Scale {
        Scale::Plies
    }

    /// Releases memory that only repeats what is in files, if there is any: a pass through tables in
    /// order calls this now and then.
    fn release_pages(&self) {}

    /// A table that leads to itself as the second phase of its group shows it, if that is available:
    /// steps are looked up faster there.
    fn mirror(&self, _: Table) -> Option<TableValues<'_>> {
        None
    }
}

/// Receives the nodes that un-moves lead to.
///
/// Nodes without any inside turn may be among them, and do not change. (In draughts these are the
/// positions with a capture: recognising them by their seeds costs nothing, recognising them by their
/// pieces would be half of the work of an un-move.)
pub trait Visit {
    /// One inside turn leads from each of these columns of `row` to a node asked about.
    fn each(&mut self, row: usize, columns: &[u32]);

    /// The given number of inside turns lead from each of these columns of `row` to nodes asked about.
    fn counted(&mut self, row: usize, columns: &[(u32, u16)]);

    /// One inside turn leads from each of these nodes, numbered from the first row of their phase, to a
    /// node asked about.
    fn scattered(&mut self, nodes: &[u32]);
}

/// A group of tables laid out for solving. See the module for what rows, nodes and parts are.
pub trait Group: Send + Sync {
    /// The game's tables.
    type Table: Copy + Ord + Send + Sync;
    /// A part of the group.
    type Part<'p>: Part<Table = Self::Table>
    where
        Self: 'p;

    /// The tables of the group with the rows that hold them, in the order of the table's
    /// numbering. One or two.
    fn tables(&self) -> Vec<(Self::Table, Range<usize>)>;

    /// Nodes in each row.
    fn width(&self) -> usize;

    /// The number of the first position of a row within its table.
    fn first_position(&self, row: usize) -> u64;

    /// For each column of a row, the position of the row (0, 1, …) that it is a copy of; `None` if no two
    /// columns are copies of each other.
    fn copies(&self, row: usize) -> Option<Vec<u32>>;

    /// For each position of a row, a column that is a copy of it; `None` if no two columns are copies of
    /// each other.
    fn originals(&self, row: usize) -> Option<Vec<u32>> {
        let copies = self.copies(row)?;
        let positions = copies.iter().max().map_or(0, |&last| last as usize + 1);
        let mut originals = vec![0; positions];
        for (column, &position) in (0..).zip(&copies) {
            originals[position as usize] = column;
        }
        Some(originals)
    }

    /// The table to which the nodes of each phase belong. Both may belong to one table, if both
    /// sides have the same material. `None` if the nodes are not kept: the phase has no rows, or
    /// repeats the other one, seen from the other side.
    fn phase_tables(&self) -> [Option<Self::Table>; 2];

    /// Returns true if any turn is an inside turn. If none is, the values of all nodes follow directly
    /// from the tables outside.
    fn has_inside_turns(&self) -> bool {
        true
    }

    /// The number of layers.
    fn layers(&self) -> usize;

    /// The number of parts of a layer. If there is one layer with one part, the nodes of its phases are
    /// in the order of `phase_tables`.
    fn parts(&self, layer: usize) -> usize;

    /// A part of a layer.
    fn part(&self, layer: usize, number: usize) -> Self::Part<'_>;
}

/// Finds the best turns of rows, with buffers that one thread reuses from row to row.
#[derive(Default)]
pub struct BestTurns<S> {
    scratch: S,
    seeds: Vec<Seed>,
    best: Vec<TurnScore>,
}

impl<S> BestTurns<S> {
    /// Returns the best turn of every column of a row that is not [mirrored](Part::mirrored), outside
    /// or inside.
    pub fn of_row<P: Part<Scratch = S> + ?Sized>(
        &mut self,
        part: &P,
        row: usize,
        solved: &impl Solved<P::Table>,
    ) -> &[TurnScore] {
        part.seed(row, solved, &mut self.scratch, &mut self.seeds);
        self.best.clear();
        self.best.extend(self.seeds.iter().map(|seed| seed.outside));
        part.max_into(row, solved, &mut self.scratch, &mut self.best);
        &self.best
    }
}

/// A part of a group: what inside turns connect.
pub trait Part: Send + Sync {
    /// The game's tables.
    type Table: Copy + Ord;
    /// Buffers that one thread reuses from row to row.
    type Scratch: Default + Send;
    /// The part in the form in which one thread solves it.
    type Grid<'a>: Grid<Table = Self::Table>
    where
        Self: 'a;

    /// The part in the form in which it is solved row by row, with the rest of it out of memory.
    type RowPass<'a>: RowPass<Scratch = Self::Scratch>
    where
        Self: 'a;

    /// The part laid out for one thread that solves it alone, if it is small enough and
    /// the layout has such a form.
    fn grid(&self) -> Option<Self::Grid<'_>>;

    /// The part to be solved row by row, if the layout can do so.
    fn row_pass(&self) -> Option<Self::RowPass<'_>>;

    /// The rows of the two phases (the second may be empty); together all rows, in order.
    fn phases(&self) -> [Range<usize>; 2];

    /// Nodes in each row of a phase.
    fn width(&self, phase: usize) -> usize;

    /// The places of the nodes of a phase: they are cut into runs of equally many rows, and these are the
    /// nodes of the [table of the phase](Group::phase_tables) at which the runs start.
    fn runs(&self, phase: usize) -> Vec<usize>;

    /// For a row of the second phase that repeats another view of the same positions, the node of
    /// each column in the first phase. Such a row is seeded from there.
    fn mirrored(&self, row: usize, nodes: &mut Vec<usize>) -> bool;

    /// Computes the seeds of a row that is not [mirrored](Part::mirrored).
    fn seed(
        &self,
        row: usize,
        solved: &impl Solved<Self::Table>,
        scratch: &mut Self::Scratch,
        seeds: &mut Vec<Seed>,
    );

    /// Raises `best` by the inside turns of every column of a row, found by the forward rules, for
    /// verification. `solved` has the tables of the group, too.
    fn max_into(
        &self,
        row: usize,
        solved: &impl Solved<Self::Table>,
        scratch: &mut Self::Scratch,
        best: &mut [TurnScore],
    );

    /// Visits the rows of a phase that are not [mirrored](Part::mirrored), with the best turn of every
    /// column, outside or inside. A layout in which neighbouring rows look up the same values may be
    /// faster than one row after the other.
    fn best_turns(
        &self,
        phase: usize,
        solved: &impl Solved<Self::Table>,
        visit: &mut impl FnMut(usize, &[TurnScore]),
    ) {
        let (mut best, mut twins) = (BestTurns::default(), Vec::new());
        for row in self.phases()[phase].clone() {
            if !self.mirrored(row, &mut twins) {
                visit(row, best.of_row(self, row, solved));
            }
        }
    }

    /// The same for tables that were read, without looking up what was resolved then: the best turn of
    /// a node that is not [stored](endmill_games::Features::is_resolved) is
    /// [`TurnScore::RESOLVED`]. Returns false, and visits nothing, if the layout cannot do so.
    fn best_stored_turns(
        &self,
        _phase: usize,
        _solved: &impl Solved<Self::Table>,
        _visit: &mut impl FnMut(usize, &[TurnScore]),
    ) -> bool {
        false
    }

    /// Visits every node from which an inside turn leads to one of the `columns` of `row`. The
    /// columns are in increasing order.
    fn unmoves(
        &self,
        row: usize,
        columns: &[u32],
        scratch: &mut Self::Scratch,
        visit: &mut impl Visit,
    );
}
