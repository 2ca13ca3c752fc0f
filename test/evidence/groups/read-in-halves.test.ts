import { MongoServerError, MongoServerSelectionError, MongoNetworkError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { DeadlineError, LateAnswerError } from '../../../src/connect/deadline.js';
import { GroupRetries, readInHalves } from '../../../src/inventory/groups/read-in-halves.js';

const NAMES = Array.from({ length: 50 }, (_, number) => `c${number}`);
const UNAUTHORIZED = new MongoServerError({ message: 'not authorized', code: 13 });

/** Reads a group on a server that fails every command that names one of these. */
async function readRefusing(refused: readonly string[], error: unknown = UNAUTHORIZED, retries = new GroupRetries()) {
  const asked: number[] = [];
  const answers = await readInHalves(NAMES, retries, async (group) => {
    asked.push(group.length);
    if (group.some((name) => refused.includes(name))) throw error;
    return new Map(group.map((name) => [name, name.toUpperCase()]));
  });
  return { asked, answers };
}

describe('a group', () => {
  it('is asked about once if nothing is refused', async () => {
    const { asked, answers } = await readRefusing([]);
    expect(asked).toEqual([50]);
    expect([...answers.values()]).toEqual(NAMES.map((name) => name.toUpperCase()));
  });

  it.each([
    ['the first', ['c0'], 2],
    ['the last', ['c49'], 2],
    ['two', ['c7', 'c31'], 8],
  ])('of which %s is refused is asked about in halves, and hardly more are left', async (_, refused, atMostLeft) => {
    const { asked, answers } = await readRefusing(refused);
    for (const name of refused) expect(answers.has(name)).toBe(false);
    expect(answers.size).toBeGreaterThanOrEqual(NAMES.length - atMostLeft);
    expect(asked.length).toBeLessThan(24);
  });

  it('of which all are refused is given up, and so are those that follow', async () => {
    const retries = new GroupRetries();
    const { asked, answers } = await readRefusing(NAMES, UNAUTHORIZED, retries);
    expect(answers.size).toBe(0);
    expect(asked).toHaveLength(12);
    expect((await readRefusing([], UNAUTHORIZED, retries)).asked).toEqual([]);
  });

  it('that takes too long is given up sooner', async () => {
    expect((await readRefusing(NAMES, new LateAnswerError(5_000))).asked).toHaveLength(3);
  });

  it.each<[string, Error]>([
    ['the run has no time left', new DeadlineError(1)],
    ['the connection was cut', new MongoNetworkError('cut')],
    ['the user is no longer accepted', new MongoServerError({ message: 'no', code: 18 })],
  ])('is not asked about again if %s', async (_, error) => {
    const { asked, answers } = await readRefusing(NAMES, error);
    expect(asked).toEqual([50]);
    expect(answers.size).toBe(0);
  });

  it('has the error of a server that can not be reached, so that nobody waits for it again', async () => {
    const error = new MongoServerSelectionError('nobody', { error: null } as never);
    await expect(readRefusing(NAMES, error)).rejects.toBe(error);
  });
});
