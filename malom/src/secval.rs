//! The list of all sectors with their values, a text file: `std.secval`.
//!
//! The value of a sector ranks its draws among those of other sectors, for Malom's ultra-strong
//! solution. Cells hold the difference to it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::{fs, str};

use endmill_games::morris::Morris;

use crate::error::{Error, Result};
use crate::sector::Sector;
use crate::variant::Variant;

/// The values of all sectors of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorValues {
    /// The absolute value of a loss.
    pub loss: i32,
    /// The absolute value of a win.
    pub win: i32,
    values: BTreeMap<Sector, i32>,
}

impl SectorValues {
    /// The list with the value 0 for all sectors.
    pub fn zero(game: &Morris, variant: &Variant) -> SectorValues {
        SectorValues {
            loss: -variant.win,
            win: variant.win,
            values: Sector::all(game).into_iter().map(|all| (all, 0)).collect(),
        }
    }

    /// The name of the list of a game.
    pub fn file_name(variant: &Variant) -> String {
        format!("{}.secval", variant.name)
    }

    /// Reads a list.
    pub fn read(path: &Path, variant: &Variant) -> Result<SectorValues> {
        let text = fs::read(path).map_err(Error::io(path))?;
        let bad = |line: usize, why: String| Error::BadValues {
            file: path.into(),
            line,
            why,
        };
        let text = str::from_utf8(&text).map_err(|_| bad(1, "it is not UTF-8".to_owned()))?;
        SectorValues::parse(text, variant).map_err(|(line, why)| bad(line, why))
    }

    /// The value of a sector.
    pub fn get(&self, sector: Sector) -> Option<i32> {
        self.values.get(&sector).copied()
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!(
            "virt_loss_val: {}\nvirt_win_val: {}\n{}\n",
            self.loss,
            self.win,
            self.values.len()
        );
        for (sector, value) in &self.values {
            writeln!(text, "{sector}  {value}").expect("writing to a string succeeds");
        }
        text
    }

    /// Parses a list. The error has the line.
    fn parse(text: &str, variant: &Variant) -> std::result::Result<SectorValues, (usize, String)> {
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.trim()));
        let mut line = lines.by_ref().filter(|(_, line)| !line.is_empty());
        let end = text.lines().count() + 1;
        let mut next = |what: &str| line.next().ok_or_else(|| (end, format!("expected {what}")));
        let mut named = |name: &str, expected: i32| {
            let (number, line) = next(name)?;
            let value = line
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix(':'));
            let value = value.and_then(|value| value.trim().parse::<i32>().ok());
            match value {
                Some(value) if value == expected => Ok(value),
                Some(value) => Err((number, format!("{name} is {value} instead of {expected}"))),
                None => Err((
                    number,
                    format!("expected `{name}: {expected}`, found {line:?}"),
                )),
            }
        };
        let loss = named("virt_loss_val", -variant.win)?;
        let win = named("virt_win_val", variant.win)?;
        let (number, count) = next("the number of sectors")?;
        let Ok(count) = count.parse::<usize>() else {
            return Err((
                number,
                format!("expected the number of sectors, found {count:?}"),
            ));
        };
        let mut values = BTreeMap::new();
        for (number, line) in line {
            let (sector, value) = entry(line)
                .ok_or_else(|| (number, format!("expected W B WF BF value, found {line:?}")))?;
            if values.insert(sector, value).is_some() {
                return Err((number, format!("sector {sector} is listed twice")));
            }
        }
        if values.len() != count {
            let found = values.len();
            return Err((number, format!("expected {count} sectors, found {found}")));
        }
        Ok(SectorValues { loss, win, values })
    }
}

/// `W B WF BF  value`.
fn entry(line: &str) -> Option<(Sector, i32)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[own, other, own_hand, other_hand, value] = &words[..] else {
        return None;
    };
    let number = |text: &str| text.parse::<u8>().ok();
    let sector = Sector {
        men: [number(own)?, number(other)?],
        hand: [number(own_hand)?, number(other_hand)?],
    };
    Some((sector, value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::VARIANTS;
    use endmill_games::morris;

    #[test]
    fn values_are_read_as_they_are_written() {
        let std = &VARIANTS[0];
        let zero = SectorValues::zero(&morris::nine(), std);
        let text = zero.to_text();
        assert!(text.starts_with("virt_loss_val: -299\nvirt_win_val: 299\n498\n0 0 9 9  0\n"));
        assert_eq!(SectorValues::parse(&text, std).unwrap(), zero);
        let other = text.replace("3 3 0 0  0", "3 3 0 0  -17");
        let read = SectorValues::parse(&other, std).unwrap();
        let sector = Sector {
            men: [3, 3],
            hand: [0, 0],
        };
        assert_eq!(read.get(sector), Some(-17));
        assert_eq!(read.to_text(), other);
    }

    #[test]
    fn errors_have_their_line() {
        let std = &VARIANTS[0];
        let parse = |text: &str| SectorValues::parse(text, std).unwrap_err();
        let head = "virt_loss_val: -299\nvirt_win_val: 299\n";
        for (text, line, why) in [
            (String::new(), 1, "expected virt_loss_val"),
            ("virt_loss_val: -299".into(), 2, "expected virt_win_val"),
            (
                "virt_loss_val: -704\n".into(),
                1,
                "virt_loss_val is -704 instead of -299",
            ),
            (
                format!("{head}many"),
                3,
                "expected the number of sectors, found \"many\"",
            ),
            (
                format!("{head}1\n3 3 0"),
                4,
                "expected W B WF BF value, found \"3 3 0\"",
            ),
            (
                format!("{head}2\n3 3 0 0  1"),
                3,
                "expected 2 sectors, found 1",
            ),
            (
                format!("{head}2\n3 3 0 0  1\n3 3 0 0  1"),
                5,
                "sector 3 3 0 0 is listed twice",
            ),
        ] {
            assert_eq!(parse(&text), (line, why.to_owned()));
        }
    }
}
