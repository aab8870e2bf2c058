//! A board as SVG, without text, so that it needs no font. (The renderer of the Python package draws
//! names and arrows with the viewer's fonts.)

use std::fmt::Write;

use endmill_games::Colour;
use endmill_probe::answers::{GeometryAnswer, Man, StateAnswer};

/// The side of the picture in its own units.
const SIDE: f64 = 1000.0;
/// The margin of a board of points, with room for the men in hand.
const MARGIN: f64 = 120.0;
/// The margin of a board of squares.
const EDGE: f64 = 60.0;

const PAPER: &str = "#f3eee4";
const INK: &str = "#3a332b";
const LIGHT: &str = "#eadfc8";
const DARK: &str = "#b08d62";
/// Blue and vermilion are distinguishable for the colour-blind, as on the page.
const MOVES: &str = "#0072b2";
const BANNED: &str = "#d55e00";

/// The layout of the board in the picture.
struct Scale {
    unit: f64,
    /// The coordinates of the left and the upper edge of the board.
    origin: [f64; 2],
    /// The position of these edges in the picture.
    offset: [f64; 2],
    /// The radius of a man.
    radius: f64,
}

impl Scale {
    fn new(board: &GeometryAnswer) -> Scale {
        let xs = || board.points.iter().map(|point| point.x);
        let ys = || board.points.iter().map(|point| point.y);
        let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        // A square extends half a unit beyond its centre.
        let beyond = if is_squares(board) { 0.5 } else { 0.0 };
        let origin = [least(&mut xs()) - beyond, least(&mut ys()) - beyond];
        let size = [
            most(&mut xs()) + beyond - origin[0],
            most(&mut ys()) + beyond - origin[1],
        ];
        let margin = if is_squares(board) { EDGE } else { MARGIN };
        let unit = (SIDE - 2.0 * margin) / size[0].max(size[1]).max(1.0);
        let offset = size.map(|size| (SIDE - size * unit) / 2.0);
        let radius = match is_squares(board) {
            true => 0.38 * unit,
            false => (0.42 * unit * nearest(board)).min(58.0),
        };
        Scale {
            unit,
            origin,
            offset,
            radius,
        }
    }

    fn at(&self, x: f64, y: f64) -> [f64; 2] {
        [
            self.offset[0] + (x - self.origin[0]) * self.unit,
            self.offset[1] + (y - self.origin[1]) * self.unit,
        ]
    }
}

fn is_squares(board: &GeometryAnswer) -> bool {
    board.kind == "squares"
}

/// The distance between the two nearest points.
fn nearest(board: &GeometryAnswer) -> f64 {
    let mut nearest = f64::INFINITY;
    for (number, one) in board.points.iter().enumerate() {
        for other in &board.points[..number] {
            nearest = nearest.min((one.x - other.x).hypot(one.y - other.y));
        }
    }
    if nearest.is_finite() { nearest } else { 1.0 }
}

/// Draws a position.
pub fn svg(board: &GeometryAnswer, state: &StateAnswer, pixels: u32) -> String {
    let scale = Scale::new(board);
    let mut out = String::with_capacity(8192);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" \
         width=\"{pixels}\" height=\"{pixels}\"><defs>\
         <radialGradient id=\"w\" cx=\".38\" cy=\".32\" r=\".75\">\
         <stop offset=\"0\" stop-color=\"#ffffff\"/><stop offset=\".7\" stop-color=\"#f6f1e6\"/>\
         <stop offset=\"1\" stop-color=\"#d8cdb8\"/></radialGradient>\
         <radialGradient id=\"b\" cx=\".38\" cy=\".32\" r=\".75\">\
         <stop offset=\"0\" stop-color=\"#6b645c\"/><stop offset=\".6\" stop-color=\"#35312d\"/>\
         <stop offset=\"1\" stop-color=\"#1d1b19\"/></radialGradient></defs>\
         <rect width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{PAPER}\"/>"
    );
    match is_squares(board) {
        true => squares(&mut out, &scale, board),
        false => points(&mut out, &scale, board),
    }
    for man in &state.men {
        let place = board.points.iter().find(|place| place.name == man.at);
        if let Some(place) = place {
            draw(&mut out, man, scale.at(place.x, place.y), scale.radius);
        }
    }
    for mill in &state.banned {
        banned(&mut out, &scale, board, mill);
    }
    hands(&mut out, &scale, state.hand);
    if state.finished.is_none() {
        mover(&mut out, state.side);
    }
    out.push_str("</svg>");
    out
}

fn squares(out: &mut String, scale: &Scale, board: &GeometryAnswer) {
    let [left, top] = scale.offset;
    let [width, height] = [SIDE - 2.0 * left, SIDE - 2.0 * top];
    let board_with = |out: &mut String, style: &str| {
        let _ = write!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
             height=\"{height:.1}\" {style}/>"
        );
    };
    board_with(out, &format!("fill=\"{LIGHT}\""));
    let unit = scale.unit;
    for place in &board.points {
        let [x, y] = scale.at(place.x - 0.5, place.y - 0.5);
        let _ = write!(
            out,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{unit:.1}\" height=\"{unit:.1}\" \
             fill=\"{DARK}\"/>"
        );
    }
    let frame = format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"8\"");
    board_with(out, &frame);
}

