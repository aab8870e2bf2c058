//! Turns in PDN: `11-15` for a step, `22x15x8` for a capture.
//!
//! A capture is printed with every square it visits. A jump passes over one definite square, so the
//! path determines the captured pieces, and different turns never look alike. Any route of a
//! capture can be read, or its first and last square alone if only one turn fits. Full paths take
//! precedence: where a king can jump from 15 to 24 at once, or go round in a circle back to 15 and
//! then to 24, `15x24` is the single jump.

use super::square;
use crate::colour::Colour;
use crate::diagram::Diagram;
use crate::draughts::board::{Direction, LAST_ROW, Position, number_of, square_of};
use crate::draughts::diagram::draw;
use crate::draughts::moves::{self, Turn};
use crate::error::{ParseError, Problem};
use crate::path::Path;
use crate::reading::{Partial, Reading};
use crate::scanner::Scanner;

/// Writes a turn.
pub(in crate::draughts) fn format_turn(position: &Position, turn: &Turn) -> String {
    let between = if turn.captured() == 0 { "-" } else { "x" };
    let squares = turn
        .path()
        .map(|square| number_of(square, position.colour).to_string());
    squares.collect::<Vec<_>>().join(between)
}

/// Writes a turn by its first and last square if these are unambiguous.
pub(in crate::draughts) fn short_turn(position: &Position, turn: &Turn) -> String {
    let number = |square| number_of(square, position.colour);
    let ends = format!("{}x{}", number(turn.from()), number(turn.to()));
    match parse_turn(position, &ends) {
        Ok(meant) if turn.captured() != 0 && meant == *turn => ends,
        _ => format_turn(position, turn),
    }
}

/// Returns a turn as the bits of a setup, which do not depend on the side to move.
pub(in crate::draughts) fn path(position: &Position, turn: &Turn) -> Path {
    let place = |square: u32| number_of(square, position.colour) as u8 - 1;
    let squares: Vec<u8> = turn.path().map(place).collect();
    let (first, last) = (squares[0], squares[squares.len() - 1]);
    Path {
        from: Some(first),
        to: last,
        via: squares[1..squares.len() - 1].to_vec(),
        taken: u64::from(match position.colour {
            Colour::Black => turn.captured(),
            Colour::White => turn.captured().reverse_bits(),
        }),
    }
}

/// Reads a turn that is legal in `position`.
pub(in crate::draughts) fn parse_turn(position: &Position, text: &str) -> Result<Turn, ParseError> {
    let (attempt, joint) = Attempt::new(position, text)?;
    let turn = match joint {
        Joint::Capture => attempt.capture(),
        Joint::Open => attempt.step_or_capture(),
    };
    Ok(turn?)
}

/// Reads a turn, or a capture that is incomplete or ambiguous. A capture must continue while it
/// can: if there is only one way, that is the turn.
pub(in crate::draughts) fn read_turn(
    position: &Position,
    text: &str,
) -> Result<Reading<Turn>, ParseError> {
    let error = match parse_turn(position, text) {
        Ok(turn) => return Ok(Reading::Whole(turn)),
        Err(error) => error,
    };
    let (attempt, joint) = Attempt::new(position, text)?;
    let begun = match joint {
        Joint::Open if attempt.as_step().is_some() => None,
        _ => attempt.begun(),
    };
    begun.ok_or(error)
}

/// The separator between the squares of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `x` or `:`.
    Capture,
    /// `-` or a blank, which many also use for captures.
    Open,
}

/// Reads the squares, in the frame of the side to move, and their separator.
fn parse_path(position: &Position, text: &str) -> Result<(Vec<u32>, Joint), ParseError> {
    let mut scanner = Scanner::new(text);
    let mut path = vec![square(&mut scanner)?];
    let (joint, mark) = match scanner.peek() {
        Some('-') => (Joint::Open, Some('-')),
        Some(mark @ ('x' | ':')) => (Joint::Capture, Some(mark)),
        Some('0'..='9') => (Joint::Open, None),
        _ => return Err(scanner.expected("- or x")),
    };
    while mark.map_or(scanner.peek().is_some(), |mark| scanner.eat(mark)) {
        path.push(square(&mut scanner)?);
    }
    scanner.end()?;
    let path = path
        .into_iter()
        .map(|number| square_of(number, position.colour));
    Ok((path.collect(), joint))
}

