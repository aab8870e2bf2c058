//! Boards and text on a console.

use std::env;
use std::io::{IsTerminal, stdout};
use std::sync::OnceLock;

use endmill_games::{Charset, Colour, Diagram, Mark};
use textwrap::WordSplitter;

/// The width of text if the console does not report its own.
const WIDE: usize = 80;

static CHARSET: OnceLock<Charset> = OnceLock::new();

/// Chooses the characters of boards, once at the start: ASCII on request, or if the locale does not
/// support Unicode.
pub fn choose(ascii: bool) {
    let plain = ascii || !understands_unicode(|name| env::var(name).ok());
    let charset = if plain {
        Charset::Ascii
    } else {
        Charset::Unicode
    };
    // Called once.
    let _ = CHARSET.set(charset);
}

/// The characters of boards.
pub fn charset() -> Charset {
    CHARSET.get().copied().unwrap_or_default()
}

/// Whether the locale supports Unicode: the first of these variables that is set decides.
fn understands_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| variable(name).filter(|value| !value.is_empty()));
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The legend of a board: `○ White, ● Black`.
pub fn legend(diagram: &Diagram) -> String {
    let side = |colour: Colour, name: &str| {
        let mut text = String::new();
        for &mark in diagram.rows().flatten() {
            let symbol = mark.symbol(charset());
            if matches!(mark, Mark::Piece(side, _) if side == colour) && !text.contains(symbol) {
                text.extend([symbol, ' ']);
            }
        }
        (!text.is_empty()).then(|| text + name)
    };
    let sides = [side(Colour::White, "White"), side(Colour::Black, "Black")];
    sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A board with its legend, without the last line end.
pub fn board(diagram: &Diagram) -> String {
    let drawn = diagram.written(charset());
    format!("{}\n\n{}", drawn.trim_end(), legend(diagram))
}

/// The width of the console, within limits.
pub fn width() -> usize {
    if !stdout().is_terminal() {
        return WIDE;
    }
    let size = terminal_size::terminal_size();
    size.map_or(WIDE, |(width, _)| usize::from(width.0).clamp(24, 100))
}

/// `1 table`, `2 tables`.
pub fn counted(number: impl Into<u128>, of: &str) -> String {
    let number = number.into();
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {of}{plural}")
}

/// A title and a list of words, on as many lines as necessary.
pub fn listed(title: &str, words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    filled(&format!("{title} {}", words.join(", ")), "    ")
}

/// Breaks lines that are longer than the console is wide.
pub fn fitted(text: &str) -> String {
    if !stdout().is_terminal() {
        return text.to_owned();
    }
    let fit = |line: &str| match line.chars().count() < width() {
        true => line.to_owned(),
        false => filled(line, ""),
    };
    text.split('\n').map(fit).collect::<Vec<_>>().join("\n")
}

/// Fills lines up to the width of the console, all but the first with an indent.
pub fn filled(text: &str, indent: &str) -> String {
    // Leave one column free: some consoles break a full line.
    let options = textwrap::Options::new(width() - 1)
        .subsequent_indent(indent)
        // `a1-a4` is one word.
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(text, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_without_unicode_get_ascii() {
        let with = |name: &'static str, value: &'static str| {
            understands_unicode(|asked| (asked == name).then(|| value.to_owned()))
        };
        assert!(with("LANG", "de_DE.UTF-8") && with("LC_CTYPE", "C.utf8"));
        assert!(!with("LANG", "C") && !with("LC_ALL", "de_DE.ISO-8859-1"));
        assert!(with("LANG", "") && with("HOME", "C"));
    }

    #[test]
    fn long_lists_are_broken_between_words() {
        let text = listed("  draw:", ["a1-a4"; 24].map(str::to_owned));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() < WIDE), "{text}");
        assert!(lines[0].starts_with("  draw: a1-a4, a1-a4"), "{text}");
        assert!(lines[1].starts_with("    a1-a4, "), "{text}");
        assert!(text.ends_with(" a1-a4"), "{text}");
        assert_eq!(text.matches("a1-a4").count(), 24);
    }
}
