import { z } from 'zod';
import { figureSchema, timeSchema, type Plain } from '../../plain.js';

/** What executions by one plan cost together. */
export const planFiguresSchema = z.strictObject({
  executions: figureSchema,
  /** Documents and index keys. */
  examined: z.number().nonnegative(),
  /** Documents returned or written. */
  returned: z.number().nonnegative(),
  /** Executions that several plans were tried for. */
  tried: z.number(),
  /** Executions whose cached plan examined far more than when it was chosen, so that all were tried again. */
  replanned: z.number(),
  from: timeSchema,
  to: timeSchema,
});

export type PlanFigures = Plain<typeof planFiguresSchema>;

/** What an entry records of its plan. */
interface Planned {
  readonly at: number;
  readonly isContinuation: boolean;
  readonly documentsExamined: number | null;
  readonly keysExamined: number | null;
  readonly documentsReturned: number | null;
  readonly documentsWritten: number | null;
  readonly triedPlans: boolean;
  readonly replanned: boolean;
}

export class PlanTally {
  readonly #plans = new Map<string, { -readonly [Name in keyof PlanFigures]: PlanFigures[Name] }>();

  /** @param summary of its plan */
  add(summary: string, execution: Planned): void {
    const { at, isContinuation, documentsExamined, keysExamined, documentsReturned, documentsWritten } = execution;
    const none = { executions: 0, examined: 0, returned: 0, tried: 0, replanned: 0, from: at, to: at };
    const plan = this.#plans.get(summary) ?? none;
    this.#plans.set(summary, plan);
    if (!isContinuation) plan.executions += 1;
    plan.examined += (documentsExamined ?? 0) + (keysExamined ?? 0);
    plan.returned += documentsWritten ?? documentsReturned ?? 0;
    plan.tried += Number(execution.triedPlans);
    plan.replanned += Number(execution.replanned);
    plan.from = Math.min(plan.from, at);
    plan.to = Math.max(plan.to, at);
  }

  /** By their summaries; null if all executions had one plan, which was never given up. */
  plans(): Readonly<Record<string, PlanFigures>> | null {
    const isOne = this.#plans.size < 2 && [...this.#plans.values()].every(({ replanned }) => replanned === 0);
    return isOne ? null : Object.fromEntries(this.#plans);
  }
}
