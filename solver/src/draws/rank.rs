//! Ranking the draws of one group.
//!
//! A draw that does not stay in its table leaves it for a better or a worse rank. The side that gains
//! can force that, so this is solved like wins and losses: from the exits backwards, class by class,
//! the most extreme rank first, and within a class ply by ply. At ply p of a class, the draws that
//! convert at p are known; every draw with a turn to one that loses ground gains at p+1, and every draw
//! all of whose turns lead to draws that gain, in this class or before, loses ground at p+1, unless an
//! exit is better. What is left when no class has work stays in the table, and has its score.
//!
//! Each of the two sides may gain; no position converts in both directions, so the directions are
//! solved one after the other. The parts of a group matter only for speed: here a group is a single
//! part, if need be in the plain layout, so that a conversion is one level after the other whatever
//! layers a layout has.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use endmill_games::bits::prefetch;
use endmill_games::value::{
    AtomicDrawState, Conversion, DrawScores, DrawState, Misfit, NodeValue, Ranked, ScoreNumber,
};
use endmill_layout::{Group, Part, Seed, Solved, Visit};
use rayon::prelude::*;

use crate::budget::Budget;
use crate::chunks::SmallChunks;
use crate::memory::{Buffer, shared_draws};
use crate::nodes::Nodes;
use crate::retrograde::flags::Flags;
use crate::retrograde::part::{Threads, sizes};
use crate::{Progress, SolveError};

/// Nodes that one task packs.
const NODES_PER_TASK: usize = 1 << 16;

/// A conversion takes fewer plies: more could not be stored.
const MOST_PLIES: usize = 1 << 15;

/// The draws of a group whose ranks are known, table by table.
pub(super) struct RankedGroup<T> {
    pub(super) tables: BTreeMap<T, Buffer<DrawState>>,
}

/// A group whose draws are ranked.
pub(super) struct Ranker<'a, S> {
    pub(super) scores: &'a DrawScores,
    /// The score of the table of the first phase; `None` if no game can stay in the group.
    pub(super) own: Option<ScoreNumber>,
    /// The tables outside, with their ranks.
    pub(super) solved: &'a S,
    pub(super) budget: &'a Budget,
}

impl<S> Ranker<'_, S> {
    /// The score of a phase's own table, or 0: without cycles any will do, since no draw stays.
    pub(super) fn own_of(&self, phase: usize) -> ScoreNumber {
        let own = self.own.unwrap_or(0);
        if phase == 0 { own } else { -own }
    }

    /// Ranks the draws of a part that is alone in its group. `read` reads a table of the group in the
    /// order of its nodes.
    pub(super) fn rank<L: Group>(
        &self,
        group: &L,
        progress: &impl Progress,
        mut read: impl FnMut(L::Table) -> Result<Nodes, SolveError>,
    ) -> Result<Result<RankedGroup<L::Table>, Misfit>, SolveError>
    where
        S: Solved<L::Table>,
    {
        let part = &group.part(0, 0);
        let mut phases = Vec::new();
        for (phase, nodes) in sizes(part).into_iter().enumerate() {
            let mut states = self.budget.working(nodes)?;
            if let Some(table) = group.phase_tables()[phase] {
                self.unseeded(&read(table)?, &mut states);
            }
            phases.push(states);
        }
        let phases: [Buffer<DrawState>; 2] = phases.try_into().expect("there are two phases");
        progress.phase("ranking draws");
        self.rank_part(group, part, phases, progress)
    }

    /// The states of nodes before any is seeded.
    fn unseeded(&self, nodes: &[NodeValue], states: &mut [DrawState]) {
        for (state, &node) in states.iter_mut().zip(nodes) {
            *state = match self.scores.ranked(node) {
                Ranked::Loss => DrawState::LOST,
                Ranked::Win => DrawState::WON,
                Ranked::Draw(_) => DrawState::UNSEEDED,
            };
        }
    }

    fn rank_part<L: Group>(
        &self,
        group: &L,
        part: &L::Part<'_>,
        [mut first, mut second]: [Buffer<DrawState>; 2],
        progress: &impl Progress,
    ) -> Result<Result<RankedGroup<L::Table>, Misfit>, SolveError>
    where
        S: Solved<L::Table>,
    {
        let mut ranking = PartRanking {
            part,
            threads: Threads::all(),
            // Ranks on either side of the table's score, and that one.
            due: [Flags::default(), Flags::default()],
            classes: 2 * usize::from(self.scores.most().unsigned_abs()) + 1,
        };
        if let Err(misfit) = ranking.seed(self, &mut first, &mut second) {
            return Ok(Err(misfit));
        }
        if group.has_inside_turns() {
            ranking.discount_wins(&mut first, &mut second);
            for gaining in 0..2 {
                let ranked = ranking.convert(gaining, &mut first, &mut second, progress)?;
                if let Err(misfit) = ranked {
                    return Ok(Err(misfit));
                }
            }
        }
        let homes = group.phase_tables().into_iter().zip([first, second]);
        let tables = homes.filter_map(|(home, states)| Some((home?, states)));
        // Of two phases that are one table, the first is kept.
        let mut kept = BTreeMap::new();
        for (table, states) in tables {
            kept.entry(table).or_insert(states);
        }
        Ok(Ok(RankedGroup { tables: kept }))
    }
}

