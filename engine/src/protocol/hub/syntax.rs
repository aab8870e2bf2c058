//! Lines: a command, then `name=value` or `name`; values with spaces are in double quotes.

/// A parsed line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Line {
    command: String,
    /// Flags have an empty value.
    arguments: Vec<(String, String)>,
}

impl Line {
    /// Parses a line; fails if a quote does not end.
    pub fn parse(text: &str) -> Result<Line, String> {
        let mut rest = text.trim_start();
        let mut line = Line::default();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        line.command = rest[..end].to_owned();
        rest = rest[end..].trim_start();
        while !rest.is_empty() {
            let end = rest.find(|c: char| c == '=' || c.is_whitespace());
            let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
            let after = after.trim_start();
            let (value, after) = match after.strip_prefix('=') {
                Some(after) => value(after.trim_start())?,
                None => ("", after),
            };
            line.arguments.push((name.to_owned(), value.to_owned()));
            rest = after.trim_start();
        }
        Ok(line)
    }

    pub fn command(&self) -> &str {
        &self.command
    }

    /// The value of an argument.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut arguments = self.arguments.iter();
        let found = arguments.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether the line has an argument.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

/// A value and the rest of the line.
fn value(text: &str) -> Result<(&str, &str), String> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok(text.split_at(end));
    };
    let parts = quoted.split_once('"');
    parts.ok_or_else(|| format!("a quote does not end: \"{quoted}"))
}

/// Quotes a value if necessary. The protocol cannot express a double quote inside; it becomes a
/// single one.
pub fn quoted(value: &str) -> String {
    let bare = |c: char| !c.is_whitespace() && c != '=' && c != '"';
    if !value.is_empty() && value.chars().all(bare) {
        return value.to_owned();
    }
    format!("\"{}\"", value.replace('"', "'"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parsed() {
        let line =
            Line::parse("  level  moves=9 time = 291.587  text=\"a = b\" empty=\"\" infinite");
        let line = line.unwrap();
        assert_eq!(line.command(), "level");
        for (name, value) in [
            ("moves", "9"),
            ("time", "291.587"),
            ("text", "a = b"),
            ("empty", ""),
            ("infinite", ""),
        ] {
            assert_eq!(line.get(name), Some(value), "{name}");
        }
        assert!(!line.has("depth"));
        assert_eq!(Line::parse("").unwrap(), Line::default());
        assert!(Line::parse("pos pos=\"W").is_err());
    }

    #[test]
    fn values_with_spaces_are_quoted() {
        assert_eq!(quoted("32-28"), "32-28");
        assert_eq!(quoted(""), "\"\"");
        assert_eq!(quoted("a b"), "\"a b\"");
        assert_eq!(quoted("say \"x\""), "\"say 'x'\"");
    }
}
