//! Positions and turns as the protocol writes them.
//!
//! In morris a turn that closes a mill is several words, the removals apart. The last turn may lack
//! them: then they are what is to be answered.

use endmill_games::{Game, ParseError, Partial, Reading};

/// A position with the game that led to it.
pub struct Board<G: Game> {
    pub position: G::Position,
    pub history: Vec<G::Position>,
    /// What has been said of the turn that is to be made.
    pub begun: Option<Partial<G::Turn>>,
}

impl<G: Game> Board<G> {
    /// The start of the game.
    pub fn start(game: &G) -> Board<G> {
        Board {
            position: game.start(),
            history: Vec::new(),
            begun: None,
        }
    }

    /// The words of the next turn that have been said.
    pub fn said(&self) -> Vec<String> {
        let begun = self.begun.as_ref();
        begun.map_or(Vec::new(), |begun| begun.words.clone())
    }
}

/// Reads `startpos` or `fen …`, and `moves …`.
pub fn read_board<G: Game>(game: &G, text: &str) -> anyhow::Result<Board<G>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let moves = words.iter().position(|&word| word == "moves");
    let (setup, turns) = words.split_at(moves.unwrap_or(words.len()));
    let mut board = match setup {
        ["startpos"] => Board::start(game),
        ["fen", fen @ ..] if !fen.is_empty() => {
            let (position, begun) = game.parse_begun(&fen.join(" "))?;
            Board {
                position,
                history: Vec::new(),
                begun,
            }
        }
        _ => anyhow::bail!("expected position startpos or position fen …, then moves …"),
    };
    let turns = whole_turns(turns.get(1..).unwrap_or(&[]));
    let mut turns = turns.into_iter().peekable();
    while let Some(text) = turns.next() {
        let in_turn = |error: ParseError| anyhow::anyhow!("{text}: {error}");
        let is_last = turns.peek().is_none();
        match read_turn(game, &board, &text, is_last).map_err(in_turn)? {
            Reading::Whole(turn) => {
                board.history.push(board.position);
                board.position = game.play(&board.position, &turn);
                board.begun = None;
            }
            Reading::Partial(begun) => board.begun = Some(begun),
        }
    }
    Ok(board)
}

/// Reads a legal turn, or the rest of the one that has begun. Only the last may lack its removals.
fn read_turn<G: Game>(
    game: &G,
    board: &Board<G>,
    text: &str,
    is_last: bool,
) -> Result<Reading<G::Turn>, ParseError> {
    let position = &board.position;
    let said = board.said().concat();
    if board.begun.is_some() && !is_removal(text) {
        // Refused: what was said is no whole turn.
        return game.parse_turn(position, &said).map(Reading::Whole);
    }
    let whole = said + text;
    game.parse_turn(position, &whole)
        .map(Reading::Whole)
        .or_else(|error| match game.read_turn(position, &whole) {
            Ok(Reading::Partial(begun)) if is_last && !begun.words.is_empty() => {
                Ok(Reading::Partial(begun))
            }
            _ => Err(error),
        })
}

/// The turns that are named, each once, and what is wrong with others. The beginning of a turn
/// means every turn that begins so. Where a turn has begun and none is named: every way to end it.
pub fn read_turns<G: Game>(
    game: &G,
    board: &Board<G>,
    words: &[String],
) -> (Vec<G::Turn>, Vec<String>) {
    let (mut turns, mut illegal) = (Vec::new(), Vec::new());
    let named: Vec<String> = match board.begun {
        Some(_) => words.to_vec(),
        None => whole_turns(words),
    };
    for text in named {
        let whole = format!("{}{text}", board.said().concat());
        let named = match game.read_turn(&board.position, &whole) {
            Ok(Reading::Whole(turn)) => vec![turn],
            Ok(Reading::Partial(partial)) => answers(&partial),
            // What was said before may be a turn that was found for the sake of a FEN.
            Err(_) if board.begun.is_some() => {
                illegal.push(format!("{text} does not complete the move"));
                continue;
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
    if turns.is_empty() {
        turns = board.begun.as_ref().map_or(Vec::new(), answers);
    }
    (turns, illegal)
}

fn answers<T: Copy>(partial: &Partial<T>) -> Vec<T> {
    partial.answers.iter().map(|&(_, turn)| turn).collect()
}

/// Puts what is taken, which may be a word of its own, to the turn that takes it.
fn whole_turns<W: AsRef<str>>(words: &[W]) -> Vec<String> {
    let mut turns: Vec<String> = Vec::new();
    for word in words.iter().map(AsRef::as_ref) {
        match turns.last_mut() {
            Some(turn) if is_removal(word) => turn.push_str(word),
            _ => turns.push(word.to_owned()),
        }
    }
    turns
}

fn is_removal(word: &str) -> bool {
    word.starts_with(['x', 'X'])
}
