import type { NotJudged } from '../check.js';
import type { Absent, Evidence } from '../evidence/evidence.js';
import { FIGURE_SOURCES, type Workload, type WorkloadSource } from '../evidence/workload/workload.js';

/** Reasons that say that a source is off, empty or not there, which is as it comes: another source may tell the same. */
const AS_IT_COMES = new Set(['insufficient', 'unsupported']);

const LEAD = 'the workload was judged only as far as recent slow operations, definitions of views and the sources that are on tell of it';

/**
 * What keeps a workload from being judged. A source that was refused, cut short or failed is an entry of its
 * own. Sources that are merely off are one entry together, and none where another one covers what runs.
 */
export function workloadGaps({ sources }: Workload): NotJudged[] {
  const gaps = FIGURE_SOURCES.flatMap((source) => gapsOf(sources[source]));
  const failures = gaps.filter(({ reason }) => !AS_IT_COMES.has(reason));
  const off = gaps.filter(({ reason }) => AS_IT_COMES.has(reason));
  const entries = failures.map(({ reason, detail }): NotJudged => ({ notJudged: reason, detail }));
  if (off.length === 0 || isCovered({ sources })) return entries;
  return [...entries, { notJudged: 'insufficient', detail: `${LEAD}: ${off.map(({ detail }) => detail).join(' ')}` }];
}

function gapsOf(source: Evidence<WorkloadSource>): readonly Absent[] {
  return source.present ? source.value.gaps : [source];
}

/** True where logs or query stats tell of every database, or a profiler is on in each. */
function isCovered({ sources: { profiler, queryStats, logFile } }: Pick<Workload, 'sources'>): boolean {
  const isProfiled = profiler.present && profiler.value.gaps.length === 0 && profiler.value.parts.length > 0;
  return isProfiled || tells(queryStats) || tells(logFile);
}

function tells(source: Evidence<WorkloadSource>): boolean {
  return source.present && source.value.parts.some(({ entries }) => entries > 0);
}
