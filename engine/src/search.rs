//! Alpha-beta over any game.
//!
//! The score of a node is the maximum over its turns, each the negative of the other side's score
//! after it (principal variation search). The first turn is searched with the full window; the others
//! with a null window, and again if they are better. There is no speculative pruning, so a win or loss
//! that is found is proved.
//!
//! Lines end if the database knows the outcome, if a position repeats (a draw), if the game is over,
//! and at depth 0 with an estimate; but while all turns are captures, as forced captures are, a
//! position cannot be estimated and the line continues.

use endmill_games::{Evaluate, Features, Outcome, Value};
use endmill_probe::{Database, ProbeError};

use crate::budget::{Budget, Stopped};
use crate::memory::{Bound, Memory};
use crate::ordering::Ordering;
use crate::points::{self, DRAW, INFINITE};

/// A turn at the root.
pub(crate) struct RootTurn<G: Evaluate + Features> {
    pub turn: G::Turn,
    /// Added to the score, to prefer one turn to another.
    pub bonus: i32,
    /// The last score; exact for the best turn, or for all turns on request.
    pub points: i32,
}

/// One search from one root.
pub(crate) struct Search<'s, G: Evaluate + Features> {
    pub game: &'s G,
    pub database: Option<&'s Database<G>>,
    pub memory: &'s mut Memory<G::Position>,
    pub ordering: &'s mut Ordering<G::Turn>,
    pub budget: Budget<'s>,
    /// The positions from the last irreversible turn of the game to the current node.
    pub path: Vec<G::Position>,
    /// Buffers for each ply.
    pub frames: Vec<Frame<G>>,
    /// The first error of the database.
    pub error: Option<ProbeError>,
}

/// The buffers of a node.
pub(crate) struct Frame<G: Evaluate + Features> {
    turns: Vec<G::Turn>,
    order: Vec<(u32, u16)>,
    /// The best line from here.
    line: Vec<G::Turn>,
}

impl<G: Evaluate + Features> Default for Frame<G> {
    fn default() -> Frame<G> {
        Frame {
            turns: Vec::new(),
            order: Vec::new(),
            line: Vec::new(),
        }
    }
}

/// A node with its window.
#[derive(Clone, Copy)]
struct Node<'p, P> {
    position: &'p P,
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// The index in the path of the first position that can repeat.
    floor: usize,
    alpha: i32,
    beta: i32,
}

