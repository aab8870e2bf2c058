import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { choose, closeBrowser, resign, headline, hold, open, openSpots, pointsOf, poke, Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

const saved = (page, ruleset) =>
  page.evaluate((key) => JSON.parse(localStorage.getItem(key)), `endmill.game.${ruleset}`);

/** Waits until a game has this many turns. The page saves a turn before it draws what comes of it. */
const turns = (page, ruleset, n) =>
  page.waitForFunction(
    ([key, n]) => JSON.parse(localStorage.getItem(key)).moves.length === n,
    [`endmill.game.${ruleset}`, n],
  );

/** Plays whatever comes first, as the page offers it, until the game is over. */
async function playOn(page, ruleset, limit) {
  for (let turn = 0; turn < limit; turn += 1) {
    await page.waitForFunction(
      () => document.querySelector('[data-status=over]') || document.querySelector('.spot.open'),
    );
    if (await page.locator('[data-status=over]').count()) return;
    const { positions } = await saved(page, ruleset);
    const { moves } = await server.probe(ruleset, positions.at(-1));
    // Not always the first: else the game goes round and round.
    await choose(page, ...pointsOf(moves[(turn * 7) % moves.length]));
    await page.waitForFunction(
      ([key, n]) => JSON.parse(localStorage.getItem(key)).positions.length > n,
      [`endmill.game.${ruleset}`, positions.length],
    );
  }
  assert.fail(`no end after ${limit} turns`);
}

test('a game against a level is played to its end, which is explained', async () => {
  const page = await open(`${server.origin}/play/three`);
  await page.getByRole('radio', { name: 'Medium' }).check();
  await page.getByRole('radio', { name: 'white', exact: true }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await playOn(page, 'three', 150);
  assert.match(await headline(page).textContent(), /^(You win|You lose|A draw): ./);
  const { positions, result } = await saved(page, 'three');
  const last = await server.probe('three', positions.at(-1));
  if (result.winner) assert.deepEqual(result, last.finished);
  assert.equal(await page.locator('.spot.open').count(), 0, 'nothing can be chosen after the end');
  assert.deepEqual(page.troubles, []);
});

test('values are shown only when asked for', async () => {
  const page = await open(`${server.origin}/play/six`);
  await page.getByRole('radio', { name: 'Low' }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  assert.equal(await page.locator('.badge').count(), 0);
  assert.equal(await page.locator('.rings .target').count(), 16);
  await page.getByRole('button', { name: 'Hint' }).click();
  const values = async () => {
    await page.locator('.badge').first().waitFor();
    const texts = await page.locator('.badge text').allTextContents();
    assert.ok(
      texts.every((text) => /^[WDL]/.test(text)),
      `the values are known: ${texts}`,
    );
  };
  await values();
  await choose(page, 'a1');
  await turns(page, 'six', 2);
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  assert.equal(await page.locator('.badge').count(), 0, 'a hint is for one turn');
  await page.getByRole('button', { name: 'Evaluation' }).click();
  await values();
  await page.locator('.turns .chip').first().dblclick();
  await turns(page, 'six', 4);
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  await page.locator('.turns .chip').first().waitFor();
  const { moves, positions } = await saved(page, 'six');
  assert.equal(moves.length, 4, 'a turn chosen twice is played once');
  assert.equal(positions.length, 5);
  assert.deepEqual(page.troubles, []);
});

test('closing the page keeps the game, and turns are taken back', async () => {
  const page = await open(`${server.origin}/play/six`);
  await page.getByRole('radio', { name: 'Low' }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  await choose(page, 'a1');
  await page.locator('.record li span').nth(1).filter({ hasText: /./ }).waitFor();
  const before = await saved(page, 'six');
  const again = await page.context().newPage();
  await page.close();
  await again.goto(`${server.origin}/play/six`);
  await headline(again).filter({ hasText: 'Your turn' }).waitFor();
  assert.deepEqual((await saved(again, 'six')).moves, before.moves);
  await again.locator('.tray .pile').filter({ hasText: '5 in hand' }).first().waitFor();
  await again.locator('.last circle').first().waitFor({ state: 'attached' });
  // Taken back before the level has answered: only one's own turn goes.
  const release = await hold(again, '/probe?');
  await again.locator('.spot.open').first().click();
  await turns(again, 'six', 3);
  await again.getByRole('button', { name: 'Take back' }).click();
  await turns(again, 'six', 2);
  release();
  await headline(again).filter({ hasText: 'Your turn' }).waitFor();
  await again.locator('.last circle').first().waitFor({ state: 'attached' });
  await again.unrouteAll({ behavior: 'wait' });
  await again.getByRole('button', { name: 'Take back' }).click();
  await turns(again, 'six', 0);
  await resign(again);
  await headline(again).filter({ hasText: 'You lose: you resigned' }).waitFor();
});

test('a game that is not over is not replaced unasked, and a damaged one can be left', async () => {
  const start = 'W:Wa1,b2,a4:Bd1,d2,g7';
  const move = (await server.probe('nine', start)).moves.at(-1);
  const game = { ruleset: 'nine', start, opponent: 'person', you: 'white', result: null, hints: false };
  const play = (more) => ({ ...game, moves: [move.move], positions: [start, move.position], ...more });
  const page = await open(`${server.origin}/play/nine`);
  const load = async (value, address) => {
    await page.evaluate((value) => localStorage.setItem('endmill.game.nine', JSON.stringify(value)), value);
    await page.goto(server.origin + address);
  };
  const from = `/play/nine?position=${encodeURIComponent(start)}`;
  await load(play(), from);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.record').filter({ hasText: move.move }).waitFor();
  await page.goto(server.origin + from);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'Start a new game' }).click();
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  assert.deepEqual((await saved(page, 'nine')).moves, []);
  await load(play({ positions: [start, 'W:Wz9'] }), '/play/nine');
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.evaluate(() => {
    for (const key of ['seats', 'puzzles.nine', 'against', 'theme'])
      localStorage.setItem(`endmill.${key}`, '{"solved":"x"}');
  });
  await load({ moves: 5 }, '/play/nine');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.goto(`${server.origin}/puzzles/nine`);
  await page.getByText('Solved so far: 0.').waitFor();
  assert.deepEqual(page.troubles, []);
});

test('two at one device play draughts with captures', async () => {
  const start = 'W:W22,K31:B18,14,K5';
  const page = await open(`${server.origin}/play/draughts?position=${encodeURIComponent(start)}`);
  await page.getByRole('radio', { name: 'Two players, this device' }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await headline(page).filter({ hasText: 'White to move' }).waitFor();
  const { moves } = await server.probe('draughts', start);
  const movers = [...new Set(moves.map((m) => m.path.from))];
  assert.deepEqual(await openSpots(page), movers);
  assert.equal(await page.locator('.rings .movable').count(), movers.length, 'what can move has a ring');
  await poke(page, '31');
  await page
    .locator('.side')
    .getByText(`You must capture with ${movers.join(' or ')}.`)
    .waitFor();
  await choose(page, ...pointsOf(moves[0], true));
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  assert.deepEqual((await saved(page, 'draughts')).moves, [moves[0].move]);
  assert.deepEqual(page.troubles, []);
});
