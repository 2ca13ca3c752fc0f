/**
 * `npm run bench:fleet`: what a fleet costs, simulated from recorded evidence, without any server. Every cluster is one of the
 * recorded ones under another name. Each part judges its clusters in a process of its own and writes its report, and one
 * process merges them. What waiting for servers takes is not in it.
 */
import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sum } from 'simple-statistics';
import { formatBytes, formatCount } from '../src/format.js';
import { packageRoot } from '../src/package-root.js';
import { namesOfPart } from '../src/run-part.js';
import { measureProcess, type MeasuredProcess } from './measured-process.js';

const CLUSTERS = Number(process.argv[2] ?? 1_000);
const PARTS = Number(process.argv[3] ?? 8);
/** With this many, what a process costs anyway, and what a report adds, can be told apart. */
const FEW = 10;

const COMMAND = fileURLToPath(new URL('../bundle/cli.js', import.meta.url));
const RECORDED = join(packageRoot(), 'test/evidence/recorded/v1');
const print = (line: string) => void process.stdout.write(`${line}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const shown = ({ wall, peakBytes }: MeasuredProcess) => `${seconds(wall)}, ${formatBytes(peakBytes)} at peak`;

/** Files of evidence, as many as there are clusters, each named for its cluster. They are the same few on disk. */
async function plantEvidence(folder: string): Promise<string[]> {
  const recorded = await readdir(RECORDED);
  const aliases = Array.from({ length: CLUSTERS }, (_, index) => `cluster-${String(index).padStart(5, '0')}`);
  for (const [index, alias] of aliases.entries())
    await link(join(folder, recorded[index % recorded.length] ?? ''), join(folder, `${alias}.evidence.jsonl.gz`));
  return aliases;
}

async function judge(folder: string, aliases: Iterable<string>, report: string): Promise<MeasuredProcess> {
  const files = [...aliases].map((alias) => join(folder, `${alias}.evidence.jsonl.gz`));
  return measureProcess(COMMAND, ['judge', ...files, '--no-config', '--quiet', '--format', `json=${report}`]);
}

function merge(folder: string, reports: string, name: string): Promise<MeasuredProcess> {
  const formats = ['json', 'html', 'table'].flatMap((format) => [
    '--format',
    `${format}=${join(folder, name)}.${format}`,
  ]);
  return measureProcess(COMMAND, ['report', '--merge', reports, '--no-config', '--quiet', ...formats]);
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder);
  return sum(await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size)));
}

const folder = await mkdtemp(join(tmpdir(), 'mongolint-fleet-'));
try {
  for (const name of ['few', 'parts']) await mkdir(join(folder, name));
  // A hard link can't leave its file system.
  for (const name of await readdir(RECORDED)) await copyFile(join(RECORDED, name), join(folder, name));
  const aliases = await plantEvidence(folder);
  const one = await judge(folder, aliases.slice(0, 1), join(folder, 'one.json'));
  print(`one cluster judged: ${shown(one)}`);
  for (const alias of aliases.slice(0, FEW)) await judge(folder, [alias], join(folder, 'few', `${alias}.json`));
  const few = await merge(folder, join(folder, 'few', '*.json'), 'few');
  print(`${FEW} reports merged: ${shown(few)}`);
  const parts: MeasuredProcess[] = [];
  for (let number = 1; number <= PARTS; number += 1) {
    const own = namesOfPart(aliases, { number, of: PARTS });
    parts.push(await judge(folder, own, join(folder, 'parts', `part-${number}.json`)));
  }
  const [slowest, largest] = [
    Math.max(...parts.map(({ wall }) => wall)),
    Math.max(...parts.map(({ peakBytes }) => peakBytes)),
  ];
  print(
    `${formatCount(CLUSTERS)} clusters judged in ${PARTS} parts: the slowest ${seconds(slowest)}, the largest ${formatBytes(largest)} at peak`,
  );
  const bytes = await bytesIn(join(folder, 'parts'));
  const all = await merge(folder, join(folder, 'parts', '*.json'), 'fleet');
  print(`${formatCount(CLUSTERS)} reports (${formatBytes(bytes)}) merged: ${shown(all)}`);
  const perPart = CLUSTERS / PARTS;
  print(
    `part / one cluster: time ${(slowest / one.wall).toFixed(1)} for ${perPart} clusters, memory ${(largest / one.peakBytes).toFixed(2)}`,
  );
  print(
    `merge of ${formatCount(CLUSTERS)} / of ${FEW}: time ${(all.wall / few.wall).toFixed(1)}, memory ${(all.peakBytes / few.peakBytes).toFixed(2)}; memory / size of the reports: ${(all.peakBytes / bytes).toFixed(2)}`,
  );
} finally {
  await rm(folder, { recursive: true });
}
