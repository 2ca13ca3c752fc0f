import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { readBounded } from '../files/bounded-file.js';
import { fileFault, isMissing } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import type { SavedReports } from '../report/read-reports.js';
import type { Report } from '../report/report.js';
import type { Io } from './io.js';

/** Far more than 10,000 collections take. */
const MOST_BYTES = 1024 * 1024 * 1024;
/** How an evidence file begins, plain or gzipped. */
const BEGINNINGS = [Buffer.from('{"kind":"header"'), Buffer.from([0x1f, 0x8b])];

/** The reports in a file that `--format json` wrote. @throws LintError if it can't be read */
export async function readSavedReports(file: string, io: Io): Promise<SavedReports> {
  const { readReports } = await import('../report/read-reports.js');
  try {
    return readReports(await readBounded(resolve(io.cwd(), file), MOST_BYTES));
  } catch (error) {
    throw unreadable(file, error instanceof TypeError ? error.message : faultOf(error), error);
  }
}

/** The report in a file that holds one. @param name of the file, for people @throws LintError if it holds none, or several */
export async function readSavedReport(file: string, io: Io, name = file): Promise<Report> {
  const [saved, ...others] = (await readSavedReports(file, io)).reports;
  if (others.length > 0) throw new LintError(`${name} holds the reports of several targets: give one file for each.`);
  if (saved === undefined || saved.report === null)
    throw new LintError(`${name} holds no report: its target could not be linted.`);
  return saved.report;
}

/** Tells evidence from a saved report by how the file begins. @throws LintError if it can't be read */
export async function isEvidenceFile(file: string, io: Io): Promise<boolean> {
  try {
    const handle = await open(resolve(io.cwd(), file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const longest = Math.max(...BEGINNINGS.map(({ length }) => length));
      const { buffer } = await handle.read(Buffer.alloc(longest), 0, longest, 0);
      return BEGINNINGS.some((beginning) => buffer.subarray(0, beginning.length).equals(beginning));
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, faultOf(error), error);
  }
}

/** What a file without the alias of a target is called by: `shop.evidence.jsonl.gz` is `shop`. */
export function aliasOfFile(file: string): string {
  return basename(file).replace(/\..*$/, '');
}

function unreadable(file: string, fault: string, cause: unknown): LintError {
  return new LintError(`${file} can't be read: ${fault}.`, { cause });
}

function faultOf(error: unknown): string {
  return isMissing(error) ? 'there is no such file' : fileFault(error);
}
