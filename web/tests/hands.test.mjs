// By touch on a phone, and by keys alone.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, headline, idle, open, pointsOf, Server, spot } from './harness.mjs';

const WON = 'W:Wa1,b2,a4:Bd1,d2,g7';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

const explore = () => `${server.origin}/explore/nine?position=${encodeURIComponent(WON)}`;

test('on a phone everything is reached by touch and nothing is wider than the screen', async () => {
  const page = await open(explore(), PHONE);
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  for (const name of ['b2', 'a7', 'g7']) await spot(page, name).tap();
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  for (const name of ['Play', 'Review', 'Puzzles', 'Tables', 'Explore']) {
    await page.getByRole('navigation').getByRole('link', { name }).tap();
    await page.waitForFunction((view) => location.pathname.startsWith(`/${view.toLowerCase()}`), name);
    await idle(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
  }
  assert.deepEqual(page.troubles, []);
});

test('nothing is wider than a tablet or a phone held sideways', async () => {
  for (const [width, height] of [
    [820, 1180],
    [1024, 768],
    [844, 390],
    [667, 375],
    [360, 740],
  ]) {
    const page = await open(explore(), { viewport: { width, height } });
    for (const view of ['explore', 'play', 'review', 'puzzles', 'tables']) {
      await page.goto(`${server.origin}/${view}/nine`);
      await page.locator('main h1').waitFor({ state: 'attached' });
      await idle(page);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${view} is ${wide} pixels wider than ${width}`);
    }
    await page.context().close();
  }
});

test('points are far enough apart for fingers', async () => {
  const page = await open(explore(), PHONE);
  await page.locator('.spot.open').first().waitFor();
  const boxes = await page.$$eval('.spot', (els) => els.map((el) => el.getBoundingClientRect().toJSON()));
  for (const box of boxes) assert.ok(Math.min(box.width, box.height) >= 36, `a point of ${box.width} pixels`);
});

test('a game is played on a phone against a level', async () => {
  const page = await open(`${server.origin}/play/six`, PHONE);
  await page.locator('.choice label', { hasText: 'Low' }).tap();
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  for (const [turn, name] of ['a1', 'e5', 'c2'].entries()) {
    await page.locator('.spot.open').first().waitFor();
    const free = await page.$$eval('.spot.open', (els) => els.map((el) => el.dataset.point));
    await spot(page, free.includes(name) ? name : free[0]).tap();
    await page.waitForFunction(
      (n) => JSON.parse(localStorage.getItem('endmill.game.six')).moves.length >= n,
      2 * turn + 1,
    );
  }
  assert.deepEqual(page.troubles, []);
});

/** Moves the focus over the board with the arrow keys to a point. */
async function walk(page, geometry, to) {
  const goal = geometry.points.find((p) => p.name === to);
  for (let i = 0; i < 40; i += 1) {
    const here = await page.evaluate(() => document.activeElement.dataset?.point);
    if (here === to) return;
    const now = geometry.points.find((p) => p.name === here);
    const [dx, dy] = [goal.x - now.x, goal.y - now.y];
    const keys = Math.abs(dx) > Math.abs(dy) ? [dx, dy] : [dy, dx];
    const horizontal = Math.abs(dx) > Math.abs(dy);
    const key = (value, across) =>
      across ? (value > 0 ? 'ArrowRight' : 'ArrowLeft') : value > 0 ? 'ArrowDown' : 'ArrowUp';
    await page.keyboard.press(key(keys[0], horizontal));
    const there = await page.evaluate(() => document.activeElement.dataset?.point);
    if (there === here && keys[1] !== 0) await page.keyboard.press(key(keys[1], !horizontal));
  }
  assert.fail(`the arrow keys do not reach ${to}`);
}

test('a turn with a removal is made by keys alone', async () => {
  const page = await open(explore());
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  const { geometry } = await server.get('nine');
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.classList.contains('spot'))) break;
  }
  const [best] = (await server.probe('nine', WON)).moves;
  for (const name of pointsOf(best)) {
    await walk(page, geometry, name);
    await page.keyboard.press('Enter');
  }
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  await page.keyboard.press('u');
  await headline(page).filter({ hasText: 'White to move: win' }).waitFor();
  await walk(page, geometry, 'b2');
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  assert.match(await spot(page, 'a4').getAttribute('aria-label'), /can move/, 'the choice was taken back');
  await page.keyboard.press('b');
  await headline(page).filter({ hasText: 'White has won' }).waitFor();
  assert.match(await page.locator('[role=status][aria-live]').textContent(), /White has won/, 'and it is announced');
  assert.deepEqual(page.troubles, []);
});

test('every point of every board is reached by the arrow keys', async () => {
  const page = await open(server.origin);
  for (const { id, geometry } of await server.get('rulesets')) {
    await page.goto(`${server.origin}/explore/${id}`);
    await page.locator('.spot.open').first().waitFor();
    const seen = new Set();
    const queue = [geometry.points[0].name];
    while (queue.length) {
      const name = queue.pop();
      if (seen.has(name)) continue;
      seen.add(name);
      for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
        queue.push(
          await page.evaluate(
            ([name, key]) => {
              const el = document.querySelector(`[data-point="${name}"]`);
              el.focus();
              el.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
              return document.activeElement.dataset.point;
            },
            [name, key],
          ),
        );
      }
    }
    assert.equal(seen.size, geometry.points.length, id);
  }
});

test('dialogs and the new game are used by keys alone', async () => {
  const page = await open(`${server.origin}/play/three`);
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.getByRole('radio', { name: 'Low' }).focus();
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.getByRole('radio', { name: 'Medium' }).isChecked());
  await page.getByRole('button', { name: 'Start', exact: true }).focus();
  await page.keyboard.press('Enter');
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains('spot')), 'the focus is on the board');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('endmill.game.three')).moves.length >= 2);
  await page.getByRole('button', { name: 'Keyboard shortcuts and symbols' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  assert.deepEqual(page.troubles, []);
});
