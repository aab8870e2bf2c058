//! The sum of the small traits, and the laws that hold between them.

use crate::evaluate::Evaluate;
use crate::features::Features;
use crate::notation::Interchange;

/// A game with everything that the programs need: [`Rules`](crate::Rules),
/// [`Numbering`](crate::Numbering), [`Features`], [`Notation`](crate::Notation), [`Interchange`]
/// and [`Evaluate`]. Every type with all of them is a game.
///
/// # Laws
///
/// `games/tests/laws/` holds every ruleset to these:
/// - `rank(unrank(t, i)) == i` for every `i < size(t)`, and `unrank` gives canonical positions;
/// - every symmetric image of a position has its rank;
/// - for positions P and Q, (inside turns from P into the orbit of Q) · |S(Q)| =
///   (un-moves from Q into the orbit of P) · |S(P)|, where |S| is
///   [`stabiliser`](crate::Unmoves::stabiliser);
/// - a [resolved](Features::is_resolved) position has turns, they all lead into tables of
///   [`resolved_from`](Features::resolved_from) or end the game, and its feature says so;
/// - what is printed is read back as the same thing, and the setup of a position is legal and is
///   that position.
pub trait Game: Interchange + Features + Evaluate {}

impl<G: Interchange + Features + Evaluate> Game for G {}
