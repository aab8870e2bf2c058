// Every view, wide and narrow, light and dark: axe finds nothing serious, and a screenshot goes to shots/.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { closeBrowser, open, Server } from './harness.mjs';
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
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.ok(wide <= 0, `${name} is ${wide} pixels wider than ${size}`);
      // The page allows no scripts but its own; the debugger may.
      await page.evaluate(axe);
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
