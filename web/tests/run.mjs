// Runs the tests, one file after the other: `npm test`, or `npm test -- explore friend` for some of them.
// The tables are built first, so that no test waits for them. A file that takes too long fails.
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { DATABASE, Server } from './harness.mjs';

const LONGEST = 30 * 60_000;

if (DATABASE) {
  // Those of other builds of the program.
  const folder = dirname(DATABASE);
  for (const name of readdirSync(folder, { withFileTypes: true }).map((entry) => join(folder, entry.name)))
    if (name !== DATABASE) rmSync(name, { recursive: true, force: true });
}
const began = Date.now();
await (await Server.start()).stop();
console.log(`tables: ${((Date.now() - began) / 1000).toFixed(0)} s`);

const wanted = process.argv.slice(2);
const files = readdirSync('tests')
  .filter((name) => name.endsWith('.test.mjs'))
  .filter((name) => wanted.length === 0 || wanted.includes(name.replace('.test.mjs', '')))
  .sort()
  .map((name) => join('tests', name));
run({ files, concurrency: false, timeout: LONGEST })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout);
