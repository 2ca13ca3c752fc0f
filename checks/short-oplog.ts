import { defineClusterCheck, type ClusterVerdict, type KnownCollection, type OplogWindow } from '../src/check.js';
import { formatBytes, formatDuration, plural } from '../src/format.js';
import { shellCommand, shellStatement, spacedJson } from '../src/judgement/shell-statement.js';
import type { Evidence } from '../src/presence.js';
import { DOCUMENT_LIMIT_BYTES } from '../src/profile/server-limits.js';
import { MS_PER_DAY, MS_PER_HOUR } from '../src/time-units.js';
import { bestFigures } from '../src/workload/operations/figures.js';
import { WRITE_KINDS, type ServerCounters, type Workload } from '../src/workload/workload.js';

const OPLOG = 'local.oplog.rs';
/** The share of its maximum size. The server removes entries in portions of up to a tenth; below it, nothing was removed yet. Source: OplogTruncateMarkers. */
const FULL = 0.8;

/**
 * Bytes of a document from which an event that holds it before and after a change is too large. MongoDB manual, "Change
 * Streams": an event is at most 16 MB, and $changeStreamSplitLargeEvent divides it.
 */
const EVENT_BYTES = DOCUMENT_LIMIT_BYTES / 2;

export const shortOplog = defineClusterCheck({
  id: 'short-oplog',
  title: 'Changes lost to oplog readers',
  summary: 'an oplog that holds less than a day of writes, or documents whose change events do not fit in 16 MB',
  needs: ['largestDocuments'],
  clusterNeeds: ['oplogWindow', 'workload'],
  thresholds: {
    windowDays: {
      default: 1,
      unit: 'days',
      description: 'days from the oldest to the newest entry of a full oplog; fewer are reported',
      source: 'MongoDB manual, "Troubleshoot Replica Sets: Check the Size of the Oplog": 24 hours at the least',
    },
    observedDays: {
      default: 1,
      unit: 'days',
      description: 'days that the server has run, at least',
      source: 'judgement: the first day is that of an import',
    },
    behind: {
      default: 0.5,
      unit: 'share',
      description: 'share of the window that a member is behind, for an error',
      source: 'judgement: as long again, and the member has to copy all data',
    },
  },
  retiredThresholds: ['eventBytes'],
  judge({ collections, oplogWindow, workload }, { windowDays, observedDays, behind }) {
    if (oplogWindow === null) return [];
    return [
      ...windowVerdicts(oplogWindow, workload.counters, { windowDays, observedDays, behind }),
      ...[...collections.values()].flatMap((known) => eventVerdict(known, workload)),
    ];
  },
});

function windowVerdicts(
  oplog: OplogWindow,
  counters: Evidence<ServerCounters>,
  lines: { readonly windowDays: number; readonly observedDays: number; readonly behind: number },
): ClusterVerdict[] {
  const { from, to, bytes, maximumBytes, furthestBehind } = oplog;
  const unknown: ClusterVerdict[] = furthestBehind.present
    ? []
    : [{ notJudged: furthestBehind.reason, detail: furthestBehind.detail }];
  const window = to - from;
  if (bytes < FULL * maximumBytes) return unknown;
  const lag = furthestBehind.present ? furthestBehind.value : 0;
  const isLosing = lag >= lines.behind * window && lag > 0;
  if (!isLosing && window >= lines.windowDays * MS_PER_DAY) return unknown;
  const ran = counters.present ? counters.value.window.to - counters.value.window.from : Infinity;
  if (!isLosing && ran < lines.observedDays * MS_PER_DAY)
    return [
      ...unknown,
      {
        namespace: OPLOG,
        path: '',
        exempt: `${formatDuration(window)} of writes, and the server has run for ${formatDuration(ran)}: it may be an import`,
      },
    ];
  const perHour = bytes / Math.max(window / MS_PER_HOUR, 1 / 60);
  const wanted = Math.ceil((perHour * 24 * Math.max(1, lines.windowDays)) / 2 ** 20);
  return [
    ...unknown,
    {
      namespace: OPLOG,
      severity: isLosing ? 'error' : 'warning',
      confidence: 'high',
      path: null,
      message:
        `The oplog reaches back ${formatDuration(window)}: ${formatBytes(bytes)}, at ${formatBytes(perHour)} an hour. ` +
        (isLosing
          ? `A member is ${formatDuration(lag)} behind. Once that is more than the window, it has to copy all data again.`
          : 'A member or a change stream that stops for longer cannot go on from where it was.'),
      evidence: {
        source: OPLOG,
        window: formatDuration(window),
        oplogDays: window / MS_PER_DAY,
        oplogBytes: bytes,
        maximumOplogBytes: maximumBytes,
        oplogBytesPerHour: Math.round(perHour),
        ...(lag > 0 && { furthestBehindMs: lag }),
      },
      remedy: {
        steps: [
          ...(isLosing ? [{ text: 'Find out first why the member is behind, and bring it back.' }] : []),
          {
            text: `Keep a day of entries on each member, whatever they take. The window grows to that within a day: at this rate to some ${formatBytes(wanted * 2 ** 20)}, for which the disk must have room.`,
            code: shellCommand('admin', { replSetResizeOplog: 1, minRetentionHours: 24 * lines.windowDays }),
          },
          {
            text: 'Or enlarge the oplog to that size, in MB. On Atlas, both are settings of the cluster.',
            code: shellCommand('admin', { replSetResizeOplog: 1, size: Math.max(990, wanted) }),
          },
          {
            text: 'Look for writes that need not be: whole documents saved back, and large ones rewritten for one field.',
          },
        ],
      },
    },
  ];
}

function eventVerdict(
  { collection, largestDocuments }: KnownCollection<'largestDocuments'>,
  workload: Workload,
): ClusterVerdict[] {
  if (collection.preAndPostImages !== true || !largestDocuments.present) return [];
  const { namespace, database, name } = collection;
  const { maximumBytes, source } = largestDocuments.value;
  if (maximumBytes < EVENT_BYTES) return [];
  const updates = workload.operations
    .filter(({ shape }) => shape.namespace === namespace && shape.kind !== 'insert' && WRITE_KINDS.has(shape.kind))
    .reduce((sum, operation) => sum + bestFigures(operation).figures.executions, 0);
  return [
    {
      namespace,
      severity: updates > 0 ? 'warning' : 'info',
      confidence: updates > 0 ? 'high' : 'medium',
      path: null,
      message:
        `A change event with the document before and after it does not fit in 16 MB: the largest has ${formatBytes(maximumBytes)}. ` +
        `A change stream with both images fails there and cannot resume past it.${updates > 0 ? ` ${plural(updates, 'update or delete', 'updates and deletes')} were recorded.` : ''}`,
      restsOn: [source],
      evidence: {
        source,
        window: 'the largest document seen',
        largestBytes: maximumBytes,
        ...(updates > 0 && { updatesRecorded: updates }),
      },
      remedy: {
        steps: [
          {
            text: 'End the pipeline of the change stream with a stage that divides large events (6.0.9 and later), and put the parts together in the reader.',
            code: shellStatement(
              namespace,
              'watch',
              spacedJson([{ $changeStreamSplitLargeEvent: {} }]),
              spacedJson({ fullDocument: 'required', fullDocumentBeforeChange: 'required' }),
            ),
          },
          { text: 'Or take the large part out of the documents: the page of oversized-document says how.' },
          {
            text: 'If no reader asks for the documents before and after changes, stop keeping them.',
            code: shellCommand(database, { collMod: name, changeStreamPreAndPostImages: { enabled: false } }),
          },
        ],
      },
    },
  ];
}
