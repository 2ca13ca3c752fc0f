import type { NotJudged } from '../check.js';
import type { Absent, Evidence } from '../evidence/evidence.js';
import { FIGURE_SOURCES, type Workload, type WorkloadSource } from '../evidence/workload/workload.js';
import { groupedBy } from '../grouped-by.js';

/** Reasons that say that a source is off, empty or not there, which is as it comes: another source may tell the same. */
const AS_IT_COMES = new Set(['insufficient', 'unsupported']);

const LEAD = 'the workload was judged only as far as recent slow operations, definitions of views and the sources that are on tell of it';

/**
 * What keeps a workload from being judged. A source that was refused, cut short or failed is an entry of its own, and so is
 * a member of the replica set that did not answer, or a log that was given and says nothing. Sources that are merely off are
 * one entry together, and none where another one covers what runs.
 */
export function workloadGaps({ sources }: Workload): NotJudged[] {
  const gaps = FIGURE_SOURCES.flatMap((source) => gapsOf(sources[source]));
  const given = new Set(sources.logFile.present ? sources.logFile.value.gaps : []);
  const own: NotJudged[] = [];
  const off: string[] = [];
  for (const [detail, [gap, ...same]] of groupedBy(gaps, (each) => each.detail)) {
    if (gap === undefined) continue;
    // What several sources say alike is not about one of them, but about the server or its members.
    if (AS_IT_COMES.has(gap.reason) && same.length === 0 && !given.has(gap)) off.push(detail);
    else own.push({ notJudged: gap.reason, detail });
  }
  if (off.length === 0 || isCovered(sources)) return own;
  return [...own, { notJudged: 'insufficient', detail: `${LEAD}: ${off.join(' ')}` }];
}

function gapsOf(source: Evidence<WorkloadSource>): readonly Absent[] {
  return source.present ? source.value.gaps : [source];
}

/** True where logs or query stats tell of every database, or a profiler is on in each. */
function isCovered({ profiler, queryStats, logFile }: Workload['sources']): boolean {
  return isOnEverywhere(profiler) || tells(queryStats) || tells(logFile);
}

/** A profiler that is off in some database is among the gaps. */
function isOnEverywhere(profiler: Evidence<WorkloadSource>): boolean {
  return profiler.present && profiler.value.parts.some(({ coverage, entries }) => coverage.operations !== 'none' || entries > 0) && profiler.value.gaps.length === 0;
}

function tells(source: Evidence<WorkloadSource>): boolean {
  return source.present && source.value.parts.some(({ entries }) => entries > 0);
}
