//! Positions and moves as Hub writes them.
//!
//! A position is a letter for the side to move and one for each square in order: `w`, `b` men, `W`,
//! `B` kings, `e` empty. A move is `11-15`; a capture is the two squares and then every captured
//! piece: `22x8x18x11`.

use endmill_games::{Colour, Game, PieceKind, Setup};

use super::super::command::Read;
use super::super::uci::Board;

/// Parses a position, and the moves after it.
pub fn parse_board<G: Game>(game: &G, text: &str) -> Read<Board<G>> {
    let mut words = text.split_whitespace();
    let setup = parse_setup(game, words.next().unwrap_or_default())?;
    let mut position = game.legal(&setup).map_err(|problem| problem.to_string())?;
    let mut history = Vec::new();
    for word in words {
        let turn = parse_turn(game, &position, word)?;
        history.push(position);
        position = game.play(&position, &turn);
    }
    Ok(Board {
        position,
        history,
        begun: None,
    })
}

fn parse_setup<G: Game>(game: &G, text: &str) -> Read<Setup> {
    let squares = game.geometry().places.len();
    let count = text.chars().count();
    if count != squares + 1 {
        return Err(format!(
            "a position has {} characters, found {count}",
            squares + 1
        ));
    }
    let bad = |at: usize, found: char, expected: &str| {
        format!(
            "expected {expected}, found {found:?} (character {})",
            at + 1
        )
    };
    let mut characters = text.chars().enumerate();
    let to_move = match characters.next() {
        Some((_, 'W')) => Colour::White,
        Some((_, 'B')) => Colour::Black,
        Some((at, found)) => return Err(bad(at, found, "W or B to move")),
        None => unreachable!("the characters were counted"),
    };
    let mut setup = Setup::empty(to_move);
    for (at, found) in characters {
        if found == 'e' {
            continue;
        }
        // The letters of the protocol are those of ASCII boards.
        let mut kinds = G::KINDS.iter().enumerate();
        let side_of = |kind: &PieceKind| kind.ascii.iter().position(|&letter| letter == found);
        let piece = kinds.find_map(|(kind, piece)| Some((kind, side_of(piece)?)));
        let (kind, side) = piece.ok_or_else(|| bad(at, found, "one of wbWBe"))?;
        setup.pieces[kind][side] |= 1 << (at - 1);
    }
    Ok(setup)
}

/// Parses a legal move. The captured pieces may be left out if the move is unambiguous without them.
fn parse_turn<G: Game>(game: &G, position: &G::Position, text: &str) -> Read<G::Turn> {
    let numbers: Option<Vec<u8>> = text
        .split(['-', 'x'])
        .map(|number| number.parse::<u8>().ok()?.checked_sub(1))
        .collect();
    let (from, to, taken) = match numbers.as_deref() {
        Some([from, to, taken @ ..]) if taken.iter().all(|&taken| taken < 64) => {
            (*from, *to, taken)
        }
        _ => {
            return Err(format!("{text:?} is not a move such as 11-15 or 22x15x18"));
        }
    };
    let taken = taken.iter().fold(0_u64, |set, &taken| set | 1 << taken);
    let mut turns = Vec::new();
    game.turns(position, &mut turns);
    turns.retain(|turn| {
        let path = game.path(position, turn);
        let takes = if taken == 0 {
            text.contains('x') == (path.taken != 0)
        } else {
            path.taken == taken
        };
        (path.from, path.to) == (Some(from), to) && takes
    });
    match turns[..] {
        [turn] => Ok(turn),
        [] => Err(format!("{text} is not legal")),
        _ => Err(format!("{text} is ambiguous: name the captured pieces")),
    }
}

/// Formats a move.
pub fn format_turn<G: Game>(game: &G, position: &G::Position, turn: &G::Turn) -> String {
    let path = game.path(position, turn);
    // On boards of squares no piece comes from a hand.
    let from = path.from.unwrap_or(path.to) + 1;
    let to = path.to + 1;
    if path.taken == 0 {
        return format!("{from}-{to}");
    }
    let taken: String = path
        .taken_places()
        .map(|taken| format!("x{}", taken + 1))
        .collect();
    format!("{from}x{to}{taken}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use endmill_games::draughts::Draughts;
    use endmill_games::prelude::*;

    const START: &str = "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww";

    #[test]
    fn positions_and_moves_are_parsed() {
        let game = Draughts::new();
        let board = parse_board(&game, START).unwrap();
        assert_eq!(board.position, game.start());
        let board = parse_board(&game, &format!("{START} 11-15 22-18 15x22x18")).unwrap();
        assert_eq!(board.history.len(), 3);
        let text = game.format_position(&board.position);
        assert_eq!(
            text,
            game.format_position(
                &parse_board(&game, &format!("{START} 11-15 22-18 15x22"))
                    .unwrap()
                    .position
            )
        );
    }

    #[test]
    fn formatted_moves_can_be_parsed() {
        let game = Draughts::new();
        let mut position = game.start();
        let mut turns = Vec::new();
        for step in 0..60_usize {
            game.turns(&position, &mut turns);
            if turns.is_empty() {
                break;
            }
            for turn in &turns {
                let text = format_turn(&game, &position, turn);
                assert_eq!(
                    parse_turn(&game, &position, &text).unwrap(),
                    *turn,
                    "{text}"
                );
            }
            position = game.play(&position, &turns[step * 7 % turns.len()]);
        }
    }

    #[test]
    fn errors_name_the_place() {
        let game = Draughts::new();
        let why = |text: &str| match parse_board(&game, text) {
            Err(error) => error,
            Ok(_) => panic!("{text} was parsed"),
        };
        assert_eq!(why("W"), "a position has 33 characters, found 1");
        let odd = START.replacen('e', "x", 1);
        assert_eq!(why(&odd), "expected one of wbWBe, found 'x' (character 14)");
        let side = START.replacen('B', "w", 1);
        assert_eq!(
            why(&side),
            "expected W or B to move, found 'w' (character 1)"
        );
        assert_eq!(why(&format!("{START} 11-14")), "11-14 is not legal");
        assert!(why(&format!("{START} 11")).contains("is not a move"));
        // A man on its crowning row.
        let crowned = format!("Bw{}", "e".repeat(31));
        assert!(!why(&crowned).is_empty());
    }
}
