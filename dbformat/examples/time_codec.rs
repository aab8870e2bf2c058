use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use endmill_dbformat::codec::model::{OutcomeModel, PliesModel, sample};
use endmill_dbformat::*;
use endmill_games::*;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = match Ruleset::open(&args[1]).unwrap() {
        r => r,
    };
    game.visit(V(args));
}

struct V(Vec<String>);
impl Visitor for V {
    type Output = ();
    fn visit<G: Game>(self, game: G) {
        let store = Store::new(Path::new(&self.0[2]), Rules::of(&game));
        for name in &self.0[3..] {
            run(&game, &store, name);
        }
    }
}

fn ns(d: Duration, n: usize) -> f64 {
    d.as_secs_f64() * 1e9 / n as f64
}

fn run<G: Game>(game: &G, store: &Store, name: &str) {
    let table = game.parse_table(name).unwrap();
    let size = game.size(table);
    let files = store.open(name, size).unwrap();
    store.open_plies(&files).unwrap();
    let mut context = DecodeContext::default();
    let cut = files.outcome_cut();
    let mut read = |block: usize, features: &mut Vec<Feature>, values: &mut Vec<Value>| {
        let range = cut.block(block);
        game.features(table, range.clone(), features);
        let v = files
            .read_values(&range, |_, f| f.clone_from(features), &mut context)
            .unwrap();
        values.clear();
        values.extend_from_slice(v);
    };
    let blocks = files.blocks();
    let count = blocks.min(128);
    let mut data = Vec::new();
    let mut n = 0;
    for i in 0..count {
        let (mut f, mut v) = (Vec::new(), Vec::new());
        read(i * blocks / count, &mut f, &mut v);
        n += v.len();
        data.push((i * blocks / count, f, v));
    }
    // sample for learning
    let (mut sf, mut sv): (Vec<Feature>, Vec<Value>) = (Vec::new(), Vec::new());
    let (mut last, mut f, mut v) = (usize::MAX, Vec::new(), Vec::new());
    let positions: u64 = std::env::var("SAMPLE").map_or(1 << 20, |s| s.parse().unwrap());
    for unit in sample(size, positions) {
        let b = cut.block_of(unit.start);
        if b != last {
            read(b, &mut f, &mut v);
            last = b;
        }
        let s = (unit.start - cut.block(b).start) as usize;
        let e = (unit.end - cut.block(b).start) as usize;
        sf.extend_from_slice(&f[s..e]);
        sv.extend_from_slice(&v[s..e]);
    }
    let so: Vec<Outcome> = sv.iter().map(|v| v.outcome()).collect();
    let se: Vec<Option<Outcome>> = so.iter().map(|&o| Some(o)).collect();
    let svo: Vec<Option<Value>> = sv.iter().map(|&v| Some(v)).collect();
    let t = Instant::now();
    let om = Arc::new(OutcomeModel::train(&sf, &se));
    let t_om = ns(t.elapsed(), sf.len());
    let t = Instant::now();
    let pm = Arc::new(PliesModel::train(&sf, &so, &svo));
    let t_pm = ns(t.elapsed(), sf.len());
    let mut tf = Duration::ZERO;
    let (mut teo, mut tep, mut tdo, mut tdp) = (tf, tf, tf, tf);
    let (mut bo, mut bp) = (om.to_bytes().len(), pm.to_bytes().len());
    let model_bytes = (bo, bp);
    let mut outs = Vec::new();
    let mut vals = Vec::new();
    for (b, f, v) in &data {
        let mut g = Vec::new();
        let t = Instant::now();
        game.features(table, cut.block(*b), &mut g);
        tf += t.elapsed();
        let o: Vec<Outcome> = v.iter().map(|v| v.outcome()).collect();
        let e: Vec<Option<Outcome>> = o.iter().map(|&o| Some(o)).collect();
        let vo: Vec<Option<Value>> = v.iter().map(|&v| Some(v)).collect();
        let t = Instant::now();
        let co = om.encode(f, &e);
        teo += t.elapsed();
        let t = Instant::now();
        let cp = pm.encode(f, &o, &vo);
        tep += t.elapsed();
        let t = Instant::now();
        om.decode(&co, f, &mut outs).unwrap();
        tdo += t.elapsed();
        assert_eq!(outs, o);
        let t = Instant::now();
        pm.decode(&cp, f, &outs, &mut vals).unwrap();
        tdp += t.elapsed();
        assert_eq!(vals, *v);
        bo += co.len();
        bp += cp.len();
    }
    println!(
        "{name} n={n} feat {:.1} train {t_om:.1} {t_pm:.1} | enc {:.1} {:.1} dec {:.1} {:.1} ns | bytes {bo} {bp} = {:.3} {:.3} b/p  models {model_bytes:?}",
        ns(tf, n), ns(teo, n), ns(tep, n), ns(tdo, n), ns(tdp, n),
        bo as f64 * 8.0 / n as f64, bp as f64 * 8.0 / n as f64
    );
}
