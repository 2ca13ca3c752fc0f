import { plural } from '../format.js';
import type { CollectedRun } from '../lint/collect-evidence.js';
import { isFault, type SkipReason } from '../presence.js';

/** Whether everything was read that was asked for. */
export function isWhole({ footer, unread }: CollectedRun): boolean {
  return !footer.isStopped && !footer.isOutOfTime && footer.historyFault === null && !unread.some(isFault);
}

/** What a person can do something about. Other reasons are of the server, or of the data. */
const REPORTED: ReadonlySet<SkipReason> = new Set(['privilege', 'timeout']);

/** What was not collected, a sentence for each reason. */
export function unreadSentences({ footer: { historyFault }, unread }: CollectedRun): string[] {
  const reported = unread.filter((entry) => REPORTED.has(entry.reason) || isFault(entry));
  const reasons = [...new Set(reported.map(({ reason }) => reason))];
  const sentences = reasons.map((reason) => {
    const [first, ...others] = reported.filter((entry) => entry.reason === reason);
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `Not collected: ${first?.detail}${more}`;
  });
  return historyFault === null ? sentences : [...sentences, historyFault];
}

/** Where the evidence is, and what to do with it. */
export function writtenText({ footer }: CollectedRun, output: string): string {
  const { collections, operations } = footer.lines;
  return `Evidence of ${plural(collections, 'collection')} and ${plural(operations, 'operation')} is in ${output}. Judge it: mongolint judge ${output}`;
}
