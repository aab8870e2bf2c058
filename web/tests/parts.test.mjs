// The parts that need no browser: choosing turns, ordering values, scaling boards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';

async function load(file) {
  const { outputFiles } = await build({ entryPoints: [`src/${file}.ts`], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

const { Chooser } = await load('turns');
const { grouped, score, short, verb } = await load('value');
const { Scale } = await load('scale');
const { ending, gameText, repeated } = await load('game');

const turn = (from, to, taken = [], via = [], worth = { outcome: 'draw', plies: null }) => ({
  move: `${from ?? ''}-${to}${taken.map((t) => `x${t}`).join('')}`,
  path: { from, to, via, taken },
  class: 0,
  position: '',
  missing: null,
  ...worth,
});
const names = (chooser) =>
  chooser
    .options()
    .map((o) => `${o.role} ${o.at}`)
    .sort();

test('a placement without a removal is one choice', () => {
  const chooser = new Chooser([turn(null, 'a1'), turn(null, 'd1')], 'points');
  assert.deepEqual(names(chooser), ['to a1', 'to d1']);
  assert.equal(chooser.choose('d1').move, '-d1');
});

test('where men may be placed or moved, both are offered', () => {
  const chooser = new Chooser([turn(null, 'a1'), turn('g7', 'g4')], 'points');
  assert.deepEqual(names(chooser), ['from g7', 'to a1']);
  assert.equal(chooser.choose('g7'), null);
  assert.deepEqual(names(chooser), ['to g4']);
});

test('two removals are chosen in either order', () => {
  const moves = [turn('a1', 'a4', ['g1', 'g7']), turn('a1', 'a4', ['g1', 'd7']), turn('a1', 'd1')];
  for (const order of [
    ['g1', 'd7'],
    ['d7', 'g1'],
  ]) {
    const chooser = new Chooser(moves, 'points');
    assert.equal(chooser.choose('a1'), null);
    assert.equal(chooser.choose('a4'), null);
    assert.deepEqual(names(chooser), ['take d7', 'take g1', 'take g7']);
    assert.equal(chooser.choose(order[0]), null);
    assert.equal(chooser.choose(order[1]), moves[1]);
  }
});

test('another man begins the choice again, the same one ends it', () => {
  const chooser = new Chooser([turn('a1', 'a4'), turn('g7', 'g4')], 'points');
  chooser.choose('a1');
  chooser.choose('g7');
  assert.deepEqual([...chooser.points], ['g7']);
  chooser.choose('g7');
  assert.deepEqual([...chooser.points], []);
});

test('a point that leads nowhere changes nothing', () => {
  const chooser = new Chooser([turn('a1', 'a4')], 'points');
  chooser.choose('a1');
  assert.equal(chooser.choose('d7'), null);
  assert.deepEqual([...chooser.points], ['a1']);
});

test('two routes of a capture are distinguished by the squares between', () => {
  const moves = [turn('22', '6', ['18', '10'], ['15']), turn('22', '6', ['17', '9'], ['13'])];
  const chooser = new Chooser(moves, 'squares');
  chooser.choose('22');
  assert.deepEqual(names(chooser), ['to 13', 'to 15']);
  assert.equal(chooser.choose('6'), null, 'the last square alone does not say which');
  chooser.choose('13');
  assert.equal(chooser.choose('6'), moves[1]);
});

test('a capture with one route is made by its last square', () => {
  const move = turn('22', '6', ['18', '10'], ['15']);
  const chooser = new Chooser([move], 'squares');
  chooser.choose('22');
  assert.equal(chooser.choose('6'), move);
});

test('the men follow the choice before it is complete', () => {
  const chooser = new Chooser([turn('a1', 'a4', ['g1']), turn('a1', 'a4', ['g7'])], 'points');
  const men = [
    { at: 'a1', side: 'white', kind: 'man' },
    { at: 'g1', side: 'black', kind: 'man' },
  ];
  chooser.choose('a1');
  chooser.choose('a4');
  assert.deepEqual(
    chooser.shown(men, 'white').map((m) => m.at),
    ['a4', 'g1'],
  );
});

test('the choice is kept when the moves arrive again with values', () => {
  const before = new Chooser([turn('a1', 'a4'), turn('a1', 'd1')], 'points');
  before.choose('a1');
  const worth = { outcome: 'win', plies: 3 };
  const now = new Chooser([turn('a1', 'a4', [], [], worth), turn('a1', 'd1')], 'points', before.points);
  assert.deepEqual([...now.points], ['a1']);
  assert.equal(short(now.options().find((o) => o.at === 'a4').worth), 'W 3');
});

test('a choice is worth its best turn', () => {
  const chooser = new Chooser(
    [
      turn('a1', 'a4', [], [], { outcome: 'loss', plies: 8 }),
      turn('a1', 'd1', [], [], { outcome: 'win', plies: 5 }),
      turn('a1', 'b1', [], [], { outcome: 'win', plies: 3 }),
    ],
    'points',
  );
  assert.equal(short(chooser.options()[0].worth), 'W 3');
});

test('turns are grouped by outcome: quick wins first, known losses last and slow ones before quick ones, equal ones together', () => {
  const of = (move, outcome, plies, estimate = null) => ({ ...turn(null, move), move, outcome, plies, estimate });
  const groups = grouped([
    of('a', 'loss', 2),
    of('b', 'win', 9),
    of('c', null, null, { score: -50 }),
    of('d', 'loss', 12),
    of('e', 'draw', null),
    of('f', 'win', 3),
    of('g', 'win', 9),
    of('h', null, null),
  ]);
  assert.deepEqual(
    groups.map((g) => [g.kind, ...g.rows.map((r) => r.moves.map((m) => m.move).join(''))]),
    [
      ['win', 'f', 'bg'],
      ['draw', 'e'],
      ['estimate', 'c'],
      ['unknown', 'h'],
      ['loss', 'd', 'a'],
    ],
  );
});

test('values have words', () => {
  assert.equal(verb({ outcome: 'win', plies: 1 }), 'wins in 1 ply');
  assert.equal(verb({ outcome: 'loss', plies: 8 }), 'loses in 8 plies');
  assert.equal(verb({ outcome: 'loss', plies: 0 }), 'has lost');
  assert.equal(verb({ outcome: 'win', plies: null }), 'wins');
  const proved = { outcome: null, plies: null, estimate: { score: 9000, depth: 9, outcome: 'win', plies: 9 } };
  assert.equal(verb(proved), 'wins in at most 9 plies, by search');
  assert.equal(short(proved), 'W ≤9');
  assert.equal(verb({ outcome: null, plies: null, estimate: { score: -120 } }), 'is worth about −1.2 men (search)');
  assert.deepEqual([4, -4, 0, 6, -5].map(score), ['0.0', '0.0', '0.0', '+0.1', '−0.1']);
  assert.equal(verb({ outcome: null, plies: null, estimate: { score: -4, outcome: null } }), 'is about even');
});

test('a board of any shape fits its drawing, and its men do not touch', () => {
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = (i * Math.PI) / 5;
    const far = i % 2 ? 1.2 : 3;
    return { name: `p${i}x`, x: 3 + far * Math.sin(angle), y: 3 - far * Math.cos(angle) };
  });
  const scale = new Scale({ kind: 'points', width: 7, height: 7, points, edges: [], lines: [] });
  assert.deepEqual(scale.labels(), [], 'names that are no coordinates label no margin');
  for (const a of scale.spots) {
    assert.ok(
      a.x - scale.radius > 0 &&
        a.x + scale.radius < scale.width &&
        a.y - scale.radius > 0 &&
        a.y + scale.radius < scale.height,
    );
    for (const b of scale.spots) if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 2 * scale.radius);
  }
});

test('the third occurrence of a position ends a game, the second does not', () => {
  assert.equal(repeated(['a', 'b', 'a', 'b']), false);
  assert.equal(repeated(['a', 'b', 'a', 'b', 'a']), true);
});

test('the loser is addressed', () => {
  const resigned = { winner: 'black', reason: 'resigned' };
  assert.equal(ending(resigned, 'white'), 'You lose: you resigned');
  assert.equal(ending(resigned, 'black'), 'You win: White resigned');
  assert.equal(ending(resigned), 'Black wins: White resigned');
});

test('a game is saved as the program reads it', () => {
  const game = {
    ruleset: 'three',
    start: 'W:W:B:H3,3',
    moves: ['b2', 'a1'],
    result: { winner: 'black', reason: 'resigned' },
  };
  assert.equal(gameText(game), 'endmill game 1\nruleset three\nstart W:W:B:H3,3\nb2\na1\nresigned white\n');
});
