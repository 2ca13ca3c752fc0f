import { describe, expect, it } from 'vitest';
import { Deadline, DeadlineError, InterruptedError } from '../../src/connect/deadline.js';

describe('the time that a command may take', () => {
  it.each<[string, Parameters<Deadline['forCommand']>[0], number]>([
    ['is --timeout', {}, 15_000],
    ['is less where the read asks for less', { maxTimeMS: 3_000 }, 3_000],
    ['is never more than --timeout', { maxTimeMS: 60_000 }, 15_000],
    ['grows with --timeout where the read asks for a share of it', { timeoutShare: 1 / 3 }, 5_000],
  ])('%s', (_, bounds, expected) => {
    expect(new Deadline(600_000, 15_000).forCommand(bounds)).toBe(expected);
    expect(new Deadline(600_000, 30_000).forCommand(bounds)).toBe(bounds?.maxTimeMS === 3_000 ? 3_000 : 2 * expected);
  });

  it('is what is left of the run', () => {
    expect(new Deadline(10_000, 15_000).forCommand()).toBeLessThanOrEqual(10_000);
    expect(() => new Deadline(0, 15_000).forCommand()).toThrow(DeadlineError);
  });

  it('is none once the run is interrupted', () => {
    expect(() => new Deadline(600_000, 15_000, AbortSignal.abort()).forCommand()).toThrow(InterruptedError);
  });
});
