//! What a position remembers: the count of quiet plies, and banned mills.
//!
//! *Quiet plies* are counted while a side has exactly three men and no men are in hand. A turn
//! without a removal adds one, a removal resets the count; at the limit the game is drawn, unless
//! the side to move has already lost. The count is part of the table.
//!
//! *A ban* begins when a turn moves a man out of a mill, closes another and removes a man: the
//! broken mill may not be closed by the next turn of its side. The side that has two men on a
//! banned line is the one that may not close it. A position with a ban has no rank: its value
//! follows from its turns.

use super::Morris;
use super::moves::points;
use super::position::{Force, Position, Table, Turn};

impl Morris {
    /// Returns whether quiet plies are counted with this material.
    #[inline]
    pub(super) fn counts_quiet(&self, material: Table) -> bool {
        let three = material.mover.men == 3 || material.opponent.men == 3;
        self.rules.quiet_limit > 0 && three && material.in_hand() == 0
    }

    /// Returns the table of some material with a count of zero, if it has a count.
    pub(super) fn just_begun(&self, material: Table) -> Table {
        let quiet = self.counts_quiet(material).then_some(0);
        Table { quiet, ..material }
    }

    /// Returns the table of a position, even if the position has no rank.
    pub(super) fn table_with_count(&self, position: &Position) -> Table {
        let material = position.material();
        let quiet = self.counts_quiet(material).then_some(position.quiet);
        Table { quiet, ..material }
    }

    /// Returns where a turn without placement or removal leads: the partner, or the partner with
    /// the next count; `None` at the limit.
    pub fn after_quiet_step(&self, table: Table) -> Option<Table> {
        let quiet = match table.quiet {
            Some(quiet) if quiet >= self.rules.quiet_limit => return None,
            Some(quiet) => Some(quiet + 1),
            None => None,
        };
        Some(Table {
            quiet,
            ..table.swapped()
        })
    }

    /// Returns whether the limit of quiet plies is reached.
    #[inline]
    pub(super) fn at_quiet_limit(&self, position: &Position) -> bool {
        self.rules.quiet_limit > 0
            && position.quiet >= self.rules.quiet_limit
            && self.counts_quiet(position.material())
    }

    /// Returns whether the count of a table is at the limit: there every game is over.
    pub fn is_at_limit(&self, table: Table) -> bool {
        table
            .quiet
            .is_some_and(|quiet| quiet >= self.rules.quiet_limit)
    }

    /// Returns the count after a turn.
    #[inline]
    pub(super) fn quiet_after(&self, position: &Position, turn: &Turn) -> u8 {
        let counts = self.rules.quiet_limit > 0
            && turn.removed == 0
            && self.counts_quiet(position.material());
        if counts { position.quiet + 1 } else { 0 }
    }

    /// Returns the number of the banned line that a man on `to` would complete, given the other men
    /// of its side.
    #[inline]
    pub(super) fn ban_on(&self, position: &Position, others: u32, to: u8) -> Option<usize> {
        if position.banned == 0 {
            return None;
        }
        let lines = self.board.lines();
        let mut banned = self.board.members(position.banned);
        banned.find(|&line| lines[line] >> to & 1 == 1 && lines[line] & !(others | 1 << to) == 0)
    }

    /// Returns whether a ban forbids a turn that the side to move could otherwise make.
    pub fn is_bound(&self, position: &Position) -> bool {
        let (lines, [own, other]) = (self.board.lines(), position.men);
        let total = position.total(0);
        let may_place = position.hand[0] > 0;
        self.board.members(position.banned).any(|line| {
            let line = lines[line];
            let to = line & !own;
            let others = own & !line;
            // Reaching is symmetric.
            let reaches = || {
                let to = to.trailing_zeros() as u8;
                self.may_move(position) && self.reach(to, others, total) != 0
            };
            to & other == 0 && to.is_power_of_two() && (may_place || reaches())
        })
    }

    /// Returns the bans after a turn that leaves `men` on the board, the side then to move first.
    pub(super) fn banned_after(&self, position: &Position, turn: &Turn, men: [u32; 2]) -> u64 {
        if !self.rules.bans_broken_mills {
            return 0;
        }
        let (lines, own) = (self.board.lines(), position.men[0]);
        // For the side that moved, only the mill broken by this turn is banned.
        let theirs = |line: &usize| lines[*line] & own == 0;
        let kept = self.board.members(position.banned).filter(theirs);
        let broken = match turn.from {
            Some(from) if turn.removed != 0 => {
                let through = self.board.through(u64::MAX, from);
                let stood = |&line: &usize| lines[line] & !own == 0;
                let broken = self.board.members(through).filter(stood);
                broken.fold(0, |set, line| set | 1 << line)
            }
            _ => 0,
        };
        let kept = kept.filter(|&line| self.can_be_banned(men, line));
        kept.fold(broken, |set, line| set | 1 << line)
    }

    /// Returns whether a ban on a line can matter: it has two men of one side, and its third point
    /// is free.
    pub(super) fn can_be_banned(&self, men: [u32; 2], line: usize) -> bool {
        let [own, other] = men.map(|men| (men & self.board.lines()[line]).count_ones());
        (own, other) == (2, 0) || (own, other) == (0, 2)
    }

    /// Returns whether a turn of a table or of its partner may leave a ban without ending the game.
    pub(super) fn may_leave_bans(&self, table: Table) -> bool {
        let may = |side: Force, other: Force| {
            let breaks = self
                .fewest_to_ban
                .is_some_and(|men| u32::from(side.men) >= men);
            breaks && other.total() > 3
        };
        may(table.mover, table.opponent) || may(table.opponent, table.mover)
    }

    /// Returns the fewest men with which a side can break a mill and close another by the same
    /// move; `None` if these rules have no bans, or if that is never possible.
    pub(super) fn fewest_to_ban(&self) -> Option<u32> {
        let lines = self.board.lines();
        let pairs = lines.iter().flat_map(|&broken| {
            let other = lines.iter().filter(move |&&closed| closed != broken);
            other.map(move |&closed| (broken, closed))
        });
        // The man moves from a point of only the first line to a free point of only the other.
        let men = pairs.filter_map(|(broken, closed)| {
            let (left, reached) = (broken & !closed, closed & !broken);
            let men = (broken | closed).count_ones() - 1;
            let step = points(left).any(|from| self.board.neighbours(from) & reached != 0);
            let flight = self.flies(men) && left != 0 && reached != 0;
            (step || flight).then_some(men)
        });
        men.min().filter(|_| self.rules.bans_broken_mills)
    }
}
