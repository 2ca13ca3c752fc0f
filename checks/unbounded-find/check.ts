import { formatBytes, plural } from '../../src/format.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { isBelow, isRepeated, sizeFor } from '../../src/judgement/queries/query-size.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { PER_DAY, RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { defineWorstQueryCheck, textOf } from '../../src/judgement/queries/worst-query-check.js';
import { heavyFields, remedySteps } from './remedy.js';
import { unboundedFinds, unjudgedFinds, type UnboundedFind } from './unbounded-finds.js';

const MB = 1024 * 1024;

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
  perDay: { ...PER_DAY, source: 'judgement: an export or a nightly job reads all documents on purpose' },
  smallCollection: {
    default: 1_000,
    unit: 'documents',
    description: 'documents of a collection below which reading all of it is too small to tell',
    source: 'judgement: a list of so many small documents is one reply',
  },
} as const;

export const unboundedFind = defineWorstQueryCheck({
  id: 'unbounded-find',
  title: 'Unbounded find',
  summary: 'reads without a limit or a projection that return megabytes per execution',
  thresholds,
  byPlans: true,
  find: ({ cluster }) => unboundedFinds(cluster),
  gaps: ({ cluster, limits }) => unjudgedFinds(cluster, limits.smallCollection),
  path: () => null,
  rank: (find) => atSize(find, find.bytes) * find.cost.executions,
  severity(find, { limits }) {
    const { query, cost } = find;
    const bytes = atSize(find, find.bytes);
    if (atSize(find, find.documents) < limits.documents || bytes < limits.info) return null;
    const isMuch = bytes >= limits.warning || bytes * (cost.executionsPerDay ?? 0) >= limits.warningPerDay;
    return isMuch && isRepeated(query, cost, limits.recurring) ? 'warning' : 'info';
  },
  confidence: 'medium',
  message: (all) =>
    `Without a limit or a projection: ${textOf(all)} returns ${plural(Math.round(all[0].documents), 'document')} and ` +
    `${formatBytes(all[0].bytes)} per execution on average (${all[0].cost.window}). It grows with what matches.`,
  figures(all) {
    const [{ query, documents, bytes }] = all;
    const heavy = heavyFields(query);
    return {
      documentsReturned: Math.round(documents),
      bytesReturned: Math.round(bytes),
      ...(heavy.length > 0 && { heaviest: heavy.map(({ path, share }) => ({ path, share })) }),
      queries: all.map((each) => queryText(each.query)),
    };
  },
  growsWithCollection: true,
  tooSmall: {
    text: 'read as a whole',
    of: ({ query }, { limits }) => isEmpty(query.conditions) && isBelow(query, limits.smallCollection),
  },
  remedy: remedySteps,
});

/** Only what reads the whole collection is known to grow with it. */
function atSize({ query }: UnboundedFind, figure: number): number {
  const size = sizeFor(query);
  return size === null || !isEmpty(query.conditions) ? figure : atJudgedSize(figure, size);
}
