import { defineClusterCheck, type ClusterVerdict, type Severity } from '../../src/check.js';
import { plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { rebuiltArrays, type RebuildingQuery } from './rebuilding-queries.js';
import { RECURRING } from '../../src/judgement/queries/search-severity.js';
import { loweredIfRare } from '../../src/judgement/severity-lines.js';
import { windowOf } from '../../src/workload/coverage/join-telling.js';

export const rebuiltArray = defineClusterCheck({
  id: 'rebuilt-array',
  title: 'Array taken apart and rebuilt',
  summary: 'an array that `$unwind` takes apart and `$group` rebuilds, which an expression over the array replaces',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    info: {
      default: 10_000,
      unit: 'documents',
      description: 'documents that an execution makes of elements, estimated, from which it is reported',
      source: 'judgement: some ten milliseconds of processor, and the memory of the groups',
    },
    warning: {
      default: 100_000,
      unit: 'documents',
      description: 'the same, from which a repeated pipeline is a warning',
      source: 'judgement: a tenth of a second of processor; groups of more than 100 MB go to the disk',
    },
    recurring: { ...RECURRING, description: 'recorded executions from which it can be a warning' },
    perDay: {
      default: 24,
      unit: 'executions',
      description: 'executions per day below which the severity is one step lower',
      source: 'judgement: a nightly report may take a second',
    },
  },
  judge(cluster, limits) {
    const rebuilding = rebuiltArrays(cluster).filter(({ unwound }) => unwound >= limits.info);
    const verdicts = [...groupedBy(rebuilding, ({ query, path }) => `${query.known.collection.namespace} ${path}`)].map(
      ([, all]): ClusterVerdict => {
        const [worst] = all.toSorted((one, other) => other.unwound - one.unwound);
        return verdictOn(worst!, severityFor(worst!, limits));
      },
    );
    return [...workloadGaps(cluster.workload, 'plans'), ...verdicts];
  },
});

function severityFor(
  { cost, unwound }: RebuildingQuery,
  { warning, recurring, perDay }: Readonly<Record<'warning' | 'recurring' | 'perDay', number>>,
): Severity {
  const severity = unwound >= warning && cost.executions >= recurring ? 'warning' : 'info';
  return loweredIfRare(severity, cost.executionsPerDay, perDay);
}

function verdictOn(
  { query, cost, path, unwound, documents, rewritten }: RebuildingQuery,
  severity: Severity,
): ClusterVerdict {
  const { namespace } = query.known.collection;
  return {
    namespace,
    path,
    severity,
    confidence: 'medium',
    message:
      `An aggregate takes \`${path}\` apart and groups the elements by \`_id\` again: of ${plural(Math.round(documents), 'document')} ` +
      `it makes an estimated ${plural(Math.round(unwound), 'document')} per execution (${cost.window}). An expression over the array does without.`,
    evidence: {
      source: cost.source,
      ...windowOf(cost),
      executions: cost.executions,
      executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
      documentsReturned: Math.round(documents),
      documentsUnwoundEstimated: Math.round(unwound),
    },
    operations: [query.operation],
    remedy: {
      steps: [
        {
          text: `Compute over the array of each document. Put your values in place of those in angle brackets. The \`$match\` leaves out documents without elements, as \`$unwind\` does. The results are the same if \`${path}\` is an array wherever it is set, as in the sample.`,
          code: pipelineText(namespace, rewritten),
        },
        { text: 'Check that the results are the same, and that explain("executionStats") shows no `$group`.' },
      ],
    },
  };
}
