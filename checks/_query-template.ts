import { plural } from '../src/format.js';
import { severityOf } from '../src/judgement/margins.js';
import { canBeFound } from '../src/judgement/queries/conditions.js';
import { averageOf, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import { shellStatement } from '../src/judgement/shell-statement.js';

// For a check of recorded operations, copy this file instead of _template.ts. This one is about `distinct` over many documents.
export const queryAntiPatternName = defineQueryCheck({
  id: 'query-anti-pattern-name',
  title: 'Headline of the anti-pattern',
  summary: 'what it flags, in half a sentence',
  thresholds: {
    info: {
      default: 1_000,
      unit: 'documents',
      description: 'documents examined per execution',
      source: 'judgement: say what the number is based on',
    },
    warning: {
      default: 100_000,
      unit: 'documents',
      description: 'documents examined per execution',
      source: 'judgement: say what the number is based on',
    },
  },
  // A smaller collection is reported as too small to tell if `match` returns 'few', or `severity` null.
  floor: 'info',
  // A query is what an operation asks, without values; its cost is what an execution examines and returns on average.
  match: ({ operation, conditions }, cost) =>
    operation.shape.kind === 'distinct' && !canBeFound(conditions) && cost.documentsExamined !== null,
  // Queries with the same path are one finding. Leave `place` out if an index is the remedy: it is then derived.
  place: ({ known }) => ({
    path: null,
    remedy: {
      steps: [
        { text: 'Say what to do, one action per step, and what it costs. `code` is for people to look at.' },
        { text: 'Check that it worked.', code: shellStatement(known.collection.namespace, 'find', '{ … }') },
      ],
    },
  }),
  severity: ({ cost }, { limits }) =>
    severityOf(cost.documentsExamined ?? 0, { info: limits.info, warning: limits.warning, error: Infinity }),
  message: (group) =>
    `All values of a field are collected: ${withSimilar(group)}. An execution examines ` +
    `${plural(Math.round(group.cost.documentsExamined ?? 0), 'document')}${averageOf(group)}`,
});
