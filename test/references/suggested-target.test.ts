import { expect, it } from 'vitest';
import { orderedTargets } from '../../src/references/suggested-target.js';

/** Found of 20 values, by collection; the field is one of `follows`. */
type Found = Readonly<Record<string, number>>;

it.each<[string, Found, string | null]>([
  // One holds them.
  ['owner', { users: 20 }, 'users'],
  ['parent', { follows: 20 }, 'follows'],
  // Several share `_id`s, and the name names one.
  ['user', { follows: 20, users: 20 }, 'users'],
  ['userId', { follows: 20, users: 20 }, 'users'],
  ['billing.user_id', { posts: 20, users: 20 }, 'users'],
  ['user', { posts: 20, users: 18 }, 'users'],
  ['user', { oldusers: 20, users: 20 }, 'users'],
  ['parentFollow', { follows: 20, users: 20 }, 'follows'],
  // It names one that holds few.
  ['user', { posts: 20, users: 9 }, 'posts'],
  // It names none: the one that holds more, unless that is the field's own.
  ['owner', { posts: 18, users: 20 }, 'users'],
  ['owner', { follows: 18, users: 20 }, 'users'],
  ['owner', { follows: 20, users: 5 }, 'follows'],
  ['owner', { follows: 20, users: 18 }, null],
  ['owner', { follows: 20, users: 20 }, null],
  ['createdBy', { posts: 20, users: 20 }, null],
  ['user', { oldusers: 20, newusers: 20 }, null],
])('%s of follows, found in %o, refers to %s', (path, found, expected) => {
  const { references, isAmbiguous } = orderedTargets(
    Object.entries(found).map(([name, hits]) => ({
      namespace: 'shop.follows',
      path,
      isInArray: false,
      target: `shop.${name}`,
      values: 20,
      found: hits,
      conversion: null,
      isRepeated: true,
    })),
  );
  expect(isAmbiguous ? null : references[0]?.target.slice('shop.'.length)).toBe(expected);
});
