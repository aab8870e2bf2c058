//! Rules files at random: small boards, numbers, switches. The same ones every time.

use std::collections::BTreeSet;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

/// How many there are.
pub const FILES: u64 = 60;

/// The rules file of a number.
pub fn rules_file(number: u64) -> String {
    let mut rng = StdRng::seed_from_u64(number);
    let mut points: Vec<String> = (1..=4)
        .flat_map(|row| ['a', 'b', 'c', 'd'].map(|column| format!("{column}{row}")))
        .collect();
    points.shuffle(&mut rng);
    points.truncate(rng.random_range(6..=10));
    let (lines, spokes) = (lines(&points, &mut rng), spokes(&points, &mut rng));
    let edge = |spoke: &&[String; 2]| {
        let joined = |line: &[String; 3]| {
            let mut edges = line.windows(2);
            edges.any(|edge| spoke.contains(&edge[0]) && spoke.contains(&edge[1]))
        };
        !lines.iter().any(joined)
    };
    let spokes: Vec<String> = spokes
        .iter()
        .filter(edge)
        .map(|spoke| spoke.join(" "))
        .collect();
    let lines: Vec<String> = lines.iter().map(|line| line.join(" ")).collect();
    let named: BTreeSet<String> = (lines.iter().chain(&spokes))
        .flat_map(|way| way.split(' ').map(str::to_owned))
        .collect();
    // Few points may be left: then there are two more lines next to the others.
    let more = ["g1 g2 g3", "h1 h2 h3"].map(str::to_owned);
    let lines = match named.len() {
        6.. => lines,
        _ => [lines, more.to_vec()].concat(),
    };
    let most = (named.len().max(6) / 2).min(4);
    let men = rng.random_range(3..=most);
    let mut one_of = |choice: [&str; 2]| choice[usize::from(rng.random_bool(0.5))].to_owned();
    let switches = [
        ("flying", one_of(["true", "false"])),
        ("full-board", one_of(["\"draw\"", "\"loss\""])),
        ("taking", one_of(["\"any\"", "\"outside-mills-first\""])),
        ("removals", one_of(["\"one\"", "\"each-mill\""])),
        ("broken-mill", one_of(["\"banned\"", "\"free\""])),
    ];
    let mut text = format!("id = \"random-{number}\"\nmen = {men}\n");
    for (name, value) in switches {
        text += &format!("{name} = {value}\n");
    }
    text += &format!("moves-while-placing = {}\n", number.is_multiple_of(4));
    let limit = [0, 0, 1, 3, 6][(number % 5) as usize];
    text + &format!("quiet-limit = {limit}\n[board]\nlines = {lines:?}\nspokes = {spokes:?}\n")
}

/// Some lines, each once.
fn lines(points: &[String], rng: &mut StdRng) -> Vec<[String; 3]> {
    let mut lines: Vec<[String; 3]> = Vec::new();
    for _ in 0..rng.random_range(2..=8) {
        let mut some = points.to_vec();
        some.shuffle(rng);
        some.truncate(3);
        let line: [String; 3] = some.try_into().expect("three of them");
        let same = |known: &[String; 3]| known.iter().all(|point| line.contains(point));
        if !lines.iter().any(same) {
            lines.push(line);
        }
    }
    lines
}

/// Some spokes, each once.
fn spokes(points: &[String], rng: &mut StdRng) -> Vec<[String; 2]> {
    let mut spokes: Vec<[String; 2]> = Vec::new();
    for _ in 0..rng.random_range(0..=6) {
        let mut some = points.to_vec();
        some.shuffle(rng);
        some.truncate(2);
        let spoke: [String; 2] = some.try_into().expect("two of them");
        let same = |known: &[String; 2]| known.iter().all(|point| spoke.contains(point));
        if !spokes.iter().any(same) {
            spokes.push(spoke);
        }
    }
    spokes
}
