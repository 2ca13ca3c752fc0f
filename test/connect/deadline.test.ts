import { describe, expect, it } from 'vitest';
import {
  Deadline,
  DeadlineError,
  InterruptedError,
  SHORT_READ,
  type CommandBounds,
} from '../../src/connect/deadline.js';

describe('the time that a command may take', () => {
  it.each<[string, CommandBounds, atDefault: number, atTwice: number]>([
    ['is --timeout', {}, 15_000, 30_000],
    ['is less where the read asks for less', { maxTimeMS: 3_000 }, 3_000, 3_000],
    ['is never more than --timeout', { maxTimeMS: 60_000 }, 15_000, 30_000],
    ['grows with --timeout where the read asks for a share of it', SHORT_READ, 5_000, 10_000],
  ])('%s', (_, bounds, atDefault, atTwice) => {
    expect(new Deadline(600_000, 15_000).forCommand(bounds)).toBe(atDefault);
    expect(new Deadline(600_000, 30_000).forCommand(bounds)).toBe(atTwice);
  });

  it('is what is left of the run', () => {
    expect(new Deadline(10_000, 15_000).forCommand()).toBeLessThanOrEqual(10_000);
    expect(() => new Deadline(0, 15_000).forCommand()).toThrow(DeadlineError);
  });

  it('is none once the run is interrupted', () => {
    expect(() => new Deadline(600_000, 15_000, AbortSignal.abort()).forCommand()).toThrow(InterruptedError);
  });
});
