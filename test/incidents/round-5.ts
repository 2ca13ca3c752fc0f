import type { Incident } from './incident.js';
import { QUERIES } from './round-5/queries.js';
import { SCHEMAS } from './round-5/schemas.js';
import { SOUND } from './round-5/sound.js';

/**
 * Situations of the questions by which MongoDB grades what agents answer on schemas and queries. The answers that it expects
 * are the labels. Its questions on connections are about settings of clients, which no database holds.
 */
export const ROUND_5: readonly Incident[] = [...SCHEMAS, ...QUERIES, ...SOUND];
