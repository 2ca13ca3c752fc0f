import { formatCount, formatDuration, formatShare, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../time-units.js';
import type { Report } from './report.js';
import type { Fact } from './section.js';

const PRIMARY = 'the primary';

const WAITED_FOR: Readonly<Record<string, string>> = {
  locks: 'locks',
  'flow control': 'flow control, as secondaries lag',
  queues: 'a ticket, as too many operations run at once',
  'storage engine': 'room in the cache',
  planning: 'the choice of a plan',
};

/** What the recorded operations show beside findings, and what they do not show. */
export function workloadFacts(report: Report): readonly Fact[] {
  return [
    { label: 'waiting', texts: waitingTexts(report), short: false },
    { label: 'unfinished', texts: unfinishedTexts(report), short: false },
    { label: 'not understood', texts: notUnderstoodTexts(report), short: false },
    { label: 'query settings', texts: rejectedTexts(report), short: false },
    { label: 'reads', texts: nodeReadsTexts(report), short: false },
  ];
}

function waitingTexts({ waiting = [] }: Report): string[] {
  return waiting.map(({ namespace, operation, source, cause, executions, averageMs, waitedMs }) => {
    const waited =
      waitedMs === null
        ? `tried again after ${cause}, ${formatDuration(averageMs)} per execution`
        : `waits ${formatDuration(waitedMs)} of ${formatDuration(averageMs)} per execution${cause === 'unknown' ? '' : ` for ${WAITED_FOR[cause]}`}`;
    return `${operation} on ${namespace} ${waited} (${source}, ${plural(executions, 'execution')}): no index makes it faster`;
  });
}

function unfinishedTexts({ unfinished = [] }: Report): string[] {
  return unfinished.map(({ namespace, operation, source, executions, longestMs }) => {
    const which = executions === 1 ? '' : `, the longest of ${formatCount(executions)}`;
    return `${operation} on ${namespace} had run for ${formatDuration(longestMs)}${which}, and the ${source} does not show its end: what it examined is unknown`;
  });
}

function notUnderstoodTexts({ notUnderstood = [] }: Report): string[] {
  return notUnderstood.map(
    ({ source, kind, entries }) =>
      `${plural(entries, 'operation')} of the ${source} of a kind that mongolint does not know: ${kind}. No finding counts them`,
  );
}

function rejectedTexts({ rejected = [], querySettingsUnread }: Report): string[] {
  const shapes = [...groupedBy(rejected, ({ namespace, command }) => `${command} on ${namespace}`)];
  return [
    ...shapes.map(
      ([shape, { length }]) => `query settings make the server reject ${plural(length, 'shape')} of ${shape}`,
    ),
    ...(querySettingsUnread === undefined
      ? []
      : [`indexes that query settings name are unknown: ${querySettingsUnread}`]),
  ];
}

const FEWEST_FINDS = 1_000;
/** Share of the primary from which nearly all reads go there. Judgement. */
const NEARLY_ALL = 0.95;

/** The members may have started at different times, so rates are compared; of less than a day, these say nothing. */
function nodeReadsTexts({ nodeReads = [] }: Report): string[] {
  const rates = nodeReads.map(({ node, finds, seconds }) => ({ node, rate: finds / Math.max(1, seconds) }));
  const all = rates.reduce((sum, { rate }) => sum + rate, 0);
  const ofPrimary = rates.find(({ node }) => node === PRIMARY)?.rate ?? 0;
  const finds = nodeReads.reduce((sum, each) => sum + each.finds, 0);
  const shortest = Math.min(...nodeReads.map(({ seconds }) => seconds * MS_PER_SECOND));
  if (finds < FEWEST_FINDS || shortest < MS_PER_DAY || all === 0 || ofPrimary / all < NEARLY_ALL) return [];
  return [
    `the primary answers ${formatShare(ofPrimary / all)} of the finds, by the averages of the ${formatCount(nodeReads.length)} members since they started, ${formatDuration(shortest)} ago or more: what may be seconds old can be read from secondaries`,
  ];
}

export function unnamedTexts({ unnamedApplications: unnamed }: Report): string[] {
  if (unnamed === undefined) return [];
  const share = formatShare(unnamed.unnamed / unnamed.executions);
  return [
    `${share} of executions (${unnamed.source}) name no application: add appName=NAME to the applications' connection strings`,
  ];
}
