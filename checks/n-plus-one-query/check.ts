import { formatCount, plural } from '../../src/format.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { pipelineText, valueText } from '../../src/judgement/pipelines/pipeline-text.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { recordedQueries, type RecordedQueries } from '../../src/judgement/queries/recorded-queries.js';
import { repeatedFinds, type ListRead, type RepeatedFind } from './repeated-finds.js';
import { loweredIfRare } from '../../src/judgement/severity-lines.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { defineClusterCheck, type ClusterVerdict, type RemedyStep, type Severity } from '../../src/check.js';

export const nPlusOneQuery = defineClusterCheck({
  id: 'n-plus-one-query',
  title: 'N+1 queries',
  summary: 'a find by one value that an application repeats for each document of a list',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload'],
  lostByPseudonyms: 'lists were recognized only if they hold ObjectIds.',
  thresholds: {
    burst: {
      default: 100,
      unit: 'executions',
      description: 'executions of one application within ten seconds from which a find counts as repeated',
      source: 'judgement: at half a millisecond each, a twentieth of a second of round trips and more',
    },
    sudden: {
      default: 20,
      unit: 'ratio',
      description:
        'times its average over the recorded time that a find must run within ten seconds, if no list is known that it follows',
      source: 'judgement: the load of a service does not change as much, loops of a program do',
    },
    perDay: {
      default: 1_000,
      unit: 'executions',
      description: 'executions per day below which the severity is one step lower',
      source: 'judgement: a nightly job may take a second',
    },
  },
  judge(cluster, { burst, sudden, perDay }) {
    const verdicts = repeatedFinds(cluster, burst).flatMap((repeated): ClusterVerdict[] => {
      if (repeated.list === null && (repeated.timesAverage ?? 0) < sudden) return [];
      const recorded = recordedQueries([repeated.query], cluster.workload);
      const severity: Severity = repeated.list === null ? 'info' : 'warning';
      return [verdictOn(repeated, recorded, loweredIfRare(severity, recorded.executionsPerDay, perDay))];
    });
    return [...workloadGaps(cluster.workload), ...verdicts];
  },
});

function verdictOn(
  repeated: RepeatedFind,
  { source, executions, executionsPerDay, ...recorded }: RecordedQueries,
  severity: Severity,
): ClusterVerdict {
  const { query, path, busiest, list } = repeated;
  const { namespace } = query.known.collection;
  return {
    namespace,
    path,
    severity,
    confidence: list === null ? 'low' : 'medium',
    message:
      `${busiest.appName === null ? 'One application' : `Application \`${busiest.appName}\``} ran ${queryText(query)} ` +
      `${formatCount(busiest.executions)} times within ten seconds (${recorded.window}).${listText(list)}`,
    evidence: {
      source,
      ...recorded,
      executions,
      mostInTenSeconds: busiest.executions,
      executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
      ...(list !== null && { listedIn: list.base, documentsListed: list.returned, lists: list.executions }),
    },
    operations: [query.operation],
    remedy: { steps: remedySteps(repeated) },
  };
}

function listText(list: ListRead | null): string {
  if (list === null) return ' One query for many values would save the round trips.';
  return (
    ` The same application read ${plural(list.returned, 'document')} of ${list.base} in ${plural(list.executions, 'list')}: ` +
    'one find seems to follow for each of them (N+1).'
  );
}

function remedySteps({ query, path, value, list }: RepeatedFind): RemedyStep[] {
  const { namespace, name } = query.known.collection;
  const { projection } = query.operation.shape;
  const filter = `{ ${JSON.stringify(path)}: { $in: ${valueText(`?array<${value}>`)} } }`;
  return [
    {
      text: `Collect the values of a page, and ask for all of them at once, up to some hundred. \`$in\` returns each document once, in no given order: assign them by \`${path}\`.`,
      code: shellStatement(namespace, 'find', filter, ...(projection === undefined ? [] : [valueText(projection)])),
    },
    ...(list === null ? [] : [joinStep(list, namespace, name, path)]),
    {
      text: 'In GraphQL resolvers and object mappers, a DataLoader, `populate` or a preload makes one query of the many by itself.',
    },
    { text: 'Run mongolint again once the application has worked for a while: the find runs once for each list.' },
  ];
}

function joinStep(list: ListRead, from: string, as: string, path: string): RemedyStep {
  return {
    text: `Or let the query that lists join them, on the page that it shows: \`<field>\` is the one that holds the value.`,
    code: pipelineText(list.base, [
      ...list.stages,
      ...(list.operation.shape.limited === true ? [{ $limit: '?number' }] : []),
      { $lookup: { from, localField: '?field', foreignField: path, as } },
    ]),
  };
}
