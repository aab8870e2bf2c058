//! Conversions between the C structs and the types of the probe and the games.

#![allow(unsafe_code, reason = "the callers are written in C")]

use endmill_games::morris::{BANNED, QUIET};
use endmill_games::{Colour, Problem, Setup};
use endmill_probe::answers::{CoverageAnswer, LineAnswer, MoveAnswer, ValueAnswer};
use endmill_probe::{Access, Options, ProbeError, Verdict};

use crate::status::{Failure, Status, fill};
use crate::types::{
    BLACK, Coverage, DatabaseOptions, HAND, LineEnd, MAPPED, Outcome, POSITIONED, Path, Position,
    TABLE_NAME, TURN_TEXT, Turn, VIA, Value, WHITE,
};
use crate::types::{DrawRank, RANK_TABLES};

impl From<Options> for DatabaseOptions {
    fn from(options: Options) -> DatabaseOptions {
        DatabaseOptions {
            cache_bytes: options.cache_bytes as u64,
            open_files: u32::try_from(options.open_files).unwrap_or(u32::MAX),
            access: match options.access.is_mapped() {
                true => MAPPED,
                false => POSITIONED,
            },
        }
    }
}

impl TryFrom<DatabaseOptions> for Options {
    type Error = Failure;

    fn try_from(options: DatabaseOptions) -> Result<Options, Failure> {
        Ok(Options {
            access: match options.access {
                // SAFETY: the header states the contract that the caller accepts.
                MAPPED => unsafe { Access::mapped() },
                POSITIONED => Access::POSITIONED,
                other => return Err(Failure::argument(format!("{other} is not an access mode"))),
            },
            cache_bytes: usize::try_from(options.cache_bytes).unwrap_or(usize::MAX),
            open_files: options.open_files as usize,
            allow_empty: false,
        })
    }
}

/// The numbers of men and kings among the kinds of pieces. A C position has no others.
const MEN: usize = 0;
const KINGS: usize = 1;

impl TryFrom<Position> for Setup {
    type Error = Failure;

    fn try_from(position: Position) -> Result<Setup, Failure> {
        let mut setup = Setup::empty(match position.to_move {
            WHITE => Colour::White,
            BLACK => Colour::Black,
            other => return Err(Failure::argument(format!("{other} is not a colour"))),
        });
        if position.reserved != [0; 2] {
            return Err(Failure::argument(
                "the reserved fields of a position must be 0".to_owned(),
            ));
        }
        let sides = [position.white, position.black];
        let stray = position.kings & !(position.white | position.black);
        if stray != 0 {
            let (kind, name) = ("king", format!("bit {}", stray.trailing_zeros()));
            return Err(ProbeError::Position(Problem::NoPiece { kind, name }.into()).into());
        }
        setup.pieces[MEN] = sides.map(|side| (side & !position.kings).into());
        setup.pieces[KINGS] = sides.map(|side| (side & position.kings).into());
        setup.hand[MEN] = [position.white_hand.into(), position.black_hand.into()];
        setup.memory[QUIET] = position.quiet.into();
        setup.memory[BANNED] = position.banned.into();
        Ok(setup)
    }
}

impl TryFrom<Setup> for Position {
    type Error = Failure;

    /// Fails if a game has more than men and kings on 32 places.
    fn try_from(setup: Setup) -> Result<Position, Failure> {
        let fit = || {
            let men: [u32; 2] = narrow(setup.pieces[MEN])?;
            let kings: [u32; 2] = narrow(setup.pieces[KINGS])?;
            let [white_hand, black_hand] = narrow(setup.hand[MEN])?;
            let position = Position {
                white: men[0] | kings[0],
                black: men[1] | kings[1],
                kings: kings[0] | kings[1],
                white_hand,
                black_hand,
                to_move: match setup.to_move {
                    Colour::White => WHITE,
                    Colour::Black => BLACK,
                },
                quiet: setup.memory[QUIET].try_into().ok()?,
                banned: setup.memory[BANNED].try_into().ok()?,
                reserved: [0; 2],
            };
            let whole = Setup::try_from(position).ok()? == setup;
            whole.then_some(position)
        };
        fit().ok_or_else(|| {
            Failure::argument("the position does not fit endmill_position".to_owned())
        })
    }
}

/// Both of a pair in a smaller type.
fn narrow<A, B: TryFrom<A>>([white, black]: [A; 2]) -> Option<[B; 2]> {
    Some([white.try_into().ok()?, black.try_into().ok()?])
}

impl From<endmill_games::Outcome> for Outcome {
    fn from(outcome: endmill_games::Outcome) -> Outcome {
        match outcome {
            endmill_games::Outcome::Loss => Outcome::Loss,
            endmill_games::Outcome::Draw => Outcome::Draw,
            endmill_games::Outcome::Win => Outcome::Win,
        }
    }
}

impl From<Verdict> for Value {
    fn from(verdict: Verdict) -> Value {
        Value {
            outcome: verdict.outcome().into(),
            plies: verdict.plies().unwrap_or(0),
            plies_known: verdict.plies().is_some(),
        }
    }
}

impl From<ValueAnswer> for Value {
    /// An unknown value becomes a draw of unknown distance; the status of the move is not OK then.
    fn from(value: ValueAnswer) -> Value {
        match value.verdict() {
            Some(verdict) => verdict.into(),
            None => Value {
                outcome: Outcome::Draw,
                plies: 0,
                plies_known: false,
            },
        }
    }
}

