//! Positions and turns as the protocol writes them.

use endmill_games::{Game, Reading};

/// A position with the game that led to it.
pub struct Board<G: Game> {
    pub position: G::Position,
    pub history: Vec<G::Position>,
}

/// Reads `startpos` or `fen …`, and `moves …`.
pub fn read_board<G: Game>(game: &G, text: &str) -> anyhow::Result<Board<G>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let moves = words.iter().position(|&word| word == "moves");
    let (setup, turns) = words.split_at(moves.unwrap_or(words.len()));
    let mut position = match setup {
        ["startpos"] => game.start(),
        ["fen", fen @ ..] if !fen.is_empty() => game.parse_position(&fen.join(" "))?,
        _ => anyhow::bail!("expected position startpos or position fen …, then moves …"),
    };
    let mut history = Vec::new();
    for turn in whole_turns(turns.get(1..).unwrap_or(&[])) {
        let turn = game
            .parse_turn(&position, &turn)
            .map_err(|error| anyhow::anyhow!("{turn}: {error}"))?;
        history.push(position);
        position = game.play(&position, &turn);
    }
    Ok(Board { position, history })
}

/// The turns that are named, each once, and what is wrong with others. The beginning of a turn
/// means every turn that begins so.
pub fn read_turns<G: Game>(
    game: &G,
    position: &G::Position,
    words: &[String],
) -> (Vec<G::Turn>, Vec<String>) {
    let (mut turns, mut illegal) = (Vec::new(), Vec::new());
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    for text in whole_turns(&words) {
        let named = match game.read_turn(position, &text) {
            Ok(Reading::Whole(turn)) => vec![turn],
            Ok(Reading::Partial(partial)) => {
                partial.answers.into_iter().map(|(_, turn)| turn).collect()
            }
            Err(error) => {
                illegal.push(format!("{text}: {error}"));
                continue;
            }
        };
        for turn in named {
            if !turns.contains(&turn) {
                turns.push(turn);
            }
        }
    }
    (turns, illegal)
}

/// Puts what is taken, which may be a word of its own, to the turn that takes it.
fn whole_turns(words: &[&str]) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    for word in words {
        match turns.last_mut() {
            Some(turn) if word.starts_with(['x', 'X']) => turn.push_str(word),
            _ => turns.push((*word).to_owned()),
        }
    }
    turns
}
