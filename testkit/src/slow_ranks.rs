//! Ranks of draws by their definition, which share nothing with the solver but the rules.
//!
//! For every score t, which draws guarantee their side to move at least t? A game that goes on for ever
//! in a table guarantees its score. So the answer is the limit of a guess: that every draw guarantees
//! the score of its table, corrected by looking one turn ahead until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use endmill_games::value::Score;
use endmill_games::{Features, Outcome};

/// The rank of a draw, and the plies until it leaves its table if its rank is not the table's score.
pub type SlowRank = (Score, Option<u16>);

/// The ranks of the draws of some tables.
pub struct SlowRanks<G: Features> {
    /// By table and number; `None` for what is not a draw.
    pub ranks: BTreeMap<G::Table, Vec<Option<SlowRank>>>,
    /// The scores of the tables in which a game can stay.
    pub scores: BTreeMap<G::Table, Score>,
}

/// A turn of a draw that does not lose.
enum Turn {
    /// Out of the group, to a draw with this score for the side that makes the turn.
    Exit(Score),
    /// To a node of the group.
    Inside(u32),
}

struct Node<T> {
    table: T,
    index: usize,
    turns: Vec<Turn>,
}

impl<G: Features> SlowRanks<G> {
    /// Ranks the draws of tables, each of which comes after those that it leads to. `outcome` returns
    /// who wins, and `stays` whether a game can stay in a table for ever.
    pub fn new(
        game: &G,
        tables: &[G::Table],
        outcome: impl Fn(&G::Position) -> Outcome,
        stays: impl Fn(G::Table) -> bool,
    ) -> SlowRanks<G> {
        let mut slow = SlowRanks {
            ranks: BTreeMap::new(),
            scores: BTreeMap::new(),
        };
        let outcomes_of = |table: G::Table| -> Vec<Outcome> {
            let positions = (0..game.size(table)).map(|index| game.unrank(table, index));
            positions.map(|position| outcome(&position)).collect()
        };
        let outcomes: BTreeMap<G::Table, Vec<Outcome>> = tables
            .iter()
            .map(|&table| (table, outcomes_of(table)))
            .collect();
        for &table in tables.iter().filter(|&&table| stays(table)) {
            let partner = game.partner(table);
            let (own, other) = (&outcomes[&table], &outcomes[&partner]);
            let advantage = advantage(own) - advantage(other);
            let score = Score::new(advantage, (own.len() + other.len()) as u64);
            slow.scores.insert(table, score);
        }
        for &table in tables {
            if !slow.ranks.contains_key(&table) {
                let together = [table, game.partner(table)].into_iter();
                let group: BTreeSet<G::Table> =
                    together.filter(|own| outcomes.contains_key(own)).collect();
                slow.rank_group(game, &group, &outcomes, &outcome);
            }
        }
        slow
    }

