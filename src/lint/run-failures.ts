import { isClusterCheck, type AnyCheck } from '../check.js';
import type { UserState } from '../connect/user-rights.js';
import type { Skipped } from '../finding.js';
import { piecesNeeded } from '../findings/evidence-plan.js';
import type { Judgement } from '../findings/run-checks.js';
import { capitalized, formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { isFault, type Evidence, type SkipReason } from '../presence.js';
import type { ReportedCollection } from '../report/reported-collection.js';
import { faultFailures, type RunFailure } from '../report/run-failure.js';

export interface RunCourse {
  readonly checks: readonly AnyCheck[];
  readonly judged: readonly (Pick<Judgement, 'judgedBy'> & Partial<ReadDocuments>)[];
  readonly ofCluster: Pick<Judgement, 'judgedBy'>;
  readonly skipped: readonly Skipped[];
  /** True if the time of `--max-time` was over when the last read ended. */
  readonly isOutOfTime: boolean;
  /** True if it was ended by then to spare the server. */
  readonly isStopped: boolean;
  /** Null if the server refused nothing. */
  readonly user: UserState;
}

interface ReadDocuments {
  /** Undefined if no check wanted them. */
  readonly documents: Evidence<null> | undefined;
  /** Documents by the metadata; null if unknown. */
  readonly measured: Pick<ReportedCollection, 'documents'>;
}

/** Why a run is no pass, whatever it found: decided here, and said by the exit code and every report. */
export function runFailures(course: RunCourse): RunFailure[] {
  const failures = [...nothingJudged(course), ...rightsLost(course), ...faultFailures(course.skipped)];
  const add = (reason: 'server-load' | 'max-time') => {
    if (!failures.some((failure) => failure.reason === reason))
      failures.push(...faultFailures([{ check: '*', reason, detail: '' }]));
  };
  if (course.isStopped) add('server-load');
  if (course.isOutOfTime && course.skipped.some(({ reason }) => reason === 'timeout')) add('max-time');
  if (failures.length > 0) return failures;
  const missing = missingDocuments(course);
  return missing === null || !isFailure(missing, course) ? [] : [{ reason: 'documents-missing', detail: missing.text }];
}

/** What a reader has to know first of a run that came to its end: rights that half of the collections lack. */
export function runCautions(course: RunCourse): string[] {
  const missing = missingDocuments(course);
  return missing === null || isFailure(missing, course) ? [] : [capitalized(missing.text)];
}

/** Why documents could not be read, by reasons that concern single collections; of others, the detail of the first says it. */
const MISSING: Partial<Record<SkipReason, string>> = {
  privilege: 'the user may not read them; grant the privilege find, as in the role read',
  timeout: 'no read of them ended within its time limit; raise it with --timeout',
  malformed: 'they are not valid BSON',
};

interface MissingDocuments {
  readonly isAll: boolean;
  /** True if only rights are the reason. */
  readonly isRefused: boolean;
  readonly text: string;
}

/** Collections with documents that were to be read and could not be; null if these are less than half. */
function missingDocuments({ judged }: RunCourse): MissingDocuments | null {
  const wanted = judged.flatMap(({ documents, measured }) => {
    const hasNone = measured?.documents === 0 || (documents?.present === false && documents.reason === 'vanished');
    return documents === undefined || hasNone ? [] : [documents];
  });
  const missing = wanted.filter((one) => !one.present);
  if (missing.length === 0 || missing.length * 2 < wanted.length) return null;
  const byReason = groupedBy(missing, ({ reason }) => reason);
  const whys = [...byReason].map(([reason, [first]]) => MISSING[reason] ?? first!.detail.replace(/\.$/, ''));
  const of = `${formatCount(missing.length)} of ${plural(wanted.length, 'collection')}`;
  return {
    isAll: missing.length === wanted.length,
    isRefused: missing.every(({ reason }) => reason === 'privilege'),
    text: `the documents of ${of} could not be read: ${whys.join('; ')}.`,
  };
}

/** Who could not read half of the collections has not linted, whatever their indexes show; but for rights, if some were read. */
function isFailure({ isAll, isRefused }: MissingDocuments, { checks }: RunCourse): boolean {
  const areNeeded = checks.some((check) => !isClusterCheck(check) && piecesNeeded([check]).has('sample'));
  return !isRefused || (isAll && areNeeded);
}

/** Why nothing could be judged. Of what has vanished, is too young or too small, it is known what there is. */
const HINDRANCES: readonly (readonly [SkipReason, string])[] = [
  ['privilege', ', as the user may not read it; grant the role that `mongolint role` prints.'],
  ['timeout', ', as no read ended within its time limit; raise it with --timeout.'],
  ['unsupported', ', as this server or tier does not support the reads that it takes.'],
  ['malformed', ', as the documents are not valid BSON.'],
];

/** A database that was dropped lists no collection; one that can't be listed is no empty one. */
const UNLISTED: (typeof HINDRANCES)[number] = ['vanished', ', as no collections could be listed; run again.'];

const NO_CREDENTIALS =
  ', as the server demands authentication; put user and password into the connection string, as in mongodb://user:password@host/?authSource=admin.';

/** Judging is one check on one collection; checks of the whole cluster count if only they are enabled. Empty clusters are linted. */
function nothingJudged(course: RunCourse): RunFailure[] {
  const { checks, judged, ofCluster, user } = course;
  const judging = checks.every(isClusterCheck) && judged.length > 0 ? [ofCluster] : judged;
  if (judging.some(({ judgedBy }) => judgedBy.length > 0)) return [];
  const hindering = hinderingEntries(course);
  const why = [...HINDRANCES, ...(judged.length === 0 ? [UNLISTED] : [])].find(([reason]) =>
    hindering.some((entry) => entry.reason === reason),
  );
  if (why === undefined && !hindering.some(isFault)) return [];
  const cause = why?.[0] === 'privilege' && user === 'none' ? NO_CREDENTIALS : (why?.[1] ?? '.');
  return [{ reason: 'nothing-judged', detail: `nothing could be judged${cause}` }];
}

/** What kept collections from being listed, or checks from judging them; gaps in evidence of the whole cluster do not count. */
function hinderingEntries({ checks, judged, skipped }: RunCourse): readonly Skipped[] {
  if (judged.length === 0) return skipped.filter(({ check }) => check === '*');
  if (checks.every(isClusterCheck)) return skipped;
  const ofCluster = new Set(checks.filter(isClusterCheck).map(({ id }) => id));
  return skipped.filter(({ check }) => !ofCluster.has(check));
}

function rightsLost({ skipped, user }: RunCourse): RunFailure[] {
  const isRefused = skipped.some(({ reason }) => reason === 'privilege');
  const isReported = skipped.some(({ reason }) => reason === 'authentication');
  if (user !== 'lost' || !isRefused || isReported) return [];
  const detail = 'the user was dropped or lost privileges during the run; restore them, and run again.';
  return [{ reason: 'rights-lost', detail }];
}
