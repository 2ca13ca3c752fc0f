import type { Incident } from './incident.js';
import { ROUND_1 } from './round-1.js';
import { ROUND_2 } from './round-2.js';
import { ROUND_3 } from './round-3.js';
import { ROUND_4 } from './round-4.js';
import { ROUND_5 } from './round-5.js';

/** All of them, in the order in which they were labelled. */
export const INCIDENTS: readonly Incident[] = [...ROUND_1, ...ROUND_2, ...ROUND_3, ...ROUND_4, ...ROUND_5];
