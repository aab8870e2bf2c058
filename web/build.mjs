// Bundles the page into dist/, which is committed and embedded in the server: building the server needs no Node.
// `node build.mjs --check` fails if dist/ is out of date.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const check = process.argv.includes('--check');
const result = await build({
  entryPoints: { page: 'src/main.ts' },
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  charset: 'utf8',
  legalComments: 'none',
  outdir: 'dist',
  write: false,
});
const styles = await build({
  entryPoints: { page: 'style/page.css' },
  bundle: true,
  minify: true,
  outdir: 'dist',
  external: ['*.woff2'],
  write: false,
});

const files = new Map();
for (const { path, contents } of [...result.outputFiles, ...styles.outputFiles]) {
  files.set(path.split('/').pop(), Buffer.from(contents));
}
files.set('source-sans-3.woff2', await readFile('fonts/source-sans-3.woff2'));
files.set('OFL.txt', await readFile('fonts/OFL.txt'));
files.set('icon.svg', await readFile('icon.svg'));
// Addresses carry the contents' hash, so that assets can be cached indefinitely.
let html = await readFile('index.html', 'utf8');
for (const [name, contents] of files) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 10);
  html = html.replaceAll(`/assets/${name}`, `/assets/${name}?v=${hash}`);
}
files.set('index.html', Buffer.from(html));

let compressed = 0;
let same = true;
await mkdir('dist', { recursive: true });
for (const [name, contents] of files) {
  if (name !== 'OFL.txt') compressed += gzipSync(contents, { level: 9 }).length;
  if (check) {
    const there = await readFile(`dist/${name}`).catch(() => Buffer.alloc(0));
    if (!there.equals(contents)) {
      same = false;
      console.error(`dist/${name} is out of date: run npm run build`);
    }
  } else {
    await writeFile(`dist/${name}`, contents);
  }
}
console.log(`${[...files.keys()].join(', ')}: ${(compressed / 1024).toFixed(1)} KB compressed`);
if (!same) process.exit(1);
