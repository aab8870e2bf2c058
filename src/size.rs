//! Sizes of memory and files as people write them: `512M`, `4G`.

use std::fmt;
use std::str::FromStr;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u64);

const UNITS: [(char, u32); 4] = [('T', 40), ('G', 30), ('M', 20), ('K', 10)];

impl Size {
    /// So many bytes.
    pub fn of(bytes: u64) -> Size {
        Size(bytes)
    }

    /// How many bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let trimmed = text
            .trim()
            .trim_end_matches(['B', 'b'])
            .trim_end_matches(['i', 'I']);
        let unit = UNITS
            .into_iter()
            .find(|(unit, _)| trimmed.to_ascii_uppercase().ends_with(*unit));
        let (number, shift) = match unit {
            Some((_, shift)) => (&trimmed[..trimmed.len() - 1], shift),
            None => (trimmed, 0),
        };
        let number: u64 = number
            .trim()
            .parse()
            .map_err(|_| format!("{text:?} is not a size such as 4G"))?;
        let bytes = number.checked_mul(1 << shift);
        bytes
            .map(Size)
            .ok_or_else(|| format!("{text} is too large"))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.into_iter().find(|(_, shift)| self.0 >> shift > 0) {
            Some((unit, shift)) => {
                let number = self.0 as f64 / (1u64 << shift) as f64;
                f.pad(&format!("{number:.1} {unit}iB"))
            }
            None => f.pad(&format!("{} B", self.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("4G", 4 << 30),
            ("512 MiB", 512 << 20),
            ("100", 100),
            ("1kb", 1024),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "G", "4X", "-1", "99999999T"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
