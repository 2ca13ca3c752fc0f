import { isClusterCheck, type AnyCheck } from '../check.js';
import type { UserState } from '../connect/user-rights.js';
import type { Skipped } from '../finding.js';
import type { Judgement } from '../findings/run-checks.js';
import { plural } from '../format.js';
import { isFault, type Evidence, type SkipReason } from '../presence.js';
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
  return failures.length > 0 ? failures : documentsMissing(course);
}

/** By time limits and damage, which are no faults where they concern single collections. */
const MISSING: Partial<Record<SkipReason, string>> = {
  timeout: 'no read of them ended within its time limit; raise it with --timeout',
  malformed: 'they are not valid BSON',
};

/** Who could not read half of the collections has not linted, whatever their indexes show. */
function documentsMissing({ judged }: RunCourse): RunFailure[] {
  const wanted = judged.flatMap(({ documents }) => documents ?? []);
  const missing = wanted.flatMap((one) => (one.present || MISSING[one.reason] === undefined ? [] : [one.reason]));
  const [reason] = missing;
  if (reason === undefined || missing.length * 2 < wanted.length) return [];
  const of = `${missing.length} of ${plural(wanted.length, 'collection')}`;
  return [{ reason: 'documents-missing', detail: `the documents of ${of} could not be read: ${MISSING[reason]}.` }];
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
