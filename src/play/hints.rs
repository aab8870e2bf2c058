//! What the database says about the position on the board.

use ::probe::{Answer, Database, ProbeError};
use games::Game;

use crate::probe::in_words;

/// Lines of turns are broken before this column.
const WIDE: usize = 78;

/// What is known of a position, for people: its value, then the turns of each value, best first.
/// If nothing is known, the error says which table is missing.
pub fn known<G: Game>(
    database: &Database<G>,
    position: &G::Position,
) -> Result<String, ProbeError> {
    let game = database.game();
    let moves = database.moves(position)?;
    // Best first: if the first turn is not known, none is.
    let some = moves.first().and_then(|best| best.answer.verdict());
    let mut text = match database.probe(position) {
        Ok(verdict) => in_words(game, position, verdict),
        Err(error) if error.is_missing() && some.is_some() => {
            "The database knows some of the turns".to_owned()
        }
        Err(error) => return Err(error),
    };
    let worth = |answer: &Answer| match answer {
        Answer::Known(verdict) => verdict.to_string(),
        Answer::Missing(_) => "not known".to_owned(),
    };
    for alike in moves.chunk_by(|a, b| worth(&a.answer) == worth(&b.answer)) {
        let names = alike
            .iter()
            .map(|ranked| game.format_turn(position, &ranked.turn));
        let title = format!("  {}:", worth(&alike[0].answer));
        text += &format!("\n{}", wrapped(&title, names));
    }
    Ok(text)
}

/// A title and words after it, on as many lines as they need.
pub fn wrapped(title: &str, words: impl Iterator<Item = String>) -> String {
    let (mut text, mut column) = (title.to_owned(), title.len());
    let mut words = words.peekable();
    while let Some(mut word) = words.next() {
        if words.peek().is_some() {
            word.push(',');
        }
        if column + 1 + word.len() > WIDE {
            text += "\n   ";
            column = 3;
        }
        text += &format!(" {word}");
        column += 1 + word.len();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_broken_between_words() {
        let words = ["a1-a4"; 24].map(str::to_owned);
        let text = wrapped("  draw:", words.into_iter());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= WIDE), "{text}");
        assert!(lines[0].starts_with("  draw: a1-a4, a1-a4"), "{text}");
        assert!(lines[1].starts_with("    a1-a4, "), "{text}");
        assert!(text.ends_with(" a1-a4"), "{text}");
        assert_eq!(text.matches("a1-a4").count(), 24);
    }
}
