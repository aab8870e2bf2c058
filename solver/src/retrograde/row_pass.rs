//! Solving a part row by row: the same levels as in [`part`](super::part), in an order in which a disk
//! can be read and written, for parts that memory does not hold.
//!
//! The nodes of the two phases are in scratch files, and every ply is one pass over the rows of both,
//! from the first to the last. The pass of ply p does three things with a row of the first phase and
//! the row in the same place of the second:
//!
//! 1. It notes which nodes of the second are decided at p, one bit each.
//! 2. What the pass before noted, at p-1, decides nodes of the first at p. These un-moves lead from
//!    row to row; they are asked for by the row that they lead to, so that only this row is written.
//! 3. Nodes of the first that are decided at p have their un-moves in this row of the second alone,
//!    and decide nodes there at p+1.
//!
//! So memory holds two bits for each node of the second phase, and the current rows. Rows without work
//! are skipped. Within a pass no row depends on what another one becomes: threads take rows in any
//! order, without atomic instructions on nodes, and the result is the same for any number of them.

use std::ops::Range;

use endmill_games::value::{Misfit, NodeState, NodeValue};
use endmill_layout::{Part, RowPass, Solved};
use rayon::prelude::*;

use super::Fault;
use super::flags::Flags;
use super::level::{Level, collect};
use super::mirror;
use super::part::{self, Seeder, Threads, flag};
use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::memory::{Buffer, Section, shared};
use crate::{Progress, SolveError};

/// The current rows of all threads take no more than one part in this number of the budget.
const SHARE: u64 = 16;
/// The most bytes of current rows per thread: more would not make a disk faster.
const BYTES_AT_ONCE: u64 = 1 << 20;
/// Bits in a word of notes.
const WORD: usize = u64::BITS as usize;

/// Solves a part in scratch files, whose outside turns lead to `solved`.
pub(super) fn solve<P: Part>(
    part: &P,
    unmoves: &P::RowPass<'_>,
    solved: &impl Solved<P::Table>,
    budget: &Budget,
    progress: &impl Progress,
) -> Result<[Buffer<NodeState>; 2], Fault> {
    let [first, second] = part::sizes(part).map(|nodes| budget.scratch(nodes));
    let mut nodes = [first?, second?];
    let rows = Rows::new(part, budget);
    let highest = rows.seed(solved, &mut nodes, budget)?;
    let mut flags = Flags::default();
    flags.reset(rows.phases[1].end, usize::from(highest) + 2);
    rows.flag(&mut nodes, &flags);

    let [before, now] = [0, 1].map(|_| Noted::new(&rows, budget));
    let mut noted = [before?, now?];
    let mut ply = 0;
    // Nodes that are decided last in the second phase have their un-moves in the pass after that.
    while usize::from(ply) <= flags.highest() + 1 {
        if flags.highest() >= usize::from(NodeValue::PLIES) {
            return Err(Misfit::Plies.into());
        }
        if progress.stopped() {
            return Err(SolveError::Stopped.into());
        }
        progress.at_ply(ply);
        flags.reserve(usize::from(ply) + 2);
        let [before, now] = &mut noted;
        let pass = Pass {
            rows: &rows,
            ply,
            flags: &flags,
            unmoves,
            reached: rows.reached(unmoves, ply, &flags),
            before,
        };
        pass.run(&mut nodes, now);
        noted.swap(0, 1);
        ply += 1;
    }
    Ok(nodes)
}

/// The rows of a part, and how many of them a thread works on at once.
struct Rows<'a, P> {
    part: &'a P,
    phases: [Range<usize>; 2],
    widths: [usize; 2],
    at_once: usize,
}