/// A part while its draws are ranked.
struct PartRanking<'p, P> {
    part: &'p P,
    threads: Threads,
    /// By the phase whose side gains: the rows in which draws are due, by class.
    due: [Flags; 2],
    classes: usize,
}

impl<P: Part> PartRanking<'_, P> {
    /// Seeds the draws of all rows, and finds which rows are due in which class.
    fn seed<S: Solved<P::Table>>(
        &mut self,
        ranker: &Ranker<'_, S>,
        first: &mut [DrawState],
        second: &mut [DrawState],
    ) -> Result<(), Misfit> {
        let part = self.part;
        let [rows, mirror_rows] = part.phases();
        for flags in &mut self.due {
            flags.reset(mirror_rows.end, self.classes);
        }
        let misfit = OnceLock::new();
        let seed = |buffers: &mut (P::Scratch, Vec<Seed>), phase, row, states: &mut [DrawState]| {
            if !states.contains(&DrawState::UNSEEDED) {
                return;
            }
            let (scratch, seeds) = buffers;
            part.seed(row, ranker.solved, scratch, seeds);
            let own = ranker.own_of(phase);
            for (state, seed) in states.iter_mut().zip(seeds.iter()) {
                if *state != DrawState::UNSEEDED {
                    continue;
                }
                // A turn to a won position is no exit that a draw needs.
                let exit = match ranker.scores.of_turn(seed.outside) {
                    Some(Ranked::Draw(number)) => Some(number),
                    Some(Ranked::Loss | Ranked::Win) | None => None,
                };
                let seeded = DrawState::seeded(seed.inside, exit, own, ranker.scores);
                *state = seeded.unwrap_or_else(|found| {
                    // One is enough to report.
                    let _ = misfit.set(found);
                    DrawState::STAYS
                });
            }
        };
        let states = first.chunks_mut(part.width(0).max(1));
        let tasks = rows.zip(states).collect();
        self.threads.each(tasks, |buffers, (row, states)| {
            seed(buffers, 0, row, states);
            self.flag(0, row, states);
        });
        let mirrored = &*first;
        let states = second.chunks_mut(part.width(1).max(1));
        let tasks = mirror_rows.zip(states).collect();
        self.threads.each(
            tasks,
            |(buffers, twins): &mut (_, Vec<usize>), (row, states)| {
                if part.mirrored(row, twins) {
                    for (state, &twin) in states.iter_mut().zip(twins.iter()) {
                        *state = mirrored[twin];
                    }
                } else {
                    seed(buffers, 1, row, states);
                }
                self.flag(1, row, states);
            },
        );
        misfit.into_inner().map_or(Ok(()), Err)
    }

    /// Flags a row in the classes in which its draws are due.
    fn flag(&self, phase: usize, row: usize, states: &[DrawState]) {
        // Neighbours often convert alike.
        let mut last = None;
        for due in states.iter().filter_map(|state| state.conversion()) {
            if last != Some(due) {
                self.due_in(phase, due).set::<true>(due.class, row);
                last = Some(due);
            }
        }
    }

    /// The flags of conversions of a phase's draws.
    fn due_in(&self, phase: usize, conversion: Conversion) -> &Flags {
        &self.due[if conversion.gains { phase } else { 1 - phase }]
    }

    /// Counts off the turns of draws that lead to won positions: they are not played.
    fn discount_wins(&self, first: &mut [DrawState], second: &mut [DrawState]) {
        let phases = self.part.phases();
        for (phase, rows) in phases.into_iter().enumerate() {
            let (read, written) = match phase {
                0 => (&*first, &mut *second),
                _ => (&*second, &mut *first),
            };
            let target = Target::of(self.part, 1 - phase, written);
            let tasks = rows.zip(read.chunks(self.part.width(phase).max(1)));
            self.threads.each(
                tasks.collect(),
                |(scratch, columns): &mut (_, Vec<u32>), (row, states)| {
                    columns.clear();
                    let won = (0..)
                        .zip(states)
                        .filter(|(_, state)| **state == DrawState::WON);
                    columns.extend(won.map(|(column, _): (u32, _)| column));
                    let mut visit = target.visit(|row, state, turns| {
                        if let Some(due) = state.discount(turns) {
                            self.due_in(1 - phase, due).set::<true>(due.class, row);
                        }
                    });
                    self.part.unmoves(row, columns, scratch, &mut visit);
                },
            );
        }
    }

    /// Finds all draws that convert in the favour of one side, class by class.
    fn convert(
        &self,
        gaining: usize,
        first: &mut [DrawState],
        second: &mut [DrawState],
        progress: &impl Progress,
    ) -> Result<Result<(), Misfit>, SolveError> {
        let phases = self.part.phases();
        let mut levels = Flags::default();
        for class in 0..self.classes {
            let due = &self.due[gaining];
            if class > due.highest() {
                break;
            }
            levels.reset(phases[1].end, 2);
            let mut any = false;
            for row in due.rows(class) {
                levels.set::<false>(1, row);
                any = true;
            }
            if !any {
                continue;
            }
            let mut plies = 1;
            while plies <= levels.highest() {
                if plies >= MOST_PLIES {
                    return Ok(Err(Misfit::Plies));
                }
                if progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                progress.at_ply(plies as u16);
                levels.reserve(plies + 2);
                for phase in 0..2 {
                    let (read, written) = match phase {
                        0 => (&mut *first, &mut *second),
                        _ => (&mut *second, &mut *first),
                    };
                    let due = Conversion {
                        gains: phase == gaining,
                        class: class as u16,
                        plies: plies as u16,
                    };
                    self.level(phase, due, &levels, read, written);
                }
                plies += 1;
            }
        }
        Ok(Ok(()))
    }

    /// One phase of one ply of a class: the draws that convert like this, and those before them.
    fn level(
        &self,
        phase: usize,
        due: Conversion,
        levels: &Flags,
        read: &mut [DrawState],
        written: &mut [DrawState],
    ) {
        let (part, width) = (self.part, self.part.width(phase));
        let rows = part.phases()[phase].clone();
        let target = Target::of(part, 1 - phase, written);
        let mut tasks = Vec::new();
        let (mut rest, mut at) = (read, rows.start);
        for row in levels
            .rows(usize::from(due.plies))
            .filter(|row| rows.contains(row))
        {
            let (states, after) = rest[(row - at) * width..].split_at_mut(width);
            tasks.push((row, states));
            rest = after;
            at = row + 1;
        }
        let next = due.plies + 1;
        self.threads.each(
            tasks,
            |(scratch, columns): &mut (_, Vec<u32>), (row, states): (usize, &mut [DrawState])| {
                columns.clear();
                for (column, state) in (0..).zip(states) {
                    if state.is_due(due) {
                        *state = state.due();
                        columns.push(column);
                    }
                }
                if due.gains {
                    let mut visit = target.visit(|row, state, turns| {
                        match state.count_off(turns, due.class, next) {
                            Some(lost) if lost.class == due.class => {
                                levels.set::<true>(next, row);
                            }
                            Some(later) => {
                                self.due_in(1 - phase, later).set::<true>(later.class, row);
                            }
                            None => {}
                        }
                    });
                    part.unmoves(row, columns, scratch, &mut visit);
                } else {
                    let mut visit = target.visit(|row, state, _| {
                        if state.gain(due.class, next) {
                            levels.set::<true>(next, row);
                        }
                    });
                    part.unmoves(row, columns, scratch, &mut visit);
                }
            },
        );
    }
}

