//! How good a draw is: the score of the table in which the game stays for ever.
//!
//! [`DrawScores`] numbers the scores that occur; a [`Ranked`] value is a win, a loss, or a draw with
//! the number of its score. In memory it has the form of a [`NodeValue`], so that whatever finds best
//! turns by values finds them by ranks: a draw of a better rank looks like a win in more plies, one of
//! a worse rank like a loss in more plies. A turn does not change a rank, though it adds a ply to a
//! distance: [`Scale`] says which of the two a table holds.

use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;
use std::str::FromStr;

use super::{Conversion, NodeValue, Outcome, TurnScore, Value};

/// The score of a table, from the side to move: an exact fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Score {
    numerator: i64,
    denominator: u64,
}

impl Score {
    /// The score of a table in which both sides have the same prospects, and of a draw by rule.
    pub const ZERO: Score = Score {
        numerator: 0,
        denominator: 1,
    };

    /// The fraction in lowest terms.
    ///
    /// # Panics
    /// Panics if the denominator is 0.
    pub fn new(numerator: i64, denominator: u64) -> Score {
        assert!(denominator > 0, "a score is a fraction");
        let (mut a, mut b) = (numerator.unsigned_abs(), denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let divisor = a.max(1);
        let magnitude = (numerator.unsigned_abs() / divisor) as i64;
        Score {
            numerator: if numerator < 0 { -magnitude } else { magnitude },
            denominator: denominator / divisor,
        }
    }

    /// The upper part of the fraction.
    pub fn numerator(self) -> i64 {
        self.numerator
    }

    /// The lower part of the fraction; positive.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest number in floating point, for display.
    pub fn approximate(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        let product =
            |one: &Score, other: &Score| i128::from(one.numerator) * i128::from(other.denominator);
        product(self, other).cmp(&product(other, self))
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Score {
    type Output = Score;

    /// The same score seen by the other side.
    fn neg(self) -> Score {
        Score {
            numerator: -self.numerator,
            ..self
        }
    }
}

/// `-3/20`, or `-236` where the denominator is 1.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => f.pad(&self.numerator.to_string()),
            denominator => f.pad(&format!("{}/{denominator}", self.numerator)),
        }
    }
}

/// A text that is not a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a score: expected an integer, a fraction or a decimal number")]
pub struct NotAScore;

/// Reads `-236`, `-3/20` and `-0.15`.
impl FromStr for Score {
    type Err = NotAScore;

    fn from_str(text: &str) -> Result<Score, NotAScore> {
        let integer = |text: &str| text.parse::<i64>().map_err(|_| NotAScore);
        if let Some((upper, lower)) = text.split_once('/') {
            let lower: u64 = lower.parse().map_err(|_| NotAScore)?;
            return match lower {
                0 => Err(NotAScore),
                _ => Ok(Score::new(integer(upper)?, lower)),
            };
        }
        match text.split_once('.') {
            None => Ok(Score::new(integer(text)?, 1)),
            Some((whole, decimals)) => {
                let is_plain = !decimals.is_empty() && decimals.bytes().all(|c| c.is_ascii_digit());
                let power = u32::try_from(decimals.len()).ok();
                let lower = power.and_then(|power| 10u64.checked_pow(power));
                match lower.filter(|_| is_plain) {
                    Some(lower) => Ok(Score::new(integer(&format!("{whole}{decimals}"))?, lower)),
                    None => Err(NotAScore),
                }
            }
        }
    }
}

/// The number of a score among [`DrawScores`]: 0 for the score 0, positive for better ones, negative
/// for worse ones.
pub type ScoreNumber = i16;

/// The scores of some tables, closed under negation and numbered in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawScores {
    /// In increasing order.
    positive: Vec<Score>,
}

/// The value of a position with the rank of its draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ranked {
    /// The side to move loses.
    Loss,
    /// A draw with the score of this number.
    Draw(ScoreNumber),
    /// The side to move wins.
    Win,
}

impl Neg for Ranked {
    type Output = Ranked;

    /// The same seen by the other side.
    fn neg(self) -> Ranked {
        match self {
            Ranked::Loss => Ranked::Win,
            Ranked::Draw(number) => Ranked::Draw(-number),
            Ranked::Win => Ranked::Loss,
        }
    }
}

impl Ranked {
    /// Without the rank.
    pub fn outcome(self) -> Outcome {
        match self {
            Ranked::Loss => Outcome::Loss,
            Ranked::Draw(_) => Outcome::Draw,
            Ranked::Win => Outcome::Win,
        }
    }
}

/// What the values of a table say beyond the outcome, and so how a turn changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Distances: a turn adds a ply.
    Plies,
    /// Ranks of draws: a turn only changes the side.
    Ranks,
}

/// The plies that stand for the most extreme rank of a win-like draw; a true win has 1.
const FIRST: u16 = 3;

impl DrawScores {
    /// The most positive scores that can be numbered: their values fit a [`NodeValue`].
    pub const MOST: usize = 4000;

