//! The three bytes of a slot: a value, or a redirection.

use endmill_games::Value;

use crate::variant::Variant;

/// The size of a cell in bytes.
pub(crate) const CELL: usize = 3;

/// The two keys of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The absolute value minus that of the sector.
    pub(crate) first: i32,
    /// The plies of a win or a loss; negative for a redirection.
    pub(crate) second: i32,
}

/// The meaning of a cell, with exceptions looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A value. The plies of a damaged file may be out of range.
    Win(i32),
    Loss(i32),
    Draw,
    /// A redirection: a symmetric position has the value.
    Elsewhere,
}

impl Cell {
    /// The cell for a value in a sector with this value.
    pub(crate) fn of(value: Value, variant: &Variant, sector: i32) -> Cell {
        let (absolute, plies) = match value {
            Value::Win(plies) => (variant.win, plies),
            Value::Loss(plies) => (-variant.win, plies),
            Value::Draw => (0, 0),
        };
        Cell {
            first: absolute - sector,
            second: plies.into(),
        }
    }

    /// Returns whether the second key needs an exception.
    pub(crate) fn is_exception(self, variant: &Variant) -> bool {
        self.second > variant.most_second()
    }

    /// The bytes. If the second key does not fit, they hold its least number.
    pub(crate) fn pack(self, variant: &Variant) -> [u8; CELL] {
        let second = if self.is_exception(variant) {
            -variant.most_second() - 1
        } else {
            self.second
        };
        let low = self.first as u32 & ((1 << variant.first_bits) - 1);
        let word = (second as u32) << variant.first_bits | low;
        let [a, b, c, _] = word.to_le_bytes();
        [a, b, c]
    }

    /// The keys in these bytes; `None` for a second key that is an exception.
    pub(crate) fn unpack(bytes: [u8; CELL], variant: &Variant) -> (i32, Option<i32>) {
        let word = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
        // Shifting left and back extends the sign.
        let first = word << (32 - variant.first_bits) >> (32 - variant.first_bits);
        let second = word << 8 >> (8 + variant.first_bits);
        let exception = second == -variant.most_second() - 1;
        (first, (!exception).then_some(second))
    }

    /// The meaning in a sector with this value, if wins and losses have these absolute values.
    pub(crate) fn meaning(self, sector: i32, win: i32, loss: i32) -> Meaning {
        if self.first == 0 && self.second < 0 {
            return Meaning::Elsewhere;
        }
        match self.first.wrapping_add(sector) {
            absolute if absolute == win => Meaning::Win(self.second),
            absolute if absolute == loss => Meaning::Loss(self.second),
            _ => Meaning::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::VARIANTS;

    #[test]
    fn cells_are_read_as_they_are_written() {
        let [std, lask, _] = &VARIANTS;
        for variant in [std, lask] {
            for sector in [0, 17, -250] {
                for value in [Value::Win(1), Value::Win(289), Value::Loss(0), Value::Draw] {
                    let cell = Cell::of(value, variant, sector);
                    let (first, second) = Cell::unpack(cell.pack(variant), variant);
                    let read = Cell {
                        first,
                        second: second.unwrap(),
                    };
                    assert_eq!(read, cell);
                    let expected = match value {
                        Value::Win(plies) => Meaning::Win(plies.into()),
                        Value::Loss(plies) => Meaning::Loss(plies.into()),
                        Value::Draw => Meaning::Draw,
                    };
                    let meaning = read.meaning(sector, variant.win, -variant.win);
                    assert_eq!(meaning, expected);
                }
            }
        }
    }

    /// By hand: a win in 5 plies is 299 in the low 12 bits and 5 above, 0x00512b; a loss in 4 is
    /// −299 = 0xed5, 0x004ed5. With 14 bits 1715 = 0x6b3, and 511 plies still fit, 512 do not.
    #[test]
    fn bytes_are_as_described() {
        let [std, lask, _] = &VARIANTS;
        let bytes = |value, variant| Cell::of(value, variant, 0).pack(variant);
        assert_eq!(bytes(Value::Win(5), std), [0x2b, 0x51, 0x00]);
        assert_eq!(bytes(Value::Loss(4), std), [0xd5, 0x4e, 0x00]);
        assert_eq!(bytes(Value::Win(511), lask), [0xb3, 0xc6, 0x7f]);
        let long = Cell::of(Value::Win(513), lask, 0);
        assert!(long.is_exception(lask));
        assert_eq!(long.pack(lask), [0xb3, 0x06, 0x80]);
        assert_eq!(Cell::unpack([0xb3, 0x06, 0x80], lask), (1715, None));
    }
}
