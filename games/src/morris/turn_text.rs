//! Turns of morris as text: `d6`, `a1-a4`, `a1-a4xg7`, `d6xa1xg7`.
//!
//! If a turn is illegal, the error names the rule that it breaks.

use super::Morris;
use super::moves::points;
use super::position::{Position, Turn};
use crate::error::{ParseError, Problem};
use crate::notation::Notation;
use crate::scanner::Scanner;

impl Morris {
    /// Reads a turn without checking whether it is legal.
    pub(super) fn scan_turn(&self, text: &str) -> Result<Turn, ParseError> {
        let mut scanner = Scanner::new(text);
        let first = self.read_point(&mut scanner)?;
        let second = if scanner.eat('-') || !matches!(scanner.peek(), None | Some('x')) {
            Some(self.read_point(&mut scanner)?)
        } else {
            None
        };
        let mut removed = 0;
        while scanner.eat('x') {
            let at = scanner.at();
            let point = self.read_point(&mut scanner)?;
            if removed >> point & 1 == 1 {
                let (name, kind) = (self.board.name(point), "point");
                return Err(ParseError::at(at, Problem::UsedTwice { name, kind }));
            }
            removed |= 1 << point;
        }
        scanner.end()?;
        Ok(Turn {
            from: second.map(|_| first),
            to: second.unwrap_or(first),
            removed,
        })
    }

    /// Returns the number of mills that a turn closes.
    pub(super) fn mills_of(&self, position: &Position, turn: &Turn) -> u32 {
        let others = position.men[0] & !turn.from.map_or(0, |from| 1 << from);
        self.board.mills_closed(others, turn.to)
    }

    /// Returns the rule that a turn breaks, if any. The game must not be over.
    pub(super) fn objection_to_turn(&self, position: &Position, turn: &Turn) -> Option<Problem> {
        let illegal = |why: String| {
            let turn = self.format_turn(position, turn);
            Some(Problem::IllegalTurn { turn, why })
        };
        let name = |point: u8| self.board.name(point);
        let own = position.men[0];
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
            return illegal(format!("{} is occupied", name(to)));
        }
        if let Some(from) = turn.from
            && self.reach(from, free, position.total(0)) >> to & 1 == 0
        {
            return illegal(format!("{} is not next to {}", name(to), name(from)));
        }
        let others = own & !turn.from.map_or(0, |from| 1 << from);
        if let Some(line) = self.ban_on(position, others, to) {
            let line = self.name_of_line(line);
            return illegal(format!(
                "you may not close {line} this turn: it was broken to close another mill"
            ));
        }
        self.objection_to_removals(position, turn)
    }

    /// Returns what is wrong with the removals of a turn.
    fn objection_to_removals(&self, position: &Position, turn: &Turn) -> Option<Problem> {
        let text = || self.format_turn(position, turn);
        let illegal = |why: String| Some(Problem::IllegalTurn { turn: text(), why });
        let name = |point: u8| self.board.name(point);
        let theirs = position.men[1];
        let mills = self.mills_of(position, turn);
        let wanted = self.taken_by(theirs, mills);
        let given = turn.removed.count_ones();
        if wanted == 0 && given > 0 {
            return illegal("it closes no mill, so it removes no man".to_owned());
        }
        if let Some(point) = points(turn.removed & !theirs).next() {
            let side = position.turn.other().name();
            return illegal(format!("{side} has no man on {}", name(point)));
        }
        if given > wanted {
            let men = if wanted == 1 { "man" } else { "men" };
            return illegal(format!("it removes {wanted} {men}, not {given}"));
        }
        // The union of the removals of all legal turns that include these.
        let mut together = None;
        if wanted > 0 {
            self.visit_removals(theirs, mills, |removed| {
                if removed & turn.removed == turn.removed {
                    together = Some(together.unwrap_or(0) | removed);
                }
            });
        }
        match together {
            None if given > 0 => {
                let in_mill = turn.removed & !self.removable(theirs);
                let point = points(if in_mill == 0 { turn.removed } else { in_mill }).next();
                let point = point.map(name).unwrap_or_default();
                illegal(format!("{point} stands in a mill and others do not"))
            }
            Some(together) if given < wanted => {
                let names: Vec<_> = points(together & !turn.removed).map(name).collect();
                Some(Problem::Incomplete {
                    turn: text(),
                    why: "closes a mill and must name a man to remove",
                    candidates: names.join(", "),
                })
            }
            _ => None,
        }
    }
}
