/** Constants are drawn until executions return what was recorded; else the shape is left out, and says so. */
import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { NotRunnable } from '../../src/rehearsal/constants.js';
import { replayed, RUNS } from '../../src/rehearsal/replay.js';
import type { Scratch } from '../../src/rehearsal/scratch.js';

/** A server that returns as many documents as a command asks for, and the commands that it ran. */
function serverOf() {
  const ran: Document[] = [];
  const explain = async (command: Document) => {
    ran.push(command);
    return { executionStats: { nReturned: command['limit'], totalDocsExamined: 1, totalKeysExamined: 0 } };
  };
  return { scratch: { explain } as unknown as Scratch, ran };
}

const drawing = (sizes: readonly number[]) => {
  let drawn = 0;
  return () => ({ find: 'orders', limit: sizes[drawn++ % sizes.length] });
};
const of = (average: number) => ({ average, scaled: average });

it('takes the first constants if they return what was recorded', async () => {
  const { scratch, ran } = serverOf();
  const { cost } = await replayed(scratch, { draw: drawing([8, 9, 10, 11, 12]), recorded: of(10) }, 1_000);
  expect([cost?.returned, ran.length]).toEqual([10, RUNS]);
});

it('takes any if it is not known what was returned', async () => {
  const { scratch, ran } = serverOf();
  await replayed(scratch, { draw: drawing([900]), recorded: null }, 1_000);
  expect(ran).toHaveLength(RUNS);
});

it('goes on until some return what was recorded, and repeats those', async () => {
  const { scratch } = serverOf();
  const sizes = [900, 800, 700, 600, 500, 12, 8, 9, 10, 11];
  const { commands, cost } = await replayed(scratch, { draw: drawing(sizes), recorded: of(10) }, 1_000);
  expect(cost?.returned).toBeCloseTo(10, 0);
  expect(commands).toHaveLength(RUNS);
  expect(commands.every(({ limit }) => limit < 20)).toBe(true);
});

it('leaves a shape out that returns something else whatever is asked, and says so', async () => {
  const { scratch } = serverOf();
  await expect(replayed(scratch, { draw: drawing([900]), recorded: of(2.54) }, 1_000)).rejects.toThrow(
    new NotRunnable('no constants return what was recorded: 900 on average, 2.5 recorded'),
  );
});
