import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/files/package-root.js';
import { reportSchema, type Report } from '../../../src/report/report.js';

/** Reports of real runs; `npm run record-reports` says what each is, and writes them. */
export const RECORDED_NAMES = ['demo', 'baseline', 'faulted', 'sharded', 'clean', 'empty'] as const;

export function recordedReport(name: (typeof RECORDED_NAMES)[number]): Report {
  const file = join(packageRoot(), 'test/report/recorded', `${name}.json`);
  return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
