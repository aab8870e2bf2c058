//! Where a server keeps its games if nobody says so.

use std::path::PathBuf;

/// In the user's data directory; here if there is no home.
pub fn games() -> PathBuf {
    let home = etcetera::choose_base_strategy().ok();
    home.map_or("games".into(), |home| {
        use etcetera::BaseStrategy;
        home.data_dir().join("endmill/games")
    })
}
