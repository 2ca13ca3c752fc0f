/**
 * Neovim in a project of 1,000 files, with the language server as it is built: how long after a change a finding is at its line,
 * and how much memory that takes. `npm run bench:editor`, with `nvim` on the path.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from 'simple-statistics';
import { writeProject } from './editor-project.js';
import { PEAKS_FILE } from './peak-memory.js';

const FILES = 1_000;
const CHANGES = 20;
const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const EVIDENCE = fileURLToPath(new URL('../../site/evidence/shop.evidence.jsonl.gz', import.meta.url));
const EDITOR = fileURLToPath(new URL('../../bench/editor.lua', import.meta.url));
const KB_PER_MB = 1_024;

const FIRST = `import { orders } from './database.js';

export function first(status: string) {
  return orders.find({ status }).toArray();
}
`;

/** What `editor.lua` writes; times in ms. */
interface Results {
  readonly start: number;
  readonly changes: readonly number[];
  readonly hover: string;
  readonly actions: readonly string[];
  readonly whileBroken: boolean;
}

const inMs = (time: number) => `${time.toFixed(0)} ms`;
const folder = await mkdtemp(join(tmpdir(), 'mongolint-bench-'));
const [project, results, peaks] = ['project', 'results.json', 'peaks'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
try {
  await writeProject(project, FILES);
  await writeFile(join(project, 'src/first.ts'), FIRST);
  await copyFile(EVIDENCE, join(project, 'shop.evidence.jsonl.gz'));
  await promisify(execFile)('nvim', ['--headless', '--clean', '-n', '-S', EDITOR], {
    env: {
      ...process.env,
      MONGOLINT_BENCH_EDITOR: [process.execPath, COMMAND, project, results].join('\n'),
      MONGOLINT_BENCH_CHANGES: String(CHANGES),
      NODE_OPTIONS: `--import=${new URL('./peak-memory.js', import.meta.url).href}`,
      [PEAKS_FILE]: peaks,
    },
  });
  const { start, changes, hover, actions, whileBroken } = JSON.parse(await readFile(results, 'utf8')) as Results;
  const memory = (await readFile(peaks, 'utf8'))
    .trim()
    .split('\n')
    .map((size) => Number(size) / KB_PER_MB);
  const lines = [
    `${FILES} files: first finding ${inMs(start)} after the start`,
    `a finding at its line after a change: median ${inMs(median([...changes]))}, at most ${inMs(Math.max(...changes))} (${CHANGES} changes)`,
    `memory at its peak: ${memory.map((size) => `${size.toFixed(0)} MB`).join(' + ')}`,
    `while the text does not parse, findings ${whileBroken ? 'stay' : 'are lost'}`,
    `hover: ${hover.replaceAll('\n', ' | ')}`,
    `actions: ${actions.join(' | ')}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  await rm(folder, { recursive: true });
}
