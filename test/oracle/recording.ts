/** `MONGOLINT_RECORD=1` lets the suites keep the evidence that they lint, for the oracle to judge. */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { collectEvidence } from '../../src/lint/collect-evidence.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';

export const EVIDENCE = join(import.meta.dirname, 'evidence');

/** The file to keep the evidence of a case in, whose folder is there; null if it is not to be kept. */
export async function fileToRecord(name: string): Promise<string | null> {
  if (process.env['MONGOLINT_RECORD'] === undefined) return null;
  const file = join(EVIDENCE, `${name}.evidence.jsonl.gz`);
  await mkdir(dirname(file), { recursive: true });
  return file;
}

/** Lints, and keeps the evidence of the case if the suite was asked to. */
export async function lintRecorded(name: string, options: LintOptions): Promise<Report> {
  const output = await fileToRecord(name);
  if (output !== null) await collectEvidence({ ...options, output });
  return lint(options);
}
