import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, headline, hold, open, Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

/** A game that White had won and threw away: a losing turn, then both at their best. */
async function lostGame() {
  const start = 'W:Wa1,b2,a4:Bd1,d2,g7';
  const slip = (await server.probe('nine', start)).moves.find((move) => move.outcome === 'loss');
  const { line } = await server.get(`nine/line?position=${encodeURIComponent(slip.position)}`);
  return { start, slip, moves: [slip.move, ...line] };
}

test('a lost game shows where it was lost and what was better', async () => {
  const { start, slip, moves } = await lostGame();
  const page = await open(`${server.origin}/review/nine`);
  await page
    .getByRole('textbox', { name: 'Game' })
    .fill(`endmill game 1\nruleset nine\nstart ${start}\n${moves.join('\n')}\n`);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await headline(page).filter({ hasText: 'Black wins' }).waitFor();
  await page.locator('.comment .trouble').filter({ hasText: 'White throws away a win: now lost' }).waitFor();
  await page
    .locator('.comment')
    .filter({ hasText: `1. White ${slip.move}` })
    .waitFor();
  await page
    .locator('.comment')
    .filter({ hasText: /Better: b2-a7x.., wins in 1 ply/ })
    .waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.pointer .shaft').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.graph .slip').count(), 1);
  assert.equal(await page.locator('.entry').count(), moves.length);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page
    .locator('.comment')
    .filter({ hasText: `${moves.length}. ` })
    .waitFor();
  assert.deepEqual(page.troubles, []);
});

test('beyond the tables a turn is shown with its estimate, as an opinion', async () => {
  const page = await open(`${server.origin}/review/nine`);
  await page.getByRole('textbox', { name: 'Game' }).fill('d2 d6 a1 g7');
  const release = await hold(page, '/api/nine/review');
  let asked = 0;
  page.on('request', (request) => (asked += request.url().endsWith('/review') ? 1 : 0));
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const busy = page.getByRole('button', { name: 'Reviewing…' });
  assert.ok(await busy.isDisabled(), 'it says that it works');
  release();
  await page.locator('.entry').first().waitFor();
  assert.equal(asked, 1);
  assert.equal(await page.locator('.graph .dot.guessed').count(), 4);
  assert.match(await page.locator('.graph .course.guessed').getAttribute('d'), /^M.*L/);
  for (const text of await page.locator('.entry .v').allTextContents()) assert.match(text, /≈.*[0-9]\.[0-9]/);
  const { turns } = await fetch(`${server.origin}/api/nine/review`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'd2 d6 a1 g7' }),
  }).then((r) => r.json());
  const at = turns.findIndex((t) => t.estimated_best.move !== t.move && t.estimated_best.score > t.estimate.score);
  assert.ok(at >= 0, 'a search prefers something');
  await page.locator(`[data-turn="${at + 1}"]`).click();
  await page
    .locator('.comment')
    .filter({ hasText: `A search prefers ${turns[at].estimated_best.move}` })
    .waitFor();
  await page.getByRole('button', { name: 'Show it' }).click();
  await page.locator('.pointer .halo').waitFor({ state: 'attached' });
  assert.deepEqual(page.troubles, []);
});

test('the game just played can be reviewed', async () => {
  const { start, moves } = await lostGame();
  const page = await open(`${server.origin}/review/nine`);
  await page.evaluate((game) => localStorage.setItem('endmill.game.nine', JSON.stringify(game)), {
    ruleset: 'nine',
    start,
    moves,
    positions: [start],
    opponent: 'person',
    you: 'white',
    result: null,
    hints: false,
  });
  await page.reload();
  await page.getByRole('button', { name: 'The last game played' }).click();
  await headline(page).filter({ hasText: 'Black wins' }).waitFor();
});

test('a game that cannot be read is refused with the reason', async () => {
  const page = await open(`${server.origin}/review/nine`);
  await page.getByRole('textbox', { name: 'Game' }).fill('a1 a1 a1');
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.locator('.trouble').filter({ hasText: 'a1' }).waitFor();
  assert.deepEqual(page.troubles, []);
});
