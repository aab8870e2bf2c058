import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { choose, closeBrowser, resign, headline, open, pointsOf, Server, until, Wire } from './harness.mjs';

let server;
const wires = [];
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  for (const wire of wires) wire.close();
  await server.stop();
});

const line = (page, status) => page.locator(`[data-line=${status}]`).waitFor();

/** Two pages at the two seats of a new game; the second one's wire can be cut. */
async function seat(ruleset) {
  const [steady, wire] = await Promise.all([Wire.to(server), Wire.to(server)]);
  wires.push(steady, wire);
  const white = await open(`${steady.origin}/play/${ruleset}`);
  await white.getByRole('radio', { name: 'A friend, by link' }).check();
  await white.getByRole('radio', { name: 'white', exact: true }).check();
  await white.getByRole('button', { name: 'Create the game' }).click();
  const link = await white.locator('[data-link=friend]').textContent();
  const black = await open(link.replace(steady.origin, wire.origin));
  await line(white, 'open');
  await line(black, 'open');
  return { white, black, wire, link, id: /game\/([^/]+)/.exec(link)[1] };
}

async function playTurn(page, id, n) {
  const game = await server.get(`games/${id}`);
  assert.equal(game.turns.length, n, 'the referee has every turn');
  const { moves } = await server.probe(game.ruleset, game.positions.at(-1));
  await headline(page).filter({ hasText: 'Your turn' }).waitFor();
  await choose(page, ...pointsOf(moves[(n * 5) % moves.length]));
}

const arrived = (page, n) =>
  page.waitForFunction(
    (n) => [...document.querySelectorAll('.record span')].filter((el) => el.textContent).length === n,
    n,
  );

test('a whole game by link, one browser offline and the server killed in between', async () => {
  const { white, black, wire, id } = await seat('three');
  const pages = [white, black];
  let n = 0;
  for (; n < 120; n += 1) {
    if ((await server.get(`games/${id}`)).result) break;
    if (n === 3) {
      // Black goes away; White's next turn waits for it.
      wire.cut();
      await line(black, 'lost');
    }
    if (n === 5) {
      await server.kill();
      await line(white, 'lost');
      await server.run();
      await Promise.all([line(white, 'open'), line(black, 'open')]);
    }
    if (n === 3) {
      // Chosen while offline: sent when the line is there again.
      await choose(black, ...(await points(id, n)));
      await headline(black).filter({ hasText: 'Sent…' }).waitFor();
      assert.equal((await server.get(`games/${id}`)).turns.length, n);
      wire.restore();
      await line(black, 'open');
    } else await playTurn(pages[n % 2], id, n);
    await Promise.all(pages.map((page) => arrived(page, n + 1)));
  }
  const game = await server.get(`games/${id}`);
  assert.ok(game.result, 'the game came to an end');
  for (const page of pages) await page.locator('[data-status=over]').waitFor();
  assert.deepEqual([...white.troubles, ...black.troubles], []);
});

async function points(id, n) {
  const game = await server.get(`games/${id}`);
  const { moves } = await server.probe(game.ruleset, game.positions.at(-1));
  return pointsOf(moves[(n * 5) % moves.length]);
}

test('take-back, draw and rematch are offered and accepted', async () => {
  const { white, black, wire, id } = await seat('three');
  await playTurn(white, id, 0);
  await arrived(black, 1);
  await white.getByRole('button', { name: 'Ask for a takeback' }).click();
  await black.getByRole('button', { name: 'Accept' }).click();
  await white.waitForFunction(() => !document.querySelector('.record'));
  await playTurn(white, id, 0);
  await arrived(black, 1);
  await black.getByRole('button', { name: 'Offer a draw' }).click();
  await white.getByRole('button', { name: 'Decline' }).click();
  await white.getByRole('button', { name: 'Decline' }).waitFor({ state: 'detached' });
  await black.locator('.side').getByText('White declined the draw.').waitFor();
  await black.getByRole('button', { name: 'Offer a draw' }).click();
  await white.getByRole('button', { name: 'Accept' }).click();
  for (const page of [white, black]) await headline(page).filter({ hasText: 'A draw' }).waitFor();
  await white.getByRole('button', { name: 'Rematch' }).click();
  await black.getByRole('button', { name: 'Accept' }).click();
  await white.getByText('You play Black.').waitFor();
  await black.getByText('You play White.').waitFor();
  await resign(black);
  await headline(white).filter({ hasText: 'You win: White resigned' }).waitFor();
  assert.deepEqual([...white.troubles, ...black.troubles], []);
});

test('a player who was offline finds the rematch', async () => {
  const { white, black, wire, id } = await seat('three');
  const old = white.url();
  await resign(white);
  await headline(white).filter({ hasText: 'You lose: you resigned' }).waitFor();
  await white.getByRole('button', { name: 'Rematch' }).click();
  await white.getByText('You offered a rematch.').waitFor();
  await white.goto('about:blank');
  await black.getByRole('button', { name: 'Accept' }).click();
  await black.getByText('You play White.').waitFor();
  await white.goto(old);
  const link = white.getByRole('link', { name: 'Go to the rematch' });
  await link.waitFor();
  const { rematch_id: next } = await server.get(`games/${id}`);
  const kept = await white.evaluate(() => JSON.parse(localStorage.getItem('endmill.seats')).map((seat) => seat.id));
  assert.ok(kept.includes(next), 'it is among one’s games by link');
  await link.click();
  await white.getByText('You play Black.').waitFor();
  const watcher = await open(`${server.origin}/#/game/${id}`);
  await watcher.getByRole('link', { name: 'Watch the rematch' }).click();
  await watcher.waitForFunction((id) => location.hash === `#/game/${id}`, next);
  await watcher.getByText('You are watching').waitFor();
  assert.equal(await watcher.getByLabel('Ruleset').inputValue(), 'three', 'the header names what is played');
  assert.deepEqual([...white.troubles, ...black.troubles, ...watcher.troubles], []);
});

test('a watcher sees the game and can do nothing; a second window takes the seat over', async () => {
  const { white, black, wire, id } = await seat('three');
  const watcher = await open(`${server.origin}/#/game/${id}`);
  await playTurn(white, id, 0);
  await arrived(watcher, 1);
  await watcher.getByText('You are watching').waitFor();
  assert.equal(await watcher.locator('.spot.open').count(), 0);
  assert.equal(await watcher.getByRole('button', { name: 'Resign' }).count(), 0);
  const second = await black.context().newPage();
  await second.goto(black.url());
  await headline(second).filter({ hasText: 'Your turn' }).waitFor();
  await line(black, 'elsewhere');
  assert.equal(await black.locator('.spot.open').count(), 0);
  await black.getByRole('button', { name: 'Play here' }).click();
  await line(black, 'open');
  await line(second, 'elsewhere');
  assert.deepEqual([...white.troubles, ...black.troubles, ...watcher.troubles], []);
});

test('the clock of the side to move runs', async () => {
  const game = await fetch(`${server.origin}/api/games`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ruleset: 'three', clock: { minutes: 30, increment_seconds: 1 }, side: 'white' }),
  }).then((r) => r.json());
  const white = await open(server.origin + game.links.white);
  const black = await open(server.origin + game.links.black);
  await line(white, 'open');
  await line(black, 'open');
  await playTurn(white, game.id, 0);
  await arrived(black, 1);
  await playTurn(black, game.id, 1);
  await arrived(white, 2);
  await white.locator('.clock.running').waitFor();
  const shown = () => white.locator('.clock.running').textContent();
  const first = await shown();
  await until(async () => (await shown()) !== first, 'the clock shows another time');
});
