import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Handover } from '../../src/cli/handover.js';
import { HandoverQueue } from '../../src/cli/handover-queue.js';

const judged = (of: number, findings: number) =>
  ({ kind: 'judged', of, part: { findings: Array.from({ length: findings }) } }) as unknown as Handover;
const ended: Handover = { kind: 'writing' };

function queued(...messages: Handover[]) {
  const sent: (readonly Handover[])[] = [];
  const queue = new HandoverQueue((each) => void sent.push(each));
  messages.forEach((message) => queue.add(message));
  return sent;
}

describe('what a run tells its supervisor', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is sent at once if it has findings, with what waited before it, in order', () => {
    expect(queued(judged(0, 0), judged(1, 0), judged(2, 3))).toEqual([[judged(0, 0), judged(1, 0), judged(2, 3)]]);
  });

  it('is sent at once if it is no collection', () => {
    expect(queued(judged(0, 0), ended)).toEqual([[judged(0, 0), ended]]);
  });

  it('waits a moment if it is a collection without findings', () => {
    const sent = queued(judged(0, 0), judged(1, 0));
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(250);
    expect(sent).toEqual([[judged(0, 0), judged(1, 0)]]);
    vi.advanceTimersByTime(1_000);
    expect(sent).toHaveLength(1);
  });

  it('waits no longer than for a hundred others', () => {
    const sent = queued(...Array.from({ length: 250 }, (_, of) => judged(of, 0)));
    expect(sent.map((messages) => messages.length)).toEqual([100, 100]);
  });
});
