import type { NotJudged } from '../../check.js';
import { capitalized, formatCount, inWords, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import type { Absent, Evidence } from '../../presence.js';
import { FIGURE_SOURCES, type FigureSource, type Workload, type WorkloadSource } from '../../workload/workload.js';

/** Reasons for a source that is off, empty or missing: normal, since another source may have the same operations. */
const AS_IT_COMES = new Set(['insufficient', 'unsupported']);

/** `plans` are known of operations in the profiler and in logs of mongod, but not in query stats and logs of mongos. */
type LooksInto = 'operations' | 'operations and views' | 'plans';

const KNOWN_BY: Readonly<Record<FigureSource, string>> = {
  profiler: "the profiler's entries",
  queryStats: 'query stats',
  logFile: 'the given logs',
  recentLog: 'the slow queries in the recent log lines',
  routerLog: 'the given logs of mongos',
};

const WITHOUT_PLANS: ReadonlySet<FigureSource> = new Set(['queryStats', 'routerLog']);

/**
 * What keeps a workload from being judged. A source that was refused, truncated or failed is an entry of its own, and
 * so is a silent member of the replica set, or a given log without operations. Sources that are only off are one entry
 * together, and no entry if another source covers everything.
 *
 * If no source holds an operation, and no view counts, the entries say that nothing was judged.
 */
export function workloadGaps(workload: Workload, looksInto: LooksInto = 'operations'): NotJudged[] {
  const { sources, views } = workload;
  const isAnythingJudged =
    FIGURE_SOURCES.some((source) => shows(source, looksInto) && records(sources[source])) ||
    (looksInto === 'operations and views' && views.length > 0);
  const gaps = gapsIn(sources, looksInto);
  return isAnythingJudged ? gaps : gaps.map((gap) => ({ ...gap, nothingJudged: true }));
}

/** What was recorded of more things than are kept. @param leftOut entries of further ones */
export function beyondRoom(leftOut = 0, most: number, things: string): NotJudged[] {
  const detail = `more than ${formatCount(most)} ${things} were recorded; ${plural(leftOut, 'entry', 'entries')} of further ones were left out. Leave out older ones with --since.`;
  return leftOut === 0 ? [] : [{ notJudged: 'bound', detail }];
}

function shows(source: FigureSource, looksInto: LooksInto): boolean {
  return looksInto !== 'plans' || !WITHOUT_PLANS.has(source);
}

function gapsIn(sources: Workload['sources'], looksInto: LooksInto): NotJudged[] {
  // Most clusters have no mongos.
  const relevant = FIGURE_SOURCES.filter((source) => source !== 'routerLog' || sources.routerLog.present);
  const gaps = relevant.flatMap((source) => gapsOf(sources[source]));
  const given = new Set([sources.logFile, sources.routerLog].flatMap((read) => (read.present ? read.value.gaps : [])));
  const own: NotJudged[] = [];
  const off: Absent[] = [];
  for (const [detail, [gap, ...same]] of groupedBy(gaps, (each) => each.detail)) {
    if (gap === undefined) continue;
    // What several sources report alike is about the server or its members.
    if (AS_IT_COMES.has(gap.reason) && same.length === 0 && !given.has(gap)) off.push(gap);
    else own.push({ notJudged: gap.reason, detail });
  }
  if (off.length === 0 || isCovered(sources, looksInto)) return own;
  // What can be switched on comes first.
  const sorted = off.toSorted((one, other) => Number(canBeSwitchedOn(other)) - Number(canBeSwitchedOn(one)));
  return [
    ...own,
    {
      notJudged: 'insufficient',
      detail: [leadOf(sources, looksInto), ...sorted.map(({ detail }) => capitalized(detail))].join(' '),
    },
  ];
}

function canBeSwitchedOn({ reason }: Absent): boolean {
  return reason === 'insufficient';
}

/** The same for checks with and without views, so that they are one entry in the table. */
function leadOf(sources: Workload['sources'], looksInto: LooksInto): string {
  const recording = FIGURE_SOURCES.filter((source) => records(sources[source]));
  const known = recording.filter((source) => shows(source, looksInto)).map((source) => KNOWN_BY[source]);
  if (recording.length === 0) return 'no operations were recorded.';
  if (known.length === recording.length)
    return `not all operations were recorded: the workload is only known from ${inWords(known)}.`;
  const others = known.length === 0 ? 'nothing else recorded any' : `of that, only ${inWords(known)} are known`;
  const silent = recording.includes('queryStats') ? 'query stats' : 'logs of mongos';
  return `${silent} do not say how operations were executed: ${others}.`;
}

function gapsOf(source: Evidence<WorkloadSource>): readonly Absent[] {
  return source.present ? source.value.gaps : [source];
}

/** Whether logs or whole query stats hold operations, or a profiler is on in every database. */
function isCovered({ profiler, queryStats, logFile, routerLog }: Workload['sources'], looksInto: LooksInto): boolean {
  // A profiler that is off in some database is among the gaps.
  const isOnEverywhere = records(profiler) && gapsOf(profiler).length === 0;
  const isWhole = partsOf(queryStats).every(({ coverage }) => coverage.operations === 'all');
  const isInQueryStats = shows('queryStats', looksInto) && tells(queryStats) && isWhole;
  const isInRouterLog = shows('routerLog', looksInto) && tells(routerLog);
  return isOnEverywhere || isInQueryStats || tells(logFile) || isInRouterLog;
}

/** Whether a source records operations, or holds some from earlier. */
function records(source: Evidence<WorkloadSource>): boolean {
  return partsOf(source).some(({ coverage, entries }) => coverage.operations !== 'none' || entries > 0);
}

function tells(source: Evidence<WorkloadSource>): boolean {
  return partsOf(source).some(({ entries }) => entries > 0);
}

function partsOf(source: Evidence<WorkloadSource>): WorkloadSource['parts'] {
  return source.present ? source.value.parts : [];
}
