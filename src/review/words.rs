//! A review as text.

use endmill_games::Colour;
use endmill_probe::answers::{
    Estimate, Mistake, Opinion, ReviewAnswer, ReviewedTurn, SideSummary, ValueAnswer,
};

use crate::drawing::{counted, filled};
use crate::probe::title;

/// The maximum number of best moves to name.
const FEW: usize = 4;

/// The review of a game, with one line per move.
pub fn text(review: &ReviewAnswer, number: usize, games: usize, place: &str) -> String {
    let mut text = heading(review, number, games);
    if review.sheet.start.is_some() {
        text += &format!("  from {}\n", review.start);
    }
    let moves = review.turns.iter().map(|turn| turn.text.chars().count());
    let wide = moves.max().unwrap_or(0);
    let worths: Vec<String> = review.turns.iter().map(worth).collect();
    let worth_wide = worths.iter().map(|worth| worth.chars().count()).max();
    let worth_wide = worth_wide.unwrap_or(0);
    let turns = (1..).zip(review.turns.iter().zip(&worths));
    for (number, (turn, worth)) in turns {
        let letter = turn.side.letter();
        let line = format!(
            "{number:>5}  {letter}  {:<wide$}  {worth:<worth_wide$}  {}",
            turn.text,
            remark(turn)
        );
        text += &format!("{}\n", line.trim_end());
    }
    text += &format!("{}\n", ending(review));
    for problem in &review.problems {
        text += &format!("{}\n", filled(problem, "    "));
    }
    let sides = [
        (Colour::White, &review.summary.white),
        (Colour::Black, &review.summary.black),
    ];
    for (side, summary) in sides {
        text += &format!("{}\n", filled(&side_in_words(side, summary), "    "));
    }
    let unknown = review.turns.iter().filter(|turn| turn.after.is_none());
    let unknown = unknown.count();
    if unknown > 0 {
        let of = counted(review.turns.len() as u128, "move");
        let lead = if unknown == 1 { "leads" } else { "lead" };
        let note = format!("{unknown} of {of} {lead} into tables that are not in {place}");
        text += &format!("{}\n", filled(&note, "    "));
    }
    text
}

fn heading(review: &ReviewAnswer, number: usize, games: usize) -> String {
    let tag = |name: &str| {
        let value = review.tags.get(name).map(|value| value.trim());
        value.filter(|value| !value.is_empty() && !value.starts_with('?'))
    };
    let mut parts = vec![match is_other_game(review) {
        false => review.ruleset.clone(),
        true => "another game".to_owned(),
    }];
    for (name, label) in [
        ("White", "White "),
        ("Black", "Black "),
        ("Event", ""),
        ("Date", ""),
    ] {
        parts.extend(tag(name).map(|value| format!("{label}{value}")));
    }
    let count = if games > 1 {
        format!("Game {number} of {games}: ")
    } else {
        String::new()
    };
    format!(
        "{}\n",
        filled(&format!("{count}{}", parts.join(", ")), "    ")
    )
}

fn ending(review: &ReviewAnswer) -> String {
    let turns = counted(review.turns.len() as u128, "move");
    let end = match (&review.result, review.sheet.result_text()) {
        (Some(result), _) => match result.winner {
            Some(winner) => format!("{} wins: {}", title(winner), why(winner, result.reason)),
            None => format!("draw: {}", result.reason),
        },
        (None, Some(said)) => said.to_owned(),
        (None, None) => "unfinished".to_owned(),
    };
    format!("{turns}, {end}")
}

/// Whether the game was refused because it has other rules.
pub fn is_other_game(review: &ReviewAnswer) -> bool {
    let broken = review.broken.as_ref();
    broken.is_some_and(|broken| broken.problem.is_other_game())
}

/// The reason of a win, in the words of `play` if the loser could not move.
fn why(winner: Colour, reason: &str) -> String {
    match reason {
        "no turn" => format!("{} cannot move", title(winner.other())),
        reason => reason.to_owned(),
    }
}

/// The value of a move.
fn worth(turn: &ReviewedTurn) -> String {
    match (&turn.after, &turn.estimate) {
        (Some(value), _) => valued(value),
        (None, Some(estimate)) => estimated(estimate),
        (None, None) => missing(turn),
    }
}

/// The missing table.
pub fn missing(turn: &ReviewedTurn) -> String {
    match turn.missing.as_deref() {
        None | Some("") => "too many pieces for the tables".to_owned(),
        Some(table) => format!("no table {table}"),
    }
}

