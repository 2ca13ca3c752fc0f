import { formatBytes, plural } from '../../src/format.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import { isBelow, isRepeated, sizeFor } from '../../src/judgement/queries/query-size.js';
import { queryText } from '../../src/judgement/queries/query-text.js';
import { RETIRED_OF_OPERATIONS, SCAN_SIZE } from '../../src/judgement/queries/query-thresholds.js';
import { defineWorstQueryCheck, textOf } from '../../src/judgement/queries/worst-query-check.js';
import { heavyFields, remedySteps } from './remedy.js';
import { type UnboundedFind, unboundedFinds } from './unbounded-finds.js';

const MB = 1024 * 1024;

/** Documents returned per execution below which it is a page, however large they are. Judgement. */
const PAGE = 20;

const thresholds = {
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
} as const;

/**
 * A recorded read without a limit, a condition on unique values or a list of wanted fields is a finding from a megabyte per
 * execution on: a warning if an application repeats it and it returns more than one full batch, or too much in a day.
 */
export const unboundedFind = defineWorstQueryCheck({
  id: 'unbounded-find',
  title: 'Unbounded find',
  summary: 'reads without a limit or a projection that return megabytes per execution',
  thresholds,
  retiredThresholds: [...RETIRED_OF_OPERATIONS, 'documents', 'smallCollection'],
  byPlans: true,
  find: ({ cluster }) => unboundedFinds(cluster).filter(({ missing }) => missing === null),
  gaps: ({ cluster }) =>
    unboundedFinds(cluster)
      .filter(({ missing, documents }) => missing !== null && documents >= SCAN_SIZE.default)
      .map(({ query: { known, operation }, documents, missing }) => ({
        namespace: known.collection.namespace,
        notJudged: 'insufficient',
        detail: `a ${operation.shape.kind} returns ${plural(Math.round(documents), 'document')} per execution, but ${missing}.`,
      })),
  path: () => null,
  rank: (find) => atSize(find, find.bytes) * find.cost.executions,
  severity(find, { limits }) {
    const { query, cost } = find;
    const bytes = atSize(find, find.bytes);
    if (atSize(find, find.documents) < PAGE || bytes < limits.info) return null;
    const isMuch = bytes >= limits.warning || bytes * (cost.executionsPerDay ?? 0) >= limits.warningPerDay;
    return isMuch && isRepeated(query, cost) ? 'warning' : 'info';
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
    of: ({ query }) => isEmpty(query.conditions) && isBelow(query, SCAN_SIZE.default),
  },
  remedy: remedySteps,
});

/** Only what reads the whole collection is known to grow with it. */
function atSize({ query }: UnboundedFind, figure: number): number {
  const size = sizeFor(query);
  return size === null || !isEmpty(query.conditions) ? figure : atJudgedSize(figure, size);
}
