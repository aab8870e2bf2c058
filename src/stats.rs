//! `endmill stats`: what a database holds, from the headers of its files alone.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use dbformat::{Kind, Rules, Statistics, Store};
use games::{Game, Ruleset, Visitor};
use serde::Serialize;

use crate::machine::Taken;
use crate::watch::StepTaken;

/// Report the counts, longest wins and sizes of the tables there are.
#[derive(clap::Args)]
pub struct Args {
    /// The id of a ruleset, see `endmill rules`
    ruleset: String,
    /// Where the database is
    #[arg(long, value_name = "DIR", default_value = "data/db")]
    db: PathBuf,
    /// For programs, with the number of positions decided at each ply
    #[arg(long)]
    json: bool,
    /// Also show a position of a longest win of each table (JSON always has them)
    #[arg(long)]
    examples: bool,
}

impl Args {
    /// Reports.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<()> {
        Ruleset::find(&self.ruleset)?.visit(Stats { args: &self, out })
    }
}

/// What is reported of a table, and of all of them together.
#[derive(Default, Serialize)]
pub struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    positions: u64,
    win: u64,
    loss: u64,
    draw: u64,
    longest_win: u16,
    longest_loss: u16,
    /// The first of those with the longest win.
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_win_position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    longest_loss_position: Option<String>,
    plies: BTreeMap<usize, u64>,
    wld_bytes: u64,
    dtw_bytes: u64,
}

/// The tables with as many men in hand, together.
#[derive(Serialize)]
struct Layer {
    in_hand: u32,
    tables: usize,
    #[serde(flatten)]
    sum: Report,
}

/// What is reported of a ruleset.
#[derive(Serialize)]
pub struct Whole {
    ruleset: String,
    tables: Vec<Report>,
    /// Only where there are tables with men in hand.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_hand: Vec<Layer>,
    total: Report,
    /// What building it took, if this is the report of a build.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<BuildTaken>,
}

impl Whole {
    /// As JSON to be kept and compared: a table a line.
    pub fn to_lines(&self) -> serde_json::Result<String> {
        let Whole {
            ruleset,
            tables,
            by_hand,
            total,
            build,
        } = self;
        let mut parts = vec![
            format!("\"ruleset\": {}", serde_json::to_string(ruleset)?),
            format!("\"tables\": {}", lines(tables)?),
        ];
        if !by_hand.is_empty() {
            parts.push(format!("\"by_hand\": {}", lines(by_hand)?));
        }
        parts.push(format!("\"total\": {}", serde_json::to_string(total)?));
        if let Some(build) = build {
            parts.push(format!("\"build\": {}", serde_json::to_string(build)?));
        }
        Ok(format!("{{\n{}\n}}\n", parts.join(",\n")))
    }
}

/// A JSON array, an element a line.
fn lines<T: Serialize>(elements: &[T]) -> serde_json::Result<String> {
    let lines = elements.iter().map(serde_json::to_string);
    let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]", lines.join(",\n")))
}

/// What a build took.
#[derive(Serialize)]
pub struct BuildTaken {
    /// In all.
    #[serde(flatten)]
    pub taken: Taken,
    /// Threads.
    pub threads: usize,
    /// By kind of step.
    pub steps: BTreeMap<String, StepTaken>,
}

impl Report {
    fn new<G: Game>(
        game: &G,
        table: G::Table,
        statistics: &Statistics,
        [wld_bytes, dtw_bytes]: [u64; 2],
    ) -> Report {
        let Statistics {
            wins,
            draws,
            losses,
            histogram,
            longest_win_at,
            longest_loss_at,
        } = statistics;
        let counts = histogram.iter().copied().enumerate();
        let text = |at: Option<u64>| Some(game.format_position(&game.unrank(table, at?)));
        Report {
            table: Some(table.to_string()),
            positions: wins + draws + losses,
            win: *wins,
            loss: *losses,
            draw: *draws,
            longest_win: statistics.longest_win().unwrap_or(0),
            longest_loss: statistics.longest_loss().unwrap_or(0),
            longest_win_position: text(*longest_win_at),
            longest_loss_position: text(*longest_loss_at),
            plies: counts.filter(|&(_, count)| count > 0).collect(),
            wld_bytes,
            dtw_bytes,
        }
    }

