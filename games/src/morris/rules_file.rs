//! Rules files: custom rulesets as TOML.
//!
//! ```toml
//! id = "six-cows"
//! board = "six"
//! men = 6
//! ```
//!
//! `id`, `board` and `men` are required; the others default to nine men's morris. Reading reports
//! every mistake in a file, with its line, its field and what is expected. `board_field` describes
//! custom boards.

mod board_field;
mod fields;

use self::fields::Fields;
use super::board::{self, BoardSpec};
use super::rules::{FILES, RULESETS, Variant};
use crate::rules_file::{LONGEST_ID, Mistake};
use crate::ruleset::rulesets;

/// The largest number of men per side.
const MOST_MEN: i64 = 12;
/// The highest limit of quiet plies.
const MOST_QUIET: i64 = 100;
/// The longest title, in characters.
const LONGEST_TITLE: usize = 100;
/// The values of options; the first is the rule of nine men's morris.
pub(super) const FULL_BOARD: [&str; 2] = ["loss", "draw"];
pub(super) const TAKING: [&str; 2] = ["outside-mills-first", "any"];
pub(super) const REMOVALS: [&str; 2] = ["one", "each-mill"];
pub(super) const BROKEN_MILL: [&str; 2] = ["free", "banned"];

/// Returns what the value of a field must be; `None` for an unknown field.
fn expectation(field: &str) -> Option<String> {
    let words = |[usual, other]: [&str; 2]| format!("{usual:?} or {other:?}");
    Some(match field {
        "id" => format!("at most {LONGEST_ID} letters, digits and hyphens, in quotes"),
        "title" => format!("one line of at most {LONGEST_TITLE} characters, in quotes"),
        "board" => format!("{} or a [board] with lines", board_names()),
        "men" => format!("a whole number from 3 to {MOST_MEN}"),
        "flying" | "moves-while-placing" => "true or false".to_owned(),
        "full-board" => words(FULL_BOARD),
        "taking" => words(TAKING),
        "removals" => words(REMOVALS),
        "quiet-limit" => format!("a whole number from 0 to {MOST_QUIET}"),
        "broken-mill" => words(BROKEN_MILL),
        "lines" => "a list of lines, each three points in order, such as \"a1 d1 g1\"".to_owned(),
        "spokes" => "a list of edges, each two points, such as \"a4 b4\"".to_owned(),
        _ => return None,
    })
}

/// Reads a rules file. The id of a built-in ruleset is an error unless the rules are the same.
pub fn read(text: &str) -> Result<Variant, Vec<Mistake>> {
    let variant = parse(text)?;
    let taken = |what: String| {
        let line = line_of(text, "id");
        let field = "id".to_owned();
        vec![Mistake { line, field, what }]
    };
    let expected = "expected an id that is not built in";
    let own = FILES.iter().position(|&(id, _)| id == variant.id);
    match own.map(|number| &RULESETS[number]) {
        Some(known) if known.text() != variant.text() => Err(taken(format!(
            "{expected}, found {:?}, which has other rules than these",
            variant.id
        ))),
        None if rulesets().any(|known| known.id() == variant.id) => {
            Err(taken(format!("{expected}, found {:?}", variant.id)))
        }
        _ => Ok(variant),
    }
}

/// Returns the line of a field; the first if it is missing.
fn line_of(text: &str, field: &str) -> usize {
    let fields = Fields::parse(text);
    fields.map_or(1, |fields| fields.line_of(field))
}

/// Reads a rules file, whatever its id.
pub(super) fn parse(text: &str) -> Result<Variant, Vec<Mistake>> {
    let mut fields = Fields::parse(text)?;
    let expected = |field| expectation(field).unwrap_or_default();
    let id = fields.required("id", &expected("id"));
    let id = id.and_then(|id| fields.text(&id, &expected("id"), is_id));
    let title = fields.optional("title");
    let title = title.and_then(|title| fields.text(&title, &expected("title"), is_title));
    let spec = board_field::read(&mut fields);
    let men = fields.required("men", &expected("men"));
    let men_line = men.as_ref().map(|men| men.line);
    let men = men.and_then(|men| fields.number(&men, 3..=MOST_MEN));
    let nine = Switches::default();
    let switches = Switches {
        flying: fields.flag("flying", nine.flying),
        moves_while_placing: fields.flag("moves-while-placing", nine.moves_while_placing),
        full_board_draws: fields.choice("full-board", FULL_BOARD),
        takes_any: fields.choice("taking", TAKING),
        removes_for_each_mill: fields.choice("removals", REMOVALS),
        quiet_limit: fields.limit("quiet-limit", MOST_QUIET),
        bans_broken_mills: fields.choice("broken-mill", BROKEN_MILL),
    };
    if let (Some(spec), Some(men), Some(line)) = (&spec, men, men_line) {
        let points = spec.places().len();
        if men as usize > points / 2 {
            let half = points / 2;
            fields.complain(
                line,
                "men",
                format!("expected at most {half}, half the points of the board, found {men}"),
            );
        }
    }
    fields.refuse_others(
        "",
        &[
            "id",
            "title",
            "board",
            "men",
            "flying",
            "moves-while-placing",
            "full-board",
            "taking",
            "removals",
            "quiet-limit",
            "broken-mill",
        ],
    );
    let mistakes = fields.into_mistakes();
    match (id, spec, men) {
        (Some(id), Some(spec), Some(men)) if mistakes.is_empty() => {
            Ok(switches.variant(id, title, spec, men as u8))
        }
        _ => Err(mistakes),
    }
}

