// How much the page weighs, how soon its first board is drawn, and how soon a click is answered: `npm run speed`.
// A measurement, not a test: it means something on a quiet machine only. Beyond the limits the exit status is 1.
import { closeBrowser, open, Server } from './harness.mjs';

const LIMITS = { kilobytes: 150, board: 300, click: 50 };
const median = (list) => list.slice().sort((a, b) => a - b)[Math.floor(list.length / 2)];
const server = await Server.start();
let late = false;

function report(what, number, unit, limit, rest = '') {
  const over = number > limit;
  late ||= over;
  console.log(`${what}: ${number.toFixed(1)} ${unit} (limit ${limit} ${unit}${over ? ': MISSED' : ''})${rest}`);
}

/** All that comes over the wire when the page is opened for the first time, as the browser counts it. */
async function weight() {
  const page = await open('about:blank');
  const wire = await page.context().newCDPSession(page);
  await wire.send('Network.enable');
  let bytes = 0;
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${server.origin}/explore/nine`);
  await page.locator('.badge').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.context().close();
  return bytes / 1024;
}

/** From the navigation to the first board, in a fresh browser profile and again in a warm one. */
async function firstBoard(cold) {
  const times = [];
  let page = await open('about:blank');
  for (let i = 0; i < 9; i += 1) {
    if (cold && i) {
      await page.context().close();
      page = await open('about:blank');
    }
    await page.goto(`${server.origin}/explore/nine?position=${encodeURIComponent('W:Wa1,b2,a4:Bd1,d2,g7')}`);
    await page.locator('.men .man').first().waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByName('first-board')[0].startTime));
  }
  await page.context().close();
  return times;
}

/** From the click on a turn to the verdict of the position after it. */
async function clicks() {
  const sample = await server.get('nine/sample?table=4v4&count=40&seed=3');
  const page = await open(`${server.origin}/explore/nine`);
  const times = [];
  for (const { position } of sample.positions) {
    await page.goto(`${server.origin}/explore/nine?position=${encodeURIComponent(position)}`);
    await page.locator('.turns .chip').first().waitFor();
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const before = document.querySelector('.text code').textContent;
            const start = performance.now();
            const look = new MutationObserver(() => {
              if (document.querySelector('.text code')?.textContent === before) return;
              look.disconnect();
              resolve(performance.now() - start);
            });
            look.observe(document.querySelector('.verdict'), { childList: true, subtree: true });
            document.querySelector('.turns .chip').click();
          }),
      ),
    );
  }
  return times;
}

const most = (times) => `, at most ${Math.max(...times).toFixed(1)} ms of ${times.length}`;
report('the page over the wire, with its first answers', await weight(), 'KB', LIMITS.kilobytes);
const cold = await firstBoard(true);
report('first board, nothing cached, median', median(cold), 'ms', LIMITS.board, most(cold));
const warm = await firstBoard(false);
report('first board, files cached, median', median(warm), 'ms', LIMITS.board, most(warm));
const answered = await clicks();
report('a click to its answer, median', median(answered), 'ms', LIMITS.click, most(answered));
await closeBrowser();
await server.stop();
process.exitCode = late ? 1 : 0;