/// `win in 17`.
pub fn valued(value: &ValueAnswer) -> String {
    let verdict = value.verdict();
    verdict.map_or("unknown".to_owned(), |verdict| verdict.to_string())
}

/// The result of a search: an estimate in men, or a proved value.
pub fn estimated(estimate: &Estimate) -> String {
    match estimate.proved.verdict() {
        Some(verdict) => format!("{verdict} (by search)"),
        None => {
            // Tenths of a man, without a negative zero.
            let tenths = (f64::from(estimate.score) / 10.0).round() as i32;
            format!("estimate {:+.1}", f64::from(tenths) / 10.0)
        }
    }
}

/// The outcome that a mistake threw away.
pub fn thrown(mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::WinToDraw => "win to draw",
        Mistake::WinToLoss => "win to loss",
        Mistake::DrawToLoss => "draw to loss",
    }
}

/// The remark about a move besides its value.
pub fn remark(turn: &ReviewedTurn) -> String {
    let lost = turn.plies_lost.unwrap_or(0);
    match turn.mistake {
        Some(mistake) => format!("mistake, {}; {}", thrown(mistake), best(turn)),
        None if lost > 0 => {
            let plies = if lost == 1 { "ply" } else { "plies" };
            format!("{lost} {plies} lost; {}", best(turn))
        }
        None if turn.only_move => "only move".to_owned(),
        None => match turn.ground_lost {
            Some(ground) => format!("inaccuracy, {} of ground; {}", score(ground), best(turn)),
            None => preferred(turn).unwrap_or_default(),
        },
    }
}

/// A difference of scores: `59`, or `0.0123` if it is a fraction.
fn score(ground: f64) -> String {
    match ground.fract() == 0.0 {
        true => ground.to_string(),
        false => format!("{ground:.4}"),
    }
}

/// The best moves.
fn best(turn: &ReviewedTurn) -> String {
    let value = turn.before.as_ref().map(valued).unwrap_or_default();
    let named: Vec<&str> = turn.best.iter().take(FEW).map(String::as_str).collect();
    let more = turn.best.len() - named.len();
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match named.as_slice() {
        [] => format!("it was {value}"),
        [only] if turn.one_keeps => format!("only {only} keeps it ({value})"),
        named => format!("best {}{more} ({value})", named.join(", ")),
    }
}

/// The move that a search prefers, if its estimate is better. Estimates of the same position may
/// differ by the depth of the search.
fn preferred(turn: &ReviewedTurn) -> Option<String> {
    let played = turn.estimate.as_ref();
    let better = |found: &&Opinion| {
        let more = |played: &Estimate| found.estimate.score > played.score;
        found.text != turn.text && played.is_none_or(more)
    };
    let found = turn.estimated_best.as_ref().filter(better)?;
    let worth = estimated(&found.estimate);
    Some(format!("a search prefers {} ({worth})", found.text))
}

fn side_in_words(side: Colour, summary: &SideSummary) -> String {
    let turns = counted(summary.turns as u128, "move");
    if summary.known == 0 && summary.turns > 0 {
        return format!("{}: {turns}, none in the tables", title(side));
    }
    let mut parts = vec![turns];
    let mistakes: Vec<String> = [
        (summary.win_to_draw, Mistake::WinToDraw),
        (summary.win_to_loss, Mistake::WinToLoss),
        (summary.draw_to_loss, Mistake::DrawToLoss),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, mistake)| format!("{count} {}", thrown(mistake)))
    .collect();
    let kinds = match mistakes.as_slice() {
        [] => String::new(),
        kinds => format!(" ({})", kinds.join(", ")),
    };
    parts.push(counted(summary.mistakes() as u128, "mistake") + &kinds);
    match summary.plies_lost {
        0 => {}
        1 => parts.push("1 ply lost".to_owned()),
        plies => parts.push(format!("{plies} plies lost")),
    }
    match summary.inaccuracies {
        0 => {}
        1 => parts.push("1 inaccuracy".to_owned()),
        count => parts.push(format!("{count} inaccuracies")),
    }
    if summary.only_moves > 0 {
        parts.push(counted(summary.only_moves as u128, "only move") + " found");
    }
    if summary.known < summary.turns {
        parts.push(format!("{} in the tables", summary.known));
    }
    format!("{}: {}", title(side), parts.join(", "))
}
