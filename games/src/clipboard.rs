//! Positions as copied from other programs: in the tags of a game, in quotes, with a label.

use std::ops::Range;

/// Returns the text with everything around a position replaced by blanks, which preserves character
/// positions: `[FEN "W:W18:B5"]`, `"W:W18:B5"` and `FEN: W:W18:B5` all hold the same position, and
/// so does a whole game with such a tag. Line ends are blanks too.
pub(crate) fn bare(text: &str) -> String {
    let mut bare: Vec<char> = text.chars().map(visible).collect();
    if let Some(value) = tag_value(&bare) {
        bare[..value.start].fill(' ');
        bare[value.end..].fill(' ');
    }
    let tag = ['[', '"', '\'', '`', ']'];
    for c in &mut bare {
        if tag.contains(c) {
            *c = ' ';
        }
    }
    let lead = bare.iter().take_while(|c| c.is_whitespace()).count();
    let label: String = bare.iter().skip(lead).take(3).collect();
    let after = bare.get(lead + 3);
    let ends = after.is_some_and(|c| c.is_whitespace() || *c == ':' || *c == '=');
    if label.eq_ignore_ascii_case("fen") && ends {
        let end = if after.is_some_and(|c| !c.is_whitespace()) {
            4
        } else {
            3
        };
        bare[lead..lead + end].fill(' ');
    }
    bare.into_iter().collect()
}

/// Returns the range of the value of a tag `[FEN "…"]`.
fn tag_value(text: &[char]) -> Option<Range<usize>> {
    let opens = text.iter().enumerate().filter(|(_, c)| **c == '[');
    opens.map(|(at, _)| at + 1).find_map(|at| {
        let name: String = text[at..].iter().take(3).collect();
        let quote = text[at..].iter().position(|c| *c == '"')? + at;
        let between = text.get(at + 3..quote)?;
        let named = name.eq_ignore_ascii_case("fen") && between.iter().all(|c| *c == ' ');
        let length = text[quote + 1..].iter().position(|c| *c == '"')?;
        named.then_some(quote + 1..quote + 1 + length)
    })
}

/// Replaces the blanks, dashes and quotes that clipboards contain.
fn visible(c: char) -> char {
    match c {
        '\u{feff}' | '\u{200b}' | '\u{a0}' => ' ',
        '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
        '\u{201c}' | '\u{201d}' | '\u{201e}' => '"',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn what_surrounds_a_position_is_blank() {
        let position = "W:W18,K31:B12,K5";
        for text in [
            "[FEN \"W:W18,K31:B12,K5\"]",
            "[Event \"1\"]\n[SetUp \"1\"]\n[fen \"W:W18,K31:B12,K5\"]\n\n1. 18-14 1-0",
            "  \"W:W18,K31:B12,K5\"\r\n",
            "FEN: W:W18,K31:B12,K5",
            "fen W:W18,K31:B12,K5",
            "\u{feff}W:W18,K31:B12,K5\u{a0}",
            "\u{201c}W:W18,K31:B12,K5\u{201d}",
        ] {
            let bare = bare(text);
            assert_eq!(bare.trim(), position, "{text}");
            assert_eq!(bare.chars().count(), text.chars().count());
        }
        // Nothing is taken away inside.
        assert_eq!(bare("fence"), "fence");
        assert_eq!(bare("W:W:B"), "W:W:B");
    }
}
