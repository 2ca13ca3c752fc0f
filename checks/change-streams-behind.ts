import { defineClusterCheck, type ClusterVerdict } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatDuration, plural, sentences } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { applicationsText } from '../src/judgement/applications.js';
import { mostOfOneSource } from '../src/judgement/connections.js';
import { beyondRoom } from '../src/judgement/joins/workload-gaps.js';
import { sumOf } from '../src/judgement/quotient.js';
import { MS_PER_HOUR } from '../src/time-units.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { type ChangeStreams, MOST_STREAMS } from '../src/workload/operations/change-stream-tally.js';
import type { Workload } from '../src/workload/workload.js';

/** A stream on a database, or on all of them. */
const ANYWHERE = '*';

export const changeStreamsBehind = defineClusterCheck({
  id: 'change-streams-behind',
  title: 'Change streams that fall behind or are lost',
  summary: 'change streams that end because the oplog no longer has their changes, or resume from half a day ago',
  about: 'server',
  needs: [],
  clusterNeeds: ['workload'],
  thresholds: {
    lost: {
      default: 1,
      unit: 'operations',
      description: 'attempts to resume whose changes are gone',
      source: 'MongoDB manual, "Change Streams: Resume a Change Stream"',
    },
    behind: {
      default: 12 * MS_PER_HOUR,
      unit: 'ms',
      description: 'time that a resumed stream has to catch up with',
      source: 'judgement: half of the 24 hours that an oplog should hold at the least',
    },
  },
  judge({ collections, workload }, { lost: fewest, behind }): readonly ClusterVerdict[] {
    const { changeStreams = [] } = workload;
    const known = changeStreams.filter(({ namespace }) => namespace === null || collections.has(namespace));
    const byNamespace = groupedBy(known, ({ namespace }) => namespace ?? ANYWHERE);
    return [
      ...gapsOf(workload),
      ...beyondRoom(workload.entriesLeftOut?.changeStreams, MOST_STREAMS, 'change streams'),
      ...[...byNamespace].flatMap(([namespace, streams]): ClusterVerdict[] => {
        const [source, all] = mostOfOneSource(streams, recorded);
        const lost = sumOf(all, (each) => each.lost)!;
        const furthest = Math.max(...all.map(({ furthestBehindMs }) => furthestBehindMs));
        const isLost = lost >= fewest;
        if (!isLost && furthest < behind) return [];
        return [
          {
            namespace,
            path: null,
            severity: isLost ? 'warning' : 'info',
            confidence: 'high',
            message: sentences(
              isLost &&
                `${plural(lost, 'attempt')} to resume a change stream failed (ChangeStreamHistoryLost): the oplog no longer has the changes that it waits for, and they are never delivered.`,
              furthest >= behind && `A change stream resumed from ${formatDuration(furthest)} ago.`,
              `Opened by ${applicationsText(all.map(({ appName }) => appName))}.`,
            ),
            restsOn: [SOURCE_NAMES[source]],
            evidence: {
              source: SOURCE_NAMES[source],
              window: plural(sumOf(all, recorded)!, 'logged stream'),
              ...(lost > 0 && { changeStreamsLost: lost }),
              ...(furthest > 0 && { furthestBehindMs: furthest }),
            },
            remedy: {
              steps: steps(
                isLost,
                all.some(({ unfiltered }) => unfiltered),
              ),
            },
          },
        ];
      }),
    ];
  },
});

function recorded({ lost, resumed }: ChangeStreams): number {
  return lost + resumed;
}

/** Logs alone show them: that no profiler is on says nothing. */
function gapsOf({ sources: { logFile, recentLog } }: Workload): ClusterVerdict[] {
  if (recentLog.present || logFile.present) return [];
  return [{ notJudged: recentLog.reason, detail: recentLog.detail, nothingJudged: true }];
}

function steps(isLost: boolean, isUnfiltered: boolean) {
  return stepsOf(
    isLost &&
      'Copy the data that the reader keeps once more, and open the stream without a token. The stream itself cannot deliver what was lost.',
    isLost &&
      'Store the resume token after each batch, also if it brought no event. The token of an idle stream grows old, too.',
    isUnfiltered &&
      'Begin the pipeline with a $match for the operations and fields that the reader needs. The server then sends no others.',
    'Do the work in batches, and outside of the loop that reads the stream: it must be faster than the writes.',
    {
      text: 'Keep the oplog for longer than the reader may stop. Compare its length in time, on each member.',
      code: 'rs.printReplicationInfo()',
    },
  );
}
