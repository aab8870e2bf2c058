//! A short run without a fuzzer: valid examples with small mutations.

use std::path::Path;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Changes some bytes, removes pieces, duplicates others.
fn changed(example: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut bytes = example.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=bytes.len());
        match random.random_range(0..4) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = random.random(),
            2 => {
                let end = (at + random.random_range(0..5)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let from = random.random_range(0..=at);
                let again = bytes[from..at.min(from + 8)].to_vec();
                bytes.splice(at..at, again);
            }
        }
    }
    bytes
}

fn run(examples: &[Vec<u8>], times: usize, target: fn(&[u8])) {
    let mut random = StdRng::seed_from_u64(1);
    for example in examples {
        target(example);
        for _ in 0..times {
            target(&changed(example, &mut random));
        }
    }
}

/// The table files among the program's test fixtures.
fn fixtures() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut files = Vec::new();
    for name in [
        "v1/three/3v3.wld",
        "v1/three/3v3.dtw",
        "v2/nine/4v3.wld",
        "v2/nine/4v3.dtw",
        "v2/nine/4v4.dtw",
        "codec6/draughts/02v10.wld",
        "codec6/draughts/02v10.dtw",
        "v2/three/manifest.json",
    ] {
        files.push(std::fs::read(folder.join(name)).expect("a fixture"));
    }
    files
}

#[test]
fn texts_are_read_or_refused() {
    let examples = [
        "W:Wa1,d1,g7:Bb2,b4,d6",
        "W:Wa1,d1:Bb2,b4:H7,7",
        "W:W18,K31:B12,K5",
        "start",
        "a1-a4xg7",
        "d6",
        "22x15x8",
        "11-15",
        "5v4",
        "3+2v4+1",
        "12v03",
        "O@O*****/********/******** w m s 2 1 1 2 0 0 0 0 0 0 0 0 1",
    ];
    let examples: Vec<Vec<u8>> = examples.map(|text| text.as_bytes().to_vec()).into();
    run(&examples, 80, endmill_fuzz::text);
}

#[test]
fn games_are_read_or_refused() {
    let examples = [
        "[Event \"x \\\" y\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n{a} 1. 11-15 23-19! 2. 8-11 \
         (2. 9-14 22-17) 22-17 $1 ; so\n3. 9-13 17-14 1-0\n\n12-16 24-20 *",
        "[FEN \"W:WK22,32:B11,18,K1\"]\n1. 22x15x8 1-5 2. 8 - 11 5x1",
        "1. d6 f4 2. d7 b4 3. d5 xf4 f4 4. f6 d2 1/2-1/2",
        "[Site \"PlayOK\"]\n\n1. 5 14 2. 2 11 3. 8x14 14 4. 6 20 *",
        "1. (2,1) (2,3)\n2. (3,1) (2,7)\n3. (1,1)-(2,3) (2,3)\n",
        "start W:Wa1,d1,g4,a7:Bb2,b4,d6,e3,f4\ng4->g1xb2 f4-g4 a7a4",
        "endmill game 2\nruleset three\nwhite human\nblack medium\nseed 1\nclock 5+3\n\
         left 1.0 2.0\nstart W:W:B:H3,3\nb2\na1\nb3\na2\nresigned white\n",
        "/FEN \"B:W21-32:B1-12\"/ 11-15 22-18 15x22 25x18 {[%clk 0:01]} *",
    ];
    let examples: Vec<Vec<u8>> = examples.map(|text| text.as_bytes().to_vec()).into();
    run(&examples, 120, endmill_fuzz::record);
}

#[test]
fn files_are_opened_or_refused() {
    run(&fixtures(), 2_000, endmill_fuzz::file);
    run(&fixtures(), 2_000, endmill_fuzz::manifest);
}

#[test]
fn blocks_are_decoded_or_refused() {
    let mut examples = vec![vec![0], vec![0; 300], vec![1; 40]];
    for file in fixtures() {
        examples.extend(file.get(256..600).map(<[u8]>::to_vec));
    }
    run(&examples, 60, endmill_fuzz::block);
}