/// A parsed path, and the legal turns it may mean.
struct Attempt<'a> {
    position: &'a Position,
    text: &'a str,
    path: Vec<u32>,
    turns: Vec<Turn>,
}

impl<'a> Attempt<'a> {
    /// Reads the squares and their separator.
    fn new(position: &'a Position, text: &'a str) -> Result<(Attempt<'a>, Joint), ParseError> {
        let (path, joint) = parse_path(position, text)?;
        let mut turns = Vec::new();
        moves::turns(position, &mut turns);
        if turns.is_empty() {
            return Err(Problem::GameOver.into());
        }
        let attempt = Attempt {
            position,
            text: text.trim(),
            path,
            turns,
        };
        Ok((attempt, joint))
    }

    fn from(&self) -> u32 {
        self.path[0]
    }

    fn to(&self) -> u32 {
        self.path[self.path.len() - 1]
    }

    fn joins_its_ends(&self, turn: &Turn) -> bool {
        (turn.from(), turn.to()) == (self.from(), self.to())
    }

    fn must_capture(&self) -> bool {
        self.turns[0].captured() != 0
    }

    /// Returns the step, or the only capture that it can mean.
    fn step_or_capture(&self) -> Result<Turn, Problem> {
        match self.as_step() {
            Some(step) if !self.must_capture() => return Ok(step),
            Some(_) => {
                return Err(Problem::CaptureMandatory {
                    captures: self.list(&self.turns),
                });
            }
            None => {}
        }
        // Only a jump is meant as a capture: anything else is an illegal step.
        let jumps = self.must_capture() && !self.touches();
        match self.capture() {
            Err(Problem::IllegalTurn { .. }) if !jumps && self.path.len() == 2 => {
                Err(self.illegal(self.why_no_step()))
            }
            read => read,
        }
    }

    /// Returns whether the last square is next to the first.
    fn touches(&self) -> bool {
        let (from, to) = (self.from(), self.to());
        Direction::ALL.into_iter().any(|way| way.step(from) == to)
    }

    /// Returns the step that the text would be if captures were not mandatory.
    fn as_step(&self) -> Option<Turn> {
        let mut found = None;
        moves::visit_steps(self.position, |step| {
            if self.path.len() == 2 && self.joins_its_ends(&step) {
                found = Some(step);
            }
        });
        found
    }

    fn capture(&self) -> Result<Turn, Problem> {
        if let Some(step) = self.as_step() {
            let step = format_turn(self.position, &step);
            return Err(self.illegal(format!("it captures nothing, write {step}")));
        }
        let mut route = None;
        moves::visit_routes(self.position, |turn| {
            if turn.path().eq(self.path.iter().copied()) {
                route = Some(turn);
            }
        });
        // Any route means the turn that represents all of its routes.
        if let Some(route) = route {
            let same = self.turns.iter().find(|turn| turn.ends_like(&route));
            return Ok(*same.unwrap_or(&route));
        }
        let fitting = self.turns.iter().filter(|turn| self.joins_its_ends(turn));
        let fitting: Vec<Turn> = fitting.copied().collect();
        match fitting[..] {
            [turn] if self.path.len() == 2 => Ok(turn),
            [_, _, ..] if self.path.len() == 2 => Err(Problem::Ambiguous {
                turn: self.text.to_owned(),
                candidates: self.list(&fitting),
            }),
            _ => Err(self.illegal(self.why_no_capture())),
        }
    }

