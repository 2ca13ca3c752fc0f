/**
 * What mongolint finds in evidence that was recorded once. A change of what is found shows here, row by row:
 * `npm run oracle` prints the differences, and `MONGOLINT_WRITE=1 npm run oracle` accepts them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { exhibitSettings } from '../exhibits/index.js';
import { EVIDENCE } from './recording.js';
import { countedByCheck, differences, rowsOf, shownByKind, type ChangedRow } from './rows.js';

const EXPECTED = join(import.meta.dirname, 'expected');
const ACCEPTS = process.env['MONGOLINT_WRITE'] !== undefined;
const ENDS = { evidence: '.evidence.jsonl.gz', expected: '.jsonl' };

const namesIn = (folder: string, end: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => name.slice(0, -end.length).replaceAll('\\', '/'));
const casesIn = (folder: string, prefix = '') =>
  namesIn(folder, ENDS.evidence).map((name) => [`${prefix}${name}`, join(folder, `${name}${ENDS.evidence}`)] as const);

const CASES = [
  ...casesIn(EVIDENCE),
  ...casesIn(join(import.meta.dirname, '..', 'evidence', 'recorded'), 'recorded/'),
].toSorted();

const changed: ChangedRow[] = [];
afterAll(() => void process.stderr.write(countedByCheck(changed)));

it.each(CASES)('finds in %s what it found', async (name, file) => {
  // Else the exhibits are too small to show what they are for.
  const settings = name.startsWith('demo') ? exhibitSettings('demo') : {};
  const { report } = await judgeEvidence({ file, settings });
  const rows = rowsOf(report);
  const expected = join(EXPECTED, `${name}${ENDS.expected}`);
  const before = existsSync(expected) ? readFileSync(expected, 'utf8').split('\n').filter(Boolean) : [];
  const changes = differences(before, rows);
  changed.push(...changes);
  if (ACCEPTS) {
    await mkdir(dirname(expected), { recursive: true });
    await writeFile(expected, rows.map((row) => `${row}\n`).join(''));
  }
  expect(ACCEPTS ? [] : changes, `${shownByKind(changes)}\n`).toHaveLength(0);
});

it('has evidence for all that it expects', () => {
  expect(namesIn(EXPECTED, ENDS.expected).toSorted()).toEqual(CASES.map(([name]) => name));
});
