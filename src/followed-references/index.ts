/** What references that were followed are worth, for checks from plugins as well. */
export { danglingRemedy, oneSidedRemedy, type WrittenCollection } from './dangling-remedy.js';
export { referenceGaps } from './reference-gaps.js';
export { resyncRemedy, type ResyncOptions } from './resync-remedy.js';
