// The size of the page, and that it makes no requests to other servers. For its speed see speed.mjs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { choose, closeBrowser, idle, open, Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(async () => {
  await closeBrowser();
  await server.stop();
});

test('the page is at most 150 KB compressed', () => {
  const bytes = readdirSync('dist')
    .filter((name) => name !== 'OFL.txt')
    .reduce((sum, name) => sum + gzipSync(readFileSync(`dist/${name}`), { level: 9 }).length, 0);
  console.log(`${(bytes / 1024).toFixed(1)} KB compressed`);
  assert.ok(bytes <= 150 * 1024);
});

test('nothing is asked of another host, and nothing breaks the content security policy', async () => {
  const page = await open('about:blank');
  const hosts = new Set();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(server.origin);
  await page.locator('.spot.open').first().waitFor();
  await choose(page, 'a1');
  await idle(page);
  assert.deepEqual([...hosts], [new URL(server.origin).host]);
  assert.deepEqual(page.troubles, []);
});