    fn add(&mut self, other: &Report) {
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
        for (&plies, &count) in &other.plies {
            *self.plies.entry(plies).or_insert(0) += count;
        }
        self.wld_bytes += other.wld_bytes;
        self.dtw_bytes += other.dtw_bytes;
    }

    fn line(&self, name: &str) -> String {
        let share = |count: u64| 100.0 * count as f64 / self.positions.max(1) as f64;
        let bits = |bytes: u64| 8.0 * bytes as f64 / self.positions.max(1) as f64;
        format!(
            "{name:<12}{:>14}{:>8.2}{:>8.2}{:>8.2}{:>7}{:>7}{:>9.3}{:>9.3}",
            self.positions,
            share(self.win),
            share(self.draw),
            share(self.loss),
            self.longest_win,
            self.longest_loss,
            bits(self.wld_bytes),
            bits(self.dtw_bytes),
        )
    }
}

/// Reads the headers of all tables there are, by pieces in hand and on the board.
pub fn collect<G: Game>(game: &G, store: &Store) -> dbformat::Result<Whole> {
    let listed = store.list()?;
    let mut tables: Vec<G::Table> = listed
        .iter()
        .filter(|file| file.kind == Kind::Outcomes && file.bytes.is_some())
        .filter_map(|file| game.parse_table(&file.table).ok())
        .collect();
    tables.sort_by_key(|&table| (game.pieces_in_hand(table), game.pieces(table), table));
    let mut whole = Whole {
        ruleset: game.description().id,
        tables: Vec::new(),
        by_hand: Vec::new(),
        total: Report::default(),
        build: None,
    };
    let mut layers: BTreeMap<u32, Layer> = BTreeMap::new();
    for table in tables {
        let name = table.to_string();
        let bytes = |kind| {
            let file = listed
                .iter()
                .find(|file| file.table == name && file.kind == kind);
            file.and_then(|file| file.bytes).unwrap_or(0)
        };
        let opened = store.outcomes(&name, game.size(table))?;
        let statistics = opened.file().statistics();
        let report = Report::new(game, table, statistics, Kind::ALL.map(bytes));
        let in_hand = game.pieces_in_hand(table);
        let layer = layers.entry(in_hand).or_insert_with(|| Layer {
            in_hand,
            tables: 0,
            sum: Report::default(),
        });
        layer.tables += 1;
        layer.sum.add(&report);
        whole.total.add(&report);
        whole.tables.push(report);
    }
    if layers.keys().any(|&in_hand| in_hand > 0) {
        whole.by_hand = layers.into_values().collect();
    }
    Ok(whole)
}

struct Stats<'a> {
    args: &'a Args,
    out: &'a mut dyn Write,
}

impl Visitor for Stats<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: Game>(self, game: G) -> anyhow::Result<()> {
        let store = Store::new(&self.args.db, Rules::of(&game));
        let whole = collect(&game, &store)?;
        let out = self.out;
        if self.args.json {
            serde_json::to_writer(&mut *out, &whole)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(
            out,
            "{:<12}{:>14}{:>8}{:>8}{:>8}{:>7}{:>7}{:>9}{:>9}",
            "table",
            "positions",
            "win %",
            "draw %",
            "loss %",
            "l.win",
            "l.loss",
            "wld b/p",
            "dtw b/p"
        )?;
        for report in &whole.tables {
            let name = report.table.as_deref().unwrap_or_default();
            writeln!(out, "{}", report.line(name))?;
            let example = report.longest_win_position.as_ref();
            if let Some(position) = example.filter(|_| self.args.examples) {
                writeln!(out, "{:12}  {position}", "")?;
            }
        }
        for layer in &whole.by_hand {
            let name = format!("{} in hand", layer.in_hand);
            writeln!(out, "{}", layer.sum.line(&name))?;
        }
        writeln!(out, "{}", whole.total.line("all"))?;
        Ok(())
    }
}