    /// Numbers scores, and those of the other side; `None` if there are more than
    /// [`MOST`](DrawScores::MOST) of each sign.
    pub fn new(scores: impl IntoIterator<Item = Score>) -> Option<DrawScores> {
        let positive = scores.into_iter().map(|score| score.max(-score));
        let mut positive: Vec<Score> = positive.filter(|&score| score != Score::ZERO).collect();
        positive.sort_unstable();
        positive.dedup();
        (positive.len() <= DrawScores::MOST).then_some(DrawScores { positive })
    }

    /// The greatest number of a score.
    pub fn most(&self) -> ScoreNumber {
        self.positive.len() as ScoreNumber
    }

    /// The number of a score; `None` if it is not among them.
    pub fn number(&self, score: Score) -> Option<ScoreNumber> {
        if score == Score::ZERO {
            return Some(0);
        }
        let place = self.positive.binary_search(&score.max(-score)).ok()?;
        let number = place as ScoreNumber + 1;
        Some(if score < Score::ZERO { -number } else { number })
    }

    /// The score of a number.
    ///
    /// # Panics
    /// Panics if there is none.
    pub fn score(&self, number: ScoreNumber) -> Score {
        match number {
            0 => Score::ZERO,
            1.. => self.positive[number as usize - 1],
            _ => -self.positive[usize::from(number.unsigned_abs()) - 1],
        }
    }

    /// Packs a ranked value.
    pub fn node(&self, ranked: Ranked) -> NodeValue {
        let from_the_end = |number: ScoreNumber| (self.most() - number) as u16;
        NodeValue::new(match ranked {
            Ranked::Loss => Value::Loss(0),
            Ranked::Win => Value::Win(1),
            Ranked::Draw(0) => Value::Draw,
            Ranked::Draw(number @ 1..) => Value::Win(2 * from_the_end(number) + FIRST),
            Ranked::Draw(number) => Value::Loss(2 * from_the_end(-number) + FIRST - 1),
        })
    }

    /// Unpacks what [`node`](DrawScores::node) packed.
    pub fn ranked(&self, node: NodeValue) -> Ranked {
        match node.value() {
            Value::Draw => Ranked::Draw(0),
            Value::Loss(0) => Ranked::Loss,
            Value::Win(1) => Ranked::Win,
            Value::Win(plies) => Ranked::Draw(self.most() - ((plies - FIRST) / 2) as ScoreNumber),
            Value::Loss(plies) => {
                Ranked::Draw(((plies + 1 - FIRST) / 2) as ScoreNumber - self.most())
            }
        }
    }

    /// What the best turn, by its score in tables of ranks, is worth for the side that makes it;
    /// `None` if there is no turn.
    pub fn of_turn(&self, best: TurnScore) -> Option<Ranked> {
        let node = NodeValue::new(best.value_on(Scale::Ranks)?);
        Some(self.ranked(node))
    }
}

/// The values of a group in which a draw shows its rank and how soon it converts, so that the best turn
/// shows both: a better rank is better; at equal ranks, the side that gains ground hurries and the other
/// delays.
#[derive(Clone, Debug)]
pub struct ConversionValues<'a> {
    scores: &'a DrawScores,
    /// The score of the table of the first phase.
    own: ScoreNumber,
    /// By the phase whose side gains, then by class: half of the plies that stand for a conversion in 0.
    bases: [Vec<u16>; 2],
}

impl<'a> ConversionValues<'a> {
    /// The values of a group; `longest` returns the most plies of a conversion, given the phase whose
    /// side gains, and the class. `None` if there are too many of them.
    pub fn new(
        scores: &'a DrawScores,
        own: ScoreNumber,
        longest: impl Fn(usize, u16) -> u16,
    ) -> Option<ConversionValues<'a>> {
        let mut bases = [Vec::new(), Vec::new()];
        for (gaining, bases) in bases.iter_mut().enumerate() {
            let mut next = 1_u16;
            for class in 0..=2 * scores.most().unsigned_abs() {
                bases.push(next);
                let used = longest(gaining, class).checked_add(1)?;
                next = next
                    .checked_add(used)
                    .filter(|&next| next < NodeValue::PLIES / 2)?;
            }
        }
        Some(ConversionValues { scores, own, bases })
    }

    /// The score of a phase's own table.
    fn own(&self, phase: usize) -> ScoreNumber {
        if phase == 0 { self.own } else { -self.own }
    }

    /// Packs the value of a node of a phase.
    pub fn node(&self, phase: usize, ranked: Ranked, plies: u16) -> NodeValue {
        let Ranked::Draw(rank) = ranked else {
            return self.scores.node(ranked);
        };
        NodeValue::new(
            match Conversion::of_rank(self.scores, self.own(phase), rank) {
                None => Value::Draw,
                Some((true, class)) => {
                    Value::Win(2 * (self.bases[phase][usize::from(class)] + plies) + 1)
                }
                Some((false, class)) => {
                    Value::Loss(2 * (self.bases[1 - phase][usize::from(class)] + plies))
                }
            },
        )
    }

    /// The score of the best exit of a node of a phase, given that in tables of ranks.
    pub fn exit(&self, phase: usize, exit: TurnScore) -> TurnScore {
        match self.scores.of_turn(exit) {
            None => TurnScore::NONE,
            Some(ranked) => self.node(1 - phase, -ranked, 0).score(),
        }
    }

    /// The value that its best turn gives a node of a phase, with the plies of its conversion; 0 where
    /// it has none. `None` if it has no turn.
    pub fn of_turn(&self, phase: usize, best: TurnScore) -> Option<(Ranked, u16)> {
        let value = best.value_on(Scale::Ranks)?;
        let (gaining, half) = match value {
            Value::Draw => return Some((Ranked::Draw(self.own(phase)), 0)),
            Value::Loss(0) => return Some((Ranked::Loss, 0)),
            Value::Win(1) => return Some((Ranked::Win, 0)),
            Value::Win(plies) => (phase, plies / 2),
            Value::Loss(plies) => (1 - phase, plies / 2),
        };
        let bases = &self.bases[gaining];
        let class = bases.partition_point(|&base| base <= half).checked_sub(1)?;
        let conversion = Conversion {
            gains: gaining == phase,
            class: class as u16,
            plies: half - bases[class] + 1,
        };
        Some((Ranked::Draw(conversion.rank(self.scores)), conversion.plies))
    }
}

