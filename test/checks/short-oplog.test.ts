import { describe, expect, it } from 'vitest';
import { shortOplog } from '../../checks/short-oplog.js';
import type { OplogWindow } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { countersOf, foundIn, judgeCluster, problemIn, type GivenCluster } from '../support/checks/joined-evidence.js';

const HOUR = 60 * 60 * 1_000;
const MB = 1024 * 1024;
const NOW = Date.UTC(2026, 10, 21);

const reachingBack = (hours: number, over: Partial<OplogWindow> = {}): GivenCluster => ({
  collections: {},
  oplogWindow: {
    from: NOW - hours * HOUR,
    to: NOW,
    bytes: 990 * MB,
    maximumBytes: 990 * MB,
    furthestBehind: present(0),
    ...over,
  },
});
const updated = { on: 'plans', kind: 'update', command: { q: { a: 1 }, u: { $set: { b: 1 } } } } as const;
const inserted = { on: 'plans', kind: 'insert', command: {} } as const;
const plans = (largest: number | null, images: boolean, operations: GivenCluster['operations'] = []): GivenCluster => ({
  ...reachingBack(100),
  collections: { plans: { largest, options: images ? { preAndPostImages: true } : {} } },
  operations,
});
const ofServerThatRan = (hours: number) => ({
  counters: present(countersOf({ from: NOW - hours * HOUR, to: NOW })),
});

describe('short-oplog', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['three hours', reachingBack(3), ['warning local.oplog.rs null']],
    ['a day', reachingBack(24), []],
    ['three hours of which nothing was removed yet', reachingBack(3, { bytes: 500 * MB }), []],
    [
      'three hours of a server that has run for two days',
      { ...reachingBack(3), ...ofServerThatRan(48) },
      ['warning local.oplog.rs null'],
    ],
    ['three hours of a server that has run for four', { ...reachingBack(3), ...ofServerThatRan(4) }, []],
    ['kept beyond its size', reachingBack(30, { bytes: 4_000 * MB }), []],
    [
      'a member half of it behind',
      reachingBack(100, { furthestBehind: present(50 * HOUR) }),
      ['error local.oplog.rs null'],
    ],
    ['a member a third of it behind', reachingBack(99, { furthestBehind: present(33 * HOUR) }), []],
    ['large documents with images, that are updated', plans(9 * MB, true, [updated]), ['warning shop.plans null']],
    ['such documents that are inserted alone', plans(9 * MB, true, [inserted]), ['info shop.plans null']],
    ['large documents without images', plans(9 * MB, false, [updated]), []],
    ['smaller documents with images', plans(7 * MB, true, [updated]), []],
    ['documents that could not be read', plans(null, true, [updated]), []],
  ])('%s', (_, given, expected) => expect(foundIn(shortOplog, given)).toEqual(expected));

  it('says the rate, and what a day of it takes', () => {
    const { message, remedy } = problemIn(shortOplog, reachingBack(3));
    expect(message).toContain('The oplog reaches back 3 h: 990 MB, at 330 MB an hour.');
    expect(remedy.steps.map(({ text }) => text).join()).toContain('some 7.7 GB');
  });

  it('lists the window of a young server as excused, and says if members could not be asked', () => {
    expect(judgeCluster(shortOplog, { ...reachingBack(3), ...ofServerThatRan(4) })).toEqual([
      expect.objectContaining({ exempt: expect.stringContaining('3 h of writes, and the server has run for 4 h') }),
    ]);
    const unread = absent('privilege', 'not authorized');
    expect(judgeCluster(shortOplog, reachingBack(100, { furthestBehind: unread }))).toEqual([
      { notJudged: 'privilege', detail: 'not authorized' },
    ]);
  });
});
