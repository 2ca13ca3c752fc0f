import { describe, expect, it } from 'vitest';
import { Answers } from '../../src/code/answers.js';
import { UNKNOWN, constant, type Value } from '../../src/code/value.js';

/** Questions that ask one another, and how often each of them was looked into. */
function asking(others: Readonly<Record<string, readonly string[]>>) {
  const answers = new Answers();
  const known = new Map<string, Value>();
  const looked: string[] = [];
  const ask = (name: string): Value =>
    answers.kept(known, name, () =>
      answers.deeper(() => {
        looked.push(name);
        for (const other of others[name] ?? []) ask(other);
        return constant(name);
      }),
    );
  return { ask, looked };
}

describe('answers to questions that ask one another', () => {
  it('keeps that of a circle where it was entered, and no answer that a question around it cut short', () => {
    const { ask, looked } = asking({ around: ['in'], in: ['other'], other: ['in', 'leaf'] });
    ask('around');
    expect(looked.splice(0)).toEqual(['around', 'in', 'other', 'leaf']);
    ask('in');
    ask('around');
    expect(looked.splice(0)).toEqual([]);
    ask('other');
    expect(looked).toEqual(['other']);
  });

  it('looks again for what rests on a circle that was not closed', () => {
    const { ask, looked } = asking({ first: ['second'], second: ['third'], third: ['first'] });
    ask('first');
    looked.length = 0;
    ask('third');
    ask('second');
    expect(looked).toEqual(['third', 'second']);
  });

  it('keeps no answer that a limit cut short', () => {
    const names = Array.from({ length: 200 }, (_, index) => String(index));
    const { ask, looked } = asking(
      Object.fromEntries(names.map((name, index) => [name, names.slice(index + 1, index + 2)])),
    );
    expect(ask('0')).toEqual(constant('0'));
    const before = looked.length;
    expect(before).toBeLessThan(names.length);
    expect(ask('199')).toEqual(constant('199'));
    ask('0');
    expect(looked.length).toBe(2 * before + 1);
  });

  it('does not know what it is being asked for already', () => {
    const answers = new Answers();
    const known = new Map<string, Value>();
    const ask = (): Value => answers.kept(known, 'a', ask);
    expect(ask()).toBe(UNKNOWN);
  });
});
