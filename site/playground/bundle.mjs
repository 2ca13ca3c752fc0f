/** Bundles the playground: mongolint's own sources, and what stands for Node in a browser. */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');

/** Packages that only connect to servers or read source code: what imports them is never called here. */
const ABSENT = /^(?:mongodb-connection-string-url|oxc-parser|cli-table3)$/;

/** What mongolint reads of itself. */
function assets() {
  const pages = readdirSync(join(root, 'checks')).filter((name) => name.endsWith('.md') && !name.startsWith('_'));
  const paths = [
    'package.json',
    'src/report/html/page.css',
    'src/report/html/page.js',
    ...pages.map((name) => `checks/${name}`),
  ];
  return Object.fromEntries(paths.map((path) => [path, read(path)]));
}

/** Of a module, what is there; all else may be named, and throws once it is called. */
const standIn = (module) => `
const known = ${module};
const absent = (name) => function () { throw new Error(name + ' is not there in a browser'); };
// Imports copy what a module has of itself, and inherit the rest.
module.exports = Object.create(new Proxy({}, {
  get: (made, name) => name in known ? known[name] : name === '__esModule' || typeof name !== 'string' ? undefined : (made[name] ??= absent(name)),
}));`;

const ofNode = {
  name: 'of-node',
  setup(plugin) {
    plugin.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'node' }));
    plugin.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: standIn(
        path === 'node:timers/promises'
          ? `(() => { const made = require('./shims/node.mjs'); return { ...made, setTimeout: made.setTimeoutOf }; })()`
          : `require('./shims/node.mjs')`,
      ),
      resolveDir: here,
    }));
    plugin.onResolve({ filter: /^mongodb$/ }, ({ path }) => ({ path, namespace: 'driver' }));
    plugin.onLoad({ filter: /.*/, namespace: 'driver' }, () => ({
      contents: standIn(`require('bson')`),
      resolveDir: here,
    }));
    plugin.onResolve({ filter: ABSENT }, ({ path }) => ({ path, namespace: 'absent' }));
    plugin.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: standIn('{}') }));
    plugin.onResolve({ filter: /^mongolint:assets$/ }, ({ path }) => ({ path, namespace: 'assets' }));
    plugin.onLoad({ filter: /.*/, namespace: 'assets' }, () => ({
      contents: `export const assets = ${JSON.stringify(assets())};`,
    }));
  },
};

/** Recorded from real applications and from the demo; the first two are the most instructive. */
const SAMPLES = [
  ['site/evidence/shop.evidence.jsonl.gz', 'A small shop'],
  ['test/oracle/evidence/applications/overleaf.evidence.jsonl.gz', 'Overleaf'],
  ['test/oracle/evidence/applications/lichess.evidence.jsonl.gz', 'Lichess'],
  ['test/oracle/evidence/incidents/banking-joins.evidence.jsonl.gz', 'Slow joins of a bank'],
];

/** Everything is in one script: the page may connect to nothing. */
const given = (worker) => ({
  name: 'given',
  setup(plugin) {
    const samples = SAMPLES.map(([path, title]) => {
      return { name: basename(path), title, data: readFileSync(join(root, path)).toString('base64') };
    });
    const texts = { samples, worker };
    plugin.onResolve({ filter: /^playground:/ }, ({ path }) => ({ path, namespace: 'given' }));
    plugin.onLoad({ filter: /.*/, namespace: 'given' }, ({ path }) => ({
      contents: `export default ${JSON.stringify(texts[path.replace('playground:', '')])};`,
    }));
  },
});

function licenses(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []);
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version}\n\n${file === undefined ? license : readFileSync(`${folder}/${file}`, 'utf8')}\n`;
  });
  return texts.join('\n');
}

const hashSource = (path) => `'sha256-${createHash('sha256').update(read(path)).digest('base64')}'`;

/** Of the page, and of the report in it, whose style and script are in its text. */
function policy() {
  return [
    "default-src 'none'",
    "connect-src 'none'",
    `script-src 'self' ${hashSource('src/report/html/page.js')}`,
    `style-src 'self' ${hashSource('src/report/html/page.css')}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** Writes the page, its style and its one script. */
export async function bundlePlayground(outdir) {
  const common = {
    bundle: true,
    target: 'es2022',
    platform: 'browser',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  };
  const worker = await build({
    ...common,
    entryPoints: [join(here, 'worker.ts')],
    format: 'iife',
    // Of files that only Node has.
    logOverride: { 'empty-import-meta': 'silent' },
    inject: [join(here, 'shims/globals.mjs')],
    plugins: [ofNode],
    write: false,
  });
  mkdirSync(outdir, { recursive: true });
  await build({
    ...common,
    entryPoints: [join(here, 'page.ts')],
    format: 'esm',
    plugins: [given(worker.outputFiles[0].text)],
    outfile: join(outdir, 'page.js'),
  });
  copyFileSync(join(here, 'page.css'), join(outdir, 'page.css'));
  writeFileSync(join(outdir, 'licenses.txt'), licenses(Object.keys(worker.metafile.inputs)));
  const html = readFileSync(join(here, 'index.html'), 'utf8').replace('POLICY', policy());
  writeFileSync(join(outdir, 'index.html'), html);
}
