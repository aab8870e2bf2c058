//! The database of one game as a database of any.

use endmill_games::{Colour, Diagram, Game, Outcome, ParseError, Setup, Transform, Verdict};
use endmill_records::{GameRecord, NotedTurn, Sheet, Transcript};

use super::given::{Given, GivenTurn};
use super::{AnyDatabase, AnyGame};
use crate::answers::{
    CoverageAnswer, LineAnswer, Man, MoveAnswer, Names, PositionAnswer, ReviewAnswer,
    RulesetAnswer, SampleAnswer, StateAnswer, StatisticsAnswer, TableAnswer, TreeAnswer,
    TurnAnswer, in_setup, sorted_tables,
};
use crate::cached::Cached;
use crate::database::Database;
use crate::error::{ProbeError, Result};
use crate::review::Advisor;
use crate::sample::Wanted;

impl<G: Game> AnyGame for Database<G> {
    fn ruleset(&self) -> RulesetAnswer {
        RulesetAnswer {
            coverage: Some(CoverageAnswer::ask(self)),
            ..RulesetAnswer::new(&self.game)
        }
    }

    fn start(&self) -> Setup {
        self.game.setup(&self.game.start())
    }

    fn setup(&self, position: Given<'_>) -> Result<Setup> {
        let position = position.position(&self.game)?;
        Ok(self.game.setup(&position))
    }

    fn text(&self, position: Given<'_>) -> Result<String> {
        let position = position.position(&self.game)?;
        Ok(self.game.format_position(&position))
    }

    fn arrange(&self, men: &[Man], hand: [u32; 2], to_move: Colour) -> Result<Setup> {
        let setup = in_setup(&self.game, men, hand, to_move);
        let setup = setup.map_err(|problem| ProbeError::Position(problem.into()))?;
        AnyGame::setup(self, Given::Setup(&setup))
    }

    fn state(&self, position: Given<'_>) -> Result<StateAnswer> {
        let position = position.position(&self.game)?;
        Ok(StateAnswer::new(&self.game, &position))
    }

    fn turns(&self, position: Given<'_>) -> Result<Vec<TurnAnswer>> {
        let game = &self.game;
        let position = position.position(game)?;
        let names = Names::of(game);
        let mut turns = Vec::new();
        game.turns(&position, &mut turns);
        let shown = turns.iter().map(|turn| {
            let after = game.play(&position, turn);
            TurnAnswer::named(game, &names, &position, turn, &after)
        });
        Ok(shown.collect())
    }

    fn turn(&self, position: Given<'_>, turn: GivenTurn<'_>) -> Result<TurnAnswer> {
        let position = position.position(&self.game)?;
        let turn = turn.turn(&self.game, &position)?;
        Ok(TurnAnswer::new(&self.game, &position, &turn))
    }

    fn play(&self, position: Given<'_>, turn: GivenTurn<'_>) -> Result<Setup> {
        let position = position.position(&self.game)?;
        let turn = turn.turn(&self.game, &position)?;
        Ok(self.game.setup(&self.game.play(&position, &turn)))
    }

    fn transform(&self, position: Given<'_>, by: Transform) -> Result<Setup> {
        let position = position.position(&self.game)?;
        match self.game.transformed(&position, by) {
            Ok(image) => Ok(self.game.setup(&image)),
            Err(problem) => Err(ProbeError::Position(ParseError::from(problem))),
        }
    }

    fn sheet(&self, position: Given<'_>, turns: &[String]) -> Result<Sheet> {
        let mut position = position.position(&self.game)?;
        let mut record = GameRecord::<G>::new(position);
        for text in turns {
            let turn = GivenTurn::Text(text).turn(&self.game, &position)?;
            record.turns.push(NotedTurn::new(turn));
            position = self.game.play(&position, &turn);
        }
        Ok(record.sheet(&self.game))
    }

    fn diagram(&self, position: Given<'_>) -> Result<Diagram> {
        let position = position.position(&self.game)?;
        Ok(self.game.diagram(&position))
    }
}

impl<G: Game> AnyDatabase for Database<G> {
    fn coverage(&self) -> CoverageAnswer {
        CoverageAnswer::ask(self)
    }

    fn covers(&self, position: Given<'_>) -> Result<bool> {
        let position = position.position(&self.game)?;
        Ok(Database::covers(self, &position))
    }

    fn outcome(&self, position: Given<'_>) -> Result<Option<Outcome>> {
        let position = position.position(&self.game)?;
        Ok(self.probe_outcome(&position)?)
    }

    fn cached_outcome(&self, position: Given<'_>) -> Result<Cached> {
        let position = position.position(&self.game)?;
        Ok(Database::cached_outcome(self, &position))
    }

    fn verdict(&self, position: Given<'_>) -> Result<Verdict> {
        let position = position.position(&self.game)?;
        Ok(Database::probe(self, &position)?)
    }

    fn probe(&self, position: Given<'_>, turns: bool) -> Result<PositionAnswer> {
        let position = position.position(&self.game)?;
        Ok(PositionAnswer::ask(self, &position, turns)?)
    }

    fn moves(&self, position: Given<'_>) -> Result<Vec<MoveAnswer>> {
        let position = position.position(&self.game)?;
        let moves = Database::moves(self, &position)?;
        Ok(MoveAnswer::all(&self.game, &position, &moves))
    }

    fn line(&self, position: Given<'_>) -> Result<LineAnswer> {
        let position = position.position(&self.game)?;
        Ok(LineAnswer::ask(self, &position)?)
    }

    fn review(&self, transcript: &Transcript, advisor: &mut Advisor<'_>) -> Result<ReviewAnswer> {
        Ok(Database::review(self, transcript, advisor)?)
    }

    fn tree(&self, position: Given<'_>, depth: u8) -> Result<TreeAnswer> {
        let position = position.position(&self.game)?;
        Ok(TreeAnswer::ask(self, &position, depth)?)
    }

    fn sample(
        &self,
        table: &str,
        wanted: &Wanted,
        count: usize,
        seed: u64,
    ) -> Result<SampleAnswer> {
        let table = self.game.parse_table(table).map_err(ProbeError::Table)?;
        Ok(SampleAnswer::ask(self, table, wanted, count, seed)?)
    }

    fn statistics(&self) -> Result<StatisticsAnswer> {
        Ok(StatisticsAnswer::ask(self)?)
    }

    fn tables(&self) -> Result<Vec<TableAnswer>> {
        let tables = sorted_tables(self).into_iter().map(|table| {
            Ok(TableAnswer {
                plies: None,
                ..TableAnswer::ask(self, table)?
            })
        });
        tables.collect()
    }

    fn table(&self, table: &str) -> Result<TableAnswer> {
        let table = self.game.parse_table(table).map_err(ProbeError::Table)?;
        Ok(TableAnswer::ask(self, table)?)
    }
}
