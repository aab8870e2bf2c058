import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  choose,
  closeBrowser,
  headline,
  hold,
  menOf,
  open,
  openSpots,
  poke,
  pointsOf,
  Server,
  spot,
  until,
} from './harness.mjs';

const WON = 'W:Wa1,b2,a4:Bd1,d2,g7';
let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

const at = (position, ruleset = 'nine') =>
  `${server.origin}/explore/${ruleset}?position=${encodeURIComponent(position)}`;
const position = (page) => page.evaluate(() => new URLSearchParams(location.search).get('position'));

test('a position shows its verdict, its men and the value of every choice', async () => {
  const page = await open(at(WON));
  await headline(page).filter({ hasText: 'White to move: win in 1 ply' }).waitFor();
  assert.equal(await menOf(page, 'white'), 3);
  assert.deepEqual((await openSpots(page)).sort(), ['a1', 'a4', 'b2']);
  const answer = await server.probe('nine', WON);
  assert.equal(
    await page.locator('.turns .chip').count(),
    Math.min(24, answer.moves.filter((m) => m.outcome === 'loss').length) + 3,
  );
  assert.match(await spot(page, 'b2').getAttribute('aria-label'), /white man, can move, wins in 1 ply/);
  assert.deepEqual(page.troubles, []);
});

test('a turn is chosen point by point, and the address follows', async () => {
  const page = await open(at(WON));
  await spot(page, 'b2').and(page.locator('.open')).waitFor();
  await choose(page, 'b2', 'a7');
  assert.deepEqual((await openSpots(page)).sort(), ['d1', 'd2', 'g7'], 'the men that may be removed');
  await choose(page, 'd2');
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  assert.equal(await position(page), 'B:Wa1,a4,a7:Bd1,g7');
  await page.goBack();
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  assert.equal(await menOf(page, 'black'), 3);
  await page.goForward();
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  await page.getByRole('button', { name: 'Forward', exact: true }).click();
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  assert.deepEqual(page.troubles, []);
});

test('a man is dragged with the mouse', async () => {
  const page = await open(at(WON));
  await spot(page, 'b2').and(page.locator('.open')).waitFor();
  await spot(page, 'b2').dragTo(spot(page, 'd7'));
  await page.waitForFunction(() => location.search.includes('d7'));
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  await page.goBack();
  await headline(page).filter({ hasText: 'White to move' }).waitFor();
  await spot(page, 'b2').dragTo(spot(page, 'd1'));
  assert.equal(await position(page), WON, 'what cannot be is not played');
  assert.equal(await menOf(page, 'white'), 3);
  await spot(page, 'b2').dragTo(spot(page, 'a7'));
  assert.deepEqual((await openSpots(page)).sort(), ['d1', 'd2', 'g7'], 'a mill: now the removal');
  assert.deepEqual(page.troubles, []);
});

test('pointing at a turn of the list shows it on the board', async () => {
  const page = await open(at(WON));
  const chip = page.locator('.turns .chip').first();
  await chip.hover();
  await page.locator('.pointer .shaft').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.pointer .cross').count(), 1, 'the man that it takes');
  await page.mouse.move(2, 2);
  await page.locator('.pointer .shaft').waitFor({ state: 'detached' });
});

test('the best line is stepped through and ends with the game', async () => {
  const long = (await server.get('nine/tables/3v3')).longest_win_position;
  const page = await open(at(long));
  await page.locator('.strip .step').first().waitFor();
  assert.equal(await page.locator('.strip .step').count(), 25);
  await page.getByRole('button', { name: 'Next move' }).click();
  await headline(page).filter({ hasText: 'loss in 24 plies' }).waitFor();
  await page.getByRole('button', { name: 'End of the line' }).click();
  await headline(page).filter({ hasText: 'has won' }).waitFor();
  await page.getByRole('button', { name: 'Start of the line' }).click();
  await headline(page).filter({ hasText: 'win in 25 plies' }).waitFor();
  assert.deepEqual(page.troubles, []);
});

