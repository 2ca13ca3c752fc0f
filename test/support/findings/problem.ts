import type { Problem } from '../../../src/check.js';

/** What a check found that found something. */
export const PROBLEM: Problem = {
  severity: 'warning',
  confidence: 'medium',
  path: 'items',
  message: 'It is too long.',
  evidence: { source: 'collStats', window: '3 documents', length: 12 },
  remedy: { steps: [{ text: 'Shorten it.' }] },
};
