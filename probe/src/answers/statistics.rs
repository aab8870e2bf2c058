//! Counts, longest wins and sizes, read from the headers of the files.

use std::collections::BTreeMap;

use endmill_dbformat::{Kind, Statistics};
use endmill_games::Game;
use serde::Serialize;

use super::draw_rank::RankCount;
use crate::database::Database;
use crate::error::Result;

/// The counts of a table, or of several tables together.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableAnswer {
    /// Its name. Absent for several tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The number of positions; symmetric positions count once.
    pub positions: u64,
    /// The number of positions that the side to move wins.
    pub win: u64,
    /// The number of positions that the side to move loses.
    pub loss: u64,
    /// The number of drawn positions.
    pub draw: u64,
    /// The longest win in plies; 0 without one.
    pub longest_win: u16,
    /// The longest loss in plies; 0 without one.
    pub longest_loss: u16,
    /// The first position with the longest win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_win_position: Option<String>,
    /// The first position with the longest loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest_loss_position: Option<String>,
    /// The number of positions by plies: wins at odd, losses at even numbers. Absent in lists of
    /// tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<BTreeMap<String, u64>>))]
    pub plies: Option<BTreeMap<usize, u64>>,
    /// The ranks of its draws, the worst first. Absent in lists, and if they are not stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_ranks: Option<Vec<RankCount>>,
    /// The size of the `.wld`.
    pub wld_bytes: u64,
    /// The size of the `.dtw`, 0 without one.
    pub dtw_bytes: u64,
    /// The size of the `.drw`, 0 without one.
    pub drw_bytes: u64,
    /// The recorded BLAKE3 hash of the `.wld`. Only the server fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wld_checksum: Option<String>,
    /// The recorded BLAKE3 hash of the `.dtw`. Only the server fills it in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtw_checksum: Option<String>,
    /// The number of pieces on the board. Absent in statistics, like the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u32>,
    /// The number of men in both hands together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_hand: Option<u32>,
    /// The tables that its turns lead to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leads_to: Option<Vec<String>>,
}

/// The sum of the tables with the same number of men in hand.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandLayer {
    /// The number of men in both hands.
    pub in_hand: u32,
    /// The number of tables.
    pub tables: usize,
    /// Their sum.
    #[serde(flatten)]
    pub sum: TableAnswer,
}

/// The statistics of a database.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatisticsAnswer {
    /// The id of the ruleset.
    pub ruleset: String,
    /// The tables by pieces in hand and on the board.
    pub tables: Vec<TableAnswer>,
    /// The sums by men in hand. Absent without tables with men in hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_hand: Vec<HandLayer>,
    /// The sum of all tables.
    pub total: TableAnswer,
}

impl TableAnswer {
    /// The counts of a table whose files have these sizes.
    pub fn new<G: Game>(
        game: &G,
        table: G::Table,
        statistics: &Statistics,
        [wld_bytes, dtw_bytes, drw_bytes]: [u64; 3],
    ) -> TableAnswer {
        let counts = statistics.histogram.iter().copied().enumerate();
        let text = |at: Option<u64>| Some(game.format_position(&game.unrank(table, at?)));
        let mut leads_to = game.outside(table);
        if game.has_inside_turns(table) {
            leads_to.insert(0, game.partner(table));
        }
        TableAnswer {
            table: Some(table.to_string()),
            positions: statistics.positions(),
            win: statistics.wins,
            loss: statistics.losses,
            draw: statistics.draws,
            longest_win: statistics.longest_win().unwrap_or(0),
            longest_loss: statistics.longest_loss().unwrap_or(0),
            longest_win_position: text(statistics.longest_win_at),
            longest_loss_position: text(statistics.longest_loss_at),
            plies: Some(counts.filter(|&(_, count)| count > 0).collect()),
            wld_bytes,
            dtw_bytes,
            drw_bytes,
            pieces: Some(game.pieces(table).on_board),
            in_hand: Some(game.pieces(table).in_hand),
            leads_to: Some(leads_to.iter().map(ToString::to_string).collect()),
            ..TableAnswer::default()
        }
    }

    /// Reads the counts of one table from the headers of its files.
    pub fn ask<G: Game>(database: &Database<G>, table: G::Table) -> Result<TableAnswer> {
        let entry = database.entry(table)?;
        let (statistics, _) = database.lookup.statistics(&database.game, entry)?;
        let bytes = Kind::ALL.map(|kind| entry.bytes(kind).unwrap_or(0));
        let ranks = database.draw_ranks_of(table)?;
        Ok(TableAnswer {
            draw_ranks: ranks.map(|ranks| ranks.iter().map(RankCount::from).collect()),
            ..TableAnswer::new(&database.game, table, &statistics, bytes)
        })
    }

    /// Adds another table.
    fn add(&mut self, other: &TableAnswer) {
        self.positions += other.positions;
        self.win += other.win;
        self.loss += other.loss;
        self.draw += other.draw;
        if other.longest_win > self.longest_win {
            self.longest_win = other.longest_win;
            self.longest_win_position = other.longest_win_position.clone();
        }
        if other.longest_loss > self.longest_loss {
            self.longest_loss = other.longest_loss;
            self.longest_loss_position = other.longest_loss_position.clone();
        }
        let plies = self.plies.get_or_insert_default();
        for (&ply, &count) in other.plies.iter().flatten() {
            *plies.entry(ply).or_insert(0) += count;
        }
        self.wld_bytes += other.wld_bytes;
        self.dtw_bytes += other.dtw_bytes;
        self.drw_bytes += other.drw_bytes;
    }
}

impl StatisticsAnswer {
    /// Adds up tables, which must be sorted.
    pub fn of(ruleset: String, tables: impl IntoIterator<Item = TableAnswer>) -> StatisticsAnswer {
        let sum = || TableAnswer {
            plies: Some(BTreeMap::new()),
            ..TableAnswer::default()
        };
        let mut layers: BTreeMap<u32, HandLayer> = BTreeMap::new();
        let mut whole = StatisticsAnswer {
            ruleset,
            tables: Vec::new(),
            by_hand: Vec::new(),
            total: sum(),
        };
        for mut table in tables {
            let in_hand = table.in_hand.take().unwrap_or(0);
            (table.pieces, table.leads_to) = (None, None);
            let layer = layers.entry(in_hand).or_insert_with(|| HandLayer {
                in_hand,
                tables: 0,
                sum: sum(),
            });
            layer.tables += 1;
            layer.sum.add(&table);
            whole.total.add(&table);
            whole.tables.push(table);
        }
        if layers.keys().any(|&in_hand| in_hand > 0) {
            whole.by_hand = layers.into_values().collect();
        }
        whole
    }
}

/// The tables of a database by pieces in hand and on the board.
pub(crate) fn sorted_tables<G: Game>(database: &Database<G>) -> Vec<G::Table> {
    let game = database.game();
    let entries = database.lookup.table_set.entries().iter();
    let mut tables: Vec<G::Table> = entries.map(|entry| entry.table).collect();
    tables.sort_by_key(|&table| (game.pieces(table), table));
    tables
}
