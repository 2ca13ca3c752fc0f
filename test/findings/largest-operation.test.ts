import { expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import {
  type LargestOperation,
  largestOperation,
  standingOut,
  type WholeRecording,
} from '../../src/findings/largest-operation.js';
import { FiguresSum } from '../../src/workload/operations/figures.js';
import type { OperationFigures } from '../../src/workload/workload.js';
import { findingOf } from '../support/report/sample-report.js';

const HOUR = 3_600_000;
const WHOLE: WholeRecording = { examined: 1_000_000, milliseconds: 10_000, executions: 5_000, watchedMs: 60_000 };
const DOCUMENTS = 50_000;

function shareOf(figures: Partial<OperationFigures>, saved: number | null, whole: Partial<WholeRecording> = {}) {
  const given = { ...new FiguresSum().figures(), executions: 50, ...figures };
  return largestOperation([{ figures: given, saved }], { ...WHOLE, ...whole });
}

it.each([
  ['most of what is examined', { documentsExamined: 630_000, milliseconds: 100 }, 629_000, {}, 'examined'],
  ['most of the time', { documentsExamined: 100_000, milliseconds: 6_300 }, 99_000, {}, 'time'],
  ['keys', { documentsExamined: 100, keysExamined: 630_000, milliseconds: 100 }, 620_000, {}, 'examined'],
  ['an hour of few', { documentsExamined: 630_000 }, 629_000, { executions: 60, watchedMs: HOUR }, 'examined'],
])('an operation that takes %s is the largest', (_, figures, saved, whole, of) => {
  expect(shareOf(figures, saved, whole)).toEqual({ share: expect.closeTo(0.63, 2), of });
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

const examined = (share: number): LargestOperation => ({ share, of: 'examined' });
const time = (share: number): LargestOperation => ({ share, of: 'time' });
const finding = (given: Partial<Finding> = {}) =>
  findingOf({ severity: 'warning', confidence: 'high', message: 'It scans.', ...given });

it.each<[string, Partial<Finding>, LargestOperation, Partial<Finding>]>([
  ['is an error', {}, examined(0.63), { severity: 'error', message: expect.stringContaining('63 % of what recorded') }],
  ['is one from a quarter on', {}, examined(0.25), { severity: 'error' }],
  ['may be one within the margin', {}, examined(0.24), { severity: 'warning', severityIfSure: 'error' }],
  ['stays what it is below a fifth', {}, examined(0.19), { severity: 'warning', severityIfSure: undefined }],
  [
    'is one by half of the time',
    {},
    time(0.5),
    { severity: 'error', message: expect.stringContaining('50 % of the rec') },
  ],
  ['stays what it is with a third of the time', {}, time(0.33), { severity: 'warning', severityIfSure: undefined }],
  ['stays an info', { severity: 'info' }, examined(0.63), { severity: 'info' }],
  ['stays what it is if nobody is sure of it', { confidence: 'low' }, examined(0.63), { severity: 'warning' }],
  ['stays an error', { severity: 'error' }, examined(0.63), { severity: 'error', message: 'It scans.' }],
  [
    'counts at the judged size',
    { judgedAt: { documents: 400, from: 'expect' } },
    examined(0.63),
    { severity: 'warning' },
  ],
])('a finding %s', (_, given, largest, expected) => {
  const { severity, severityIfSure, message } = standingOut(finding(given), largest, DOCUMENTS);
  expect({ severity, severityIfSure, message }).toMatchObject(expected);
});

it('a finding has the severity that the configuration sets, and that of a small collection is its own', () => {
  const largest = examined(0.63);
  expect(standingOut({ ...finding(), isSeveritySet: true }, largest, DOCUMENTS)).toEqual(finding());
  expect(standingOut(finding(), largest, 900)).toEqual(finding());
});
