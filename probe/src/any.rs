//! A database of any game behind object-safe traits: for programs that learn the ruleset at run
//! time, such as the C interface, a server or a binding.
//!
//! ```no_run
//! use endmill_probe::{AnyDatabase, Options, open_any};
//!
//! let database: Box<dyn AnyDatabase> = open_any("data/db".as_ref(), "nine", &Options::default())?;
//! let answer = database.probe("W:Wa1,d1,g7:Bb2,b4,d6".into(), true)?;
//! println!("{}", answer.value.verdict().expect("the table is there"));
//! # Ok::<(), endmill_probe::ProbeError>(())
//! ```

use std::path::Path;

use endmill_games::{
    Diagram, Game, Outcome, ParseError, Ruleset, Setup, Transform, Verdict, Visitor,
};
use endmill_records::{GameRecord, NotedTurn, Sheet, Transcript};

use crate::answers::{
    CoverageAnswer, LineAnswer, MoveAnswer, PlaceNames, PositionAnswer, ReviewAnswer,
    RulesetAnswer, SampleAnswer, StateAnswer, TableAnswer, TreeAnswer, TurnAnswer, sorted_tables,
};
use crate::cached::Cached;
use crate::database::Database;
use crate::draw_rank::DrawRank;
use crate::error::{ProbeError, Result};
use crate::input::{PositionInput, TurnInput};
use crate::options::Options;
use crate::review::Advisor;
use crate::sample::SampleFilter;

