import type { Incident } from './incident.js';
import { DOCUMENTS } from './round-4/documents.js';
import { HISTORIES } from './round-4/histories.js';
import { INDEX_KEYS } from './round-4/index-keys.js';
import { REQUESTS } from './round-4/requests.js';
import { SOUND } from './round-4/sound.js';
import { UNUSABLE_INDEXES } from './round-4/unusable-indexes.js';
import { VALUES } from './round-4/values.js';

/** Told of in the issue trackers and source code of applications that use MongoDB. */
export const ROUND_4: readonly Incident[] = [
  ...UNUSABLE_INDEXES,
  ...INDEX_KEYS,
  ...REQUESTS,
  ...HISTORIES,
  ...DOCUMENTS,
  ...VALUES,
  ...SOUND,
];
