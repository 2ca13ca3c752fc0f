/** Call sites of two packages, labelled by a reader before mongolint read them: `labels/`. None may be understood wrongly. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { CodeFilter, Place } from '../../../src/code/place.js';
import { readCode } from '../../../src/code/read-code.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { isObjectShape, type ObjectShape } from '../../../src/workload/shapes/shape.js';

const run = promisify(execFile);
const LABELLED = [
  { name: 'openhim-core', version: '4.0.5', source: 'src' },
  { name: 'apostrophe', version: '4.31.0', source: 'modules/@apostrophecms' },
] as const;

type Verdict = 'right' | 'partly' | 'unknown' | 'wrong';
const VERDICTS: readonly Verdict[] = ['right', 'partly', 'unknown', 'wrong'];

interface Label {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly method: string;
  readonly collection: string | null;
  readonly always: ReadonlySet<string>;
  readonly all: ReadonlySet<string>;
  readonly open: boolean;
  readonly sort: string;
}

function labelOf(text: string): Label {
  const [, file, line, method, collection, inBrackets, sort = ''] =
    /^(\S+):(\d+) (\w+) (\S+) \(([^)]*)\)(?: \[([^\]]+)\])?$/.exec(text) ?? [];
  if (file === undefined || method === undefined || collection === undefined) throw new Error(`No label: ${text}`);
  const paths = (inBrackets ?? '').split(' ').filter((path) => path !== '' && path !== '…');
  return {
    text,
    file,
    line: Number(line),
    method,
    collection: collection === '?' ? null : collection,
    always: new Set(paths.filter((path) => !path.endsWith('?'))),
    all: new Set(paths.map((path) => path.replace('?', ''))),
    open: inBrackets?.includes('…') === true,
    sort,
  };
}

async function labelsOf(name: string): Promise<readonly Label[]> {
  const text = await readFile(join(packageRoot(), 'test', 'code', 'packages', 'labels', `${name}.txt`), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : [labelOf(line)]));
}

/** The paths of a filter, wherever in it. */
function pathsIn(filter: ObjectShape): string[] {
  return Object.entries(filter).flatMap(([path, operand]) =>
    Array.isArray(operand) ? operand.filter(isObjectShape).flatMap(pathsIn) : [path],
  );
}

/** Wrong if it says what is not so; partly right if it leaves open what a reader knows. */
function shapeVerdict(label: Label, { shapes, kinds }: Place): Verdict {
  if (kinds.includes('insert')) return 'right';
  const ways = shapes?.map(({ filter }) => filter) ?? [];
  if (ways.length === 0 || ways.some((way) => way === undefined)) return 'unknown';
  const known = ways.flatMap((way) => (way === undefined ? [] : [readOf(way)]));
  const all = new Set(known.flatMap((way) => way.paths));
  const always = [...all].filter((path) => known.every((way) => way.always.includes(path)));
  const closed = known.every((way) => way.closed);
  const isSorted = kinds.includes('find') || kinds.includes('findAndModify');
  const sorts = [...new Set((shapes ?? []).map(({ sort }) => sort && Object.keys(sort).join(' ')))];
  const isWrong =
    always.some((path) => !label.always.has(path)) ||
    [...all].some((path) => !label.all.has(path) && !label.open) ||
    (closed && (label.open || [...label.all].some((path) => !all.has(path)))) ||
    (isSorted && sorts.some((sort) => sort !== undefined && (sort ?? '') !== label.sort));
  if (isWrong) return 'wrong';
  const isRight =
    closed !== label.open &&
    always.length === label.always.size &&
    all.size === label.all.size &&
    (!isSorted || sorts.every((sort) => sort !== undefined));
  return isRight ? 'right' : all.size === 0 && !closed ? 'unknown' : 'partly';
}

function readOf({ shape, closed, sometimes }: CodeFilter) {
  const paths = pathsIn(shape);
  return { paths, always: paths.filter((path) => !sometimes.has(path)), closed };
}

describe('call sites that were labelled beforehand', () => {
  const rows: string[] = [];
  afterAll(() => {
    process.stdout.write(
      [
        '\n| package | call sites | found | collection right | unknown | wrong | shape right | partly | unknown | wrong |',
        `| --- |${' --- |'.repeat(9)}`,
        ...rows,
        '',
      ].join('\n'),
    );
  });

  it.each(LABELLED)('$name: none is understood wrongly', async ({ name, version, source }) => {
    const folder = await mkdtemp(join(tmpdir(), 'mongolint-labels-'));
    try {
      await run('npm', ['pack', `${name}@${version}`, '--silent'], { cwd: folder });
      await run('tar', ['-xzf', `${name}-${version}.tgz`], { cwd: folder });
      const { places } = await readCode(join(folder, 'package', source));
      const labels = await labelsOf(name);
      const judged = labels.map((label) => {
        const place = places.find((each) => {
          const { file, line } = each.through ?? each;
          return file === label.file && line === label.line && each.method === label.method;
        });
        if (place === undefined) return { label, place, collection: null, shape: null };
        const collection: Verdict =
          place.collection === label.collection ? 'right' : place.collection === null ? 'unknown' : 'wrong';
        return { label, place, collection, shape: shapeVerdict(label, place) };
      });
      const count = (of: 'collection' | 'shape', verdict: Verdict) =>
        judged.filter((each) => each[of] === verdict).length;
      const found = judged.filter(({ place }) => place !== undefined).length;
      rows.push(
        `| ${[
          name,
          labels.length,
          found,
          ...VERDICTS.filter((each) => each !== 'partly').map((each) => count('collection', each)),
          ...VERDICTS.map((each) => count('shape', each)),
        ].join(' | ')} |`,
      );
      if (process.env['MONGOLINT_SHOW'] !== undefined)
        process.stdout.write(
          judged
            .filter(({ collection, shape }) => collection !== 'right' || shape !== 'right')
            .map(({ label, collection, shape }) => `${label.text}: ${collection ?? 'not found'}, ${shape ?? ''}\n`)
            .join(''),
        );
      expect(
        judged
          .filter(({ collection, shape }) => collection === 'wrong' || shape === 'wrong')
          .map(({ label, place }) => ({ label: label.text, place })),
      ).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
