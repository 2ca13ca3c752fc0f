export { referenceGaps } from './reference-gaps.js';
