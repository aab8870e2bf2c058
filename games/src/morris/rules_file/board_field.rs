//! The board of a rules file: a name, or lines and spokes.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::expectation;
use super::fields::{Field, Fields, shown};
use crate::morris::board::{self, BoardSpec, GridPoint, MAX_LINES, MAX_POINTS, MAX_ROWS, names};

/// Reads the field; on a mistake reports it and returns `None`.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<BoardSpec> {
    let expected = expectation("board").unwrap_or_default();
    let field = fields.required("board", &expected)?;
    let known = match &field.value {
        DeValue::Table(table) => return read_table(fields, &field, table),
        DeValue::String(name) => board::named(name),
        _ => None,
    };
    if known.is_none() {
        fields.expected(&field, &expected);
    }
    known.map(|known| known.spec.clone())
}

/// Points, with their line in the file.
struct Way<const N: usize> {
    line: usize,
    places: [GridPoint; N],
}

fn read_table(
    fields: &mut Fields<'_>,
    field: &Field<'_>,
    table: &DeTable<'_>,
) -> Option<BoardSpec> {
    fields.refuse_in(table, "board.", &["lines", "spokes"]);
    let get = |name: &str| table.iter().find(|(key, _)| key.get_ref() == name);
    let lines = match get("lines") {
        Some((_, value)) => ways::<3>(fields, "board.lines", value),
        None => {
            let what = "is missing, expected lists of three points, such as [\"a1 d1 g1\"]";
            fields.complain(field.line, "board.lines", what.to_owned());
            None
        }
    };
    let spokes = match get("spokes") {
        Some((_, value)) => ways::<2>(fields, "board.spokes", value),
        None => Some(Vec::new()),
    };
    let (lines, spokes) = (lines?, spokes?);
    let twice = repeated(fields, &lines, &spokes);
    let spec = BoardSpec {
        lines: lines.iter().map(|way| way.places).collect(),
        spokes: spokes.iter().map(|way| way.places).collect(),
    };
    let points = spec.places().len();
    let line = field.line;
    let mut fits = !twice;
    if spec.lines.is_empty() || spec.lines.len() > MAX_LINES {
        let found = spec.lines.len();
        let what = format!("expected 1 to {MAX_LINES} lines, found {found}");
        fields.complain(line, "board.lines", what);
        fits = false;
    }
    if !(6..=MAX_POINTS).contains(&points) {
        let what = format!("expected 6 to {MAX_POINTS} points, found {points}");
        fields.complain(line, "board", what);
        fits = false;
    }
    fits.then_some(spec)
}

/// Reads a list of texts that name points.
fn ways<const N: usize>(
    fields: &mut Fields<'_>,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Option<Vec<Way<N>>> {
    let expected = match N {
        3 => "three points in order, such as \"a1 d1 g1\"",
        _ => "two points, such as \"a4 b4\"",
    };
    let line = fields.line_at(value.span().start);
    let DeValue::Array(list) = value.get_ref() else {
        let found = shown(value.get_ref());
        let what = format!("expected a list, each entry {expected}, found {found}");
        fields.complain(line, name, what);
        return None;
    };
    let mut ways = Some(Vec::new());
    for entry in list.iter() {
        let line = fields.line_at(entry.span().start);
        match way(entry.get_ref(), expected) {
            Ok(places) => ways
                .iter_mut()
                .for_each(|ways| ways.push(Way { line, places })),
            Err(what) => {
                fields.complain(line, name, what);
                ways = None;
            }
        }
    }
    ways
}

/// Reads the points of one entry.
fn way<const N: usize>(entry: &DeValue<'_>, expected: &str) -> Result<[GridPoint; N], String> {
    let DeValue::String(text) = entry else {
        return Err(format!("expected {expected}, found {}", shown(entry)));
    };
    let mut places = Vec::new();
    for name in text.split_whitespace() {
        let place = GridPoint::read(name).ok_or_else(|| {
            format!(
                "expected points that are a letter and a number from 1 to {MAX_ROWS}, found {name:?}"
            )
        })?;
        if places.contains(&place) {
            return Err(format!("expected different points, found {place} twice"));
        }
        places.push(place);
    }
    let places: Result<[GridPoint; N], _> = places.try_into();
    places.map_err(|_| format!("expected {expected}, found {}", shown(entry)))
}

/// Reports repeated lines and spokes; returns whether there are any.
fn repeated(fields: &mut Fields<'_>, lines: &[Way<3>], spokes: &[Way<2>]) -> bool {
    let mut any = false;
    let mut complain = |line: usize, name: &str, what: String| {
        fields.complain(line, name, what);
        any = true;
    };
    for (number, way) in lines.iter().enumerate() {
        let same = |other: &Way<3>| way.places.iter().all(|place| other.places.contains(place));
        if lines[..number].iter().any(same) {
            let what = format!(
                "expected each line once, found {:?} again",
                names(&way.places)
            );
            complain(way.line, "board.lines", what);
        }
    }
    let joins = |edge: &[GridPoint], other: &[GridPoint]| {
        (edge[0] == other[0] && edge[1] == other[1]) || (edge[0] == other[1] && edge[1] == other[0])
    };
    for (number, way) in spokes.iter().enumerate() {
        let mut edges = lines.iter().flat_map(|line| line.places.windows(2));
        if edges.any(|edge| joins(edge, &way.places)) {
            let what = format!(
                "expected edges that are on no line, found {:?}, which is on one",
                names(&way.places)
            );
            complain(way.line, "board.spokes", what);
        } else if spokes[..number]
            .iter()
            .any(|other| joins(&other.places, &way.places))
        {
            let what = format!(
                "expected each spoke once, found {:?} again",
                names(&way.places)
            );
            complain(way.line, "board.spokes", what);
        }
    }
    any
}
