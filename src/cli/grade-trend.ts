import { resolve } from 'node:path';
import { HISTORY_SCHEMA_VERSION } from '../growth/limits.js';
import { LintError } from '../lint-error.js';
import { applyPolicy, type Policy } from '../policy/apply-policy.js';
import type { TargetRun } from '../policy/judged.js';
import { GRADES, type Grade } from '../report/grades.js';
import type { EarlierGrade, Report } from '../report/report.js';
import type { Io } from './io.js';

export interface GradedRun extends TargetRun {
  /** The runs of earlier files of evidence, in order of time. */
  readonly earlier?: readonly TargetRun[];
  readonly history?: string;
}

const MOST_SHOWN = 90;

/** The reports with the grades of earlier runs. What is narrowed to a part has another grade by nature, and no trend. */
export async function withGradeTrends(
  runs: readonly GradedRun[],
  reports: readonly Report[],
  policy: Policy,
  io: Io,
  say: (line: string) => void,
): Promise<Report[]> {
  const withTrends: Report[] = [];
  for (const [index, report] of reports.entries()) {
    const run = runs[index] as GradedRun;
    const trend = await trendOf(run, report, policy, io).catch((error: unknown) => {
      if (!(error instanceof LintError)) throw error;
      say(error.message);
      return [];
    });
    const shown = trend.slice(-MOST_SHOWN);
    withTrends.push(shown.length === 0 ? report : { ...report, summary: { ...report.summary, earlierGrades: shown } });
  }
  return withTrends;
}

async function trendOf(
  { earlier, history, isNarrowed }: GradedRun,
  report: Report,
  policy: Policy,
  io: Io,
): Promise<EarlierGrade[]> {
  const { grade = null } = report.summary;
  if (policy.ownerFilter !== undefined || policy.isOfPart === true || grade === null) return [];
  if (earlier !== undefined && earlier.length > 0)
    return applyPolicy(earlier, { ...policy, baseline: null }).flatMap(({ startedAt, summary }) => {
      const { grade: before = null } = summary;
      return before === null ? [] : [{ at: startedAt, grade: before }];
    });
  return history === undefined || isNarrowed ? [] : recordedTrend(resolve(io.cwd(), history), report, grade);
}

/** Adds the report's grade to the history. Returns those before. @throws LintError if the file can't be used */
async function recordedTrend(file: string, { startedAt, target = '' }: Report, grade: Grade): Promise<EarlierGrade[]> {
  const { HistoryFile } = await import('../growth/history-file.js');
  const history = await HistoryFile.open(file);
  try {
    const earlier = history.records.flatMap(({ at, graded }) =>
      graded?.target === target && at < startedAt && isGrade(graded.grade) ? [{ at, grade: graded.grade }] : [],
    );
    const record = { schemaVersion: HISTORY_SCHEMA_VERSION, at: startedAt, graded: { target, grade }, collections: [] };
    await history.add(record);
    return earlier;
  } finally {
    await history.close();
  }
}

function isGrade(text: string): text is Grade {
  return (GRADES as readonly string[]).includes(text);
}
