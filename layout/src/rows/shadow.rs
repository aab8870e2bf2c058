//! Sets of k points and the sets of k+1 points that contain them: the maximum over all supersets or
//! all subsets of a set, for all columns at once.
//!
//! In colex order the sets of k among n points are those of k among the first n-1, then those of
//! k-1 among them with the last point added. So "add the last point" pairs two runs of columns in
//! order, element by element, which leaves the same problem for n-1 points, twice. Nearly all the
//! work is the elementwise maximum of two runs, which vectorises; only the last few points are
//! paired one by one.

use endmill_games::combinadics::binomial;

use crate::TurnScore;

/// The largest number of points for which pairs are listed.
const LISTED: usize = 5;
/// The longest list: C(5, 2) sets of two, each in three sets of three.
const LONGEST: usize = 30;

/// The number of pairs, and the pairs: a set, and a subset with one man less.
type Pairs = (usize, [(u8, u8); LONGEST]);

/// By points, then by men.
static PAIRS: [[Pairs; LISTED]; LISTED + 1] = list_pairs();

const fn list_pairs() -> [[Pairs; LISTED]; LISTED + 1] {
    let mut all = [[(0, [(0, 0); LONGEST]); LISTED]; LISTED + 1];
    let mut points = 0;
    while points <= LISTED {
        let mut larger: u32 = 1;
        while larger < 1 << points {
            let men = larger.count_ones() as usize - 1;
            let mut member = 0;
            while member < points {
                if larger >> member & 1 == 1 {
                    let (count, pairs) = &mut all[points][men];
                    let smaller = larger & !(1 << member);
                    pairs[*count] = (number_of(larger), number_of(smaller));
                    *count += 1;
                }
                member += 1;
            }
            larger += 1;
        }
        points += 1;
    }
    all
}

/// Returns the number of smaller sets with as many members.
const fn number_of(set: u32) -> u8 {
    let mut number = 0;
    let mut before = 0;
    while before < set {
        number += (before.count_ones() == set.count_ones()) as u8;
        before += 1;
    }
    number
}

/// Raises each set of `men` among `points` to the maximum over its supersets with one more.
pub(super) fn max_by_larger(points: u32, men: u32, larger: &[TurnScore], best: &mut [TurnScore]) {
    if men >= points {
        return;
    }
    if points as usize <= LISTED {
        let (count, pairs) = &PAIRS[points as usize][men as usize];
        for &(with, without) in &pairs[..*count] {
            let best = &mut best[usize::from(without)];
            *best = (*best).max(larger[usize::from(with)]);
        }
        return;
    }
    if men == 0 {
        best[0] = larger.iter().fold(best[0], |best, &with| best.max(with));
        return;
    }
    let (larger, larger_with_last) = larger.split_at(binomial(points - 1, men + 1) as usize);
    let (best, best_with_last) = best.split_at_mut(binomial(points - 1, men) as usize);
    max_into(best, larger_with_last);
    max_by_larger(points - 1, men, larger, best);
    max_by_larger(points - 1, men - 1, larger_with_last, best_with_last);
}

/// Raises each set of `men` + 1 among `points` to the maximum over its subsets with one less.
pub(super) fn max_by_smaller(points: u32, men: u32, smaller: &[TurnScore], best: &mut [TurnScore]) {
    if men >= points {
        return;
    }
    if points as usize <= LISTED {
        let (count, pairs) = &PAIRS[points as usize][men as usize];
        for &(with, without) in &pairs[..*count] {
            let best = &mut best[usize::from(with)];
            *best = (*best).max(smaller[usize::from(without)]);
        }
        return;
    }
    if men == 0 {
        for best in best {
            *best = (*best).max(smaller[0]);
        }
        return;
    }
    let (best, best_with_last) = best.split_at_mut(binomial(points - 1, men + 1) as usize);
    let (smaller, smaller_with_last) = smaller.split_at(binomial(points - 1, men) as usize);
    max_into(best_with_last, smaller);
    max_by_smaller(points - 1, men, smaller, best);
    max_by_smaller(points - 1, men - 1, smaller_with_last, best_with_last);
}

fn max_into(best: &mut [TurnScore], by: &[TurnScore]) {
    for (best, &by) in best.iter_mut().zip(by) {
        *best = (*best).max(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeValue;
    use endmill_games::Value;
    use endmill_games::morris::columns::Columns;
    use endmill_games::morris::moves::points;

    /// Returns scores in no order.
    fn some_scores(count: usize) -> Vec<TurnScore> {
        let plies = (0..count).map(|i| (i * 7919 % 401) as u16);
        let values = plies.map(|plies| match plies {
            plies if plies % 2 == 1 => Value::Win(plies),
            plies => Value::Loss(plies),
        });
        values.map(|value| NodeValue::new(value).score()).collect()
    }

    #[test]
    fn runs_find_the_same_best_as_sets_one_by_one() {
        for (free, men) in [
            (15, 6),
            (9, 0),
            (8, 7),
            (5, 2),
            (6, 1),
            (3, 2),
            (4, 4),
            (1, 0),
        ] {
            let (less, more) = (Columns::new(free, men), Columns::new(free, men + 1));
            let (smaller, larger) = (some_scores(less.len()), some_scores(more.len()));
            let mut by_larger = vec![TurnScore::NONE; less.len()];
            let mut by_smaller = vec![TurnScore::NONE; more.len()];
            for (column, &set) in more.sets().iter().enumerate() {
                for member in points(set) {
                    let without = less.rank(set & !(1 << member)) as usize;
                    by_larger[without] = by_larger[without].max(larger[column]);
                    by_smaller[column] = by_smaller[column].max(smaller[without]);
                }
            }
            let mut found = vec![TurnScore::NONE; less.len()];
            max_by_larger(free, men, &larger, &mut found);
            assert_eq!(found, by_larger);
            let mut found = vec![TurnScore::NONE; more.len()];
            max_by_smaller(free, men, &smaller, &mut found);
            assert_eq!(found, by_smaller);
        }
    }
}