/// Defines a trait of questions together with its only implementation, by the database of a game:
/// each question stands beside its answer. What follows the semicolon is a [`PositionInput`] for
/// the caller and a legal position in the answer.
macro_rules! questions {
    (
        $(#[$about:meta])*
        trait $questions:ident: $($bound:path),*;
        $(
            $(#[$doc:meta])*
            fn $name:ident(&$self:ident $(; $position:ident)? $(, $argument:ident: $type:ty)*)
                -> $answer:ty $body:block
        )*
    ) => {
        $(#[$about])*
        pub trait $questions: $($bound +)* {
            $(
                $(#[$doc])*
                fn $name(&self $(, $position: PositionInput<'_>)? $(, $argument: $type)*) -> $answer;
            )*
        }

        impl<G: Game> $questions for Database<G> {
            $(
                fn $name(
                    &$self
                    $(, $position: PositionInput<'_>)?
                    $(, $argument: $type)*
                ) -> $answer {
                    $(let $position = $position.check(&$self.game)?;)?
                    $body
                }
            )*
        }
    };
}

questions! {
    /// What the rules alone answer. No question needs a table.
    trait AnyGame: Send, Sync;

    /// The ruleset, its board, and what the database has of it.
    fn ruleset(&self) -> RulesetAnswer {
        RulesetAnswer {
            coverage: Some(CoverageAnswer::ask(self)),
            ..RulesetAnswer::new(&self.game)
        }
    }

    /// The position as sets of places.
    fn setup(&self; position) -> Result<Setup> {
        Ok(self.game.setup(&position))
    }

    /// The position in the first notation of the game.
    fn text(&self; position) -> Result<String> {
        Ok(self.game.format_position(&position))
    }

    /// The board drawn for a console.
    fn diagram(&self; position) -> Result<Diagram> {
        Ok(self.game.diagram(&position))
    }

    /// The men on the board, the side to move, and whether and why the game is over.
    fn state(&self; position) -> Result<StateAnswer> {
        Ok(StateAnswer::new(&self.game, &position))
    }

    /// Every legal turn in the order of the game, without values; none if the game is over.
    fn turns(&self; position) -> Result<Vec<TurnAnswer>> {
        let game = &self.game;
        let names = PlaceNames::of(game);
        let mut turns = Vec::new();
        game.turns(&position, &mut turns);
        let answers = turns.iter().map(|turn| {
            let after = game.play(&position, turn);
            TurnAnswer::named(game, &names, &position, turn, &after)
        });
        Ok(answers.collect())
    }

    /// One legal turn.
    fn turn(&self; position, turn: TurnInput<'_>) -> Result<TurnAnswer> {
        let turn = turn.check(&self.game, &position)?;
        Ok(TurnAnswer::new(&self.game, &position, &turn))
    }

    /// The position after a turn.
    fn play(&self; position, turn: TurnInput<'_>) -> Result<Setup> {
        let turn = turn.check(&self.game, &position)?;
        Ok(self.game.setup(&self.game.play(&position, &turn)))
    }

    /// An equivalent position with the same value. Fails if the game has no such symmetry.
    fn transform(&self; position, by: Transform) -> Result<Setup> {
        match self.game.transformed(&position, by) {
            Ok(image) => Ok(self.game.setup(&image)),
            Err(problem) => Err(ProbeError::Position(ParseError::from(problem))),
        }
    }

    /// A game that begins with this position, as texts from which PDN is written. Fails if a turn
    /// is not legal.
    fn sheet(&self; position, turns: &[String]) -> Result<Sheet> {
        let mut record = GameRecord::<G>::new(position);
        let mut position = position;
        for text in turns {
            let turn = TurnInput::Text(text).check(&self.game, &position)?;
            record.turns.push(NotedTurn::new(turn));
            position = self.game.play(&position, &turn);
        }
        Ok(record.sheet(&self.game))
    }
}

questions! {
    /// What the tables answer. Every [`Database`] is one; [`open_any`] opens one by the id of its
    /// ruleset.
    ///
    /// Questions fail with [`TableMissing`](ProbeError::TableMissing) if the tables that they need
    /// are not there. Any number of threads may ask at once.
    trait AnyDatabase: AnyGame;

    /// Whether the table of a position is there: see [`Database::covers`].
    fn covers(&self; position) -> Result<bool> {
        Ok(Database::covers(self, &position))
    }

    /// Who wins, for searches; `None` if the tables do not decide it: see
    /// [`Database::probe_outcome`].
    fn outcome(&self; position) -> Result<Option<Outcome>> {
        self.probe_outcome(&position)
    }

    /// Who wins, from the cache only: see [`Database::cached_outcome`].
    fn cached_outcome(&self; position) -> Result<Cached> {
        Ok(Database::cached_outcome(self, &position))
    }

    /// Who wins and how fast: see [`Database::probe`].
    fn verdict(&self; position) -> Result<Verdict> {
        Database::probe(self, &position)
    }

    /// How good a draw is: see [`Database::draw_rank`].
    fn draw_rank(&self; position) -> Result<Option<DrawRank>> {
        Database::draw_rank(self, &position)
    }

    /// Everything about a position, with its turns, best first, if `turns` is set. If the value is
    /// not known, the answer says why.
    fn probe(&self; position, turns: bool) -> Result<PositionAnswer> {
        PositionAnswer::ask(self, &position, turns)
    }

    /// Every legal turn with its value, best first: see [`Database::moves`].
    fn moves(&self; position) -> Result<Vec<MoveAnswer>> {
        let moves = Database::moves(self, &position)?;
        Ok(MoveAnswer::all(&self.game, &position, &moves))
    }

    /// The rest of the game under best play: see [`Database::line`].
    fn line(&self; position) -> Result<LineAnswer> {
        LineAnswer::ask(self, &position)
    }

    /// The turns, the replies to them, and so on, `depth` turns deep.
    fn tree(&self; position, depth: u8) -> Result<TreeAnswer> {
        TreeAnswer::ask(self, &position, depth)
    }

    /// A game with the value of each of its turns: see [`Database::review`].
    fn review(&self, transcript: &Transcript, advisor: &mut Advisor<'_>) -> Result<ReviewAnswer> {
        Database::review(self, transcript, advisor)
    }

    /// Random positions of a table: see [`Database::sample`].
    fn sample(
        &self,
        table: &str,
        filter: &SampleFilter,
        count: usize,
        seed: u64
    ) -> Result<SampleAnswer> {
        let table = self.game.parse_table(table).map_err(ProbeError::Table)?;
        SampleAnswer::ask(self, table, filter, count, seed)
    }

    /// All tables of the database, with everything about them, by pieces in hand and on the board.
    /// Reads the headers of the files.
    fn tables(&self) -> Result<Vec<TableAnswer>> {
        let tables = sorted_tables(self).into_iter();
        tables.map(|table| TableAnswer::ask(self, table)).collect()
    }

    /// One table with everything about it.
    fn table(&self, table: &str) -> Result<TableAnswer> {
        let table = self.game.parse_table(table).map_err(ProbeError::Table)?;
        TableAnswer::ask(self, table)
    }
}

/// Opens the tables of a ruleset in a database directory: see [`Database::open`], whose contract
/// about mapped files applies here too.
pub fn open_any(
    directory: &Path,
    ruleset: &str,
    options: &Options,
) -> Result<Box<dyn AnyDatabase>> {
    Ruleset::open(ruleset)?.visit(Open {
        tables: Some((directory, options)),
    })
}

/// The rules of a ruleset without any table: see [`Database::without_tables`].
pub fn rules_only(ruleset: &str) -> Result<Box<dyn AnyDatabase>> {
    Ruleset::open(ruleset)?.visit(Open { tables: None })
}

struct Open<'a> {
    tables: Option<(&'a Path, &'a Options)>,
}

impl Visitor for Open<'_> {
    type Output = Result<Box<dyn AnyDatabase>>;

    fn visit<G: Game>(self, game: G) -> Result<Box<dyn AnyDatabase>> {
        Ok(match self.tables {
            Some((directory, options)) => Box::new(Database::open_with(directory, game, options)?),
            None => Box::new(Database::without_tables(game)),
        })
    }
}
