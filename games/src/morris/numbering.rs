//! The numbering of morris positions, and how turns lead from table to table.

use super::Morris;
use super::index::{TableNumbering, count_orbits, least_image};
use super::position::{Force, Position, Table, Turn};
use super::rows::Rows;
use crate::colour::Colour;
use crate::error::{ParseError, Problem};
use crate::numbering::{Numbering, Pieces};
use crate::scanner::Scanner;

/// Positions of a table with or without bans.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Banned {
    table: Table,
    /// Whether the side to move may have banned mills, and whether the other side may.
    sides: [bool; 2],
}

/// A position in terms of the numbering.
pub struct Located<'g> {
    /// The rows of its table.
    pub rows: &'g Rows,
    /// The numbering of its table.
    pub numbering: &'g TableNumbering,
    /// The row of its row side.
    pub row: usize,
    /// The men of its column side under the symmetry that maps the row side to the row's set.
    pub column_men: u32,
}

impl Numbering for Morris {
    type Table = Table;

    fn tables(&self, pieces: Option<u32>) -> Vec<Table> {
        let reached = self.reached_tables().iter().copied();
        let wanted = reached.filter(|&table| match pieces {
            Some(most) => table.in_hand() == 0 && self.pieces(table).on_board <= most,
            None => true,
        });
        self.in_solving_order(wanted.collect())
    }

    fn size(&self, table: Table) -> u64 {
        count_orbits(&self.board, table.mover.men, table.opponent.men)
    }

    fn pieces(&self, table: Table) -> Pieces {
        Pieces {
            in_hand: table.in_hand().into(),
            on_board: (table.mover.men + table.opponent.men).into(),
        }
    }

    fn partner(&self, table: Table) -> Table {
        table.swapped()
    }

    /// Includes the tables that decide the positions with bans that a turn may lead to. Every
    /// placement or step is taken to close a mill if there is a man to take.
    fn outside(&self, table: Table) -> Vec<Table> {
        let mut tables = Vec::new();
        let mut ahead = vec![Banned {
            table,
            sides: [false; 2],
        }];
        let mut seen = 0;
        while let Some(&from) = ahead.get(seen) {
            self.visit_next(from, |next| {
                let inside = seen == 0 && Some(next.table) == self.inside_of(table);
                if !inside && !tables.contains(&next.table) {
                    tables.push(next.table);
                }
                // A ban may be dropped, so the table itself may be asked too.
                if next.sides != [false; 2] && !ahead.contains(&next) {
                    ahead.push(next);
                }
            });
            seen += 1;
        }
        tables
    }

    fn table_of(&self, position: &Position) -> Option<Table> {
        let numbered = position.total(0) >= 3 && position.banned == 0;
        numbered.then(|| self.table_with_count(position))
    }

    fn rank(&self, position: &Position) -> u64 {
        let Located {
            rows,
            numbering,
            row,
            column_men,
        } = self.locate(position);
        let in_row = if rows.is_rigid(row) {
            self.column(rows, numbering, row, column_men)
        } else {
            self.canonical_rank(rows, numbering, row, column_men)
        };
        numbering.start(row) + u64::from(in_row)
    }

    fn unrank(&self, table: Table, index: u64) -> Position {
        let (rows, numbering) = self.rows_of(table);
        assert!(
            index < numbering.start(rows.len()),
            "{table} has no position {index}"
        );

        let row = numbering.row_of(index);
        let in_row = (index - numbering.start(row)) as u32;
        let column = if rows.is_rigid(row) {
            in_row
        } else {
            let canonical = numbering.canonical(&self.board, self.bits, rows, row);
            canonical.select(in_row)
        };
        let squeezed = numbering.columns().sets()[column as usize];
        let free = self.board.all() & !rows.set(row);
        let row_side = table.row_side();
        let mut men = [0; 2];
        men[row_side] = rows.set(row);
        men[1 - row_side] = self.bits.pdep(squeezed, free);
        self.position_unchecked(table, men)
    }

    fn solved_together(&self, table: Table) -> Vec<Table> {
        let partner = table.swapped();
        let both = partner != table && self.reached_tables().contains(&partner);
        if both && self.steps_in(table) && self.has_inside_turns(table) {
            vec![table, partner]
        } else {
            vec![table]
        }
    }

    fn has_inside_turns(&self, table: Table) -> bool {
        table.quiet.is_none() && self.steps_in_group(table)
    }

    fn is_inside(&self, position: &Position, turn: &Turn) -> bool {
        let quiet = turn.from.is_some() && turn.removed == 0;
        quiet && !self.counts_quiet(position.material())
    }

    fn parse_table(&self, text: &str) -> Result<Table, ParseError> {
        let table = self.read_material(text)?;
        match self.objection_to(table) {
            None => Ok(table),
            Some(why) => {
                let (name, ruleset) = (text.to_owned(), self.rules.id.clone());
                Err(Problem::NoSuchTable { name, ruleset, why }.into())
            }
        }
    }
}

