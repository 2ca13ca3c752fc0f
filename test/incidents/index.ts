import type { Incident } from './incident.js';
import { ROUND_1 } from './round-1.js';
import { ROUND_2 } from './round-2.js';
import { ROUND_3 } from './round-3.js';
import { ROUND_4 } from './round-4.js';
import { ROUND_5 } from './round-5.js';

/** By where they were told of, in the order in which they were labelled. */
export const ROUNDS: readonly { readonly theme: string; readonly incidents: readonly Incident[] }[] = [
  { theme: 'articles', incidents: ROUND_1 },
  { theme: 'issues of open source', incidents: ROUND_2 },
  { theme: 'forums and articles', incidents: ROUND_3 },
  { theme: 'issues and source code', incidents: ROUND_4 },
  { theme: "MongoDB's graded questions", incidents: ROUND_5 },
];

export const INCIDENTS: readonly Incident[] = ROUNDS.flatMap(({ incidents }) => incidents);
