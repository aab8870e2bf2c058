// Every view, wide and narrow, light and dark: axe finds nothing serious, and a screenshot goes to shots/.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { closeBrowser, hold, idle, open, Server } from './harness.mjs';
import { VIEWS } from './views.mjs';

const axe = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
let server;
before(async () => {
  mkdirSync('shots', { recursive: true });
  server = await Server.start();
});
after(async () => {
  await closeBrowser();
  await server.stop();
});

const SIZES = { 1280: { width: 1280, height: 860 }, 390: { width: 390, height: 844 } };

/** What axe finds serious. */
async function serious(page) {
  // The page allows no scripts but its own; the debugger may.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document));
  const places = (nodes) => nodes.map((n) => `${n.target} ${n.any[0]?.message ?? ''}`).slice(0, 3);
  return violations
    .filter((v) => v.impact === 'serious' || v.impact === 'critical')
    .map((v) => `${v.id}: ${places(v.nodes).join(' | ')}`);
}

for (const [name, visit] of VIEWS) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`${name}, ${size} wide, in light and dark`, async () => {
      const page = await open('about:blank', { viewport, colorScheme: 'light' });
      await visit(page, server);
      await page.evaluate(() => document.fonts.ready);
      await idle(page);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${name} is ${wide} pixels wider than ${size}`);
      for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `shots/${name}-${size}-${colorScheme}.png`, fullPage: true });
        assert.deepEqual(await serious(page), [], `${name}, ${size} wide, ${colorScheme}`);
      }
      assert.deepEqual(page.troubles, []);
      await page.context().close();
    });
  }
}

test('every point has its name before the first answer comes', async () => {
  for (const view of ['explore', 'play', 'review', 'puzzles']) {
    const page = await open('about:blank');
    for (const part of ['/probe?', '/puzzle?']) await hold(page, part);
    await page.goto(`${server.origin}/${view}/nine`);
    await page.locator('.spot').first().waitFor();
    const names = await page.$$eval('.spot', (els) => els.map((el) => [el.ariaLabel, el.dataset.point]));
    assert.equal(names.length, 24, view);
    for (const [label, point] of names) assert.equal(label, point, view);
    assert.deepEqual(await serious(page), [], view);
    await page.context().close();
  }
});
