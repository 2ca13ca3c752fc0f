import { z } from 'zod';
import type { Plain } from '../../plain.js';
/** Executions of one application that began within ten seconds: the most that were recorded. */
export const burstSchema = z.strictObject({
  /** Null if the application does not name itself. */
  appName: z.string().nullable(),
  executions: z.number(),
});

export type Burst = Plain<typeof burstSchema>;

/** In ms. Loops of an application last for seconds, and a slow network makes hundreds of round trips a second. */
export const BURST_MS = 10_000;

/** Fewer are not worth a figure. */
const LEAST_EXECUTIONS = 50;

/** Applications watched per shape. */
const MOST_APPLICATIONS = 20;

/** In ms: two of them in a row are ten seconds, so that a burst of five is whole wherever it begins. */
const SPAN_MS = BURST_MS / 2;

/** Spans kept per application: entries come in the order of time, or nearly so. */
const MOST_SPANS = 4;

export class BurstTally {
  readonly #spans = new Map<string | null, Map<number, number>>();
  #busiest: Burst = { appName: null, executions: 0 };

  add(appName: string | null, at: number): void {
    const spans = this.#spans.get(appName) ?? new Map<number, number>();
    if (spans.size === 0) {
      if (this.#spans.size >= MOST_APPLICATIONS) return;
      this.#spans.set(appName, spans);
    }
    const span = Math.floor(at / SPAN_MS);
    const inSpan = (spans.get(span) ?? 0) + 1;
    spans.set(span, inSpan);
    const executions = inSpan + Math.max(spans.get(span - 1) ?? 0, spans.get(span + 1) ?? 0);
    if (spans.size > MOST_SPANS) spans.delete(spans.keys().next().value ?? span);
    if (executions > this.#busiest.executions) this.#busiest = { appName, executions };
  }

  /** Null if there were too few for a figure. */
  busiest(): Burst | null {
    return this.#busiest.executions < LEAST_EXECUTIONS ? null : this.#busiest;
  }
}
