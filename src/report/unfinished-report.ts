import type { Judgement } from '../findings/run-checks.js';
import { buildReport, type RunResult } from './build-report.js';
import type { Report } from './report.js';
import type { ReportedCollection } from './reported-collection.js';

/** A run whose collections are known. Plain data, since it is kept as JSON. */
export interface BegunRun extends Pick<RunResult, 'startedAt' | 'cluster'> {
  readonly checks: readonly { readonly id: string; readonly title: string }[];
  /** The ids of the checks that judge several collections at once, or the workload. */
  readonly clusterChecks: readonly string[];
  readonly namespaces: readonly string[];
}

export interface JudgedPart extends Judgement {
  readonly measured: ReportedCollection;
}

/** The report of a run that did not come to its end, `why` in half a sentence. What was not judged is skipped as a fault. */
export function unfinishedReport(
  { namespaces, clusterChecks, ...begun }: BegunRun,
  judged: readonly JudgedPart[],
  why: string,
  finishedAt: Date,
): Report {
  const detail = `the run did not finish, because ${why}.`;
  const known = new Set(judged.map(({ measured }) => measured.namespace));
  const missing = namespaces.filter((namespace) => !known.has(namespace));
  const entry = { check: '*', reason: 'fault', detail } as const;
  return buildReport({
    ...begun,
    finishedAt,
    skipped: [entry, ...missing.map((namespace) => ({ ...entry, namespace }))],
    judged,
    ofCluster: { findings: [], skipped: clusterChecks.map((check) => ({ ...entry, check })), judgedBy: [] },
    errorCodes: [],
    failures: [{ reason: 'fault', detail }],
  });
}
