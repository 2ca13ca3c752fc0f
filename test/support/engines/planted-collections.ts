import type { Db } from 'mongodb';

/** Documents of each planted collection; few enough to be read whole, wherever sizes are known. */
export const PLANTED_DOCUMENTS = 400;

/** Where the planted arrays without a bound are. */
export const UNBOUNDED = ['posts.comments', 'machines.events', 'users.followers'] as const;

const LONGEST_TAIL = 900;

/** Median 12, and a tail that rises to 900: no bound to be seen. */
function lengthOf(index: number): number {
  const share = (index + 1) / PLANTED_DOCUMENTS;
  return Math.min(LONGEST_TAIL, Math.round(6 / (1 - share + 0.006)));
}

function list<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index));
}

/**
 * Three collections with an array each that nothing bounds, beside a well-designed one and a full one that metadata of
 * another shape would call empty.
 */
export async function plantCollections(database: Db): Promise<void> {
  await database.collection('posts').insertMany(
    list(PLANTED_DOCUMENTS, (index) => ({
      title: `post ${index}`,
      comments: list(lengthOf(index), (at) => ({ by: `user ${at % 50}`, text: 'x'.repeat(40 + (at % 30)), at })),
    })),
  );
  await database.collection('machines').insertMany(
    list(PLANTED_DOCUMENTS, (index) => ({
      serial: index,
      events: list(lengthOf(index), (at) => ({ kind: at % 4, message: 'y'.repeat(60), at })),
    })),
  );
  await database.collection('users').insertMany(
    list(PLANTED_DOCUMENTS, (index) => ({
      name: `user ${index}`,
      followers: list(lengthOf(index), (at) => ({ name: `user ${at}`, since: at })),
    })),
  );
  await database.collection('orders').insertMany(
    list(PLANTED_DOCUMENTS, (index) => ({
      number: index,
      state: index % 3,
      items: list(1 + (index % 3), (at) => ({ at })),
    })),
  );
}
