//! Positions and moves as UCI writes them.
//!
//! In morris a move that closes a mill is several words, one for each removal. The last move of a
//! line may lack its removals: then the engine is asked for them.

use endmill_games::{Game, ParseError, Partial, Reading};

use super::super::command::Read;

/// A position with the game that led to it.
pub struct Board<G: Game> {
    pub position: G::Position,
    pub history: Vec<G::Position>,
    /// The part of the next turn that was played already.
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

    /// The words of the next turn that were played already.
    pub fn begun_words(&self) -> Vec<String> {
        let begun = self.begun.as_ref();
        begun.map_or(Vec::new(), |begun| begun.words.clone())
    }
}

/// Parses `startpos` or `fen …`, and `moves …`.
pub fn parse_board<G: Game>(game: &G, text: &str) -> Read<Board<G>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let moves = words.iter().position(|&word| word == "moves");
    let (setup, turns) = words.split_at(moves.unwrap_or(words.len()));
    let mut board = match setup {
        ["startpos"] => Board::start(game),
        ["fen", fen @ ..] if !fen.is_empty() => {
            let parsed = game.parse_begun(&fen.join(" "));
            let (position, begun) = parsed.map_err(|error| error.to_string())?;
            Board {
                position,
                history: Vec::new(),
                begun,
            }
        }
        _ => return Err("expected position startpos or position fen …, then moves …".to_owned()),
    };
    let turns = join_removals(turns.get(1..).unwrap_or(&[]));
    let mut turns = turns.into_iter().peekable();
    while let Some(text) = turns.next() {
        let is_last = turns.peek().is_none();
        let parsed = parse_turn(game, &board, &text, is_last);
        match parsed.map_err(|error| format!("{text}: {error}"))? {
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

/// Parses a legal turn, or the rest of the one that has begun. Only the last may lack its removals.
fn parse_turn<G: Game>(
    game: &G,
    board: &Board<G>,
    text: &str,
    is_last: bool,
) -> Result<Reading<G::Turn>, ParseError> {
    let position = &board.position;
    let begun = board.begun_words().concat();
    if board.begun.is_some() && !is_removal(text) {
        // An error: the turn that has begun is incomplete.
        return game.parse_turn(position, &begun).map(Reading::Whole);
    }
    let whole = begun + text;
    game.parse_turn(position, &whole)
        .map(Reading::Whole)
        .or_else(|error| match game.read_turn(position, &whole) {
            Ok(Reading::Partial(begun)) if is_last && !begun.words.is_empty() => {
                Ok(Reading::Partial(begun))
            }
            _ => Err(error),
        })
}

/// Returns the named turns, each once, and what is wrong with the others. The beginning of a turn
/// stands for every turn that begins with it. If a turn has begun and none is named, returns every
/// way to complete it.
pub fn parse_turns<G: Game>(
    game: &G,
    board: &Board<G>,
    words: &[String],
) -> (Vec<G::Turn>, Vec<String>) {
    let (mut turns, mut illegal) = (Vec::new(), Vec::new());
    let named: Vec<String> = match board.begun {
        Some(_) => words.to_vec(),
        None => join_removals(words),
    };
    for text in named {
        let whole = format!("{}{text}", board.begun_words().concat());
        let named = match game.read_turn(&board.position, &whole) {
            Ok(Reading::Whole(turn)) => vec![turn],
            Ok(Reading::Partial(partial)) => completions(&partial),
            // The first part may come from a FEN: an error about it would confuse.
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
        turns = board.begun.as_ref().map_or(Vec::new(), completions);
    }
    (turns, illegal)
}

fn completions<T: Copy>(partial: &Partial<T>) -> Vec<T> {
    partial.answers.iter().map(|&(_, turn)| turn).collect()
}

/// Joins removals, which may be words apart, to the turns that they belong to.
fn join_removals<W: AsRef<str>>(words: &[W]) -> Vec<String> {
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
