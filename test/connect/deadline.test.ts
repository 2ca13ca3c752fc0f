import { describe, expect, it } from 'vitest';
import {
  Deadline,
  DeadlineError,
  InterruptedError,
  LateAnswerError,
  SHORT_READ,
  type CommandBounds,
} from '../../src/connect/deadline.js';

const never = () => new Promise<never>(() => {});

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

  it('has an end that says why', () => {
    expect(new Deadline(600_000, 15_000).end).toBeNull();
    expect(new Deadline(0, 15_000).end).toBeInstanceOf(DeadlineError);
    expect(new Deadline(600_000, 15_000, AbortSignal.abort()).end).toBeInstanceOf(InterruptedError);
  });

  it('is none once the run is interrupted', () => {
    expect(() => new Deadline(600_000, 15_000, AbortSignal.abort()).forCommand()).toThrow(InterruptedError);
  });
});

describe('waiting for an answer', () => {
  it('gives the answer, or its error', async () => {
    const deadline = new Deadline(600_000, 15_000);
    expect(await deadline.within({}, new AbortController(), async () => 'answer')).toBe('answer');
    const failed = deadline.within({}, new AbortController(), () => Promise.reject(new RangeError()));
    await expect(failed).rejects.toThrow(RangeError);
  });

  it.each([
    ['its own time is up', { maxTimeMS: 1 }, () => new Deadline(600_000, 15_000), LateAnswerError],
    ["the run's time is up", {}, () => new Deadline(50, 15_000), DeadlineError],
    ['the run is interrupted', {}, () => new Deadline(600_000, 15_000, AbortSignal.timeout(50)), InterruptedError],
  ] as const)('ends when %s, and the answer is abandoned', async (_, bounds, begin, error) => {
    const abandoned = new AbortController();
    await expect(begin().within(bounds, abandoned, never)).rejects.toThrow(error);
    expect(abandoned.signal.reason).toBeInstanceOf(error);
  });

  it('is not begun once the run is over', async () => {
    const deadline = new Deadline(600_000, 15_000, AbortSignal.abort());
    let asked = false;
    const asking = deadline.within({}, new AbortController(), async () => void (asked = true));
    await expect(asking).rejects.toThrow(InterruptedError);
    expect(asked).toBe(false);
  });

  it('can be for longer than timers of Node last', async () => {
    const deadline = new Deadline(2 ** 40, 2 ** 40);
    const answer = new Promise((resolve) => setTimeout(() => resolve('answer'), 20));
    expect(await deadline.within({}, new AbortController(), () => answer)).toBe('answer');
    deadline.close();
  });
});