impl<G: Evaluate + Features> Search<'_, G> {
    /// Searches every turn of the root, and moves the best to the front. If the search is stopped, the
    /// best so far is at the front, and the other turns keep their order. With `all_exact` every turn
    /// gets its exact score, not only the best.
    pub(crate) fn root(
        &mut self,
        root: &G::Position,
        turns: &mut [RootTurn<G>],
        depth: u32,
        all_exact: bool,
        line: &mut Vec<G::Turn>,
    ) -> Result<(), Stopped> {
        let mut best = -INFINITE;
        for i in 0..turns.len() {
            let RootTurn { turn, bonus, .. } = turns[i];
            let searches_wide = i == 0 || all_exact;
            let beaten = if all_exact { -INFINITE } else { best };
            let node = Node {
                position: root,
                depth,
                ply: 0,
                floor: 0,
                alpha: beaten - bonus,
                beta: INFINITE,
            };
            let points = self.turn(&node, &turn, searches_wide)? + bonus;
            turns[i].points = points;
            if points > best {
                best = points;
                line.clear();
                line.push(turn);
                line.extend(&self.frames[1].line);
                turns[..=i].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The score of a turn at a node, exact between alpha and beta. Without `wide`, a null window
    /// decides first whether the turn is better than alpha.
    fn turn(
        &mut self,
        node: &Node<G::Position>,
        turn: &G::Turn,
        wide: bool,
    ) -> Result<i32, Stopped> {
        self.path.push(*node.position);
        let after = self.game.play(node.position, turn);
        let floor = match self.game.is_inside(node.position, turn) {
            true => node.floor,
            false => self.path.len(),
        };
        let child = |alpha: i32, beta: i32| Node {
            position: &after,
            depth: node.depth.saturating_sub(1),
            ply: node.ply + 1,
            floor,
            alpha: -beta,
            beta: -alpha,
        };
        let Node { alpha, beta, .. } = *node;
        let mut points = None;
        if !wide {
            let asked = -self.node(&child(alpha, alpha + 1))?;
            let settled = asked <= alpha || asked >= beta;
            points = settled.then_some(asked);
        }
        let points = match points {
            Some(points) => points,
            None => -self.node(&child(alpha, beta))?,
        };
        self.path.pop();
        Ok(points)
    }

    /// The score of a node below the root for its side to move: exact between alpha and beta, otherwise
    /// a bound.
    fn node(&mut self, node: &Node<G::Position>) -> Result<i32, Stopped> {
        self.budget.spend()?;
        let Node { position, ply, .. } = *node;
        let place = ply as usize;
        if self.frames.len() <= place + 1 {
            self.frames.resize_with(place + 2, Frame::default);
        }
        self.frames[place].line.clear();
        if self.path[node.floor..].contains(position) {
            return Ok(DRAW);
        }
        let remembered = self.memory.find(position).copied();
        if let Some(entry) = remembered
            && u32::from(entry.depth) >= node.depth
            && node.beta - node.alpha == 1
        {
            let points = points::from_root(entry.points, ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => points >= node.beta,
                Bound::AtMost => points <= node.alpha,
            };
            if settles {
                return Ok(points);
            }
        }
        if let Some(outcome) = self.look_up(position) {
            return Ok(points::known(outcome, ply));
        }
        let mut frame = std::mem::take(&mut self.frames[place]);
        self.game.turns(position, &mut frame.turns);
        let best = remembered.map(|entry| usize::from(entry.best));
        let points = self.best_turn(node, &mut frame, best);
        self.frames[place] = frame;
        points
    }

    /// The score of a node by its turns.
    fn best_turn(
        &mut self,
        node: &Node<G::Position>,
        frame: &mut Frame<G>,
        best_before: Option<usize>,
    ) -> Result<i32, Stopped> {
        let (game, position, ply) = (self.game, node.position, node.ply);
        let Frame { turns, order, line } = frame;
        if turns.is_empty() {
            return Ok(match game.finished(position) {
                Some(Value::Draw) => DRAW,
                _ => points::lost(ply),
            });
        }
        if node.depth == 0 && !turns.iter().all(|turn| game.is_capture(position, turn)) {
            return Ok(points::estimated(game.evaluate(position)));
        }
        let ordering = &self.ordering;
        ordering.sort(game, position, turns, best_before, ply, order);
        let (mut best, mut best_place) = (-INFINITE, 0);
        let mut asked = *node;
        for (i, &(_, place)) in order.iter().enumerate() {
            let place = usize::from(place);
            let turn = turns[place];
            let points = self.turn(&asked, &turn, i == 0)?;
            if points > best {
                (best, best_place) = (points, place);
            }
            if points > asked.alpha {
                asked.alpha = points;
                line.clear();
                line.push(turn);
                line.extend(&self.frames[ply as usize + 1].line);
            }
            if points >= node.beta {
                if !game.is_capture(position, &turn) {
                    self.ordering.refuted(&turn, ply, node.depth);
                }
                break;
            }
        }
        let bound = match best {
            _ if best >= node.beta => Bound::AtLeast,
            _ if best > node.alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let points = points::from_node(best, ply);
        let memory = &mut self.memory;
        memory.store(position, points, best_place, node.depth, bound);
        Ok(best)
    }

    /// Asks the database. The first error is kept; a position with an error counts as unknown.
    fn look_up(&mut self, position: &G::Position) -> Option<Outcome> {
        let database = self.database.filter(|database| database.covers(position))?;
        match database.probe_outcome(position) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.error.get_or_insert(error);
                None
            }
        }
    }
}
