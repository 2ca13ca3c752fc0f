import {
  defineClusterCheck,
  type ClusterVerdict,
  type RemedyStep,
  type Severity,
  type ThresholdValues,
} from '../../src/check.js';
import { formatBytes, formatShare, inWords, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { atJudgedSize, judgedAt, judgedAtText, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import { withSimilar } from '../../src/judgement/queries/judged-query.js';
import { isBelow, sizeFor } from '../../src/judgement/queries/judged-query.js';
import { heavyFields, pagedQuery } from './paged-query.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { rangePageSteps, sortText } from '../../src/judgement/queries/range-page.js';
import { RECURRING } from '../../src/judgement/queries/search-severity.js';
import { unboundedFinds, type UnboundedFind } from './unbounded-finds.js';
import { loweredIfRare } from '../../src/judgement/severity-lines.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { windowOf } from '../../src/workload/coverage/join-telling.js';

const MB = 1024 * 1024;
/** Documents of a page, as an example. */
const PAGE = 100;

const thresholds = {
  documents: {
    default: 20,
    unit: 'documents',
    description: 'documents returned per execution below which it is a page, however large they are',
    source: 'judgement: a list that is shown has about as many',
  },
  info: {
    default: MB,
    unit: 'bytes',
    description: 'bytes returned per execution from which it is reported',
    source: 'judgement: about ten milliseconds of a line of 1 Gbit/s, and more to decode it',
  },
  warning: {
    default: 16 * MB,
    unit: 'bytes',
    description: 'bytes returned per execution from which a repeated read is a warning',
    source: 'more than one full batch: "16 mebibytes" (MongoDB manual, "Cursor Batches")',
  },
  warningPerDay: {
    default: 100 * 1024 * MB,
    unit: 'bytes',
    description: 'bytes returned a day, by all executions, from which a repeated read is a warning',
    source: 'judgement: a hundredth of what a line of 1 Gbit/s carries in a day',
  },
  recurring: {
    ...RECURRING,
    description: 'recorded executions from which it can be a warning; at an expected size one is enough',
    source: 'judgement: a person reads all of a collection once or twice, an application repeats it',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: an export or a nightly job reads all documents on purpose',
  },
  smallCollection: {
    default: 1_000,
    unit: 'documents',
    description: 'documents of a collection below which reading all of it is too small to tell',
    source: 'judgement: a list of so many small documents is one reply',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const unboundedFind = defineClusterCheck({
  id: 'unbounded-find',
  title: 'Unbounded find',
  summary: 'reads without a limit or a projection that return megabytes per execution',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds,
  judge(cluster, limits) {
    const { finds, notJudged } = unboundedFinds(cluster, limits.smallCollection);
    const verdicts = [...groupedBy(finds, ({ query }) => query.known.collection.namespace)].flatMap(
      ([namespace, all]): ClusterVerdict[] => {
        const [worst, ...others] = all
          .filter((find) => isLarge(find, limits))
          .toSorted((one, other) => inAll(other) - inAll(one));
        if (worst !== undefined) return [verdictOn(namespace, [worst, ...others], limits)];
        const small = all.filter(({ query }) => isEmpty(query.conditions) && isBelow(query, limits.smallCollection));
        const size = small[0] === undefined ? null : sizeFor(small[0].query);
        return size === null ? [] : [{ namespace, ...tooSmallToTell(size, `read as a whole: ${textOf(small)}`) }];
      },
    );
    return [...workloadGaps(cluster.workload, 'plans'), ...notJudged, ...verdicts];
  },
});

function isLarge(find: UnboundedFind, limits: Limits): boolean {
  return atSize(find, find.documents) >= limits.documents && atSize(find, find.bytes) >= limits.info;
}

/** Only what reads the whole collection is known to grow with it. */
function atSize({ query }: UnboundedFind, figure: number): number {
  const size = sizeFor(query);
  return size === null || !isEmpty(query.conditions) ? figure : atJudgedSize(figure, size);
}

function inAll(find: UnboundedFind): number {
  return atSize(find, find.bytes) * find.cost.executions;
}

function severityFor(find: UnboundedFind, limits: Limits): Severity {
  const { executions, executionsPerDay } = find.cost;
  const bytes = atSize(find, find.bytes);
  const isRepeated = executions >= limits.recurring || (sizeFor(find.query)?.from ?? null) !== null;
  const isMuch = bytes >= limits.warning || bytes * (executionsPerDay ?? 0) >= limits.warningPerDay;
  const severity = isRepeated && isMuch ? 'warning' : 'info';
  return loweredIfRare(severity, executionsPerDay, limits.perDay);
}

function verdictOn(
  namespace: string,
  all: readonly [UnboundedFind, ...UnboundedFind[]],
  limits: Limits,
): ClusterVerdict {
  const [find] = all;
  const { query, cost, documents, bytes } = find;
  const size = sizeFor(query);
  const heavy = heavyFields(query);
  return {
    namespace,
    path: null,
    severity: severityFor(find, limits),
    confidence: 'medium',
    message:
      `Without a limit or a projection: ${textOf(all)} returns ${plural(Math.round(documents), 'document')} and ` +
      `${formatBytes(bytes)} per execution on average (${cost.window}). It grows with what matches.` +
      (size === null ? '' : judgedAtText(size)),
    evidence: {
      source: cost.source,
      ...windowOf(cost),
      executions: cost.executions,
      executionsPerDay: cost.executionsPerDay === null ? null : Math.round(cost.executionsPerDay),
      documentsReturned: Math.round(documents),
      bytesReturned: Math.round(bytes),
      ...(heavy.length > 0 && { heaviest: heavy.map(({ path, share }) => ({ path, share })) }),
      queries: all.map((each) => queryText(each.query)),
    },
    ...(size !== null && judgedAt(size)),
    operations: all.map((each) => each.query.operation),
    remedy: { steps: remedySteps(find) },
  };
}

function textOf(finds: readonly UnboundedFind[]): string {
  return withSimilar({ queries: finds.map(({ query }) => query) as [Query, ...Query[]] });
}

function remedySteps(find: UnboundedFind): RemedyStep[] {
  const { query, leftOut } = find;
  const paged = pagedQuery(query);
  const heavy = heavyFields(paged ?? query).filter(({ path }) => !leftOut.includes(path));
  const excluded = [...leftOut, ...heavy.map(({ path }) => path)];
  const projection =
    excluded.length === 0 ? '' : `{ ${excluded.map((path) => `${JSON.stringify(path)}: 0`).join(', ')} }`;
  return [
    projectionStep(query, heavy, projection),
    ...(paged === null
      ? [{ text: 'Give it a limit and an order, and ask for the next page by the last document of the one before.' }]
      : [
          ...rangePageSteps(paged, { documents: PAGE, ...(projection !== '' && { projection }) }),
          ...(Object.keys(paged.key).join() === '_id'
            ? []
            : accompanyingIndex(
                paged.key,
                query.known,
                'Give this order an index: each page reads its own documents.',
              )),
        ]),
    {
      text: 'If the documents are only counted or added up, let the server do it with `$group`. If a job needs all of them, read them from a secondary, and raise `info` for this collection.',
    },
    { text: 'Check that `responseLength` of the new query is lower in the profiler (`reslen` in the log).' },
  ];
}

function projectionStep(
  { filters, sort, known }: Query,
  heavy: readonly { readonly path: string; readonly share: number }[],
  projection: string,
): RemedyStep {
  const unknown = 'Which fields the application reads is not recorded.';
  if (heavy.length === 0) return { text: `Name the fields that are read in a projection. ${unknown}` };
  const share = heavy.reduce((sum, each) => sum + each.share, 0);
  const verb = heavy.length === 1 ? 'is' : 'are';
  const order = sort.length === 0 ? '' : `.sort(${sortText(sort)})`;
  return {
    text:
      `Return only the fields that are read. ${unknown} ${inWords(heavy.map(({ path }) => `\`${path}\``))} ${verb} ` +
      `${formatShare(share)} of the bytes: leave out what is not needed of that.`,
    code: `${shellStatement(known.collection.namespace, 'find', filterText(filters), projection)}${order}`,
  };
}
