import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBrowser, headline, open, Server, spot } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

test('a table shows its counts, its histogram, its sizes and checksums', async () => {
  const table = await server.get('nine/tables/3v4');
  const page = await open(`${server.origin}/tables/nine/3v4`);
  await page.locator('.detail .histogram').waitFor();
  const detail = await page.locator('.detail').textContent();
  for (const outcome of ['win', 'draw', 'loss'])
    assert.ok(detail.includes(table[outcome].toLocaleString('en')), `${outcome}: ${detail}`);
  assert.deepEqual(await page.locator('.detail .checksum').allTextContents(), [table.wld_checksum, table.dtw_checksum]);
  assert.match(table.wld_checksum, /^[0-9a-f]{64}$/);
  const bars = page.locator('.histogram rect.win, .histogram rect.loss');
  assert.equal(await bars.count(), Object.keys(table.plies).length, 'a bar for every distance');
  assert.deepEqual(page.troubles, []);
});

test('the graph has every table and every way between them, and leads to them', async () => {
  const rows = await server.get('nine/tables');
  const names = new Set(rows.map((row) => row.table));
  const page = await open(`${server.origin}/tables/nine`);
  await page.locator('.tablegraph .node').first().waitFor();
  assert.equal(await page.locator('.tablegraph .node').count(), rows.length);
  const ways = rows.flatMap((row) => row.leads_to.filter((to) => names.has(to)));
  assert.equal(await page.locator('.tablegraph .edge').count(), ways.length);
  await page.locator('.tablegraph [data-table="4v3"]').click();
  await page.locator('.detail h2').filter({ hasText: 'Table 4v3' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/tables/nine/4v3');
  assert.deepEqual(page.troubles, []);
});

test('the longest win is a board that opens', async () => {
  const page = await open(`${server.origin}/tables/nine`);
  const longest = Math.max(...(await server.get('nine/tables')).map((row) => row.longest_win));
  const board = page.locator('[aria-label="Longest wins"] .small').first();
  await board.filter({ hasText: `${longest} plies` }).click();
  await headline(page)
    .filter({ hasText: `win in ${longest} plies` })
    .waitFor();
  assert.deepEqual(page.troubles, []);
});

test('the opening is a map of first placements', async () => {
  const { moves } = await server.probe('six', 'start');
  const page = await open(`${server.origin}/tables/six`);
  await page.locator('.opening .badge').first().waitFor();
  assert.equal(await page.locator('.opening .badge').count(), moves.length);
  const letters = { win: 'W', draw: 'D', loss: 'L' };
  const shown = await page.locator('.opening .badge text').allTextContents();
  assert.deepEqual(shown.map((text) => text[0]).sort(), moves.map((move) => letters[move.outcome]).sort());
  await page.locator('.opening').locator(spot(page, 'a1')).click();
  await page.waitForFunction(() => location.pathname === '/explore/six' && location.search.includes('a1'));
  assert.deepEqual(page.troubles, []);
});