impl<'a, P: Part> Rows<'a, P> {
    fn new(part: &'a P, budget: &Budget) -> Rows<'a, P> {
        let widths = [0, 1].map(|phase| part.width(phase).max(1));
        let threads = rayon::current_num_threads() as u64;
        let bytes = (budget.limit() / (SHARE * threads)).min(BYTES_AT_ONCE);
        let bytes_of_row = 2 * (widths[0] + widths[1]);
        Rows {
            part,
            phases: part.phases(),
            widths,
            at_once: (bytes as usize / bytes_of_row).max(1),
        }
    }

    /// The nodes of a phase, in sections of the rows that a thread works on at once.
    fn sections<'n>(
        &self,
        phase: usize,
        nodes: &'n mut Buffer<NodeState>,
    ) -> Vec<Section<'n, NodeState>> {
        nodes.sections(self.at_once * self.widths[phase])
    }

    /// Calls `work` for every row of a phase.
    fn each<B: Default>(
        &self,
        phase: usize,
        nodes: &mut Buffer<NodeState>,
        work: impl Fn(&mut B, usize, &mut [NodeState]) + Sync,
        after_some: impl Fn() + Sync,
    ) {
        let sections = self
            .sections(phase, nodes)
            .into_par_iter()
            .enumerate()
            .small_chunks(1);
        sections.for_each_init(B::default, |buffers, (number, mut section)| {
            let rows = self.phases[phase].start + number * self.at_once..;
            for (row, states) in rows.zip(section.chunks_mut(self.widths[phase])) {
                work(buffers, row, states);
            }
            section.release_pages();
            after_some();
        });
    }

    /// Seeds every node. Returns the highest ply at which an outside turn may decide one.
    fn seed(
        &self,
        solved: &impl Solved<P::Table>,
        [first, second]: &mut [Buffer<NodeState>; 2],
        budget: &Budget,
    ) -> Result<u16, Misfit> {
        let seeder = Seeder::new(self.part, solved);
        let seed =
            |buffers: &mut _, row, states: &mut [NodeState]| seeder.seed(buffers, row, states);
        self.each(0, first, seed, || solved.release_pages());
        if mirror::is_mirrored(self.part) {
            mirror::seed(self.part, first, second, budget);
        } else {
            self.each(1, second, seed, || solved.release_pages());
        }
        seeder.highest()
    }

    /// Flags all rows at the plies at which outside turns decide nodes.
    fn flag(&self, nodes: &mut [Buffer<NodeState>; 2], flags: &Flags) {
        for (phase, nodes) in nodes.iter_mut().enumerate() {
            let work =
                |(): &mut (), row, states: &mut [NodeState]| flag::<true>(flags, row, states);
            self.each(phase, nodes, work, || ());
        }
    }

    /// The rows of the first phase that the un-moves of the ply before this one lead to.
    fn reached(&self, unmoves: &impl RowPass, ply: u16, flags: &Flags) -> Vec<bool> {
        let mut reached = vec![false; self.phases[0].len()];
        let before = usize::from(ply).checked_sub(1);
        let rows = before.into_iter().flat_map(|ply| flags.rows(ply));
        for row in rows.filter(|row| self.phases[1].contains(row)) {
            unmoves.rows_before(row, &mut |before| {
                reached[before - self.phases[0].start] = true;
            });
        }
        reached
    }
}

/// The nodes of the second phase that are decided at a ply. Only flagged rows are valid.
struct Noted {
    bits: Buffer<u64>,
    words_per_row: usize,
}

impl Noted {
    fn new<P>(rows: &Rows<'_, P>, budget: &Budget) -> Result<Noted, SolveError> {
        let words_per_row = rows.widths[1].div_ceil(WORD);
        Ok(Noted {
            bits: budget.working(rows.phases[1].len() * words_per_row)?,
            words_per_row,
        })
    }

