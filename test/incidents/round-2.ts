import type { Incident } from './incident.js';
import { COSTLY_REQUESTS } from './round-2/costly-requests.js';
import { DOCUMENTS } from './round-2/documents.js';
import { SOUND } from './round-2/sound.js';
import { UNSERVED_SEARCHES } from './round-2/unserved-searches.js';
import { WRITES } from './round-2/writes.js';

/** Told of in issues and pull requests of open-source applications and libraries. */
export const ROUND_2: readonly Incident[] = [
  ...UNSERVED_SEARCHES,
  ...COSTLY_REQUESTS,
  ...DOCUMENTS,
  ...WRITES,
  ...SOUND,
];
