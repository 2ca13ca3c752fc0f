import type { Incident } from './incident.js';
import { BOUNDS } from './round-3/bounds.js';
import { DOCUMENTS } from './round-3/documents.js';
import { REQUESTS } from './round-3/requests.js';
import { SOUND } from './round-3/sound.js';
import { WRITES } from './round-3/writes.js';

/** Told of in forum threads, questions with their answers, and articles of engineers about their own production. */
export const ROUND_3: readonly Incident[] = [...BOUNDS, ...REQUESTS, ...WRITES, ...DOCUMENTS, ...SOUND];
