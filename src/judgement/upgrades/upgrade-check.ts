import {
  defineClusterCheck,
  type AnyClusterCheck,
  type ClusterVerdict,
  type Problem,
  type RemedyStep,
} from '../../check.js';
import { isBefore, type Release } from '../../connect/server-version.js';
import { inWords, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { picked } from '../../plain.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { bestFigures } from '../../workload/operations/figures.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import type { Operation } from '../../workload/workload.js';
import { fieldTypesOn } from '../joins/joined-cluster.js';
import { shapeText } from '../queries/query-text.js';
import { queriesOf, type Query } from '../queries/query.js';

/** A recorded operation that the release changes, and why. */
export interface Affected {
  readonly namespace: string;
  /** The field, or the operator that changes. */
  readonly path: string;
  readonly operation: Operation;
  /** What happens after the upgrade: "matches fewer documents". */
  readonly effect: string;
  /** What of the sample it rests on, as half a sentence: "undefined in 12 of 100 sampled documents"; null of shapes alone. */
  readonly because: string | null;
  /** Sampled values that it rests on. */
  readonly values: number | null;
  /** `fails` and `writes` change what is stored or run, `reads` what is returned; `review` asks a person. */
  readonly consequence: 'fails' | 'writes' | 'mayFail' | 'reads' | 'review';
  readonly isSure: boolean;
}

export interface UpgradeSubject {
  readonly queries: readonly Query[];
  readonly workload: TracedWorkload;
  readonly typesOf: (namespace: string) => FieldTypes | null;
}

const SEVERITIES = { fails: 'error', writes: 'error', mayFail: 'warning', reads: 'warning', review: 'info' } as const;
const MOST_SHAPES = 5;

interface UpgradeCheck {
  readonly release: Release;
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** The compatibility page of the manual. */
  readonly page: string;
  readonly affected: (subject: UpgradeSubject) => readonly Affected[];
  readonly remedy: (affected: Affected) => readonly RemedyStep[];
}

/** A check of what changes with a release. It judges servers before that release only, and runs if `--for` passes it. */
export function defineUpgradeCheck(spec: UpgradeCheck): AnyClusterCheck {
  const { release } = spec;
  return defineClusterCheck({
    ...picked(spec, ['id', 'title', 'summary']),
    appliesWhere: 'upgrade',
    upgradeTo: release,
    needs: ['fieldTypes', 'indexes', 'storage'],
    clusterNeeds: ['workload', 'server'],
    thresholds: {},
    judge({ collections, workload, server }): ClusterVerdict[] {
      if (!isBefore(server.version, release)) return [];
      const queries = queriesOf({ collections, workload });
      const typesOf = (namespace: string) => fieldTypesOn({ collections }, namespace);
      const all = spec.affected({ queries, workload, typesOf }).filter(({ namespace }) => collections.has(namespace));
      // The first view of an operation on several counts.
      const tracedByOperation = new Map(workload.tracedOperations.toReversed().map((each) => [each.operation, each]));
      const queriesByOperation = new Map(queries.toReversed().map((query) => [query.operation, query]));
      const textFor = (operation: Operation) => {
        const traced = tracedByOperation.get(operation);
        return traced === undefined
          ? operation.shape.kind
          : shapeText(traced, queriesByOperation.get(operation) ?? null);
      };
      const groups = groupedBy(all, ({ namespace, path }) => `${namespace}\0${path}`);
      return [...groups.values()].flatMap((group): ClusterVerdict[] => {
        const [first] = group;
        if (first === undefined) return [];
        return [{ namespace: first.namespace, ...problemOf(group, first, spec, textFor) }];
      });
    },
  });
}

function problemOf(
  group: readonly Affected[],
  first: Affected,
  { release, page, remedy }: UpgradeCheck,
  textFor: (operation: Operation) => string,
): Problem {
  const order = ['fails', 'writes', 'mayFail', 'reads', 'review'] as const;
  const worst = order.find((one) => group.some(({ consequence }) => consequence === one)) ?? 'review';
  const operations = [...new Set(group.map(({ operation }) => operation))];
  const executions = operations.reduce((sum, one) => sum + bestFigures(one).figures.executions, 0);
  const texts = operations.map(textFor);
  const because = first.because === null ? '' : ` \`${first.path}\` is ${first.because}.`;
  const isSure = group.some((each) => each.isSure);
  return {
    severity: SEVERITIES[worst],
    confidence: worst === 'review' ? 'low' : isSure ? 'high' : 'medium',
    path: first.path,
    message: `With ${release}, ${inWords([...new Set(group.map(({ effect }) => effect))])}: ${inWords(texts, MOST_SHAPES)}; ${plural(executions, 'recorded execution')}.${because}`,
    restsOn: ['sample'],
    operations,
    evidence: {
      source: first.because === null ? 'recorded operations' : 'recorded operations and sample',
      window: `${plural(executions, 'execution')} of ${plural(operations.length, 'shape')}`,
      shapes: operations.length,
      recordedExecutions: executions,
      ...(first.values !== null && { sampledValues: first.values }),
    },
    remedy: { steps: [...remedy(first), { text: `What changes: ${page}` }] },
  };
}
