// Starts a server and browsers for the tests.
//
// ENDMILL_SERVE names the command, to which `--listen HOST:0` and `--games DIR` are added. By default it is the
// dev build, with a database that it builds at its first start and that no other build of the program sees.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const PROGRAM = '../target/debug/endmill';

/** Where the default command has its tables. */
export const DATABASE = process.env.ENDMILL_SERVE ? null : databaseOf(PROGRAM);
const SERVE = process.env.ENDMILL_SERVE ?? `${PROGRAM} serve --db ${DATABASE}`;

function databaseOf(program) {
  const { mtimeMs, size } = statSync(program);
  const folder = `../target/page-db/${Math.round(mtimeMs)}-${size}`;
  mkdirSync(folder, { recursive: true });
  return folder;
}

// A file that takes too long is ended by SIGTERM: its server goes with it.
const servers = new Set();
process.on('exit', () => servers.forEach((server) => server.kill('SIGKILL')));
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1));

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Milliseconds until something that does not happen is given up, far more than a busy machine needs. */
const PATIENCE = 5 * 60_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something that no page shows. */
export async function until(holds, what, patience = PATIENCE) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(50)) if (await holds()) return;
  throw new Error(`waited in vain: ${what}`);
}

/** A server that can be killed and started again with the same games. Each time it chooses a free port. */
export class Server {
  static async start() {
    const server = new Server();
    server.games = mkdtempSync(join(tmpdir(), 'endmill-games-'));
    await server.run();
    return server;
  }

  get port() {
    return new URL(this.origin).port;
  }

  async run() {
    const [command, ...words] = SERVE.split(' ');
    const options = ['--listen', '127.0.0.1:0', '--games', join(this.games, 'games')];
    this.process = spawn(command, [...words, ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
    servers.add(this.process);
    this.log = '';
    this.process.on('error', (error) => (this.log += error));
    this.process.stderr.on('data', (data) => (this.log = (this.log + data).slice(-4000)));
    // It prints its address when it listens.
    const lines = createInterface(this.process.stdout);
    const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [])]);
    if (!line) throw new Error(`${SERVE} does not start:\n${this.log}`);
    this.origin = new URL(line).origin;
    // The first start builds the tables.
    const built = async () => {
      if (this.process.exitCode !== null) throw new Error(`${SERVE} has ended:\n${this.log}`);
      return (await this.get('rulesets')).every((ruleset) => !ruleset.building);
    };
    await until(built, 'the tables are built', 12 * PATIENCE);
  }

  async kill() {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGKILL');
    await ended;
    servers.delete(this.process);
  }

  async stop() {
    await this.kill();
    rmSync(this.games, { recursive: true, force: true });
  }

  async get(path) {
    const answer = await fetch(`${this.origin}/api/${path}`);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  probe(ruleset, position) {
    return this.get(`${ruleset}/probe?position=${encodeURIComponent(position)}`);
  }
}

/** A line to a server, wherever that listens now. It can be cut, as for a browser that goes offline. */
export class Wire {
  static async to(server) {
    const wire = new Wire();
    wire.ends = new Set();
    wire.whole = true;
    wire.server = createServer((near) => {
      if (!wire.whole) {
        near.destroy();
        return;
      }
      const far = connect(server.port, '127.0.0.1');
      for (const [a, b] of [
        [near, far],
        [far, near],
      ]) {
        wire.ends.add(a);
        a.on('error', () => b.destroy());
        a.on('close', () => {
          wire.ends.delete(a);
          b.destroy();
        });
        a.pipe(b);
      }
    });
    await new Promise((resolve) => wire.server.listen(0, '127.0.0.1', resolve));
    wire.port = wire.server.address().port;
    return wire;
  }

  cut() {
    this.whole = false;
    for (const end of this.ends) end.destroy();
  }

  restore() {
    this.whole = true;
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  close() {
    this.cut();
    this.server.close();
  }
}

let browser;

/** A page in a fresh browser context. What goes wrong in it is collected in `page.troubles`, what it asks and has no
 * answer to yet in `page.asking`. */
export async function open(address, options = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
    timeout: PATIENCE,
  });
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.asking = new Set();
  page.on('request', (request) => page.asking.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => page.asking.delete(request));
  page.troubles = [];
  page.on('pageerror', (error) => page.troubles.push(String(error.stack ?? error)));
  page.on('console', (message) => {
    // The page shows refusals of the server; the browser logs them too.
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text()))
      page.troubles.push(message.text());
  });
  await page.goto(address);
  return page;
}

/** Waits until the page has all its answers and has drawn them. */
export const idle = (page) =>
  until(async () => {
    if (page.asking.size) return false;
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    return page.asking.size === 0;
  }, 'the page has nothing to wait for');

export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

export const spot = (page, name) => page.locator(`[data-point="${name}"]`);

/** Chooses points on the board, one after the other. */
export async function choose(page, ...names) {
  for (const name of names) await spot(page, name).click();
}

/** Clicks on points although nothing can be chosen there. */
export async function poke(page, ...names) {
  for (const name of names) await spot(page, name).click({ force: true });
}

/** Holds answers back whose address has this in it, until the function that it returns is called. */
export async function hold(page, part) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(
    (url) => url.href.includes(part),
    async (route) => {
      await released;
      await route.continue().catch(() => {});
    },
  );
  return release;
}

/** The first press asks, the second does it. */
export async function resign(page) {
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await page.getByRole('button', { name: 'Really resign?' }).click();
}

/** The points of a turn in the order in which they are chosen. */
export function pointsOf({ path }, squares = false) {
  return squares
    ? [path.from, ...path.via, path.to]
    : [...(path.from === null ? [] : [path.from]), path.to, ...path.taken];
}

/** The names of the points that can be chosen. */
export const openSpots = (page) => page.$$eval('.spot.open', (els) => els.map((el) => el.dataset.point));
export const menOf = (page, side) => page.$$eval(`.men .man.${side}:not(.leaving)`, (els) => els.length);
export const headline = (page) => page.locator('.headline strong').first();