/// The optional fields.
struct Switches {
    flying: bool,
    moves_while_placing: bool,
    full_board_draws: bool,
    takes_any: bool,
    removes_for_each_mill: bool,
    quiet_limit: u8,
    bans_broken_mills: bool,
}

impl Default for Switches {
    /// As in nine men's morris.
    fn default() -> Switches {
        Switches {
            flying: true,
            moves_while_placing: false,
            full_board_draws: false,
            takes_any: false,
            removes_for_each_mill: false,
            quiet_limit: 0,
            bans_broken_mills: false,
        }
    }
}

impl Switches {
    fn variant(self, id: String, title: Option<String>, board: BoardSpec, men: u8) -> Variant {
        Variant {
            title: title.unwrap_or_else(|| id.clone()),
            id,
            board: board.normalised(),
            men,
            flying: self.flying,
            moves_while_placing: self.moves_while_placing,
            full_board_draws: self.full_board_draws,
            takes_any: self.takes_any,
            removes_for_each_mill: self.removes_for_each_mill,
            quiet_limit: self.quiet_limit,
            bans_broken_mills: self.bans_broken_mills,
        }
    }
}

fn is_id(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-';
    !text.is_empty() && text.len() <= LONGEST_ID && text.chars().all(allowed)
}

fn is_title(text: &str) -> bool {
    let short = text.chars().count() <= LONGEST_TITLE;
    short && !text.trim().is_empty() && !text.chars().any(char::is_control)
}

impl Variant {
    /// Returns the rules as a rules file, with every field and its possible values.
    pub fn to_toml(&self) -> String {
        let [full_board, taking, removals, broken_mill] = self.words();
        let board = self.board.name();
        let mut file = vec![
            (format!("id = {:?}", self.id), "letters, digits, hyphens"),
            (format!("title = {}", quoted(&self.title)), "one line"),
        ];
        if let Some(name) = board {
            let expected = "nine, twelve, six, three, or a [board] table";
            file.push((format!("board = {name:?}"), expected));
        }
        let choice = |name: &str, value: &str| format!("{name} = {value:?}");
        file.extend([
            (
                format!("men = {}", self.men),
                "3 to 12, at most half the points of the board",
            ),
            (
                format!("flying = {}", self.flying),
                "with three men a side moves to any free point",
            ),
            (
                format!("moves-while-placing = {}", self.moves_while_placing),
                "men may move while others are in hand",
            ),
            (
                choice("full-board", full_board),
                "draw or loss, for the side that must move there",
            ),
            (choice("taking", taking), "outside-mills-first or any"),
            (choice("removals", removals), "one or each-mill"),
            (
                format!("quiet-limit = {}", self.quiet_limit),
                "plies, 0 to 100; 0 = no limit",
            ),
            (choice("broken-mill", broken_mill), "free or banned"),
        ]);
        let mut text = String::new();
        for (field, comment) in file {
            text += &format!("{field:<36}# {comment}\n");
        }
        if board.is_none() {
            let listed = |names: Vec<String>| {
                let quoted: Vec<String> =
                    names.iter().map(|name| format!("  {name:?},\n")).collect();
                quoted.concat()
            };
            text += "\n[board]\n# Three points each, in order; a name is a column letter and a row number.\n";
            text += &format!("lines = [\n{}]\n", listed(self.board.line_names()));
            text += "# Edges that are on no line.\n";
            text += &format!("spokes = [\n{}]\n", listed(self.board.spoke_names()));
        }
        text
    }
}

/// A TOML string. A title has no control characters.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The names of the boards, for messages.
fn board_names() -> String {
    let names: Vec<String> = (board::BOARDS.iter())
        .map(|board| format!("{:?}", board.name))
        .collect();
    names.join(", ")
}
