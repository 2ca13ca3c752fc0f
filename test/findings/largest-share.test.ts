import { expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { largestShare, standingOut, type WholeRecording } from '../../src/findings/largest-share.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import type { OperationFigures } from '../../src/workload/workload.js';
import { findingOf } from '../support/report/sample-report.js';

const HOUR = 3_600_000;
const WHOLE: WholeRecording = {
  examined: 1_000_000,
  documents: null,
  bytes: null,
  milliseconds: 100_000,
  executions: 5_000,
  watchedMs: 60_000,
};
const DOCUMENTS = 50_000;

function shareOf(
  figures: Partial<OperationFigures>,
  saved: number | null,
  whole: Partial<WholeRecording> = {},
  bytes: number | null = null,
) {
  const given = { ...new FiguresSum().figures(), executions: 50, ...figures };
  return largestShare([{ figures: given, saved, bytes }], { ...WHOLE, ...whole });
}

it.each([
  ['most of what is examined', { documentsExamined: 630_000 }, 629_000, {}],
  ['keys', { documentsExamined: 100, keysExamined: 630_000 }, 620_000, {}],
  ['an hour of few', { documentsExamined: 630_000 }, 629_000, { executions: 60, watchedMs: HOUR }],
])('an operation that takes %s is the largest', (_, figures, saved, whole) => {
  expect(shareOf(figures, saved, whole)?.share).toBeCloseTo(0.63, 2);
});

it('is measured by documents, and by their bytes, too', () => {
  const figures = { documentsExamined: 100_000, keysExamined: 0 };
  expect(shareOf(figures, 99_000)?.share).toBeCloseTo(0.1, 2);
  expect(shareOf(figures, 99_000, { documents: 300_000 })?.share).toBeCloseTo(0.33, 2);
  expect(shareOf(figures, 99_000, { documents: 300_000, bytes: 2e9 }, 1e9)?.share).toBeCloseTo(0.5, 2);
});

it('is measured by time, too, if an execution lasts', () => {
  const wasteful = { documentsExamined: 1_000, milliseconds: 50_000 };
  expect(shareOf({ ...wasteful, executions: 5_000 }, 990)?.share).toBeCloseTo(0.5, 2);
  expect(shareOf({ ...wasteful, executions: 5_001 }, 990)?.share).toBeCloseTo(0.001, 3);
  expect(shareOf({ ...wasteful, executions: 5_000 }, 990)?.of).toBe('recorded time');
});

it.each([
  ['returns a fifth of what it examines', { documentsExamined: 630_000 }, 504_000, {}],
  ['is served as well by its remedy', { documentsExamined: 630_000 }, 1_000, {}],
  ['ran twice', { documentsExamined: 630_000, executions: 2 }, 629_000, {}],
  ['is of a recording of a minute', { documentsExamined: 630_000 }, 629_000, { executions: 60 }],
  ['is not counted', { milliseconds: 9_000 }, null, {}],
])('an operation that %s is none', (_, figures, saved, whole) => {
  expect(shareOf(figures, saved, whole)).toBeNull();
});

const finding = (given: Partial<Finding> = {}) =>
  findingOf({ severity: 'warning', confidence: 'high', message: 'It scans.', ...given });

it.each<[string, Partial<Finding>, number, Partial<Finding>]>([
  [
    'is an error',
    {},
    0.63,
    { severity: 'error', message: expect.stringContaining('a quarter or more of the recorded time') },
  ],
  ['is one from a quarter on', {}, 0.25, { severity: 'error' }],
  ['may be one within the margin', {}, 0.24, { severity: 'warning', severityIfSure: 'error' }],
  ['stays what it is below a fifth', {}, 0.19, { severity: 'warning', severityIfSure: undefined }],
  ['stays an info', { severity: 'info' }, 0.63, { severity: 'info' }],
  ['stays what it is if nobody is sure of it', { confidence: 'low' }, 0.63, { severity: 'warning' }],
  ['stays an error', { severity: 'error' }, 0.63, { severity: 'error', message: 'It scans.' }],
  ['counts at the judged size', { judgedAt: { documents: 400, from: 'expect' } }, 0.63, { severity: 'warning' }],
])('a finding %s', (_, given, largest, expected) => {
  const { severity, severityIfSure, message } = standingOut(
    finding(given),
    { share: largest, of: 'recorded time' },
    DOCUMENTS,
  );
  expect({ severity, severityIfSure, message }).toMatchObject(expected);
});

it('a finding has the severity that the configuration sets, and that of a small collection is its own', () => {
  const largest = { share: 0.63, of: 'recorded time' };
  expect(standingOut({ ...finding(), isSeveritySet: true }, largest, DOCUMENTS)).toEqual(finding());
  expect(standingOut(finding(), largest, 900)).toEqual(finding());
});
