//! Text in columns.

use std::io::{self, Write};

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};

/// A column with its heading and alignment.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    /// Words.
    Left(&'static str),
    /// Numbers.
    Right(&'static str),
}

/// Starts a table with these columns.
pub fn columns(of: &[Column]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    table.set_header(of.iter().map(|column| match *column {
        Column::Left(head) | Column::Right(head) => head,
    }));
    for (column, set) in table.column_iter_mut().zip(of) {
        column.set_padding((0, 2));
        column.set_cell_alignment(match set {
            Column::Left(_) => CellAlignment::Left,
            Column::Right(_) => CellAlignment::Right,
        });
    }
    table
}

/// Writes a table without trailing blanks.
pub fn write_columns(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", table.trim_fmt())
}