impl From<&endmill_games::Path> for Path {
    /// # Panics
    /// If it is longer than a turn of any game.
    fn from(path: &endmill_games::Path) -> Path {
        let mut via = [0; VIA];
        via[..path.via.len()].copy_from_slice(&path.via);
        Path {
            // A position that C can hold has 32 places.
            taken: path.taken as u32,
            from: path.from.unwrap_or(HAND),
            to: path.to,
            via_count: path.via.len() as u8,
            via,
        }
    }
}

impl From<Path> for endmill_games::Path {
    /// The places between the ends are ignored.
    fn from(path: Path) -> endmill_games::Path {
        endmill_games::Path {
            from: (path.from != HAND).then_some(path.from),
            to: path.to,
            via: Vec::new(),
            taken: path.taken.into(),
        }
    }
}

impl Turn {
    /// # Panics
    /// If its text, or the name of the table, is longer than that of any game.
    fn new(
        text: &str,
        value: ValueAnswer,
        missing: Option<&str>,
        places: &endmill_games::Path,
    ) -> Turn {
        let mut turn = Turn {
            text: [0; TURN_TEXT],
            status: Status::Ok,
            value: value.into(),
            missing: [0; TABLE_NAME],
            path: places.into(),
        };
        assert!(fill(&mut turn.text, text), "{text} is too long");
        if let Some(table) = missing {
            turn.status = Status::TableMissing;
            assert!(fill(&mut turn.missing, table), "{table} is too long");
        }
        turn
    }

    /// The turns of a line.
    pub(crate) fn of_line(line: &LineAnswer) -> Vec<Turn> {
        let worth = line.values.iter().zip(&line.places);
        let turns = line.line.iter().zip(worth);
        turns
            .map(|(text, (&value, places))| Turn::new(text, value, None, places))
            .collect()
    }
}

impl From<&MoveAnswer> for Turn {
    fn from(turn: &MoveAnswer) -> Turn {
        Turn::new(
            &turn.text,
            turn.value,
            turn.missing.as_deref(),
            &turn.places,
        )
    }
}

impl From<endmill_probe::LineEnd> for LineEnd {
    fn from(end: endmill_probe::LineEnd) -> LineEnd {
        match end {
            endmill_probe::LineEnd::Finished => LineEnd::Finished,
            endmill_probe::LineEnd::Repetition => LineEnd::Repetition,
            endmill_probe::LineEnd::Cut => LineEnd::Cut,
        }
    }
}

impl From<CoverageAnswer> for Coverage {
    fn from(coverage: CoverageAnswer) -> Coverage {
        Coverage {
            tables: coverage.tables as u32,
            tables_with_plies: coverage.tables_with_plies as u32,
            most_pieces: coverage.most_pieces,
            complete_to: coverage.complete_to,
            whole_game: coverage.whole_game,
        }
    }
}

impl From<Option<&endmill_probe::DrawRank>> for DrawRank {
    fn from(rank: Option<&endmill_probe::DrawRank>) -> DrawRank {
        let mut tables = [0; RANK_TABLES];
        let Some(rank) = rank else {
            return DrawRank {
                known: false,
                converts: false,
                conversion_plies: 0,
                score: 0.0,
                numerator: 0,
                denominator: 0,
                tables,
            };
        };
        let mut names = String::new();
        for table in &*rank.tables {
            let gap = if names.is_empty() { "" } else { " " };
            // One byte is for the zero.
            if names.len() + gap.len() + table.len() + 1 > RANK_TABLES {
                break;
            }
            names = names + gap + table;
        }
        fill(&mut tables, &names);
        DrawRank {
            known: true,
            converts: rank.conversion_plies.is_some(),
            conversion_plies: rank.conversion_plies.unwrap_or(0),
            score: rank.score.approximate(),
            numerator: rank.score.numerator(),
            denominator: rank.score.denominator(),
            tables,
        }
    }
}

#[cfg(test)]
mod tests {
    use endmill_games::draughts::Draughts;
    use endmill_games::prelude::*;
    use endmill_games::{KINDS, morris};

    use super::*;

    fn refusal(position: Position) -> String {
        Setup::try_from(position).unwrap_err().text()
    }

    #[test]
    fn setups_survive_conversion_to_c_and_back() {
        let nine = morris::nine();
        let draughts = Draughts::new();
        let placing = nine.parse_position("B:Wa1,d1:Bg1:H7,8").unwrap();
        let kings = draughts.parse_position("W:W18,K31:B12,K5").unwrap();
        for setup in [nine.setup(&placing), draughts.setup(&kings)] {
            let position = Position::try_from(setup).unwrap();
            assert_eq!(Setup::try_from(position).unwrap(), setup);
        }
    }

    #[test]
    fn meaningless_numbers_are_refused() {
        let king = Position {
            kings: 0b100,
            ..Position::default()
        };
        assert_eq!(refusal(king), "a king on bit 2, but no piece");
        let reserved = Position {
            reserved: [0, 1],
            ..Position::default()
        };
        assert_eq!(
            refusal(reserved),
            "the reserved fields of a position must be 0"
        );
    }

    #[test]
    fn setups_that_do_not_fit_the_struct_are_refused() {
        let mut far = Setup::empty(Colour::White);
        far.pieces[MEN][0] = 1 << 32;
        let mut strange = Setup::empty(Colour::White);
        strange.pieces[KINDS - 1][1] = 1;
        for setup in [far, strange] {
            let error = Position::try_from(setup).unwrap_err().text();
            assert_eq!(error, "the position does not fit endmill_position");
        }
    }
}