    fn rank_group(
        &mut self,
        game: &G,
        group: &BTreeSet<G::Table>,
        outcomes: &BTreeMap<G::Table, Vec<Outcome>>,
        outcome: &impl Fn(&G::Position) -> Outcome,
    ) {
        let mut numbers = BTreeMap::new();
        let mut nodes: Vec<Node<G::Table>> = Vec::new();
        for &table in group {
            let draws = outcomes[&table].iter().enumerate();
            let draws = draws.filter(|(_, outcome)| **outcome == Outcome::Draw);
            for (index, _) in draws {
                numbers.insert((table, index), nodes.len() as u32);
                nodes.push(Node {
                    table,
                    index,
                    turns: Vec::new(),
                });
            }
        }
        for node in &mut nodes {
            let position = game.unrank(node.table, node.index as u64);
            if game.finished(&position).is_some() {
                node.turns.push(Turn::Exit(Score::ZERO));
            }
            game.visit_routes(&position, &mut |after| {
                if outcome(&after) != Outcome::Draw {
                    return;
                }
                let into = game.table_of(&after);
                let inside = into.filter(|&into| into == game.partner(node.table));
                node.turns.push(match inside {
                    Some(into) => Turn::Inside(numbers[&(into, game.rank(&after) as usize)]),
                    None => Turn::Exit(-self.rank_of(game, &after, outcome)),
                });
            });
        }
        let own = |node: &Node<G::Table>| self.scores.get(&node.table).copied();
        let all = self.scores.values().flat_map(|&score| [score, -score]);
        let mut all: BTreeSet<Score> = all.chain([Score::ZERO]).collect();
        all.extend(
            nodes
                .iter()
                .flat_map(|node| &node.turns)
                .filter_map(|turn| match turn {
                    Turn::Exit(score) => Some(*score),
                    Turn::Inside(_) => None,
                }),
        );
        // Better than the worst score of all is every other one.
        let mut ranks = vec![*all.first().unwrap(); nodes.len()];
        for &least in &all {
            // At least the score for one side; for the other, more than its opposite.
            let stays = |node: &Node<G::Table>| own(node).unwrap_or(Score::ZERO);
            let mut at_least: Vec<bool> = nodes.iter().map(|node| stays(node) >= least).collect();
            let mut more: Vec<bool> = nodes.iter().map(|node| stays(node) > -least).collect();
            loop {
                let guarantees =
                    |node: &Node<G::Table>, is_enough: &dyn Fn(Score) -> bool, other: &[bool]| {
                        node.turns.iter().any(|turn| match turn {
                            Turn::Exit(score) => is_enough(*score),
                            Turn::Inside(next) => !other[*next as usize],
                        })
                    };
                let next_at_least: Vec<bool> = nodes
                    .iter()
                    .map(|node| guarantees(node, &|score| score >= least, &more))
                    .collect();
                let next_more: Vec<bool> = nodes
                    .iter()
                    .map(|node| guarantees(node, &|score| score > -least, &at_least))
                    .collect();
                let same = next_at_least == at_least && next_more == more;
                (at_least, more) = (next_at_least, next_more);
                if same {
                    break;
                }
            }
            for (rank, _) in ranks
                .iter_mut()
                .zip(&at_least)
                .filter(|(_, at_least)| **at_least)
            {
                *rank = least;
            }
        }
        let plies = plies(&nodes, &ranks, |node| own(node));
        for &table in group {
            self.ranks.insert(table, vec![None; outcomes[&table].len()]);
        }
        for ((node, rank), plies) in nodes.iter().zip(ranks).zip(plies) {
            self.ranks.get_mut(&node.table).unwrap()[node.index] = Some((rank, plies));
        }
    }

    /// The rank of a drawn position outside the group, from its side to move.
    fn rank_of(
        &self,
        game: &G,
        position: &G::Position,
        outcome: &impl Fn(&G::Position) -> Outcome,
    ) -> Score {
        if let Some(table) = game.table_of(position) {
            return self.ranks[&table][game.rank(position) as usize].unwrap().0;
        }
        if game.finished(position).is_some() {
            return Score::ZERO;
        }
        let mut best = None;
        game.visit_routes(position, &mut |after| {
            if outcome(&after) == Outcome::Draw {
                best = best.max(Some(-self.rank_of(game, &after, outcome)));
            }
        });
        best.expect("a draw has a turn that draws")
    }
}

fn advantage(outcomes: &[Outcome]) -> i64 {
    let count = |wanted| outcomes.iter().filter(|&&own| own == wanted).count() as i64;
    count(Outcome::Win) - count(Outcome::Loss)
}

/// The plies until draws leave their table, where they do not stay: ply after ply.
fn plies<T>(
    nodes: &[Node<T>],
    ranks: &[Score],
    own: impl Fn(&Node<T>) -> Option<Score>,
) -> Vec<Option<u16>> {
    let mut plies: Vec<Option<u16>> = vec![None; nodes.len()];
    for ply in 1.. {
        let mut decided = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            let rank = ranks[number];
            let Some(own) = own(node) else { continue };
            if plies[number].is_some() || rank == own {
                continue;
            }
            // How long each turn that keeps the rank takes.
            let mut turns = node.turns.iter().filter_map(|turn| match turn {
                Turn::Exit(score) => (*score == rank).then_some(Some(0)),
                Turn::Inside(next) => {
                    let next = *next as usize;
                    (ranks[next] == -rank).then_some(plies[next])
                }
            });
            let is_next = match rank > own {
                true => turns.any(|turn| turn == Some(ply - 1)),
                false => turns.all(|turn| turn.is_some_and(|turn| turn < ply)),
            };
            if is_next {
                decided.push(number);
            }
        }
        if decided.is_empty() {
            return plies;
        }
        for number in decided {
            plies[number] = Some(ply);
        }
    }
    unreachable!("plies end")
}
