import { defineClusterCheck, type ClusterVerdict } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural, sentences } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { applicationsText } from '../src/judgement/applications.js';
import { workloadGaps } from '../src/judgement/joins/workload-gaps.js';
import { sumOf } from '../src/judgement/quotient.js';
import { SOURCE_NAMES } from '../src/workload/coverage/recording.js';
import { bestFigures } from '../src/workload/operations/figures.js';
import type { Operation, OperationFigures } from '../src/workload/workload.js';

interface Acknowledged {
  readonly operation: Operation;
  readonly concerns: NonNullable<OperationFigures['writeConcerns']>;
}

export const unsafeWriteConcern = defineClusterCheck({
  id: 'unsafe-write-concern',
  title: 'Writes that may be lost unnoticed',
  summary:
    'writes that nobody acknowledges, or one member alone, to a collection whose other writes wait for a majority',
  needs: [],
  clusterNeeds: ['workload'],
  thresholds: {
    writes: {
      default: 100,
      unit: 'operations',
      description: 'recorded inserts and findAndModify with such a write concern',
      source: 'judgement: fewer may be of a script',
    },
  },
  judge({ collections, workload }, { writes }): readonly ClusterVerdict[] {
    const all = workload.operations.flatMap((operation): Acknowledged[] => {
      const { writeConcerns } = bestFigures(operation).figures;
      const isLinted = collections.has(operation.shape.namespace);
      return isLinted && writeConcerns !== undefined ? [{ operation, concerns: writeConcerns }] : [];
    });
    const byNamespace = [...groupedBy(all, ({ operation }) => operation.shape.namespace)];
    return [
      ...workloadGaps(workload, 'plans'),
      ...byNamespace.flatMap(([namespace, written]): ClusterVerdict[] => {
        const [none, one, majority] = [countOf(written, '0'), countOf(written, '1'), countOf(written, 'majority')];
        const isLost = none >= writes;
        const isOne = one >= writes && majority >= writes;
        if (!isLost && !isOne) return [];
        const unsafe = written.filter(({ concerns }) => (isLost ? concerns['0'] : concerns['1']) !== undefined);
        const { source } = bestFigures(unsafe[0]!.operation);
        return [
          {
            namespace,
            path: null,
            severity: isLost && majority >= writes ? 'warning' : 'info',
            confidence: 'high',
            message: sentences(
              isLost &&
                `${plural(none, 'write')} asked for no answer (w: 0), by ${clientsOf(unsafe)}: the application does not learn of duplicate keys, refused documents or a lost connection.`,
              isOne &&
                `${plural(one, 'write')} waited for one member alone (w: 1), by ${clientsOf(unsafe)}: a failover can undo them after they were acknowledged.`,
              majority > 0 && `${formatCount(majority)} others to the same collection waited for a majority.`,
            ),
            restsOn: [SOURCE_NAMES[source]],
            operations: unsafe.map(({ operation }) => operation),
            evidence: {
              source: SOURCE_NAMES[source],
              window: plural(none + one + majority, 'write'),
              ...(none > 0 && { unacknowledged: none }),
              ...(one > 0 && { byOneMember: one }),
              ...(majority > 0 && { byMajority: majority }),
            },
            remedy: {
              steps: stepsOf(
                'Leave the write concern out of these writes and of the connection string: from 5.0 on, the default is a majority.',
                'If they are too slow then, send several documents with insertMany, instead of giving up the answer.',
                'Read with the read concern "majority" what must not be undone later.',
              ),
            },
          },
        ];
      }),
    ];
  },
});

function countOf(written: readonly Acknowledged[], concern: string): number {
  return sumOf(written, ({ concerns }) => concerns[concern] ?? 0)!;
}

function clientsOf(written: readonly Acknowledged[]): string {
  const clients = written.flatMap(({ operation }) => bestFigures(operation).figures.clients ?? []);
  return applicationsText(clients.length === 0 ? [null] : clients.map(({ appName }) => appName));
}
