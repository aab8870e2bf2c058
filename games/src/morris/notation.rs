//! Positions, turns and tables of morris as text.
//!
//! A position: `W:Wa1,d1:Bb2,b4:H7,7`, side to move, White's men, Black's men, men in hand
//! (White's, Black's; absent = none). A turn: `d6`, `a1-a4`, `a1-a4xg7`. Capitals and blanks
//! around the parts do not matter when reading, nor does the order of the colours.

use super::Morris;
use super::board::Place;
use super::moves::points;
use super::position::{Force, Position, Table, Turn};
use crate::error::{ParseError, Problem};
use crate::game::Colour;
use crate::reading::{Partial, Reading};
use crate::scanner::Scanner;
use crate::setup::Setup;

const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

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
            let taken = setup.pieces[1 - side];
            self.read_men(&mut scanner, &mut setup.pieces[side], taken)?;
        }
        if scanner.eat(':') {
            scanner.demand('h', "H and the men in hand")?;
            setup.hand[0] = scanner.number("the men in White's hand")?;
            scanner.demand(',', "',' and the men in Black's hand")?;
            setup.hand[1] = scanner.number("the men in Black's hand")?;
        }
        scanner.end()?;
        Ok(setup)
    }

    fn read_point(&self, scanner: &mut Scanner) -> Result<u8, ParseError> {
        let at = scanner.at();
        let (letter, digit) = scanner
            .letter_and_digit()
            .ok_or_else(|| scanner.expected("a point"))?;
        let place = Place {
            column: letter.to_ascii_lowercase() as u8 - b'a',
            row: (digit as u8).wrapping_sub(b'1'),
        };
        self.board.point_at(place).ok_or_else(|| {
            let (name, kind) = (format!("{letter}{digit}"), "point");
            ParseError::at(at, Problem::NoSuchPlace { name, kind })
        })
    }

    /// Points separated by commas, possibly none, added to `set`; `taken` are those used before.
    fn read_men(&self, scanner: &mut Scanner, set: &mut u32, taken: u32) -> Result<(), ParseError> {
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

    /// Accepts what can stand on the board between two turns.
    pub(super) fn legal_position(&self, setup: &Setup) -> Result<Position, Problem> {
        let ruleset = || self.rules.id.to_owned();
        if setup.kings != 0 {
            let (what, ruleset) = ("kings", ruleset());
            return Err(Problem::NotInThisGame { what, ruleset });
        }
        let [white, black] = setup.pieces;
        if let Some(bit) = points((white | black) & !self.board.all()).next() {
            let (name, kind) = (format!("bit {bit}"), "point");
            return Err(Problem::NoSuchPlace { name, kind });
        }
        if let Some(point) = points(white & black).next() {
            let (name, kind) = (self.board.name(point), "point");
            return Err(Problem::UsedTwice { name, kind });
        }
        let allowed = u32::from(self.rules.men);
        for colour in COLOURS {
            let (men, hand) = (setup.pieces[colour as usize], setup.hand[colour as usize]);
            let men = men.count_ones().saturating_add(hand);
            if men > allowed {
                let problem = Problem::TooManyMen {
                    side: colour.name(),
                    men,
                    allowed,
                    ruleset: ruleset(),
                };
                return Err(problem);
            }
        }
        let [white, black] = setup.hand;
        let in_turn = match setup.to_move {
            Colour::White => white == black,
            Colour::Black => black == white + 1 || (white == 0 && black == 0),
        };
        if !in_turn && !self.rules.moves_while_placing {
            let side = setup.to_move.name();
            return Err(Problem::HandsOutOfTurn { side, white, black });
        }
        let sides = [setup.to_move as usize, setup.to_move.other() as usize];
        let position = Position {
            men: sides.map(|side| setup.pieces[side]),
            hand: sides.map(|side| setup.hand[side] as u8),
            turn: setup.to_move,
        };
        let men = position.total(1);
        if men < 3 {
            let side = setup.to_move.other().name();
            return Err(Problem::AlreadyOver { side, men });
        }
        Ok(position)
    }

    pub(super) fn setup_of(&self, position: &Position) -> Setup {
        let sides = COLOURS.map(|colour| usize::from(colour != position.turn));
        Setup {
            pieces: sides.map(|side| position.men[side]),
            kings: 0,
            hand: sides.map(|side| position.hand[side].into()),
            to_move: position.turn,
        }
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let setup = self.setup_of(position);
        let mut text = String::from(setup.to_move.letter());
        for colour in COLOURS {
            let men: Vec<_> = points(setup.pieces[colour as usize])
                .map(|point| self.board.name(point))
                .collect();
            text += &format!(":{}{}", colour.letter(), men.join(","));
        }
        if setup.hand != [0, 0] {
            let [white, black] = setup.hand;
            text += &format!(":H{white},{black}");
        }
        text
    }

    pub(super) fn write_turn(&self, turn: &Turn) -> String {
        let from = turn.from.map(|from| self.board.name(from) + "-");
        let removed = turn
            .removed
            .map(|point| format!("x{}", self.board.name(point)));
        let to = self.board.name(turn.to);
        from.unwrap_or_default() + &to + &removed.unwrap_or_default()
    }

    /// Reads a turn without asking whether it is legal.
    fn read_turn(&self, text: &str) -> Result<Turn, ParseError> {
        let mut scanner = Scanner::new(text);
        let first = self.read_point(&mut scanner)?;
        let second = if scanner.eat('-') || !matches!(scanner.peek(), None | Some('x')) {
            Some(self.read_point(&mut scanner)?)
        } else {
            None
        };
        let removed = if scanner.eat('x') {
            Some(self.read_point(&mut scanner)?)
        } else {
            None
        };
        scanner.end()?;
        Ok(Turn {
            from: second.map(|_| first),
            to: second.unwrap_or(first),
            removed,
        })
    }

    pub(super) fn read_legal_turn(
        &self,
        position: &Position,
        text: &str,
    ) -> Result<Turn, ParseError> {
        let turn = self.read_turn(text)?;
        if !self.can_turn(position) {
            return Err(Problem::GameOver.into());
        }
        match self.objection_to_turn(position, &turn) {
            None => Ok(turn),
            Some(problem) => Err(problem.into()),
        }
    }

    /// Reads a turn; where it closes a mill the man to remove may be left open.
    pub(super) fn read_partial_turn(
        &self,
        position: &Position,
        text: &str,
    ) -> Result<Reading<Turn>, ParseError> {
        let error = match self.read_legal_turn(position, text) {
            Ok(turn) => return Ok(Reading::Whole(turn)),
            Err(error) => error,
        };
        if !matches!(error.problem, Problem::RemovalMissing { .. }) {
            return Err(error);
        }
        let begun = self.read_turn(text)?;
        let step = self.write_turn(&begun);
        let answers = points(self.removable(position.men[1])).map(|point| {
            let removed = Some(point);
            (self.board.name(point), Turn { removed, ..begun })
        });
        Ok(Reading::Partial(Partial {
            question: format!("{step} closes a mill: which man is removed?"),
            so_far: step + "x",
            answers: answers.collect(),
        }))
    }

    /// The rule that a turn breaks, if it breaks one, in a game that is not over.
    fn objection_to_turn(&self, position: &Position, turn: &Turn) -> Option<Problem> {
        let illegal = |why: String| {
            let turn = self.write_turn(turn);
            Some(Problem::IllegalTurn { turn, why })
        };
        let name = |point: u8| self.board.name(point);
        let [own, theirs] = position.men;
        let free = self.free(position);
        let to = turn.to;
        match turn.from {
            None if position.hand[0] == 0 => return illegal("there are no men in hand".to_owned()),
            Some(_) if !self.may_move(position) => {
                return illegal("men in hand must be placed first".to_owned());
            }
            Some(from) if own >> from & 1 == 0 => {
                return illegal(format!(
                    "{} has no man on {}",
                    position.turn.name(),
                    name(from)
                ));
            }
            _ => {}
        }
        if free >> to & 1 == 0 {
            return illegal(format!("{} is not free", name(to)));
        }
        if let Some(from) = turn.from
            && self.reach(from, free, position.total(0)) >> to & 1 == 0
        {
            return illegal(format!("{} is not next to {}", name(to), name(from)));
        }
        let others = own & !turn.from.map_or(0, |from| 1 << from);
        let removable = self.removable(theirs);
        let closes = self.board.closes_mill(others, to) && removable != 0;
        match turn.removed {
            None if closes => {
                let names: Vec<_> = points(removable).map(name).collect();
                let (turn, removable) = (self.write_turn(turn), names.join(", "));
                Some(Problem::RemovalMissing { turn, removable })
            }
            Some(_) if !closes => illegal("it closes no mill, nothing may be removed".to_owned()),
            Some(point) if theirs >> point & 1 == 0 => {
                let side = position.turn.other().name();
                illegal(format!("{side} has no man on {}", name(point)))
            }
            Some(point) if removable >> point & 1 == 0 => illegal(format!(
                "{} stands in a mill and others do not",
                name(point)
            )),
            _ => None,
        }
    }

    pub(super) fn read_table(&self, text: &str) -> Result<Table, ParseError> {
        let mut scanner = Scanner::new(text);
        let mover = self.read_force(&mut scanner)?;
        scanner.demand('v', "'v' and the other side's men")?;
        let opponent = self.read_force(&mut scanner)?;
        scanner.end()?;
        if mover.1 != opponent.1 {
            let expected = "men in hand on both sides or on neither, as in 4+1v5+0".to_owned();
            let found = text.to_owned();
            return Err(Problem::Syntax { expected, found }.into());
        }
        let table = Table {
            mover: mover.0,
            opponent: opponent.0,
        };
        match self.objection_to(table) {
            None => Ok(table),
            Some(why) => {
                let (name, ruleset) = (text.to_owned(), self.rules.id.to_owned());
                Err(Problem::NoSuchTable { name, ruleset, why }.into())
            }
        }
    }

    /// Men on the board and in hand, and whether the hand was written.
    fn read_force(&self, scanner: &mut Scanner) -> Result<(Force, bool), ParseError> {
        let clamp = |number: u32| number.min(100) as u8;
        let men = clamp(scanner.number("a number of men")?);
        let with_hand = scanner.eat('+');
        let hand = if with_hand {
            clamp(scanner.number("the men in hand")?)
        } else {
            0
        };
        Ok((Force { men, hand }, with_hand))
    }
}
