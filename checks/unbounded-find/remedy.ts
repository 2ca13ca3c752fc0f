import type { RemedyStep } from '../../src/check.js';
import { formatShare, inWords } from '../../src/format.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { filterText } from '../../src/judgement/queries/filter-text.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { rangePageSteps, sortText } from '../../src/judgement/queries/range-page.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { heavyFields, pagedQuery } from './paged-query.js';
import type { UnboundedFind } from './unbounded-finds.js';

/** Documents of a page, as an example. */
const PAGE = 100;

export function remedySteps(find: UnboundedFind): RemedyStep[] {
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
