import type { KeptText } from '../files/kept-text.js';
import { HistoryFile } from '../growth/history-file.js';
import type { Night } from '../growth/night.js';
import { LintError } from '../lint-error.js';
import type { Report } from '../report/report.js';
import { failuresOf } from '../report/run-failure.js';
import type { RunTarget } from './run-settings.js';

/** Growing arrays that are kept, the longest. */
const MOST_ARRAYS = 6;

type Target = Pick<RunTarget, 'alias' | 'options' | 'part'>;

/** What a run on whole targets came to, kept in their histories for the course over many. */
export class Nights {
  /** Lines about histories that can't be used. */
  readonly faults: string[] = [];
  readonly #tonight: { readonly kept: KeptText; readonly target: string; readonly night: Night }[] = [];

  constructor(private readonly historyOf: (target: Target) => KeptText | null) {}

  /** The report with what earlier runs came to, and this one. */
  async with(target: Target, report: Report): Promise<Report> {
    const kept = this.historyOf(target);
    if (kept === null || target.part !== undefined || failuresOf(report).length > 0) return report;
    const { alias = '' } = target;
    const night = nightOf(report);
    this.#tonight.push({ kept, target: alias, night });
    const history = await HistoryFile.open(kept).catch(this.#noted);
    const earlier = (history?.nightsOf(alias) ?? []).filter(({ at }) => at < night.at);
    return earlier.length === 0 ? report : { ...report, nights: [...earlier, night] as NonNullable<Report['nights']> };
  }

  /** Keeps what the run came to, once it was reported. */
  async keep(): Promise<void> {
    for (const { kept, target, night } of this.#tonight)
      await HistoryFile.conclude(kept, target, night).catch(this.#noted);
  }

  /** What was found is worth its report, whatever became of the history meanwhile. */
  readonly #noted = (error: unknown): null => {
    if (!(error instanceof LintError)) throw error;
    this.faults.push(error.message);
    return null;
  };
}

function nightOf({ startedAt, summary, collections }: Report): Night {
  const { error, warning, info } = summary.findings;
  const stored = collections.filter(({ kind }) => kind !== 'view');
  const sum = (of: (collection: Report['collections'][number]) => number | null) =>
    stored.reduce<number | null>((total, collection) => {
      const size = of(collection);
      return total === null || size === null ? null : total + size;
    }, 0);
  const arrays = collections.flatMap(({ namespace, growth = [] }) =>
    growth.flatMap(({ path, unit, largestNow }) =>
      path === null || unit !== 'elements' || largestNow === undefined
        ? []
        : [{ namespace, path, largest: largestNow }],
    ),
  );
  return {
    at: startedAt,
    findings: { error, warning, info },
    documents: sum(({ documents }) => documents),
    bytes: sum(({ size }) => size),
    arrays: arrays.toSorted((one, other) => other.largest - one.largest).slice(0, MOST_ARRAYS),
  };
}