impl Morris {
    /// Returns the number of rows of some number of men, without making them.
    pub fn row_count(&self, men: u8) -> u64 {
        count_orbits(&self.board, men, 0)
    }

    /// Returns the rows of some number of men.
    #[inline]
    pub fn rows(&self, men: u32) -> &Rows {
        self.rows[men as usize].get_or_init(|| Rows::new(&self.board, men))
    }

    /// Returns the numbering of the tables with these numbers of men on the two sides.
    #[inline]
    pub fn numbering(&self, row_men: u32, column_men: u32) -> &TableNumbering {
        let made = &self.numberings[row_men as usize][column_men as usize];
        made.get_or_init(|| {
            TableNumbering::new(&self.board, self.rows(row_men), row_men, column_men)
        })
    }

    /// Returns the rows and the numbering of a table.
    #[inline]
    pub fn rows_of(&self, table: Table) -> (&Rows, &TableNumbering) {
        let men = [table.mover, table.opponent].map(|force| u32::from(force.men));
        let row_side = table.row_side();
        let rows = self.rows(men[row_side]);
        (rows, self.numbering(men[row_side], men[1 - row_side]))
    }

    /// Returns the row and the column men of a position.
    #[inline]
    pub fn locate(&self, position: &Position) -> Located<'_> {
        let row_side = position.material().row_side();
        let (row_men, column_men) = (position.men[row_side], position.men[1 - row_side]);
        let rows = self.rows(row_men.count_ones());
        let numbering = self.numbering(row_men.count_ones(), column_men.count_ones());
        let (row, symmetry) = rows.locate(row_men);
        Located {
            rows,
            numbering,
            row,
            column_men: self.board.symmetries()[symmetry].apply(column_men),
        }
    }

    /// Returns the column of some men in a row.
    #[inline]
    pub fn column(&self, rows: &Rows, numbering: &TableNumbering, row: usize, men: u32) -> u32 {
        let free = self.board.all() & !rows.set(row);
        numbering.columns().rank(self.bits.pext(men, free))
    }

    /// Returns the rank within the row of the position with these column men, in a row with a
    /// stabiliser.
    pub fn canonical_rank(
        &self,
        rows: &Rows,
        numbering: &TableNumbering,
        row: usize,
        column_men: u32,
    ) -> u32 {
        let least = least_image(&self.board, rows.stabiliser(row), column_men);
        let column = self.column(rows, numbering, row, least);
        let canonical = numbering.canonical(&self.board, self.bits, rows, row);
        canonical.rank(column)
    }

    /// Returns the canonical columns of a row with a stabiliser, in order.
    pub fn canonical_columns<'a>(
        &self,
        rows: &Rows,
        numbering: &'a TableNumbering,
        row: usize,
    ) -> impl Iterator<Item = u32> + use<'a> {
        let canonical = numbering.canonical(&self.board, self.bits, rows, row);
        canonical.columns()
    }

    /// Returns the position of a table with the men of the side to move and of the other side on
    /// these points, for layouts, which enumerate such sets. They must be disjoint sets of points
    /// of the board, with as many members as the table has men on the board; only debug builds
    /// check this. For setups use [`Notation::legal`](crate::Notation::legal).
    #[inline]
    pub fn position_unchecked(&self, table: Table, men: [u32; 2]) -> Position {
        // If both sides must place, the hands determine the side to move.
        let black = !self.rules.moves_while_placing && table.mover.hand > table.opponent.hand;
        let position = Position {
            men,
            hand: [table.mover.hand, table.opponent.hand],
            turn: if black { Colour::Black } else { Colour::White },
            quiet: table.quiet.unwrap_or(0),
            banned: 0,
        };
        debug_assert_eq!(self.table_with_count(&position), table);
        debug_assert!(men[0] & men[1] == 0 && (men[0] | men[1]) & !self.board.all() == 0);
        position
    }

    /// Visits where the turns of a table lead.
    fn visit_next(&self, from: Banned, mut visit: impl FnMut(Banned)) {
        let Banned {
            table,
            sides: [_, theirs],
        } = from;
        if self.is_at_limit(table) {
            return;
        }
        let steps = table.mover.men > 0 && self.steps_in(table);
        let breaks = steps
            && self
                .fewest_to_ban
                .is_some_and(|fewest| u32::from(table.mover.men) >= fewest);
        let mut lead = |next: Option<Table>, own: bool| {
            if let Some(table) = next {
                visit(Banned {
                    table,
                    sides: [theirs, own],
                });
            }
        };
        lead(self.after_placing(table), false);
        for count in 1..=self.most_taken() {
            lead(self.after_placing_and_taking(table, count), false);
        }
        if steps {
            for count in 1..=self.most_taken() {
                lead(self.after_taking(table, count), breaks);
            }
            lead(self.after_quiet_step(table), false);
        }
    }

    /// Reads the name of a table, which need not exist.
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

    /// Reads men on the board and in hand, and returns whether the hand was given.
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
