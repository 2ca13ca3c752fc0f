import { plural } from '../../src/format.js';
import { pipelineText } from '../../src/judgement/pipelines/pipeline-text.js';
import { RECURRING, RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import { defineWorstQueryCheck } from '../../src/judgement/queries/worst-query-check.js';
import { rebuiltArrays } from './rebuilding-queries.js';

export const rebuiltArray = defineWorstQueryCheck({
  id: 'rebuilt-array',
  title: 'Array taken apart and rebuilt',
  summary: 'an array that `$unwind` takes apart and `$group` rebuilds, which an expression over the array replaces',
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
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  byPlans: true,
  find: ({ cluster }) => rebuiltArrays(cluster),
  path: ({ path }) => path,
  rank: ({ unwound }) => unwound,
  severity({ cost, unwound }, { limits: { info, warning } }) {
    if (unwound < info) return null;
    return unwound >= warning && cost.executions >= RECURRING ? 'warning' : 'info';
  },
  confidence: 'medium',
  message: ([{ path, documents, unwound, cost }]) =>
    `An aggregate takes \`${path}\` apart and groups the elements by \`_id\` again: of ${plural(Math.round(documents), 'document')} ` +
    `it makes an estimated ${plural(Math.round(unwound), 'document')} per execution (${cost.window}). An expression over the array does without.`,
  figures: ([{ documents, unwound }]) => ({
    documentsReturned: Math.round(documents),
    documentsUnwoundEstimated: Math.round(unwound),
  }),
  remedy: ({ query, path, rewritten }) => [
    {
      text: `Compute over the array of each document. Put your values in place of those in angle brackets. The \`$match\` leaves out documents without elements, as \`$unwind\` does. The results are the same if \`${path}\` is an array wherever it is set, as in the sample.`,
      code: pipelineText(query.known.collection.namespace, rewritten),
    },
    { text: 'Check that the results are the same, and that explain("executionStats") shows no `$group`.' },
  ],
});
