//! Reviews a game: the value of each of its turns.

use endmill_games::{Ending, Game, Outcome, Verdict};
use endmill_records::{RecordError, Transcript};

use crate::answers::{
    Mistake, Opinion, RecordProblemAnswer, ReviewAnswer, ReviewSummary, ReviewedTurn, ValueAnswer,
};
use crate::database::Database;
use crate::draw_rank::DrawRank;
use crate::error::{ProbeError, Result};
use crate::moves::{RankedTurn, TurnValue};

/// Chooses a turn in a position whose value the tables do not know, and estimates the position.
/// Returns `None` if the game is over, or if no estimate is wanted.
pub type Advisor<'a> = dyn FnMut(&str) -> Option<Opinion> + 'a;

impl<G: Game> Database<G> {
    /// Reviews a game up to the first turn that cannot be played, which the answer reports with its
    /// place. For turns into missing tables, `advisor` gives an estimate.
    pub fn review(
        &self,
        transcript: &Transcript,
        advisor: &mut Advisor<'_>,
    ) -> Result<ReviewAnswer> {
        let game = self.game();
        let replayed = transcript.replay(game);
        let record = &replayed.record;
        let positions = record.positions(game);
        let mut turns = Vec::new();
        for (noted, position) in record.turns.iter().zip(&positions) {
            turns.push(self.judge(position, &noted.turn, advisor)?);
        }
        let tags = record.tags.iter();
        // If the record breaks off, its result belongs to turns that cannot be played.
        let complete = replayed.problem.is_none();
        let termination = record.termination(game).filter(|_| complete);
        Ok(ReviewAnswer {
            ruleset: game.description().id,
            tags: tags
                .map(|tag| (tag.name.clone(), tag.value.clone()))
                .collect(),
            start: game.format_position(&record.start),
            summary: ReviewSummary::of(&turns),
            turns,
            result: (termination.map(Ending::from)).or_else(|| record.ending(game)),
            problems: replayed
                .problem
                .iter()
                .map(RecordError::to_string)
                .collect(),
            error: replayed.problem.as_ref().map(RecordProblemAnswer::from),
            sheet: record.sheet(game),
            broken: replayed.problem,
        })
    }

    /// Compares a legal turn with the others.
    fn judge(
        &self,
        position: &G::Position,
        turn: &G::Turn,
        advisor: &mut Advisor<'_>,
    ) -> Result<ReviewedTurn> {
        let game = self.game();
        let moves = self.moves(position)?;
        let before = known(self.probe(position))?;
        let played = moves.iter().find(|ranked| ranked.turn == *turn);
        let value = played.map(|ranked| &ranked.value);
        let after = value.and_then(TurnValue::verdict);
        let missing = value.and_then(TurnValue::missing_table);
        let reached = game.format_position(&game.play(position, turn));
        let (mut estimate, mut estimated_best) = (None, None);
        if after.is_none() {
            estimate = advisor(&reached).map(|opinion| opinion.estimate.one_turn_earlier());
        }
        if before.is_none() {
            estimated_best = advisor(&game.format_position(position));
        }
        let best = before.map_or(Vec::new(), |verdict| best(verdict, &moves));
        let mistake = mistake(before, after);
        let one_keeps = one_keeps(before, &moves);
        Ok(ReviewedTurn {
            text: game.format_turn(position, turn),
            side: game.to_move(position),
            mistake,
            plies_lost: plies_lost(before, after),
            ground_lost: played.and_then(|played| ground_lost(played, &moves)),
            only_move: one_keeps && mistake.is_none(),
            one_keeps,
            before: before.map(ValueAnswer::from),
            after: after.map(ValueAnswer::from),
            best: (best.iter())
                .map(|ranked| game.format_turn(position, &ranked.turn))
                .collect(),
            position: reached,
            missing,
            estimate,
            estimated_best,
        })
    }
}

/// The value, if it is known. Errors other than a missing table are passed on.
fn known(probed: Result<Verdict>) -> Result<Option<Verdict>> {
    match probed {
        Ok(verdict) => Ok(Some(verdict)),
        Err(error) if ProbeError::is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The turns that keep the value of the position, as far as that is proved. Turns into missing tables
/// are left out.
fn best<G: Game>(verdict: Verdict, moves: &[RankedTurn<G>]) -> Vec<&RankedTurn<G>> {
    let outcome = |ranked: &&RankedTurn<G>| {
        let found = ranked.value.verdict().map(Verdict::outcome);
        found == Some(verdict.outcome())
    };
    let keeping: Vec<&RankedTurn<G>> = moves.iter().filter(outcome).collect();
    let all_known = moves.iter().all(|ranked| {
        let verdict = ranked.value.verdict();
        verdict.is_some_and(|verdict| verdict.value().is_some())
    });
    // If the distance of the position is unknown, that of its best turn holds if all are known.
    let wanted = match verdict.value() {
        Some(_) => Some(verdict),
        None if all_known => moves.first().and_then(|first| first.value.verdict()),
        None => None,
    };
    match wanted {
        None => keeping,
        wanted => {
            let best = moves.first().and_then(|first| first.draw_rank.as_ref());
            let same = |own: &DrawRank| best.is_none_or(|best| best.score == own.score);
            (keeping.into_iter())
                .filter(|ranked| ranked.value.verdict() == wanted)
                .filter(|ranked| ranked.draw_rank.as_ref().is_none_or(same))
                .collect()
        }
    }
}

/// Returns whether exactly one of several turns keeps a win or a draw.
fn one_keeps<G: Game>(before: Option<Verdict>, moves: &[RankedTurn<G>]) -> bool {
    let Some(outcome) = before.map(Verdict::outcome) else {
        return false;
    };
    let mut keeping = 0;
    for ranked in moves {
        match ranked.value.verdict() {
            None => return false,
            Some(verdict) => keeping += usize::from(verdict.outcome() == outcome),
        }
    }
    outcome != Outcome::Loss && moves.len() > 1 && keeping == 1
}

fn mistake(before: Option<Verdict>, after: Option<Verdict>) -> Option<Mistake> {
    match (before?.outcome(), after?.outcome()) {
        (Outcome::Win, Outcome::Draw) => Some(Mistake::WinToDraw),
        (Outcome::Win, Outcome::Loss) => Some(Mistake::WinToLoss),
        (Outcome::Draw, Outcome::Loss) => Some(Mistake::DrawToLoss),
        _ => None,
    }
}

/// How much less a drawing turn is worth than the best one of a drawn position.
fn ground_lost<G: Game>(played: &RankedTurn<G>, moves: &[RankedTurn<G>]) -> Option<f64> {
    let best = moves.first()?;
    let lost = |best: &DrawRank, own: &DrawRank| best.score.approximate() - own.score.approximate();
    let is_worse = |best: &DrawRank, own: &DrawRank| best.score > own.score;
    match (&best.draw_rank, &played.draw_rank) {
        (Some(best), Some(own)) if is_worse(best, own) => Some(lost(best, own)),
        _ => None,
    }
}

fn plies_lost(before: Option<Verdict>, after: Option<Verdict>) -> Option<u16> {
    let (before, after) = (before?, after?);
    match (before.outcome(), after.outcome()) {
        (Outcome::Win, Outcome::Win) => after.plies()?.checked_sub(before.plies()?),
        (Outcome::Loss, Outcome::Loss) => before.plies()?.checked_sub(after.plies()?),
        (Outcome::Draw, Outcome::Draw) => Some(0),
        _ => None,
    }
}
