import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { choose, closeBrowser, headline, hold, open, openSpots, pointsOf, poke, Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

const posed = (page) =>
  page
    .getByRole('link', { name: 'Explore' })
    .last()
    .evaluate((a) => new URL(a.href).searchParams.get('position'));

test('a wrong turn is named, the right one solves the puzzle, and the next is further', async () => {
  const page = await open(`${server.origin}/puzzles/nine`);
  await page.locator('[data-puzzle=open]').waitFor();
  const position = await posed(page);
  const { moves, plies } = await server.probe('nine', position);
  assert.equal(moves.filter((move) => move.outcome === 'win').length, 1);
  const wrong = moves.find((move) => move.outcome !== 'win');
  await choose(page, ...pointsOf(wrong));
  await page.locator('.tries li').filter({ hasText: wrong.move }).waitFor();
  await choose(page, ...pointsOf(moves[0]));
  await headline(page).filter({ hasText: 'Solved' }).waitFor();
  await page.locator('.strip .step').first().waitFor();
  assert.equal(await page.locator('.strip .step').count(), plies, 'the answer is played out');
  const progress = () => page.evaluate(() => JSON.parse(localStorage.getItem('endmill.puzzles.nine')));
  assert.equal((await progress()).solved, 1);
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await page.locator('[data-puzzle=open]').waitFor();
  const next = await server.probe('nine', await posed(page));
  await choose(page, ...pointsOf(next.moves[0]));
  await headline(page).filter({ hasText: 'Solved' }).waitFor();
  assert.equal((await progress()).plies, next.plies + 2);
  assert.deepEqual(page.troubles, []);
});

test('the answer is shown when asked for', async () => {
  const page = await open(`${server.origin}/puzzles/nine`);
  await page.locator('[data-puzzle=open]').waitFor();
  const { moves } = await server.probe('nine', await posed(page));
  const showLine = await hold(page, '/line?');
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await headline(page).filter({ hasText: 'The answer' }).waitFor();
  await poke(page, ...pointsOf(moves[0]));
  showLine();
  await page.locator('.strip .step').first().waitFor();
  await headline(page).filter({ hasText: 'The answer' }).waitFor();
  await page.getByText('Solved so far: 0.').waitFor();
  // Until the next one is there, nothing can be chosen.
  await page.getByRole('button', { name: 'Next puzzle' }).click();
  await page.locator('[data-puzzle=open]').waitFor();
  const showNext = await hold(page, '/puzzle?');
  await page.getByRole('button', { name: 'Another' }).click();
  assert.deepEqual(await openSpots(page), []);
  showNext();
  await page.locator('.spot.open').first().waitFor();
  assert.deepEqual(page.troubles, []);
});
