import type { RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { pipelineText, valueText } from '../src/judgement/pipelines/pipeline-text.js';
import { recordedQueries } from '../src/judgement/queries/query-cost.js';
import { queryText } from '../src/judgement/queries/query-text.js';
import { repeatedFinds, type ListRead, type RepeatedFind } from '../src/judgement/queries/repeated-finds.js';
import { defineWorstQueryCheck, type FoundQuery } from '../src/judgement/queries/worst-query-check.js';
import { shellAggregation, shellStatement } from '../src/judgement/shell-statement.js';

type Repeated = RepeatedFind & FoundQuery;

/**
 * A read by one value that an application repeats a hundred times within ten seconds is a warning if the same application reads
 * lists of as many documents that hold such a value; without such a list, an info if it runs far more often than on average.
 */
export const nPlusOneQuery = defineWorstQueryCheck({
  id: 'n-plus-one-query',
  title: 'N+1 queries',
  summary: 'a query by one value that an application repeats for each document of a list',
  lostByPseudonyms: 'lists were recognized only if they hold ObjectIds.',
  thresholds: {
    burst: {
      default: 100,
      unit: 'executions',
      description: 'executions of one application within ten seconds',
      source: 'judgement: at half a millisecond each, a twentieth of a second of round trips and more',
    },
    sudden: {
      default: 20,
      unit: 'ratio',
      description: 'times its average that a query runs within ten seconds, if no list before it is known',
      source: 'judgement: the load of a service does not change as much, loops of a program do',
    },
    perDay: {
      default: 1_000,
      unit: 'executions',
      description: 'executions per day; fewer lower the severity by a step',
      source: 'judgement: a nightly job may take a second',
    },
  },
  find: ({ cluster, limits: { burst, sudden } }) =>
    repeatedFinds(cluster, burst)
      .filter(({ list, timesAverage }) => list !== null || (timesAverage ?? 0) >= sudden)
      .map((each): Repeated => ({ ...each, cost: recordedQueries([each.query], cluster.workload) })),
  path: ({ path }) => path,
  place: ({ query }) => query,
  // One query for all of them reads the same documents.
  saved: () => 0,
  rank: ({ busiest }) => busiest.executions,
  severity: ({ list }) => (list === null ? 'info' : 'warning'),
  confidence: ({ list }) => (list === null ? 'low' : 'medium'),
  message: ([{ query, busiest, list, cost }]) =>
    `${busiest.appName === null ? 'One application' : `Application \`${busiest.appName}\``} ran ${queryText(query)} ` +
    `${formatCount(busiest.executions)} times within ten seconds (${cost.window}).${listText(list)}`,
  figures: ([{ busiest, list }]) => ({
    mostInTenSeconds: busiest.executions,
    ...(list !== null && { listedIn: list.base, documentsListed: list.returned, lists: list.executions }),
  }),
  remedy: (found) => remedySteps(found),
});

function listText(list: ListRead | null): string {
  if (list?.array !== undefined)
    return ` The same application read ${plural(list.returned, 'document')} of ${list.base}, which hold ${formatCount(list.array.values)} values in \`${list.array.path}\`: one query seems to follow for each of them (N+1).`;
  return list === null
    ? ' One query for many values would save the round trips.'
    : ` The same application read ${plural(list.returned, 'document')} of ${list.base} in ${plural(list.executions, 'list')}: one query seems to follow for each of them (N+1).`;
}

function remedySteps({ query, path, value, list }: RepeatedFind): RemedyStep[] {
  const { namespace, name } = query.known.collection;
  const { kind, projection } = query.operation.shape;
  const others = Object.keys(query.filters[0] ?? {}).length > 1 ? ', <other conditions>' : '';
  const filter = `{ ${JSON.stringify(path)}: { $in: ${valueText(`?array<${value}>`)} }${others} }`;
  const isPlain = kind === 'find' && query.sort.length === 0;
  return stepsOf(
    isPlain
      ? {
          text: `Collect the values of a page, and ask for all of them at once, up to some hundred. \`$in\` returns each document once, in no given order: assign them by \`${path}\`.`,
          code: shellStatement(namespace, 'find', filter, ...(projection === undefined ? [] : [valueText(projection)])),
        }
      : {
          text: `Collect the values of a page, ask for all of them at once, up to some hundred, and group by \`${path}\`: count with \`$sum\`, or sort first and take \`$first\` of \`$$ROOT\`. A value without documents has no group.`,
          code: shellAggregation(
            namespace,
            `{ $match: ${filter} }`,
            `{ $group: { _id: ${JSON.stringify(`$${path}`)}, <as before> } }`,
          ),
        },
    ...onlyIf(isPlain && list !== null, {
      text: 'Or join them in the query that lists, after its limit. `<field>` holds the value.',
      code: pipelineText(list?.base ?? '', [
        ...(list?.stages ?? []),
        ...(list?.operation.shape.limited === true ? [{ $limit: '?number' }] : []),
        { $lookup: { from: namespace, localField: '?field', foreignField: path, as: name } },
      ]),
    }),
    'In GraphQL resolvers and object mappers, a DataLoader, `populate` or a preload batches them into one query.',
    'Rerun mongolint after some normal load: the query should run once per list.',
  );
}