test('flip, mirror and swap keep the value', async () => {
  const page = await open(at(WON));
  await headline(page).filter({ hasText: 'White to move: win in 1 ply' }).waitFor();
  for (const [name, text] of [
    ['Flip top and bottom', 'White to move: win'],
    ['Mirror left and right', 'White to move: win'],
    ['Swap sides', 'Black to move: win'],
  ]) {
    const was = await position(page);
    await page.getByRole('button', { name }).click();
    await page.waitForFunction((was) => new URLSearchParams(location.search).get('position') !== was, was);
    await headline(page)
      .filter({ hasText: `${text} in 1 ply` })
      .waitFor();
  }
  assert.deepEqual(page.troubles, []);
});

test('a turn is shown before its answer, and nothing else can be played until then', async () => {
  const page = await open(at(WON));
  await spot(page, 'b2').and(page.locator('.open')).waitFor();
  const release = await hold(page, '/probe?');
  await choose(page, 'b2', 'd7');
  await poke(page, 'a4', 'b4');
  assert.match(await spot(page, 'd7').getAttribute('aria-label'), /white man/, 'the man stands there at once');
  assert.match(await headline(page).textContent(), /White to move/, 'the answer is still awaited');
  assert.equal(await position(page), 'B:Wa1,a4,d7:Bd1,d2,g7', 'one turn was played');
  release();
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  // Offline: it says so, and can be tried again.
  await page.unrouteAll({ behavior: 'wait' });
  await page.route('**/probe?*', (route) => route.abort());
  await page.locator('.turns .chip').first().click();
  await page.getByText('The server cannot be reached').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await headline(page)
    .filter({ hasText: /White to move|has won/ })
    .waitFor();
  assert.deepEqual(page.troubles, []);
});

test('changes of the position that follow each other quickly are all made', async () => {
  const page = await open(at(WON));
  await headline(page).filter({ hasText: ': win' }).waitFor();
  const release = await hold(page, '/transform?');
  let expected = WON;
  for (const by of ['flip', 'mirror', 'swap'])
    ({ position: expected } = await server.get(`nine/transform?by=${by}&position=${encodeURIComponent(expected)}`));
  for (const name of ['Flip top and bottom', 'Mirror left and right', 'Swap sides'])
    await page.getByRole('button', { name }).click();
  release();
  await until(async () => (await position(page)) === expected, 'all three changes');
  assert.deepEqual(page.troubles, []);
});

