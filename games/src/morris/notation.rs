//! Positions and tables of morris as text.
//!
//! A position: `W:Wa1,d1:Bb2,b4:H7,7`, side to move, White's men, Black's men, men in hand
//! (White's, Black's; absent = none). Where the rules look back: quiet plies `:Q7`, banned mills
//! `:Xa1-a4-a7`, several after commas (absent = none). Capitals and blanks around the parts do not
//! matter when reading, nor does the order of the colours or of what follows them. A table: `5v4`,
//! `3+2v4+1`, `3v5@7`.

use super::Morris;
use super::board::Place;
use super::moves::points;
use super::position::{Force, Position, Table};
use crate::colour::Colour;
use crate::error::{ParseError, Problem};
use crate::piece::PieceKind;
use crate::scanner::Scanner;
use crate::setup::Setup;

/// The number of the only kind of piece.
pub(super) const MEN: usize = 0;

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
            let men = &mut setup.pieces[MEN];
            let taken = men[1 - side];
            self.read_men(&mut scanner, &mut men[side], taken)?;
        }
        self.read_rest(&mut scanner, &mut setup)?;
        scanner.end()?;
        Ok(setup)
    }

    /// What may follow the men, in any order: `:H2,1`, `:Q7`, `:Xa1-a4-a7`.
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
                'q' => setup.quiet = scanner.number("the number of quiet plies")?,
                _ => self.read_bans(scanner, setup)?,
            }
        }
        Ok(())
    }

    /// Mills that are banned, by their points.
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
                ParseError::at(at, Problem::NoSuchLine { name })
            })?;
            setup.banned |= 1 << line;
            if !scanner.eat(',') {
                return Ok(());
            }
        }
    }

    /// The points of a line, `a1-a4-a7`.
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
        let place = Place::read(&name);
        place
            .and_then(|place| self.board.point_at(place))
            .ok_or_else(|| {
                let kind = "point";
                ParseError::at(at, Problem::NoSuchPlace { name, kind })
            })
    }

    /// Points separated by commas, possibly none, added to `set`; `taken` are those used before.
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

    /// Accepts what can stand on the board between two turns.
    pub(super) fn legal_position(&self, setup: &Setup) -> Result<Position, Problem> {
        let ruleset = || self.rules.id.clone();
        let memory = [self.rules.quiet_limit > 0, self.rules.bans_broken_mills];
        if let Some(what) = setup.unknown_to(1, 1, memory) {
            let ruleset = ruleset();
            return Err(Problem::NotInThisGame { what, ruleset });
        }
        let [white, black] = setup.pieces[MEN];
        let beyond = (white | black) & !u64::from(self.board.all());
        if beyond != 0 {
            let (name, kind) = (format!("bit {}", beyond.trailing_zeros()), "point");
            return Err(Problem::NoSuchPlace { name, kind });
        }
        let sets = [white as u32, black as u32];
        let [white, black] = sets;
        if let Some(point) = points(white & black).next() {
            let (name, kind) = (self.board.name(point), "point");
            return Err(Problem::UsedTwice { name, kind });
        }
        let allowed = u32::from(self.rules.men);
        for colour in COLOURS {
            let hand = setup.hand[MEN][colour as usize];
            let count = sets[colour as usize].count_ones().saturating_add(hand);
            if count > allowed {
                let problem = Problem::TooMany {
                    side: colour.name(),
                    what: PieceKind::MAN.plural,
                    count,
                    allowed,
                    ruleset: ruleset(),
                };
                return Err(problem);
            }
        }
        let [white, black] = setup.hand[MEN];
        let in_turn = match setup.to_move {
            Colour::White => white == black,
            Colour::Black => black == white + 1 || (white == 0 && black == 0),
        };
        if !in_turn && !self.rules.moves_while_placing {
            let side = setup.to_move.name();
            let men = if white == 1 { "man" } else { "men" };
            let why = format!("with {white} {men} in white's hand and {black} in black's");
            return Err(Problem::OutOfTurn { side, why });
        }
        let sides = [setup.to_move as usize, setup.to_move.other() as usize];
        let position = Position {
            men: sides.map(|side| sets[side]),
            hand: sides.map(|side| setup.hand[MEN][side] as u8),
            turn: setup.to_move,
            quiet: setup.quiet.min(u8::MAX.into()) as u8,
            banned: setup.banned,
        };
        self.check_memory(&position, setup)?;
        let men = position.total(1);
        if men < 3 {
            let side = setup.to_move.other().name();
            let has = format!("{men} men");
            return Err(Problem::AlreadyOver { side, has });
        }
        Ok(position)
    }

    /// Refuses what a position cannot remember.
    fn check_memory(&self, position: &Position, setup: &Setup) -> Result<(), Problem> {
        let limit = u32::from(self.rules.quiet_limit);
        let count = setup.quiet;
        if count > limit {
            let why = format!("the limit is {limit}");
            return Err(Problem::QuietCount { count, why });
        }
        if count > 0 && !self.counts_quiet(position.material()) {
            let why = "they are counted while a side has exactly three men and nobody has men in \
                       hand";
            let why = why.to_owned();
            return Err(Problem::QuietCount { count, why });
        }
        let beyond = setup.banned.checked_shr(self.board.lines().len() as u32);
        if beyond.is_some_and(|beyond| beyond != 0) {
            let name = format!("line {}", setup.banned.ilog2());
            return Err(Problem::NoSuchLine { name });
        }
        let mut banned = self.board.members(setup.banned);
        match banned.find(|&line| !self.can_be_banned(position.men, line)) {
            None => Ok(()),
            Some(line) => {
                let name = self.name_of_line(line);
                Err(Problem::NotBanned { name })
            }
        }
    }

    pub(super) fn setup_of(&self, position: &Position) -> Setup {
        let sides = COLOURS.map(|colour| usize::from(colour != position.turn));
        let mut setup = Setup::empty(position.turn);
        setup.pieces[MEN] = sides.map(|side| position.men[side].into());
        setup.hand[MEN] = sides.map(|side| position.hand[side].into());
        setup.quiet = position.quiet.into();
        setup.banned = position.banned;
        setup
    }

    pub(super) fn write_position(&self, position: &Position) -> String {
        let setup = self.setup_of(position);
        let mut text = String::from(setup.to_move.letter());
        for colour in COLOURS {
            let men: Vec<_> = points(setup.pieces[MEN][colour as usize] as u32)
                .map(|point| self.board.name(point))
                .collect();
            text += &format!(":{}{}", colour.letter(), men.join(","));
        }
        if setup.hand[MEN] != [0, 0] {
            let [white, black] = setup.hand[MEN];
            text += &format!(":H{white},{black}");
        }
        if position.quiet > 0 {
            text += &format!(":Q{}", position.quiet);
        }
        if position.banned != 0 {
            let banned = self.board.members(position.banned);
            let names: Vec<String> = banned.map(|line| self.name_of_line(line)).collect();
            text += &format!(":X{}", names.join(","));
        }
        text
    }

    pub(super) fn read_table(&self, text: &str) -> Result<Table, ParseError> {
        let table = self.read_material(text)?;
        match self.objection_to(table) {
            None => Ok(table),
            Some(why) => {
                let (name, ruleset) = (text.to_owned(), self.rules.id.clone());
                Err(Problem::NoSuchTable { name, ruleset, why }.into())
            }
        }
    }

    /// One table, or without a count where one runs those of all counts.
    pub(super) fn read_tables(&self, text: &str) -> Result<Vec<Table>, ParseError> {
        let table = self.read_material(text)?;
        if table.quiet.is_some() || !self.counts_quiet(table) {
            return Ok(vec![self.read_table(text)?]);
        }
        let tables = self.with_all_counts(table);
        self.read_table(&tables[0].to_string())?;
        Ok(tables)
    }

    /// Reads the name of a table, whether there is one or not.
    fn read_material(&self, text: &str) -> Result<Table, ParseError> {
        let mut scanner = Scanner::new(text);
        let mover = self.read_force(&mut scanner)?;
        scanner.demand('v', "'v' and the other side's men")?;
        let opponent = self.read_force(&mut scanner)?;
        let counted = scanner.eat('@');
        let quiet = counted.then(|| scanner.number("a number of quiet plies"));
        let quiet = quiet.transpose()?;
        scanner.end()?;
        if mover.1 != opponent.1 {
            let expected = "men in hand on both sides or on neither, as in 4+1v5+0".to_owned();
            let found = text.to_owned();
            return Err(Problem::Syntax { expected, found }.into());
        }
        Ok(Table {
            mover: mover.0,
            opponent: opponent.0,
            quiet: quiet.map(|quiet| quiet.min(u8::MAX.into()) as u8),
        })
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
