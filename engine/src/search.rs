//! Alpha-beta over any game.
//!
//! A node is worth the most that one of its turns is worth, each the negative of what the other
//! side gets after it; what cannot change the result at the root is left out. Only the first turn
//! is searched for its exact worth: the others are asked whether they are better, and searched
//! again if they are. Nothing is left out on suspicion, so a win or loss that is found is proved.
//!
//! Lines end where the database knows the outcome, where a position comes back (a draw), where the
//! game is over, and at depth 0 by an estimate; but while all turns are captures, as where they are
//! forced, nothing can be said about a position, and the line goes on.

use endmill_games::{Evaluate, Features, Outcome, Value};
use endmill_probe::{Database, ProbeError};

use crate::budget::{Budget, Stopped};
use crate::memory::{Bound, Memory};
use crate::ordering::Ordering;
use crate::points::{self, DRAW, INFINITE};

/// A turn at the root.
pub(crate) struct RootTurn<G: Evaluate + Features> {
    pub turn: G::Turn,
    /// Added to what the search finds, to prefer one turn to another.
    pub bonus: i32,
    /// What it was worth when last searched; exact for the best turn, or for all if that was
    /// asked for.
    pub points: i32,
}

/// One search from one root.
pub(crate) struct Search<'s, G: Evaluate + Features> {
    pub game: &'s G,
    pub database: Option<&'s Database<G>>,
    pub memory: &'s mut Memory<G::Position>,
    pub ordering: &'s mut Ordering<G::Turn>,
    pub budget: Budget<'s>,
    /// The positions from the last turn of the game that cannot be taken back to the current node.
    pub path: Vec<G::Position>,
    /// Buffers by ply.
    pub frames: Vec<Frame<G>>,
    /// The first error of the database.
    pub trouble: Option<ProbeError>,
}

/// What a node needs while it is searched.
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

/// A node and what is asked about it.
#[derive(Clone, Copy)]
struct Node<'p, P> {
    position: &'p P,
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// Where in the path the positions begin that can come back.
    floor: usize,
    alpha: i32,
    beta: i32,
}

impl<G: Evaluate + Features> Search<'_, G> {
    /// Searches every turn of the root, and puts the best in front. If the search is stopped
    /// before, the best so far is in front, and the turns that were not searched keep their
    /// order. With `all_exact` every turn gets its exact worth, not only the best.
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

    /// What a turn is worth at a node: exact between alpha and beta. If it is not searched wide, it
    /// is first asked whether it is better than alpha at all.
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

    /// What a node below the root is worth for its side to move: exact between alpha and beta,
    /// otherwise a bound.
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

    /// What a node is worth by its turns.
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

    /// What the database says. A database that cannot be read is none, but is remembered.
    fn look_up(&mut self, position: &G::Position) -> Option<Outcome> {
        let database = self.database.filter(|database| database.covers(position))?;
        match database.probe_outcome(position) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.trouble.get_or_insert(error);
                None
            }
        }
    }
}
