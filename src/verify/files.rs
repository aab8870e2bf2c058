//! The files of a database: whether they are as they were written, and which are missing.

use endmill_dbformat::{Kind, Listed, Store, file_name};
use endmill_games::Numbering;
use rayon::prelude::*;
use serde::Serialize;

/// What was found about the files.
#[derive(Serialize)]
pub struct Files {
    /// How many are as they were written.
    pub files: usize,
    /// Files that the manifest lists and that are not there, or that other tables need.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Files that are there and that the manifest does not list: their blocks are sound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_in_manifest: Vec<String>,
}

/// How a file was found.
enum Found {
    AsWritten,
    Missing,
    NotInManifest,
}

/// Compares every wanted file with the manifest and every block with its checksum, several files at
/// once. A damaged file is an error.
pub fn check<G: Numbering>(
    game: &G,
    store: &Store,
    wanted: impl Fn(G::Table) -> bool,
) -> anyhow::Result<Files> {
    let mut listed = Vec::new();
    for file in store.list()? {
        let table = table_of(game, store, &file)?;
        if wanted(table) {
            listed.push((file, game.size(table)));
        }
    }
    let found = listed.par_iter().with_max_len(1);
    let found = found.map(|(file, positions)| check_file(store, file, *positions));
    let found: Vec<anyhow::Result<Found>> = found.collect();
    let mut files = Files {
        files: 0,
        missing: Vec::new(),
        not_in_manifest: Vec::new(),
    };
    for ((file, _), found) in listed.iter().zip(found) {
        let name = file_name(&file.table, file.kind);
        match found? {
            Found::AsWritten => files.files += 1,
            Found::Missing => files.missing.push(name),
            Found::NotInManifest => files.not_in_manifest.push(name),
        }
    }
    Ok(files)
}

impl Files {
    /// Adds the outcomes of these tables that are not there.
    pub fn look_for(&mut self, tables: impl Iterator<Item = String>, store: &Store) {
        for table in tables {
            let name = file_name(&table, Kind::Outcomes);
            let is_there = store.path(&table, Kind::Outcomes).exists();
            if !is_there && !self.missing.contains(&name) {
                self.missing.push(name);
            }
        }
    }

    /// Whether there was nothing to look at.
    pub fn none_is_there(&self) -> bool {
        self.files == 0 && self.not_in_manifest.is_empty()
    }
}

/// The table that a file is named after.
pub fn table_of<G: Numbering>(game: &G, store: &Store, file: &Listed) -> anyhow::Result<G::Table> {
    game.parse_table(&file.table).map_err(|error| {
        let path = store.path(&file.table, file.kind);
        let (path, ruleset) = (path.display(), &store.rules().id);
        anyhow::anyhow!("{path} is not a table of {ruleset}, move it elsewhere: {error}")
    })
}

fn check_file(store: &Store, file: &Listed, positions: u64) -> anyhow::Result<Found> {
    let path = store.path(&file.table, file.kind);
    let error = path.symlink_metadata().err();
    if error.is_some_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Ok(Found::Missing);
    }
    let found = match &file.record {
        Some(record) => {
            store.verify_file(&file.table, file.kind, record)?;
            Found::AsWritten
        }
        None => Found::NotInManifest,
    };
    check_blocks(store, file, positions)?;
    Ok(found)
}

/// Compares every block with its checksum. Plies are opened with the outcomes they belong to, if
/// these are there.
fn check_blocks(store: &Store, file: &Listed, positions: u64) -> anyhow::Result<()> {
    let opened = match store.open(&file.table, positions) {
        Err(endmill_dbformat::Error::Missing { .. }) if file.kind == Kind::Plies => return Ok(()),
        opened => opened?,
    };
    match file.kind {
        Kind::Outcomes => opened.outcome_file().verify_blocks()?,
        Kind::Plies => {
            store.open_plies(&opened)?;
            let plies = opened.ply_file();
            plies.map_or(Ok(()), |file| file.verify_blocks())?;
        }
    }
    Ok(())
}
