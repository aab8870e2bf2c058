//! Positions of morris as text.
//!
//! A position: `W:Wa1,d1:Bb2,b4:H7,7`, side to move, White's men, Black's men, men in hand
//! (White's, Black's; absent = none). Where the rules look back: quiet plies `:Q7`, banned mills
//! `:Xa1-a4-a7`, several after commas (absent = none). Capitals and blanks around the parts do not
//! matter when reading, nor does the order of the colours or of what follows them.

use super::board::GridPoint;
use super::moves::points;
use super::position::Position;
use super::{BANNED, Morris, QUIET};
use crate::colour::Colour;
use crate::error::{ParseError, Problem};
use crate::scanner::Scanner;
use crate::setup::Setup;

/// The index of the only kind of piece.
pub(super) const MEN: usize = 0;

pub(super) const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

/// The parts of a position's text about earlier turns: `:Q7:Xa1-a4-a7`, or nothing.
pub fn memory_text(quiet: u32, banned: &[String]) -> String {
    let mut text = String::new();
    if quiet > 0 {
        text += &format!(":Q{quiet}");
    }
    if !banned.is_empty() {
        text += &format!(":X{}", banned.join(","));
    }
    text
}

impl Morris {
    /// Reads `W:W…:B…:H…`.
    pub(super) fn read_setup(&self, text: &str) -> Result<Setup, ParseError> {
        let mut scanner = Scanner::new(text);
        let to_move = scanner.colour();
        let to_move = to_move.ok_or_else(|| scanner.expected("the side to move, W or B"))?;
        let mut setup = Setup::empty(to_move);
        let mut listed = [false; 2];
        for _ in COLOURS {
            scanner.demand(':', "':' and the men of a side")?;
            let at = scanner.at();
            let colour = scanner.colour();
            let side = colour.ok_or_else(|| scanner.expected("W or B and its men"))? as usize;
            if std::mem::replace(&mut listed[side], true) {
                let expected = format!("the men of {}", COLOURS[1 - side].name());
                let found = format!("those of {} again", COLOURS[side].name());
                return Err(ParseError::at(at, Problem::Syntax { expected, found }));
            }
            let men = &mut setup.pieces[MEN];
            let taken = men[1 - side];
            self.read_men(&mut scanner, &mut men[side], taken)?;
        }
        self.read_rest(&mut scanner, &mut setup)?;
        scanner.end()?;
        Ok(setup)
    }

    /// Reads what may follow the men, in any order: `:H2,1`, `:Q7`, `:Xa1-a4-a7`.
    fn read_rest(&self, scanner: &mut Scanner, setup: &mut Setup) -> Result<(), ParseError> {
        let mut open = vec!['h', 'q', 'x'];
        while scanner.eat(':') {
            let at = scanner.at();
            let found = open.iter().position(|&part| scanner.eat(part));
            let Some(found) = found else {
                let expected =
                    "H and the men in hand, Q and the quiet plies, or X and banned mills";
                let again = ['h', 'q', 'x'].into_iter().find(|&part| scanner.eat(part));
                return Err(match again {
                    None => scanner.expected(expected),
                    Some(part) => {
                        let expected = format!("each of {expected} once");
                        let found = part.to_uppercase().to_string();
                        ParseError::at(at, Problem::Syntax { expected, found })
                    }
                });
            };
            match open.remove(found) {
                'h' => {
                    setup.hand[MEN][0] = scanner.number("the men in White's hand")?;
                    scanner.demand(',', "',' and the men in Black's hand")?;
                    setup.hand[MEN][1] = scanner.number("the men in Black's hand")?;
                }
                'q' => setup.memory[QUIET] = scanner.number("the number of quiet plies")?.into(),
                _ => self.read_bans(scanner, setup)?,
            }
        }
        Ok(())
    }

    /// Reads banned mills, by their points.
    fn read_bans(&self, scanner: &mut Scanner, setup: &mut Setup) -> Result<(), ParseError> {
        loop {
            let at = scanner.at();
            let mut points = [self.read_point(scanner)?; 3];
            for point in &mut points[1..] {
                scanner.demand('-', "'-' and the next point of the mill")?;
                *point = self.read_point(scanner)?;
            }
            let set = points.iter().fold(0, |set, point| set | 1 << point);
            let line = self.board.lines().iter().position(|&line| line == set);
            let line = line.ok_or_else(|| {
                let names = points.map(|point| self.board.name(point));
                let name = names.join("-");
                ParseError::at(at, no_such_line(name))
            })?;
            setup.memory[BANNED] |= 1 << line;
            if !scanner.eat(',') {
                return Ok(());
            }
        }
    }

    /// Returns the name of a line, such as `a1-a4-a7`.
    pub(super) fn name_of_line(&self, line: usize) -> String {
        let points = points(self.board.lines()[line]);
        let names: Vec<String> = points.map(|point| self.board.name(point)).collect();
        names.join("-")
    }

    pub(super) fn read_point(&self, scanner: &mut Scanner) -> Result<u8, ParseError> {
        let at = scanner.at();
        let digits = if self.board.height() < 10 { 1 } else { 2 };
        let name = scanner
            .letter_and_digits(digits)
            .ok_or_else(|| scanner.expected("a point"))?;
        let place = GridPoint::read(&name);
        place
            .and_then(|place| self.board.point_at(place))
            .ok_or_else(|| {
                let kind = "point";
                ParseError::at(at, Problem::NoSuchPlace { name, kind })
            })
    }

    /// Reads points separated by commas, possibly none, into `set`; `taken` are points already
    /// used.
    fn read_men(&self, scanner: &mut Scanner, set: &mut u64, taken: u64) -> Result<(), ParseError> {
        if matches!(scanner.peek(), None | Some(':')) {
            return Ok(());
        }
        loop {
            let at = scanner.at();
            let point = self.read_point(scanner)?;
            if (*set | taken) >> point & 1 == 1 {
                let (name, kind) = (self.board.name(point), "point");
                return Err(ParseError::at(at, Problem::UsedTwice { name, kind }));
            }
            *set |= 1 << point;
            if !scanner.eat(',') {
                return Ok(());
            }
        }
    }

    /// Checks what a position remembers.
    pub(super) fn check_memory(&self, position: &Position, setup: &Setup) -> Result<(), Problem> {
        let limit = u64::from(self.rules.quiet_limit);
        let [count, bans] = setup.memory;
        let impossible_count = |why: String| {
            let what = format!("the count of quiet plies cannot be {count} here");
            Err(Problem::Impossible { what, why })
        };
        if count > limit {
            return impossible_count(format!("the limit is {limit}"));
        }
        if count > 0 && !self.counts_quiet(position.material()) {
            let why = "plies count while a side has exactly three men and no men are in hand";
            return impossible_count(why.to_owned());
        }
        let beyond = bans.checked_shr(self.board.lines().len() as u32);
        if beyond.is_some_and(|beyond| beyond != 0) {
            let name = format!("line {}", bans.ilog2());
            return Err(no_such_line(name));
        }
        let mut banned = self.board.members(bans);
        match banned.find(|&line| !self.can_be_banned(position.men, line)) {
            None => Ok(()),
            Some(line) => {
                let what = format!("{} cannot be banned", self.name_of_line(line));
                let why = "two men of one side must stand on it, and no man on the third point";
                let why = why.to_owned();
                Err(Problem::Impossible { what, why })
            }
        }
    }
}

/// The error for points that are not a line.
fn no_such_line(name: String) -> Problem {
    let kind = "line of the board";
    Problem::NoSuchPlace { name, kind }
}
