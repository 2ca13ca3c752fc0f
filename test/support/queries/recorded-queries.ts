import type { Recorded } from '../checks/workload-builders.js';

/** Queries of orders, as recorded. */
export const BY_CUSTOMER: Recorded = { command: { filter: { customer: 4_711 } } };
export const BY_STATUS: Recorded = {
  command: { filter: { status: 'open', number: 3 } },
  plan: 'IXSCAN { status: 1 }',
  figures: { documentsReturned: 1_000 },
};
export const WITH_SORT: Recorded = {
  command: { filter: { status: 'open' }, sort: { placed: -1 } },
  plan: 'IXSCAN { status: 1 }',
  figures: { inMemorySorts: 1_000, documentsReturned: 20_000_000 },
};
export const PATTERN: Recorded = {
  command: { filter: { mail: /^ada$/i } },
  plan: 'IXSCAN { mail: 1 }',
  figures: { keysExamined: 20_000_000, documentsExamined: 1_000 },
};
/** What a thousand executions examined and returned, by what one did. */
export const totals = (examined: number, returned = 0) => ({
  documentsExamined: 1_000 * examined,
  documentsReturned: 1_000 * returned,
});
