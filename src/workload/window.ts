import { z } from 'zod';
import { timeSchema, type Plain } from '../plain.js';

/** A span of time, in ms since 1970. */
export const windowSchema = z.strictObject({
  from: timeSchema,
  to: timeSchema,
});

export type Window = Plain<typeof windowSchema>;

export function widened(window: Window | null, from: number, to: number): Window {
  return window === null ? { from, to } : { from: Math.min(window.from, from), to: Math.max(window.to, to) };
}
