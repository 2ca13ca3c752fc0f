import { median } from 'simple-statistics';
import { shareInterval } from '../../../profile/sampling/confidence.js';

/** Of the documents of a run that stand for others, the share that is gone so many days later. */
export interface Gone {
  readonly days: number;
  readonly documents: number;
  readonly share: number;
}

const FEWEST_GONE = 20;
const MOSTLY_GONE = 0.9;
/** That fewer go than is taken for sure, as for every interval that is printed. */
const RISK = 0.05;

/** Days after which nine tenths of the documents are gone, or by the rate at which they go in most intervals: one deletion of many is none. */
export function lifetimeDays(runs: readonly Gone[]): number | null {
  const enough = runs.filter(({ documents }) => documents >= FEWEST_GONE);
  const mostlyGone = enough.filter(({ share }) => share >= MOSTLY_GONE);
  if (mostlyGone.length > 0) return Math.min(...mostlyGone.map(({ days }) => days));
  const [first] = enough;
  if (first === undefined) return null;
  const rates = enough.map(({ days, share }, run) => {
    const next = enough[run + 1] ?? { days: 0, share: 0 };
    return (halvings(share) - halvings(next.share)) / (days - next.days);
  });
  const [surely] = shareInterval(Math.round(first.share * first.documents), first.documents, RISK);
  const perDay = Math.min(median(rates), halvings(surely) / first.days);
  return perDay > 0 ? halvings(MOSTLY_GONE) / perDay : null;
}

function halvings(share: number): number {
  return -Math.log2(1 - share);
}