/// The phase that is written.
struct Target<'a> {
    states: &'a [AtomicDrawState],
    first_row: usize,
    width: usize,
}

impl<'a> Target<'a> {
    fn of(part: &impl Part, phase: usize, states: &'a mut [DrawState]) -> Target<'a> {
        Target {
            states: shared_draws(states),
            first_row: part.phases()[phase].start,
            width: part.width(phase),
        }
    }

    /// Visits nodes that un-moves lead to: with the row, the state and the number of turns.
    fn visit<F: FnMut(usize, &AtomicDrawState, u16)>(&self, each: F) -> VisitStates<'_, 'a, F> {
        VisitStates { target: self, each }
    }
}

struct VisitStates<'t, 'a, F> {
    target: &'t Target<'a>,
    each: F,
}

impl<'a> Target<'a> {
    fn row(&self, row: usize) -> &'a [AtomicDrawState] {
        let start = (row - self.first_row) * self.width;
        &self.states[start..start + self.width]
    }
}

impl<F: FnMut(usize, &AtomicDrawState, u16)> Visit for VisitStates<'_, '_, F> {
    fn each(&mut self, row: usize, columns: &[u32]) {
        let states = self.target.row(row);
        for &column in columns {
            prefetch(&states[column as usize]);
        }
        for &column in columns {
            (self.each)(row, &states[column as usize], 1);
        }
    }

    fn counted(&mut self, row: usize, columns: &[(u32, u16)]) {
        let states = self.target.row(row);
        for &(column, turns) in columns {
            (self.each)(row, &states[column as usize], turns);
        }
    }

    fn scattered(&mut self, nodes: &[u32]) {
        for &node in nodes {
            prefetch(&self.target.states[node as usize]);
        }
        for &node in nodes {
            let row = self.target.first_row + node as usize / self.target.width;
            (self.each)(row, &self.target.states[node as usize], 1);
        }
    }
}

/// Packs the values of a ranked table, whose score is `own`.
pub(super) fn to_nodes(
    scores: &DrawScores,
    own: ScoreNumber,
    states: &[DrawState],
    nodes: &mut [NodeValue],
) {
    let tasks = nodes.par_chunks_mut(NODES_PER_TASK);
    let tasks = tasks.zip(states.par_chunks(NODES_PER_TASK));
    tasks.small_chunks(1).for_each(|(nodes, states)| {
        for (node, state) in nodes.iter_mut().zip(states) {
            *node = scores.node(state.ranked(own, scores));
        }
    });
}
