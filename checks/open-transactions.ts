import { defineClusterCheck, type Problem, type RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, formatDay, formatDuration, inWords, plural, sentences } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { beyondRoom, workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { MOST_TRANSACTIONS, type Transactions } from '../src/workload/operations/transaction-tally.js';

/** The whole cluster: for transactions of which no line names a collection. */
const ANYWHERE = '*';
/** The share of its open time in which a transaction waited for its client. */
const MOSTLY = 0.5;

type PlacedProblem = Problem & { readonly namespace: string };

export const openTransactions = defineClusterCheck({
  id: 'open-transactions',
  title: 'Large or long transactions',
  summary: 'transactions that write thousands of documents, or stay open for half a minute',
  needs: [],
  clusterNeeds: ['workload'],
  thresholds: {
    documents: {
      default: 1_000,
      unit: 'documents',
      description: 'documents that a transaction writes, at most',
      source: 'MongoDB, "Performance Best Practices: Transactions and Read / Write Concerns": at most 1,000',
    },
    open: {
      default: 30_000,
      unit: 'ms',
      description: 'time for which a transaction is open',
      source: 'judgement: half of transactionLifetimeLimitSeconds, 60 s unless set, after which the server aborts it',
    },
  },
  judge({ collections, workload }, { documents, open }) {
    const found = (workload.transactions ?? []).flatMap((each): PlacedProblem[] => {
      const isLarge = each.mostDocuments > documents;
      const isLong = each.longestMs >= open;
      const isLinted = each.namespace === null || collections.has(each.namespace);
      if (!isLinted || (!isLarge && !isLong)) return [];
      const isHere = each.recordedHere === true;
      const isIdle = isLong && each.idleMs !== null && each.idleMs >= MOSTLY * each.longestMs;
      return [
        {
          namespace: each.namespace ?? ANYWHERE,
          severity: 'warning',
          confidence: 'high',
          path: null,
          message: message(each, isLarge, isLong),
          restsOn: each.sources.map((source) => SOURCE_NAMES[source]),
          evidence: {
            source: inWords(each.sources.map((source) => SOURCE_NAMES[source])),
            window: `${plural(each.executions, 'transaction')} from ${formatDay(each.from)} to ${formatDay(each.to)}${isHere ? ', here' : ''}`,
            ...(isHere && { figuresFrom: 'here' as const }),
            mostDocuments: each.mostDocuments,
            longestMs: each.longestMs,
            ...(each.idleMs !== null && { idleMs: each.idleMs }),
            ...(each.others.length > 0 && { alsoWrites: [...each.others] }),
          },
          remedy: { steps: steps(isLarge, isLong, isIdle) },
        },
      ];
    });
    // In one collection, those of production count, which come first, and not those that were recorded here beside them.
    const problems = [...groupedBy(found, ({ namespace }) => namespace).values()].map(([first]) => first!);
    return [
      ...workloadGaps(workload, 'plans'),
      ...beyondRoom(workload.transactionEntriesLeftOut, MOST_TRANSACTIONS, 'transactions'),
      ...problems,
    ];
  },
});

function message(
  { executions, mostDocuments, longestMs, idleMs, others, namespace }: Transactions,
  isLarge: boolean,
  isLong: boolean,
): string {
  const recorded = `${plural(executions, 'transaction')} ${executions === 1 ? 'was' : 'were'} recorded.`;
  const large = `The largest writes ${formatCount(mostDocuments)} documents; 1,000 are recommended at most.`;
  const idle = idleMs === null ? '' : `, of which it waited ${formatDuration(idleMs)} for its client`;
  const long = `The longest was open for ${formatDuration(longestMs)}${idle}; after 60 s the server aborts it, unless set otherwise.`;
  return sentences(
    isLarge && large,
    isLong && long,
    recorded,
    others.length > 0 && `They also write to ${inWords(others.map((other) => `\`${other}\``))}.`,
    namespace === null && 'Which collections they write to is not in their lines of the log.',
  );
}

function steps(isLarge: boolean, isLong: boolean, isIdle: boolean): RemedyStep[] {
  return stepsOf(
    isIdle &&
      'Call other services, wait for users and compute before the transaction begins or after it has ended, not within it.',
    isLarge &&
      'Divide the work into transactions of up to 1,000 documents, which can be repeated: mark in the documents which are done.',
    isLarge && 'Ask which documents must change together. An import or a clean-up mostly needs no transaction at all.',
    isLong &&
      !isIdle &&
      'Look at the operations within: each needs an index, as what it has read and written is held until the end.',
    'If few documents always change together, embed one in the other: a write to one document needs no transaction.',
  );
}
