import { defineClusterCheck, type ClusterVerdict, type Workload } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { capitalized, formatCount, formatDuration, inWords, plural, sentences } from '../src/format.js';
import { createdPerHour, openingsOf, type Opening } from '../src/judgement/connections.js';
import { beyondRoom } from '../src/judgement/joins/workload-gaps.js';
import { sumOf } from '../src/judgement/quotient.js';
import { MS_PER_DAY } from '../src/time-units.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { MOST_CLIENTS } from '../src/workload/operations/connection-tally.js';
import type { ServerCounters } from '../src/workload/workload.js';

const SERVER = '*';
const MOST_NAMED = 3;

/** Open connections from which they may be more than the work needs. MongoDB manual: each takes up to 1 MB. */
const MANY_OPEN = 1_000;
/** Open connections for each operation that runs at a time, on average, from which they are too many. Judgement: a peak is ten means. */
const PER_OPERATION = 100;
/** The share of the limit from which the next start of an application may fail. Judgement. */
const NEAR_LIMIT = 0.8;

export const connectionChurn = defineClusterCheck({
  id: 'connection-churn',
  title: 'Connections opened for each request',
  summary: 'applications that connect again for each request, or hold far more connections than their work needs',
  about: 'server',
  needs: [],
  clusterNeeds: ['workload'],
  thresholds: {
    connections: {
      default: 100,
      unit: 'connections',
      description: 'connections of an application that end within a minute',
      source: 'judgement: a pool that is opened a few times opens fewer',
    },
    info: {
      default: 3_600,
      unit: 'connections',
      description: 'connections per hour that end within a minute',
      source: 'judgement: one a second',
    },
    warning: {
      default: 36_000,
      unit: 'connections',
      description: 'connections per hour that end within a minute',
      source: 'judgement: ten a second, each with a handshake, a thread and an authentication',
    },
  },
  judge({ workload }, limits): readonly ClusterVerdict[] {
    const counters = workload.counters.present ? workload.counters.value : null;
    const counted = counters?.connections;
    const created = createdPerHour(counters);
    const openings = openingsOf(workload, created);
    const gaps = [
      ...gapsOf(workload, counted === undefined && openings.length === 0),
      ...beyondRoom(workload.entriesLeftOut?.connections, MOST_CLIENTS, 'clients'),
    ];
    const brief = openings.filter((each) => each.brief >= limits.connections && each.perHour >= limits.info);
    const ran = counters === null ? 0 : counters.window.to - counters.window.from;
    const isUnnamed = brief.length === 0 && ran >= MS_PER_DAY && created !== null && created >= limits.info;
    const isNearLimit = counted !== undefined && counted.open >= NEAR_LIMIT * counted.limit;
    const busy = counted?.busy ?? null;
    const isIdle =
      counted !== undefined && counted.open >= MANY_OPEN && busy !== null && counted.open >= PER_OPERATION * busy;
    if (brief.length === 0 && !isUnnamed && !isNearLimit && !isIdle) return gaps;
    const perHour = brief.length > 0 ? sumOf(brief, (each) => each.perHour)! : isUnnamed ? created : 0;
    const [worst] = brief;
    const holders = openings.filter(({ left }) => left > 0).toSorted((one, other) => other.left - one.left);
    const message = sentences(
      ...brief.slice(0, MOST_NAMED).map(briefText),
      brief.length > MOST_NAMED &&
        `${plural(brief.length - MOST_NAMED, 'further application does', 'further applications do')} so, too.`,
      isUnnamed &&
        `The server accepts ${rounded(perHour)} connections an hour, on average since its start ${formatDuration(ran)} ago. Which application opens them is in its log.`,
      (isNearLimit || isIdle) && openText(counted, holders),
    );
    return [
      ...gaps,
      {
        namespace: SERVER,
        path: null,
        severity: isNearLimit || perHour >= limits.warning ? 'warning' : 'info',
        confidence: worst !== undefined || isNearLimit ? 'high' : 'medium',
        message,
        ...(brief.length > 0 && { restsOn: [...new Set(brief.map(({ source }) => SOURCE_NAMES[source]))] }),
        evidence: {
          source: worst === undefined ? 'serverStatus' : SOURCE_NAMES[worst.source],
          window: worst === undefined ? `${formatDuration(ran)} since the start` : formatDuration(worst.windowMs),
          ...(perHour > 0 && { connectionsPerHour: Math.round(perHour) }),
          ...(brief.length > 0 && {
            briefConnections: brief.map((each) => `${capitalized(each.name)}: ${formatCount(each.brief)}`),
          }),
          ...(counted !== undefined && { connectionsOpen: counted.open, connectionsOpened: counted.created }),
          ...(busy !== null && { operationsAtATime: busy }),
        },
        remedy: { steps: steps(brief.length > 0 || isUnnamed, isUnnamed, isNearLimit || isIdle) },
      },
    ];
  },
});

function briefText({ name, brief, windowMs, perHour }: Opening): string {
  return `${capitalized(name)} opens connections that end within a minute: ${formatCount(brief)} in ${formatDuration(windowMs)}, an estimated ${rounded(perHour)} an hour.`;
}

function openText(
  { open, limit, busy }: NonNullable<ServerCounters['connections']>,
  holders: readonly Opening[],
): string {
  const work =
    busy === null ? '' : ` On average ${busy < 0.1 ? 'less than 0.1' : formatCount(busy)} operations run at a time.`;
  const named = holders.map(({ name, left }) => `${name} ${formatCount(left)}`);
  const whose =
    named.length === 0 ? '' : ` By the log, they are of ${inWords(named, MOST_NAMED, 'further applications')}.`;
  return `${formatCount(open)} connections are open, of ${formatCount(limit)} at most.${work}${whose}`;
}

/** Two digits: it is a rate of a short time. */
function rounded(perHour: number): string {
  return formatCount(Number(perHour.toPrecision(2)));
}

function gapsOf({ counters, sources: { recentLog, logFile } }: Workload, isNothingKnown: boolean): ClusterVerdict[] {
  const absent = [recentLog, counters].flatMap((each) => (each.present ? [] : [each]));
  const lacking = absent.filter(({ reason }) => reason !== 'unsupported' && reason !== 'insufficient');
  const unread = logFile.present ? lacking.filter((each) => each !== recentLog) : lacking;
  if (unread.length > 0)
    return unread.map(({ reason, detail }) => ({
      notJudged: reason,
      detail,
      ...(isNothingKnown && { nothingJudged: true as const }),
    }));
  const detail = 'no counter or log line shows who connects. Collect the evidence again, or give logs with --log FILE.';
  return isNothingKnown ? [{ notJudged: 'insufficient', detail, nothingJudged: true }] : [];
}

function steps(isBrief: boolean, isUnnamed: boolean, isCrowd: boolean) {
  return stepsOf(
    isUnnamed && 'Find out whose they are: give the log to mongolint with --log FILE.',
    isBrief &&
      'Create one MongoClient when the process starts, and use it for every request. Close it only when the process ends.',
    isBrief && 'In serverless functions, create it outside of the handler, so that later calls use it again.',
    isCrowd &&
      'Create one client per process, not one per module or database, and set maxPoolSize to what runs at a time: 10 are often enough. maxIdleTimeMS closes what a peak has left.',
    {
      text: 'Check that totalCreated hardly rises within a minute, and current falls.',
      code: 'db.serverStatus().connections',
    },
  );
}
