//! The files of a database: whether they are as they were written, and which are missing.

use endmill_dbformat::{Kind, Listed, Store};
use endmill_games::Numbering;
use serde::Serialize;

use crate::db::Missing;

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

/// Compares every wanted file with the manifest and every block with its checksum. A damaged file
/// is an error.
pub fn check<G: Numbering>(
    game: &G,
    store: &Store,
    wanted: impl Fn(G::Table) -> bool,
) -> anyhow::Result<Files> {
    let mut found = Files {
        files: 0,
        missing: Vec::new(),
        not_in_manifest: Vec::new(),
    };
    for file in store.list()? {
        let table = game.parse_table(&file.table)?;
        if !wanted(table) {
            continue;
        }
        let is_missing = match store.path(&file.table, file.kind).symlink_metadata() {
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
            Ok(_) => false,
        };
        let name = format!("{}.{}", file.table, file.kind.extension());
        if is_missing {
            found.missing.push(name);
            continue;
        }
        match &file.record {
            Some(record) => {
                store.verify_file(&file.table, file.kind, record)?;
                found.files += 1;
            }
            None => found.not_in_manifest.push(name),
        }
        check_blocks(store, &file, game.size(table))?;
    }
    if found.files == 0 && found.not_in_manifest.is_empty() {
        return Err(Missing::all(&store.rules().id, store.directory()).into());
    }
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
