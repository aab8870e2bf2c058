//! The files of a database: which match their checksums, which are missing.

use endmill_dbformat::{Kind, Listed, Store, file_name};
use endmill_games::Numbering;
use rayon::prelude::*;
use serde::Serialize;

/// The state of the files.
#[derive(Serialize)]
pub struct Files {
    /// The number of files that match their checksums.
    pub files: usize,
    /// Files that are missing although the manifest lists them, or other tables need them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Files that the manifest does not list; their blocks are sound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_in_manifest: Vec<String>,
}

/// The state of a file.
enum Found {
    Unchanged,
    Missing,
    NotInManifest,
}

/// Compares every wanted file with the manifest and every block with its checksum, in parallel. A
/// damaged file is an error.
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
            Found::Unchanged => files.files += 1,
            Found::Missing => files.missing.push(name),
            Found::NotInManifest => files.not_in_manifest.push(name),
        }
    }
    Ok(files)
}

impl Files {
    /// Adds the missing outcomes of these tables.
    pub fn add_missing(&mut self, tables: impl Iterator<Item = String>, store: &Store) {
        for table in tables {
            let name = file_name(&table, Kind::Outcomes);
            let exists = store.path(&table, Kind::Outcomes).exists();
            if !exists && !self.missing.contains(&name) {
                self.missing.push(name);
            }
        }
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files == 0 && self.not_in_manifest.is_empty()
    }
}

/// The table of a file, according to its name.
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
            Found::Unchanged
        }
        None => Found::NotInManifest,
    };
    check_blocks(store, file, positions)?;
    Ok(found)
}

/// Compares every block with its checksum. Plies are opened together with their outcomes, if these
/// exist.
fn check_blocks(store: &Store, file: &Listed, positions: u64) -> anyhow::Result<()> {
    let opened = match store.open(&file.table, positions) {
        Err(endmill_dbformat::Error::Missing { .. }) if file.kind != Kind::Outcomes => {
            return Ok(());
        }
        opened => opened?,
    };
    match file.kind {
        Kind::Outcomes => opened.outcome_file().verify_blocks()?,
        Kind::Plies => {
            store.open_plies(&opened)?;
            let plies = opened.ply_file();
            plies.map_or(Ok(()), |file| file.verify_blocks())?;
        }
        Kind::Draws => {
            store.open_draws(&opened)?;
            let draws = opened.draw_file();
            draws.map_or(Ok(()), |file| file.verify_blocks())?;
        }
    }
    Ok(())
}