    /// Returns the captures that an incomplete or ambiguous path may mean.
    fn begun(&self) -> Option<Reading<Turn>> {
        let mut longer = self.longer_routes();
        // One route per turn is enough.
        let mut seen: Vec<Turn> = Vec::new();
        longer.retain(|route| {
            let new = !seen.iter().any(|turn| turn.ends_like(route));
            seen.push(*route);
            new
        });
        let (so_far, captures) = if longer.is_empty() {
            let fits = |turn: &&Turn| self.path.len() == 2 && self.joins_its_ends(turn);
            (0, self.turns.iter().filter(fits).copied().collect())
        } else {
            (self.path.len(), longer)
        };
        let answers = captures.iter().map(|route| {
            let rest: Vec<String> = (route.path().skip(so_far))
                .map(|square| self.name(square).to_string())
                .collect();
            let same = self.turns.iter().find(|turn| turn.ends_like(route));
            (rest.join("x"), *same.unwrap_or(route))
        });
        let answers: Vec<(String, Turn)> = answers.collect();
        match &answers[..] {
            [] => None,
            [(_, turn)] => Some(Reading::Whole(*turn)),
            _ => {
                let begun = self.path[..so_far].iter();
                let begun = begun.map(|&square| format!("{}x", self.name(square)));
                Some(Reading::Partial(Partial {
                    question: match so_far {
                        0 => format!("{} can be made in several ways: which?", self.text),
                        _ => format!("{} continues: where to?", self.text),
                    },
                    so_far: begun.collect(),
                    answers,
                    words: Vec::new(),
                    board: self.on_its_way(so_far),
                }))
            }
        }
    }

    /// Returns the board after the first squares of the path. Jumped pieces leave the board only at
    /// the end of the turn.
    fn on_its_way(&self, so_far: usize) -> Diagram {
        let mut position = *self.position;
        if so_far > 0 {
            let (from, to) = (self.from(), self.path[so_far - 1]);
            let kind = if self.is_man() {
                &mut position.own.men
            } else {
                &mut position.own.kings
            };
            *kind = *kind & !from | to;
        }
        draw(&position)
    }

    /// Returns the routes that begin with the path and continue.
    fn longer_routes(&self) -> Vec<Turn> {
        let mut longer = Vec::new();
        moves::visit_routes(self.position, |route| {
            let mut path = route.path();
            if self.path.iter().all(|&square| path.next() == Some(square)) {
                longer.push(route);
            }
        });
        longer
    }

    fn list(&self, turns: &[Turn]) -> String {
        let texts = turns.iter().map(|turn| format_turn(self.position, turn));
        texts.collect::<Vec<_>>().join(", ")
    }

    fn illegal(&self, why: String) -> Problem {
        Problem::IllegalTurn {
            turn: self.text.to_owned(),
            why,
        }
    }

    fn name(&self, square: u32) -> u32 {
        number_of(square, self.position.colour)
    }

    fn is_man(&self) -> bool {
        self.position.own.men & self.from() != 0
    }

    fn why_no_step(&self) -> String {
        let (from, to) = (self.from(), self.to());
        let way = Direction::ALL.into_iter().find(|way| way.step(from) == to);
        if self.position.own.pieces() & from == 0 {
            format!(
                "{} has no piece on {}",
                self.position.colour.name(),
                self.name(from)
            )
        } else if way.is_none() {
            format!("{} does not touch {}", self.name(from), self.name(to))
        } else if self.position.empty() & to == 0 {
            format!("{} is occupied", self.name(to))
        } else {
            "a man moves forwards only".to_owned()
        }
    }

    /// Follows the path up to the first obstacle.
    fn why_no_capture(&self) -> String {
        let Position {
            own,
            opponent,
            colour,
        } = *self.position;
        let from = self.from();
        if own.pieces() & from == 0 {
            return format!("{} has no piece on {}", colour.name(), self.name(from));
        }
        let mut jumped = 0;
        for (i, leg) in self.path.windows(2).enumerate() {
            let (at, to) = (leg[0], leg[1]);
            if i > 0 && self.is_man() && at & LAST_ROW != 0 {
                return "crowning ends the turn".to_owned();
            }
            let mut ways = Direction::ALL.into_iter();
            let Some(way) = ways.find(|way| way.step(way.step(at)) == to) else {
                return format!("no jump leads from {} to {}", self.name(at), self.name(to));
            };
            let over = way.step(at);
            if opponent.pieces() & over == 0 {
                let rival = colour.other().name();
                return format!("{rival} has no piece on {}", self.name(over));
            } else if jumped & over != 0 {
                return format!("{} was jumped before", self.name(over));
            } else if (self.position.empty() | from) & to == 0 {
                return format!("{} is occupied", self.name(to));
            } else if self.is_man() && !Direction::FORWARD.contains(&way) {
                return "a man captures forwards only".to_owned();
            }
            jumped |= over;
        }
        format!(
            "the capture continues: {}",
            self.list(&self.longer_routes())
        )
    }
}