test('the line waits for slow answers, and undo stays in this view', async () => {
  const page = await open('about:blank');
  await page.clock.install();
  await page.goto(`${server.origin}/tables/nine`);
  await page.locator('[aria-label="Longest wins"] .small').first().click();
  await page.locator('.strip .step').first().waitFor();
  const undo = page.getByRole('button', { name: 'Undo' });
  assert.ok(await undo.isDisabled(), 'before this position there was another view');
  const release = await hold(page, '/probe?');
  await page.getByRole('button', { name: 'Play the line' }).click();
  await page.locator('.strip .count').filter({ hasText: /^1 of/ }).waitFor();
  // From here on time is controlled by the test.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  assert.match(await page.locator('.strip .count').textContent(), /^1 of/, 'the first step is not shown yet');
  release();
  await headline(page).filter({ hasText: ': loss' }).waitFor();
  await page.clock.runFor(2000);
  await page.locator('.strip .count').filter({ hasText: /^2 of/ }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await undo.click();
  await until(() => undo.isDisabled(), 'the position that this view began with');
  await headline(page).filter({ hasText: ': win' }).waitFor();
  assert.deepEqual(page.troubles, []);
});

test('the editor places, removes, and says what cannot be', async () => {
  const page = await open(at(WON));
  await headline(page).filter({ hasText: ': win' }).waitFor();
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByRole('radio', { name: 'Black man' }).check();
  await choose(page, 'g1');
  await page.waitForFunction(() => location.search.includes('g1'));
  assert.equal(await menOf(page, 'black'), 4);
  await page.getByRole('radio', { name: 'Eraser' }).check();
  await choose(page, 'g1');
  await page.waitForFunction(() => !location.search.includes('g1'));
  await page.getByRole('radio', { name: 'black', exact: true }).check();
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  await page.getByLabel('White in hand').fill('9');
  await page.getByLabel('White in hand').blur();
  await page.locator('.editor .trouble').filter({ hasText: 'Not a legal position' }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('[role=status][aria-live]').filter({ hasText: 'Not a legal position' }).waitFor();
  await page.locator('.editor .trouble').filter({ hasText: 'Not a legal position' }).waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  await page.locator('.turns .chip').first().waitFor();
  // A man that is placed comes from the hand, and goes back to it.
  await page.goto(`${server.origin}/explore/nine`);
  await page.locator('.badge').first().waitFor();
  await page.getByRole('button', { name: 'Edit the position' }).click();
  const hand = page.getByLabel('White in hand');
  await hand.waitFor();
  await choose(page, 'a1');
  assert.equal(await hand.inputValue(), '8');
  await choose(page, 'a1');
  assert.equal(await hand.inputValue(), '9');
  assert.deepEqual(page.troubles, []);
});

test('the editor asks for what the rules remember', async () => {
  const page = await open(at(WON, 'morabaraba-nine'));
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByLabel('Plies without a removal').fill('7');
  await page.getByLabel('Plies without a removal').blur();
  await page.getByLabel('Banned mills').fill('a1-a4-a7');
  await page.getByLabel('Banned mills').blur();
  await page.getByRole('button', { name: 'Done' }).click();
  await until(async () => (await position(page)) === `${WON}:Q7:Xa1-a4-a7`, 'the address has what was entered');
  assert.deepEqual(page.troubles, []);
  // Rules that look only at the board have neither.
  await page.goto(at(WON));
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByRole('button', { name: 'Done' }).waitFor();
  assert.equal(await page.getByLabel('Plies without a removal').count(), 0);
});

test('a position is pasted, and a mistake in it is shown where it is', async () => {
  const page = await open(`${server.origin}/explore/nine`);
  await page.getByRole('button', { name: 'Paste a position' }).click();
  const field = page.getByRole('textbox', { name: 'Position' });
  await field.fill('W:Wa1,z2');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.locator('dialog .trouble').filter({ hasText: 'z2 is not a point' }).waitFor();
  await field.fill(WON);
  await page.getByRole('button', { name: 'Show' }).click();
  await headline(page).filter({ hasText: 'White to move: win in 1 ply' }).waitFor();
  // As other morris programs write it.
  await page.goto(`${server.origin}/explore/nine`);
  await page.getByRole('button', { name: 'Paste a position' }).click();
  await field.fill('********/****@O**/*@**@OO* w m s 3 0 3 0 0 0 0 0 0 0 0 1');
  await page.getByRole('button', { name: 'Show' }).click();
  await headline(page).filter({ hasText: 'White to move: win in 1 ply' }).waitFor();
  assert.equal(await position(page), WON);
  assert.deepEqual(page.troubles, []);
});

test('draughts are explored on the same board', async () => {
  const start = 'W:W18,K31:B12,K5';
  const page = await open(at(start, 'draughts'));
  const [move] = (await server.probe('draughts', start)).moves;
  await page.locator('.spot.open').first().waitFor();
  await choose(page, ...pointsOf(move, true));
  await page.waitForFunction((to) => new URLSearchParams(location.search).get('position') === to, move.position);
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
  await page.getByRole('button', { name: 'Rotate the board' }).click();
  const wrong = await page.evaluate(() => {
    const within = (a, b) => a.x >= b.x && a.y >= b.y && a.right <= b.right && a.bottom <= b.bottom;
    const spots = new Map([...document.querySelectorAll('.spot')].map((el) => [el.dataset.point, el]));
    return [...document.querySelectorAll('.number')]
      .filter((el) => !within(el.getBoundingClientRect(), spots.get(el.textContent).getBoundingClientRect()))
      .map((el) => el.textContent);
  });
  assert.deepEqual(wrong, [], 'every number stands on its square');
  assert.deepEqual(page.troubles, []);
});

test('every ruleset draws its board', async () => {
  const page = await open(server.origin);
  for (const { id, geometry } of await server.get('rulesets')) {
    await page.getByLabel('Ruleset').selectOption(id);
    await page.waitForFunction((id) => location.pathname === `/explore/${id}`, id);
    await page.waitForFunction((n) => document.querySelectorAll('.spot').length === n, geometry.points.length);
    await page.locator('.spot.open').first().waitFor();
  }
  assert.deepEqual(page.troubles, []);
});
