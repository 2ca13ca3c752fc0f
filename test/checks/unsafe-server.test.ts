import { describe, expect, it } from 'vitest';
import { unsafeServer } from '../../checks/unsafe-server.js';
import type { Safety } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { judgeCluster, problemsIn, type GivenCluster } from '../support/checks/joined-evidence.js';

/** A server that is set up well, when nothing of it had come to its end. */
const of = (over: Partial<Safety> = {}, version = '7.0.28'): GivenCluster => ({
  collections: {},
  version,
  safety: {
    readAt: Date.UTC(2026, 10, 29),
    startupWarnings: present([]),
    connections: present({ created: 900, encrypted: 880, toAnyone: false }),
    voters: present({ voting: 3, withData: 3, forMajority: 2 }),
    compatibility: present('7.0'),
    ...over,
  },
});
const NO_ACCESS_CONTROL = { id: 22120, text: 'Access control is not enabled for the database' };
const TOO_FEW_FILES = { id: 22184, text: 'Soft rlimits for open file descriptors too low' };

describe('unsafe-server', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['set up well', of(), []],
    ['without access control', of({ startupWarnings: present([NO_ACCESS_CONTROL]) }), ['warning authentication']],
    [
      'that answers anybody',
      of({ connections: present({ created: 900, encrypted: 9, toAnyone: true }) }),
      ['warning authentication'],
    ],
    ['with another warning', of({ startupWarnings: present([TOO_FEW_FILES]) }), ['info startup']],
    ['without TLS', of({ connections: present({ created: 900, encrypted: 0, toAnyone: false }) }), ['info encryption']],
    ['of a release that has ended', of({ compatibility: present('6.0') }, '6.0.28'), ['warning version']],
    ['of one that ends in a year', of({ readAt: Date.UTC(2027, 8, 1) }), ['warning version']],
    ['without a fix', of({}, '7.0.27'), ['warning version']],
    ['of a release without a date', of({ compatibility: present('9.0') }, '9.0.1'), []],
    ['with four voters', of({ voters: present({ voting: 4, withData: 4, forMajority: 3 }) }), ['info voters']],
    ['with an arbiter', of({ voters: present({ voting: 3, withData: 2, forMajority: 2 }) }), ['info voters']],
    ['with an arbiter beside four', of({ voters: present({ voting: 5, withData: 4, forMajority: 3 }) }), []],
    ['of no replica set', of({ voters: present(null) }), []],
    ['with the formats of 6.0', of({ compatibility: present('6.0') }), ['info compatibility']],
  ])('a server %s', (_, given, expected) => {
    expect(problemsIn(unsafeServer, given).map(({ severity, path }) => `${severity} ${path}`)).toEqual(expected);
  });

  it('names what is open, the fix and the day', () => {
    const [problem] = problemsIn(unsafeServer, of({ compatibility: present('6.0') }, '6.0.5'));
    expect(problem?.message).toBe(
      'MongoDB 6.0.5 gets no more fixes since 2025-07-31. It is open to CVE-2025-14847 (anybody who reaches the port reads memory of the server), fixed in 6.0.27.',
    );
  });

  it('does not judge what it may not read, and judges the rest', () => {
    const refused = absent('privilege', 'reading the feature compatibility version: not authorized.');
    const given = of({ compatibility: refused, startupWarnings: present([NO_ACCESS_CONTROL]) });
    expect(judgeCluster(unsafeServer, given)).toMatchObject([
      { notJudged: 'privilege', detail: refused.detail },
      { path: 'authentication' },
    ]);
  });
});
