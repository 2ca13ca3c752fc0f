import { builtInChecks } from '../../checks/index.js';
import type { AnyCheck } from '../check.js';

/** What a check says of itself, without the code that judges. */
export type CheckEntry = Pick<
  AnyCheck,
  'id' | 'title' | 'summary' | 'docs' | 'optional' | 'preview' | 'since' | 'thresholds'
>;

/** The built-in checks in their order. The build keeps this list as plain data: who only lists checks does not load them. */
export const catalogue: readonly CheckEntry[] = builtInChecks.map(
  ({ id, title, summary, docs, optional, preview, since, thresholds }) => ({
    id,
    title,
    summary,
    thresholds,
    ...(docs !== undefined && { docs }),
    ...(optional !== undefined && { optional }),
    ...(preview !== undefined && { preview }),
    ...(since !== undefined && { since }),
  }),
);