fn points(out: &mut String, scale: &Scale, board: &GeometryAnswer) {
    let stroke = scale.radius * 0.13;
    let _ = write!(
        out,
        "<g stroke=\"{INK}\" stroke-width=\"{stroke:.1}\" stroke-linecap=\"round\">"
    );
    for &[from, to] in &board.edges {
        if let (Some(from), Some(to)) = (board.points.get(from), board.points.get(to)) {
            let ([x1, y1], [x2, y2]) = (scale.at(from.x, from.y), scale.at(to.x, to.y));
            let _ = write!(
                out,
                "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        }
    }
    let _ = write!(out, "</g><g fill=\"{INK}\">");
    let radius = scale.radius * 0.2;
    for place in &board.points {
        let [x, y] = scale.at(place.x, place.y);
        let _ = write!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"
        );
    }
    out.push_str("</g>");
}

/// A piece: a shadow, a body, a rim, and a crown on a king.
fn draw(out: &mut String, man: &Man, [x, y]: [f64; 2], radius: f64) {
    disc(out, man.side, [x, y], radius);
    if man.kind == "king" {
        let ink = match man.side {
            Colour::White => "#8a6d3b",
            Colour::Black => "#e6c98f",
        };
        let r = radius * 0.55;
        let corner = |dx: f64, dy: f64| format!("{:.1},{:.1} ", x + dx * r, y + dy * r);
        let crown = [
            (-0.85, 0.6),
            (-1.0, -0.55),
            (-0.42, 0.0),
            (0.0, -0.8),
            (0.42, 0.0),
            (1.0, -0.55),
            (0.85, 0.6),
        ];
        let crown: String = crown.iter().map(|&(dx, dy)| corner(dx, dy)).collect();
        let _ = write!(
            out,
            "<polygon points=\"{}\" fill=\"{ink}\"/>",
            crown.trim_end()
        );
    }
}

fn disc(out: &mut String, side: Colour, [x, y]: [f64; 2], radius: f64) {
    let (fill, rim) = match side {
        Colour::White => ("url(#w)", "#6f6557"),
        Colour::Black => ("url(#b)", "#0f0e0d"),
    };
    let (low, stroke) = (y + radius * 0.09, radius * 0.06);
    let _ = write!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{low:.1}\" r=\"{radius:.1}\" fill=\"#000\" opacity=\".22\"/>\
         <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{rim}\" \
         stroke-width=\"{stroke:.1}\"/>"
    );
}

/// A mill that may not be closed with the next turn: a dashed line through its points.
fn banned(out: &mut String, scale: &Scale, board: &GeometryAnswer, mill: &str) {
    let names = mill.split('-');
    let places = names.filter_map(|name| board.points.iter().find(|place| place.name == name));
    let line: Vec<String> = places
        .map(|place| {
            let [x, y] = scale.at(place.x, place.y);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    let width = scale.radius * 0.22;
    let _ = write!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{BANNED}\" stroke-width=\"{width:.1}\" \
         stroke-dasharray=\"{width:.1} {:.1}\" stroke-linecap=\"round\"/>",
        line.join(" "),
        2.0 * width
    );
}

/// The side to move: a ringed disc at the right, below for White, above for Black.
fn mover(out: &mut String, side: Colour) {
    let radius = EDGE * 0.3;
    let x = SIDE - EDGE * 0.5;
    let y = match side {
        Colour::White => SIDE - EDGE * 0.5,
        Colour::Black => EDGE * 0.5,
    };
    disc(out, side, [x, y], radius);
    let (ring, width) = (radius * 1.3, radius * 0.25);
    let _ = write!(
        out,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{ring:.1}\" fill=\"none\" \
         stroke=\"{MOVES}\" stroke-width=\"{width:.1}\"/>"
    );
}

/// Men in hand: White's below the board, Black's above it.
fn hands(out: &mut String, scale: &Scale, [white, black]: [u32; 2]) {
    for (side, count, y) in [
        (Colour::White, white, SIDE - MARGIN * 0.33),
        (Colour::Black, black, MARGIN * 0.33),
    ] {
        let radius = (scale.radius * 0.55).min(MARGIN * 0.24);
        let step = 2.3 * radius;
        let width = step * f64::from(count.saturating_sub(1));
        for number in 0..count {
            let x = (SIDE - width) / 2.0 + step * f64::from(number);
            disc(out, side, [x, y], radius);
        }
    }
}

#[cfg(test)]
mod tests {
    use endmill_probe::rules_only;

    use super::*;

    #[test]
    fn every_man_is_drawn_within_the_picture() {
        for ruleset in endmill_games::rulesets() {
            let rules = rules_only(ruleset.id()).unwrap();
            let about = rules.ruleset();
            let state = rules.state("start".into()).unwrap();
            let picture = svg(&about.geometry, &state, 600);
            let hand: u32 = state.hand.iter().sum();
            // One more marks the side to move.
            let discs = state.men.len() + hand as usize + 1;
            assert_eq!(picture.matches("url(#").count(), discs, "{}", ruleset.id());
            for number in picture.split("cx=\"").skip(3) {
                let (number, _) = number.split_once('"').unwrap();
                let number: f64 = number.parse().unwrap();
                assert!((0.0..=SIDE).contains(&number), "{number}");
            }
        }
    }
}
