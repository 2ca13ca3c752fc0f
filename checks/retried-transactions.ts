import { defineClusterCheck, type ClusterVerdict, type RemedyStep, type Workload } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, formatDuration, formatShare, inWords, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { fullRecord } from '../src/judgement/joins/child-reads.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { sumOf } from '../src/judgement/quotient.js';
import { databaseOf } from '../src/namespace.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { bestFigures } from '../src/workload/operations/figures.js';
import { fieldsOf, isObjectShape } from '../src/workload/shapes/shape.js';
import type { FigureSource, Operation } from '../src/workload/workload.js';

/** Outside of transactions the server repeats such a write by itself, and no entry has the error (measured on 6.0.5). */
const CONFLICT = 'WriteConflict';
const SERVER = '*';

interface Conflicting {
  readonly operation: Operation;
  readonly failed: number;
  readonly executions: number;
  readonly source: FigureSource;
  /** The share that fails; null if those that succeed may not be recorded. */
  readonly share: number | null;
}

export const retriedTransactions = defineClusterCheck({
  id: 'retried-transactions',
  title: 'Transactions that are aborted and repeated',
  summary: 'transactions that end in write conflicts again and again, so that all of their work is repeated',
  needs: [],
  clusterNeeds: ['workload'],
  thresholds: {
    conflicts: {
      default: 100,
      unit: 'operations',
      description: 'writes in transactions that end in a conflict, or aborted transactions',
      source: 'judgement: fewer are chance',
    },
    info: {
      default: 0.1,
      unit: 'share',
      description: 'share of the transactions, or of their writes, that fail',
      source: 'judgement: one in ten is done twice',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description: 'share of the writes that fail',
      source: 'judgement: more fail than succeed',
    },
  },
  judge({ collections, workload }, limits): readonly ClusterVerdict[] {
    const totals = workload.counters.present ? workload.counters.value.transactions : undefined;
    const gaps = workloadGaps(workload, 'plans').map(
      // What the server counts is judged all the same.
      (gap) => (totals === undefined ? gap : { notJudged: gap.notJudged, detail: gap.detail }),
    );
    const all = conflictingIn(workload).filter(({ operation }) => collections.has(operation.shape.namespace));
    const found = [...groupedBy(all, ({ operation }) => operation.shape.namespace)].flatMap(([namespace, writes]) => {
      const failed = sumOf(writes, (each) => each.failed)!;
      const [worst] = writes.toSorted((one, other) => other.failed - one.failed) as [Conflicting];
      if (failed < limits.conflicts || (worst.share !== null && worst.share < limits.info)) return [];
      const isMost = worst.share !== null && worst.share >= limits.warning;
      return [
        {
          namespace,
          path: null,
          severity: isMost ? ('warning' as const) : ('info' as const),
          confidence: 'high' as const,
          message:
            `Writes of transactions end in write conflicts: ${textOf(worst)}. ` +
            'Each conflict aborts its transaction, and the client repeats all of it.',
          restsOn: [SOURCE_NAMES[worst.source]],
          operations: writes.map(({ operation }) => operation),
          evidence: {
            source: SOURCE_NAMES[worst.source],
            window: plural(worst.executions, 'execution'),
            failed,
            executions: sumOf(writes, (each) => each.executions)!,
            ...(worst.share !== null && { failedShare: worst.share }),
          },
          remedy: { steps: steps(worst.operation) },
        },
      ];
    });
    return [
      ...gaps,
      ...found,
      ...(found.length > 0 || totals === undefined ? [] : abortedAnywhere(totals, workload, limits)),
    ];
  },
});

function conflictingIn(workload: Workload): Conflicting[] {
  return workload.operations.flatMap((operation): Conflicting[] => {
    const { source, figures } = bestFigures(operation);
    const { executions, errors = {} } = figures;
    const failed = errors[CONFLICT] ?? 0;
    if (failed === 0) return [];
    const record = fullRecord(workload, databaseOf(operation.shape.namespace), [operation]);
    return [{ operation, failed, executions, source, share: record?.source === source ? failed / executions : null }];
  });
}

/** What the server counted, if no write that conflicts was recorded. */
function abortedAnywhere(
  { aborted, committed }: { readonly aborted: number; readonly committed: number },
  { counters }: Workload,
  limits: { readonly conflicts: number; readonly info: number },
): ClusterVerdict[] {
  const share = aborted / Math.max(1, aborted + committed);
  if (!counters.present || aborted < limits.conflicts || share < limits.info) return [];
  const { from, to } = counters.value.window;
  return [
    {
      namespace: SERVER,
      path: null,
      severity: 'info',
      confidence: 'medium',
      message: `Of ${plural(aborted + committed, 'transaction')} since the server's start ${formatDuration(to - from)} ago, ${plural(aborted, 'was', 'were')} aborted, ${formatShare(share)}. No write of them is on record, so their collections are unknown.`,
      evidence: {
        source: 'serverStatus',
        window: `${formatDuration(to - from)} since the start`,
        transactionsAborted: aborted,
        transactionsCommitted: committed,
      },
      remedy: {
        steps: stepsOf(
          'Switch the profiler on for some minutes and lint again: writes that end in WriteConflict show which documents the transactions share.',
          'If the application aborts them itself, check what it can check before it begins the transaction.',
        ),
      },
    },
  ];
}

function textOf({ operation: { shape }, failed, executions, share }: Conflicting): string {
  const fields = shape.filter === undefined ? [] : fieldsOf(shape.filter).map(([path]) => `\`${path}\``);
  const by = fields.length === 0 ? '' : ` by ${inWords([...new Set(fields)])}`;
  const of =
    share === null
      ? plural(failed, 'execution')
      : `${plural(failed, 'execution')} of ${formatCount(executions)}, ${formatShare(share)}`;
  return `${shape.kind}${by} failed in ${of}`;
}

function steps({ shape: { update } }: Operation): RemedyStep[] {
  const isCounter = isObjectShape(update) && '$inc' in update;
  return stepsOf(
    'Write what other transactions write, too, as the last statement: the document is then taken for the shortest time.',
    'Call other services, read and compute before the transaction, not within it.',
    isCounter &&
      'If it is one counter for all, spread it over several documents. If it is a stock, take from it by one update with a condition, { left: { $gte: 1 } }, outside of the transaction.',
    'Repeat with a pause that grows, and give up after a few times: withTransaction goes on for two minutes.',
    { text: 'Check that totalAborted hardly rises within a minute.', code: 'db.serverStatus().transactions' },
  );
}