impl TurnScore {
    /// As [`TurnScore::value`], on either scale.
    pub fn value_on(self, scale: Scale) -> Option<Value> {
        let value = self.value()?;
        Some(match (scale, value) {
            // A loss is packed one lower than the win that it answers.
            (Scale::Ranks, Value::Loss(plies)) => Value::Loss(plies - 2),
            _ => value,
        })
    }

    /// As [`TurnScore::for_other_side`], on either scale.
    pub fn for_other_side_on(self, scale: Scale) -> TurnScore {
        match (scale, self.value_on(scale)) {
            (Scale::Plies, _) | (_, None) => self.for_other_side(),
            (Scale::Ranks, Some(value)) => NodeValue::new(value).score(),
        }
    }
}

impl NodeValue {
    /// As [`NodeValue::best_turn`], on either scale.
    pub fn best_turn_on(self, scale: Scale) -> TurnScore {
        match (scale, self.value()) {
            (Scale::Plies, _) => self.best_turn(),
            (Scale::Ranks, Value::Draw) => TurnScore::DRAW,
            // What it answers, seen by the other side.
            (Scale::Ranks, Value::Loss(plies)) => NodeValue::new(Value::Win(plies + 1)).score(),
            (Scale::Ranks, Value::Win(plies)) => NodeValue::new(Value::Loss(plies - 1)).score(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_scores() -> DrawScores {
        let scores = [(1, 3), (-2, 6), (5, 7), (0, 9), (-236, 1)];
        DrawScores::new(scores.map(|(upper, lower)| Score::new(upper, lower))).unwrap()
    }

    #[test]
    fn a_score_is_a_fraction_in_lowest_terms() {
        assert_eq!(Score::new(-6, 40), Score::new(-3, 20));
        assert_eq!(Score::new(0, 17), Score::ZERO);
        assert!(Score::new(1, 3) > Score::new(333_333_333, 1_000_000_000));
        for (text, score) in [
            ("-236", Score::new(-236, 1)),
            ("-3/20", Score::new(-3, 20)),
            ("-0.15", Score::new(-3, 20)),
            ("0.5", Score::new(1, 2)),
        ] {
            assert_eq!(text.parse(), Ok(score));
            assert_eq!(score.to_string().parse(), Ok(score));
        }
        for text in ["", "x", "1/0", "1.", "1.x", ".5.", "1/-2", "1e3"] {
            assert_eq!(text.parse::<Score>(), Err(NotAScore), "{text}");
        }
    }

    #[test]
    fn scores_are_numbered_in_order_from_either_side() {
        let scores = some_scores();
        assert_eq!(scores.most(), 3);
        for number in -3..=3 {
            let score = scores.score(number);
            assert_eq!(scores.number(score), Some(number));
            assert_eq!(scores.score(-number), -score);
            assert!(number == 3 || score < scores.score(number + 1));
        }
        assert_eq!(scores.number(Score::new(1, 2)), None);
    }

    #[test]
    fn ranked_values_are_ordered_as_turns_to_them() {
        let scores = some_scores();
        let mut all = vec![Ranked::Loss];
        all.extend((-3..=3).map(Ranked::Draw));
        all.push(Ranked::Win);
        let mut last = TurnScore::NONE;
        for &ranked in all.iter().rev() {
            let node = scores.node(ranked);
            assert_eq!(scores.ranked(node), ranked);
            // The worse a position for its side to move, the better a turn to it.
            let turn = node.score();
            assert!(turn > last, "{ranked:?}");
            last = turn;
            assert_eq!(scores.of_turn(turn), Some(-ranked));
            let best = node.best_turn_on(Scale::Ranks);
            if ranked != Ranked::Loss {
                assert_eq!(scores.of_turn(best), Some(ranked));
                assert_eq!(best.for_other_side_on(Scale::Ranks), turn);
            }
        }
        assert_eq!(scores.of_turn(TurnScore::NONE), None);
    }
}
