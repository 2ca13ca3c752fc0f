import { ObjectId, type Db, type Document } from 'mongodb';
import { fastGrowingArray } from '../../../checks/fast-growing-array.js';
import type { Finding } from '../../../src/finding.js';
import { lint, type LintOptions } from '../../../src/lint/lint.js';
import { nameOf } from '../../../src/namespace.js';
import type { Report } from '../../../src/report/report.js';
import { MS_PER_DAY } from '../../../src/time-units.js';

/** By how much a rate may miss the truth. */
export const TOLERANCE = 0.15;

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
export const elements = (count: number): Document[] =>
  times(Math.max(0, Math.round(count)), (index) => ({ by: 'someone', text: 'words', index }));
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let serial = 0;
/** An ObjectId as it was made so many days ago. */
export function idOf(days: number): ObjectId {
  serial += 1;
  const seconds = Math.floor((Date.now() - days * MS_PER_DAY) / 1000);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + serial.toString(16).padStart(16, '0'));
}

/** Lints a database for growth alone. */
export function lintGrowth(uri: string, { databaseName }: Db, options: Partial<LintOptions> = {}): Promise<Report> {
  return lint({ uri, include: [`${databaseName}.*`], checks: [fastGrowingArray], ...options });
}

/** The findings of a report by collection and path: "products reviews". */
export function found({ findings }: Report): Map<string, Finding> {
  return new Map(findings.map((finding) => [`${nameOf(finding.namespace)} ${finding.path}`, finding]));
}

/** By which share the rate of a finding misses the truth; NaN where there is none. */
export function rateError(finding: Finding | undefined, perDay: number): number {
  return Math.abs(Number(finding?.evidence['elementsPerDay'] ?? NaN) / perDay - 1);
}
