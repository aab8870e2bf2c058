//! How morris positions and turns are read, written and handed over.

use super::moves::points;
use super::pending::removal_pending;
use super::position::{Position, Turn};
use super::position_text::{COLOURS, MEN, memory_text};
use super::{BANNED, Morris, QUIET};
use super::{diagram, fen, foreign, transform};
use crate::clipboard;
use crate::colour::Colour;
use crate::diagram::Diagram;
use crate::error::{ParseError, Problem};
use crate::geometry::Geometry;
use crate::memory::{Clock, Memory};
use crate::notation::{Begun, Interchange, Notation};
use crate::piece::PieceKind;
use crate::reading::{Partial, Reading};
use crate::rules::Rules;
use crate::setup::{MEMORY, Setup};
use crate::transform::Transform;

impl Notation for Morris {
    fn parse_position(&self, text: &str) -> Result<Position, ParseError> {
        let text = clipboard::bare(text);
        if text.trim().eq_ignore_ascii_case("start") {
            return Ok(self.start());
        }
        let setup = if fen::is_fen(&text) {
            let fen = self.read_fen(&text)?;
            if let Some(pending) = fen.pending {
                return Err(ParseError::at(pending.at, removal_pending()));
            }
            fen.setup
        } else {
            self.read_setup(&text)?
        };
        Ok(self.legal(&setup)?)
    }

    fn format_position(&self, position: &Position) -> String {
        let setup = self.setup(position);
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
        let banned = self.board.members(position.banned);
        let banned: Vec<String> = banned.map(|line| self.name_of_line(line)).collect();
        text + &memory_text(position.quiet.into(), &banned)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, ParseError> {
        let turn = self.scan_turn(text)?;
        if self.finished(position).is_some() {
            return Err(Problem::GameOver.into());
        }
        match self.objection_to_turn(position, &turn) {
            None => Ok(turn),
            Some(problem) => Err(problem.into()),
        }
    }

    fn format_turn(&self, _: &Position, turn: &Turn) -> String {
        let from = turn.from.map(|from| self.board.name(from) + "-");
        let to = self.board.name(turn.to);
        let removed = points(turn.removed).map(|point| format!("x{}", self.board.name(point)));
        from.unwrap_or_default() + &to + &removed.collect::<String>()
    }

    fn legal(&self, setup: &Setup) -> Result<Position, Problem> {
        let ruleset = || self.rules.id.clone();
        let memory = || match setup.memory {
            [quiet, _] if quiet != 0 && self.rules.quiet_limit == 0 => Some("count of quiet plies"),
            [_, banned] if banned != 0 && !self.rules.bans_broken_mills => Some("banned lines"),
            _ => None,
        };
        if let Some(what) = setup.unknown_to(1, 1, MEMORY).or_else(memory) {
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
            quiet: setup.memory[QUIET].min(u8::MAX.into()) as u8,
            banned: setup.memory[BANNED],
        };
        self.check_memory(&position, setup)?;
        let men = position.total(1);
        if men < 3 {
            let side = setup.to_move.other().name();
            let has = match men {
                0 => "no men".to_owned(),
                1 => "only 1 man".to_owned(),
                men => format!("only {men} men"),
            };
            return Err(Problem::AlreadyOver { side, has });
        }
        Ok(position)
    }

    fn setup(&self, position: &Position) -> Setup {
        let sides = COLOURS.map(|colour| usize::from(colour != position.turn));
        let mut setup = Setup::empty(position.turn);
        setup.pieces[MEN] = sides.map(|side| position.men[side].into());
        setup.hand[MEN] = sides.map(|side| position.hand[side].into());
        setup.memory[QUIET] = position.quiet.into();
        setup.memory[BANNED] = position.banned;
        setup
    }

    fn diagram(&self, position: &Position) -> Diagram {
        diagram::draw(self, position)
    }

    fn memory(&self, position: &Position) -> Memory {
        let owner = |line: usize| match position.men[0] & self.board.lines()[line] {
            0 => position.turn.other(),
            _ => position.turn,
        };
        let banned = self.board.members(position.banned);
        Memory {
            clock: self.counts_quiet(position.material()).then(|| Clock {
                plies: position.quiet.into(),
                limit: self.rules.quiet_limit.into(),
            }),
            forbidden: banned
                .map(|line| (owner(line), self.name_of_line(line)))
                .collect(),
        }
    }

    fn geometry(&self) -> Geometry {
        self.board.geometry()
    }

    /// Reads a turn; if it closes a mill, the men to remove may be missing.
    fn read_turn(&self, position: &Position, text: &str) -> Result<Reading<Turn>, ParseError> {
        let error = match self.parse_turn(position, text) {
            Ok(turn) => return Ok(Reading::Whole(turn)),
            Err(error) => error,
        };
        if !matches!(error.problem, Problem::Incomplete { .. }) {
            return Err(error);
        }
        let begun = self.scan_turn(text)?;
        let so_far = self.format_turn(position, &begun);
        let mut answers = Vec::new();
        self.visit_removals(
            position.men[1],
            self.mills_of(position, &begun),
            |removed| {
                if removed & begun.removed == begun.removed {
                    let left = points(removed & !begun.removed).map(|point| self.board.name(point));
                    let text = left.collect::<Vec<_>>().join("x");
                    answers.push((text, Turn { removed, ..begun }));
                }
            },
        );
        let several = answers.iter().any(|(text, _)| text.contains('x'));
        let mut on_its_way = *position;
        on_its_way.men[0] &= !begun.from.map_or(0, |from| 1 << from);
        on_its_way.men[0] |= 1 << begun.to;
        on_its_way.men[1] &= !begun.removed;
        Ok(Reading::Partial(Partial {
            board: diagram::draw(self, &on_its_way),
            question: match several {
                false => format!("{so_far} closes a mill: which man is removed?"),
                true => format!("{so_far} closes several mills: which men are removed?"),
            },
            so_far: so_far + "x",
            answers,
            words: self.turn_words(position, &begun),
        }))
    }

    fn transformed(&self, position: &Position, by: Transform) -> Result<Position, Problem> {
        transform::transformed(self, position, by)
    }
}

impl Interchange for Morris {
    fn parse_begun(&self, text: &str) -> Result<Begun<Morris>, ParseError> {
        let bare = clipboard::bare(text);
        if fen::is_fen(&bare) {
            let fen = self.read_fen(&bare)?;
            if let Some(pending) = &fen.pending {
                let (before, begun) = self.beginning_of(&fen.setup, pending)?;
                return Ok((before, Some(begun)));
            }
        }
        Ok((self.parse_position(text)?, None))
    }

    fn turn_elsewhere(&self, text: &str) -> Option<String> {
        foreign::turn(&self.board, text)
    }

    /// A removal is a separate word, as in the common morris programs: `a1-a4 xg7`.
    fn turn_words(&self, position: &Position, turn: &Turn) -> Vec<String> {
        let step = Turn {
            removed: 0,
            ..*turn
        };
        let removals = points(turn.removed).map(|point| format!("x{}", self.board.name(point)));
        std::iter::once(self.format_turn(position, &step))
            .chain(removals)
            .collect()
    }
}
