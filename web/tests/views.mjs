// Every view in a state worth looking at, for the checks that look at all of them.
import { choose, resign, headline, pointsOf } from './harness.mjs';

/** Name, and how to get there from a fresh page. */
export const VIEWS = [
  [
    'explore',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/nine?position=${encodeURIComponent('W:Wd1,b2,d2:Ba1,f2,a4,e4')}`);
      await page.locator('.badge').first().waitFor();
      await page.locator('.strip .step').first().waitFor();
    },
  ],
  [
    'explore-removal',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/nine?position=${encodeURIComponent('W:Wa1,b2,a4:Bd1,d2,g7')}`);
      await page.locator('.badge').first().waitFor();
      await choose(page, 'b2', 'a7');
    },
  ],
  [
    'explore-start',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/nine`);
      await page.locator('.badge').first().waitFor();
    },
  ],
  [
    'explore-draughts',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/draughts?position=${encodeURIComponent('W:W22,K31:B12,K5')}`);
      await page.locator('.badge').first().waitFor();
    },
  ],
  [
    'explore-three',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/three`);
      await page.locator('.badge').first().waitFor();
    },
  ],
  [
    'editor',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/twelve`);
      await page.locator('.badge').first().waitFor();
      await page.getByRole('button', { name: 'Edit the position' }).click();
    },
  ],
  [
    'play-new',
    async (page, { origin }) => {
      await page.goto(`${origin}/play/nine`);
      await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    },
  ],
  [
    'play',
    async (page, { origin }) => {
      await page.goto(`${origin}/play/six`);
      await page.getByRole('radio', { name: 'Medium' }).check();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      for (let n = 0; n < 5; n += 1) {
        await headline(page).filter({ hasText: 'Your turn' }).waitFor();
        const name = await page
          .locator('.spot.open')
          .nth(n % 2)
          .getAttribute('data-point');
        await choose(page, name);
        const played = (turns) =>
          page.waitForFunction(
            (n) =>
              JSON.parse(localStorage.getItem('endmill.game.six')).moves.length >= n || document.querySelector('.take'),
            turns,
          );
        await played(2 * n + 2);
        if (await page.locator('.take').count()) await page.locator('.spot.open').first().click();
        await played(2 * n + 2);
      }
      await headline(page).filter({ hasText: 'Your turn' }).waitFor();
    },
  ],
  [
    'play-over',
    async (page, { origin }) => {
      await page.goto(`${origin}/play/draughts?position=${encodeURIComponent('W:W18,K31:B12,K5')}`);
      await page.getByRole('radio', { name: 'Perfect' }).check();
      await page.getByRole('radio', { name: 'white', exact: true }).check();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await resign(page);
      await page.locator('[data-status=over]').waitFor();
    },
  ],
  [
    'game',
    async (page, { origin }) => {
      await page.goto(`${origin}/play/nine`);
      await page.getByRole('radio', { name: 'A friend, by link' }).check();
      await page.getByRole('radio', { name: '10 min + 5 s' }).check();
      await page.getByRole('button', { name: 'Create the game' }).click();
      await page.locator('[data-line=open]').waitFor();
      await choose(page, 'd2');
      await page.locator('.record').waitFor();
    },
  ],
  [
    'review-form',
    async (page, { origin }) => {
      await page.goto(`${origin}/review/nine`);
      await page.getByRole('button', { name: 'Open a file' }).waitFor();
      await page.locator('.spot[aria-label="a1, empty"]').waitFor();
    },
  ],
  [
    'review',
    async (page, server) => {
      const start = 'W:Wa1,b2,a4:Bd1,d2,g7';
      const slip = (await server.probe('nine', start)).moves.find((move) => move.outcome === 'loss');
      const { line } = await server.get(`nine/line?position=${encodeURIComponent(slip.position)}`);
      await page.goto(`${server.origin}/review/nine`);
      await page.getByRole('textbox', { name: 'Game' }).fill(`start ${start}\n${[slip.move, ...line].join('\n')}`);
      await page.getByRole('button', { name: 'Review', exact: true }).click();
      await page.locator('.comment .trouble').waitFor();
    },
  ],
  [
    'puzzle',
    async (page, { origin }) => {
      await page.goto(`${origin}/puzzles/nine`);
      await page.locator('[data-puzzle=open]').waitFor();
    },
  ],
  [
    'puzzle-solved',
    async (page, server) => {
      await page.goto(`${server.origin}/puzzles/six`);
      await page.locator('[data-puzzle=open]').waitFor();
      const link = await page.getByRole('link', { name: 'Explore' }).last().getAttribute('href');
      const { moves } = await server.probe('six', new URL(link, server.origin).searchParams.get('position'));
      await choose(page, ...pointsOf(moves.at(-1)), ...pointsOf(moves[0]));
      await page.locator('.strip .step').first().waitFor();
    },
  ],
  [
    'tables',
    async (page, { origin }) => {
      await page.goto(`${origin}/tables/nine/3v4`);
      await page.locator('.histogram').waitFor();
      await page.locator('.small').first().waitFor();
      await page.locator('.opening .badge').first().waitFor();
    },
  ],
  [
    'tables-many',
    async (page, { origin }) => {
      await page.goto(`${origin}/tables/six`);
      await page.locator('.small').first().waitFor();
    },
  ],
  [
    'keys',
    async (page, { origin }) => {
      await page.goto(`${origin}/explore/six`);
      await page.getByRole('button', { name: 'Keyboard shortcuts and symbols' }).click();
      await page.locator('dialog[open]').waitFor();
    },
  ],
];
