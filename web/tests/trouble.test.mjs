// Error messages of the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { choose, closeBrowser, headline, hold, idle, open, Server, spot } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

test('a position that cannot be read is explained, and the page keeps working', async () => {
  const page = await open(`${server.origin}/explore/nine?position=W:Wz9`);
  await page.locator('.verdict .trouble').filter({ hasText: 'z9 is not a point' }).waitFor();
  await page.getByRole('button', { name: 'Start of the game' }).click();
  await page.locator('.spot.open').first().waitFor();
  assert.deepEqual(page.troubles, []);
});

test('an unknown ruleset and an unknown table are named', async () => {
  const page = await open(`${server.origin}/explore/ludo`);
  await page.getByText('This server has no ruleset “ludo”.').waitFor();
  await page.getByLabel('Ruleset').selectOption('three');
  await page.locator('.spot.open').first().waitFor();
  await page.goto(`${server.origin}/tables/nine/77v77`);
  await page.locator('.detail .trouble').waitFor();
  assert.deepEqual(page.troubles, []);
});

test('an unknown game is reported', async () => {
  const page = await open(`${server.origin}/#/game/nosuchgame`);
  await page.getByText('There is no such game, or it has been deleted.').waitFor();
});

test('a wrong secret only watches', async () => {
  const game = await fetch(`${server.origin}/api/games`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ruleset: 'three', clock: null, side: 'white' }),
  }).then((r) => r.json());
  const page = await open(`${server.origin}/#/game/${game.id}/wrong`);
  await page.getByText('You are watching').waitFor();
  assert.equal(await page.locator('.spot.open').count(), 0);
});

test('while the tables are built it says so, and then the values come', async () => {
  let asked = 0;
  const page = await open('about:blank');
  await page.route('**/api/rulesets', async (route) => {
    const rulesets = await (await route.fetch()).json();
    asked += 1;
    if (asked <= 2) {
      rulesets[0].building = { done: 0, of: 10, phase: 'waiting', seconds_left: null };
      rulesets[4].building = { done: asked, of: 10, phase: '4v4', seconds_left: 7 };
    }
    await route.fulfill({ json: rulesets });
  });
  await page.goto(`${server.origin}/explore/nine`);
  await page.locator('.notice').filter({ hasText: '4v4, about 7 s left' }).waitFor();
  const { title } = (await server.get('rulesets'))[4];
  await page.locator('.notice').filter({ hasText: title }).waitFor();
  // What is being set up meanwhile is kept.
  await page.locator('.spot.open').first().waitFor();
  await page.getByRole('button', { name: 'Edit the position' }).click();
  await page.getByRole('button', { name: 'Done' }).waitFor();
  await choose(page, 'a1');
  await page.locator('.notice').waitFor({ state: 'hidden' });
  await idle(page);
  assert.match(await spot(page, 'a1').getAttribute('aria-label'), /white man/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.locator('.spot.open').first().waitFor();
  assert.deepEqual(page.troubles, []);
});

test('when the server is away it says so, and it can be tried again', async () => {
  const page = await open(`${server.origin}/play/three`);
  await page.getByRole('radio', { name: 'Two players, this device' }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await headline(page).filter({ hasText: 'White to move' }).waitFor();
  await page.route('**/api/**', (route) => route.abort());
  await page.locator('.spot.open').first().click();
  await page.getByText('The server cannot be reached').waitFor();
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await headline(page).filter({ hasText: 'Black to move' }).waitFor();
});

test('links that are being made are not asked for again', async () => {
  const page = await open(`${server.origin}/play/three`);
  await page.getByRole('radio', { name: 'A friend, by link' }).check();
  let asked = 0;
  page.on('request', (request) => (asked += request.method() === 'POST' ? 1 : 0));
  const release = await hold(page, '/api/games');
  await page.getByRole('button', { name: 'Create the game' }).dblclick();
  await page.getByRole('button', { name: 'Creating the game…' }).waitFor();
  release();
  await page.locator('[data-line=open]').waitFor();
  assert.equal(asked, 1);
  assert.deepEqual(page.troubles, []);
});

test('a rate limit is reported with the time to wait', async () => {
  const page = await open('about:blank');
  await page.route('**/probe?*', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '3' },
      json: { error: 'too_many_requests', message: 'too many requests' },
    }),
  );
  await page.goto(`${server.origin}/explore/nine`);
  await page.getByText('Too many requests; try again in 3 s').waitFor();
});
