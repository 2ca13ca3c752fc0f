import type { Incident } from './incident.js';
import { INDEX_INCIDENTS } from './round-1/indexes.js';
import { PLAN_INCIDENTS } from './round-1/plans.js';
import { SCHEMA_INCIDENTS } from './round-1/schemas.js';
import { SOUND_DESIGNS } from './round-1/sound.js';

export const ROUND_1: readonly Incident[] = [
  ...INDEX_INCIDENTS,
  ...PLAN_INCIDENTS,
  ...SCHEMA_INCIDENTS,
  ...SOUND_DESIGNS,
];