    /// Appends the columns of a row.
    fn append(&self, row: usize, columns: &mut Vec<u32>) {
        let words = &self.bits[row * self.words_per_row..][..self.words_per_row];
        for (first, &word) in (0..).step_by(WORD).zip(words) {
            let mut word = word;
            while word != 0 {
                columns.push(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}

/// Notes the columns of a row.
fn note(words: &mut [u64], columns: &[u32]) {
    words.fill(0);
    for &column in columns {
        words[column as usize / WORD] |= 1 << (column as usize % WORD);
    }
}

/// One ply.
struct Pass<'a, P, U> {
    rows: &'a Rows<'a, P>,
    unmoves: &'a U,
    ply: u16,
    flags: &'a Flags,
    /// The rows of the first phase that un-moves of the ply before lead to.
    reached: Vec<bool>,
    /// The notes of the ply before.
    before: &'a Noted,
}

impl<P: Part, U: RowPass<Scratch = P::Scratch>> Pass<'_, P, U> {
    fn run(&self, [first, second]: &mut [Buffer<NodeState>; 2], now: &mut Noted) {
        let words = self.rows.at_once * now.words_per_row;
        let first = self.rows.sections(0, first).into_par_iter();
        let second = self.rows.sections(1, second).into_par_iter();
        let noted = now.bits.par_chunks_mut(words);
        let tasks = first.zip(second).zip(noted).enumerate().small_chunks(1);
        tasks.for_each_init(
            Default::default,
            |buffers, (number, ((first, second), noted))| {
                let start = number * self.rows.at_once;
                let rows = start..(start + self.rows.at_once).min(self.rows.phases[0].len());
                if rows.clone().any(|row| self.has_work(row)) {
                    let (first, second) = self.work_on(buffers, rows, [first, second], noted);
                    first.release_pages();
                    second.release_pages();
                }
            },
        );
    }

    /// The numbers of the rows of both phases in a place.
    fn numbers(&self, row: usize) -> [usize; 2] {
        [0, 1].map(|phase| self.rows.phases[phase].start + row)
    }

    /// Returns true if the rows in a place have work.
    fn has_work(&self, row: usize) -> bool {
        let flagged = |row| self.flags.is_set(self.ply, row);
        self.reached[row] || self.numbers(row).into_iter().any(flagged)
    }

    /// Takes the three steps with the rows in some places.
    fn work_on<'n>(
        &self,
        buffers: &mut (P::Scratch, Vec<u32>),
        places: Range<usize>,
        [mut first, mut second]: [Section<'n, NodeState>; 2],
        noted: &mut [u64],
    ) -> (Section<'n, NodeState>, Section<'n, NodeState>) {
        let Rows {
            part,
            ref phases,
            widths,
            ..
        } = *self.rows;
        let [start, end] = [places.start, places.end].map(|row| self.numbers(row));
        let rows = [start[0]..end[0], start[1]..end[1]];
        // From the first phase to the second, and back.
        let level = |ply, from: usize| Level {
            part,
            threads: Threads::One,
            ply,
            rows: rows[from].clone(),
            width: widths[from],
            target_rows: rows[1 - from].clone(),
            target_width: widths[1 - from],
            flags: self.flags,
        };
        let there = level(self.ply, 0);
        let back = self.ply.checked_sub(1).map(|before| level(before, 1));
        let words = noted.chunks_mut(self.before.words_per_row);
        for (place, words) in places.clone().zip(words) {
            let [row, other] = self.numbers(place);
            let at = |phase: usize| {
                let start = (place - places.start) * widths[phase];
                start..start + widths[phase]
            };
            if self.flags.is_set(self.ply, other) {
                collect(&mut second[at(1)], self.ply, &mut buffers.1);
                note(words, &buffers.1);
            }
            if let Some(back) = back.as_ref().filter(|_| self.reached[place]) {
                let mut asked_about = |row: usize, columns: &mut Vec<u32>| {
                    if self.flags.is_set(back.ply, row) {
                        self.before.append(row - phases[1].start, columns);
                    }
                };
                let written = shared(&mut first);
                let mut visit = back.propagate_to::<false, true>(written);
                self.unmoves
                    .unmoves_into(row, &mut asked_about, &mut buffers.0, &mut visit);
            }
            if self.flags.is_set(self.ply, row) {
                let written = shared(&mut second);
                let states = &mut first[at(0)];
                there.work_on::<false, true>(buffers, row, states, written);
            }
        }
        (first, second)
    }
}
