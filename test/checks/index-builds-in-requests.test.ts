import { describe, expect, it } from 'vitest';
import { indexBuildsInRequests } from '../../checks/index-builds-in-requests.js';
import type { IndexChanges } from '../../src/workload/workload.js';
import { foundIn, type GivenCluster, judgeCluster, problemIn } from '../support/checks/joined-evidence.js';

const AT = Date.UTC(2026, 10, 20);

const changes = (further: Partial<IndexChanges>): IndexChanges => ({
  namespace: 'shop.orders',
  index: 'a_1',
  source: 'profiler',
  builds: 0,
  failed: 0,
  drops: 0,
  longestMs: 400,
  from: AT,
  to: AT + 3_600_000,
  ...further,
});
const given = (documents: number, ...indexChanges: readonly IndexChanges[]): GivenCluster => ({
  collections: { orders: { documents } },
  indexChanges,
});

describe('index-builds-in-requests', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['built and dropped', given(20_000, changes({ builds: 5, drops: 4 })), ['warning shop.orders null']],
    ['of a small collection', given(200, changes({ builds: 5, drops: 4 })), ['info shop.orders null']],
    ['whose build fails', given(20_000, changes({ failed: 3 })), ['warning shop.orders null']],
    [
      'built again and again by a log',
      given(20_000, changes({ builds: 3, source: 'logFile' })),
      ['info shop.orders null'],
    ],
    [
      'beside another',
      given(20_000, changes({ builds: 5, drops: 4 }), changes({ index: 'b_1', builds: 4, drops: 3 })),
      ['warning shop.orders null'],
    ],
  ])('reports an index %s', (_, cluster, expected) => {
    expect(foundIn(indexBuildsInRequests, cluster)).toEqual(expected);
  });

  it.each<[string, GivenCluster]>([
    ['built once', given(20_000, changes({ builds: 1 }))],
    ['tried twice', given(20_000, changes({ builds: 2, drops: 2 }))],
    ['lost with its collection', given(20_000, changes({ builds: 9 }))],
    ['of a collection that is not linted', given(20_000, changes({ namespace: 'shop.others', builds: 5, drops: 4 }))],
  ])('is silent on one %s', (_, cluster) => {
    expect(foundIn(indexBuildsInRequests, cluster)).toEqual([]);
  });

  it('says which builds were left out', () => {
    const entriesLeftOut = { connections: 0, changeStreams: 0, indexChanges: 3 };
    expect(judgeCluster(indexBuildsInRequests, { ...given(9), entriesLeftOut })).toContainEqual({
      notJudged: 'bound',
      detail:
        'more than 10,000 indexes were recorded; 3 entries of further ones were left out. Leave out older ones with --since.',
    });
  });

  it('says how often, and what else', () => {
    const both = [changes({ builds: 5, drops: 4 }), changes({ index: 'b_1', builds: 4, drops: 3 })];
    expect(problemIn(indexBuildsInRequests, given(20_000, ...both)).message).toBe(
      '`a_1` was built 5 times in 1 h, up to 400 ms each, and dropped 4 times. Until it is built, its queries scan the collection. So was `b_1`.',
    );
    const { message, remedy } = problemIn(indexBuildsInRequests, given(20_000, changes({ failed: 3 })));
    expect(message).toBe(
      'The build of `a_1` failed 3 times in 1 h, up to 400 ms each. The application tries again, and each try reads the collection.',
    );
    expect(remedy.steps[0]?.text).toContain('duplicates (11000)');
  });
});
