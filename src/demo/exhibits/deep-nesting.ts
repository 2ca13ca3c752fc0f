import type { Exhibit } from '../exhibit.js';

const LEVELS = 30;

function nested(level: number): object {
  return level === 0 ? { text: 'the last reply' } : { text: 'a reply', reply: nested(level - 1) };
}

export const deepNesting: Exhibit = {
  check: 'deep-nesting',
  story: 'replies nested in one another / replies that name what they answer',
  bad: {
    name: 'nested_replies',
    path: 'reply',
    async plant(database) {
      await database
        .collection(this.name)
        .insertMany(Array.from({ length: 50 }, (_, index) => ({ index, ...nested(LEVELS) })));
    },
  },
  twin: {
    name: 'replies_naming_parent',
    async plant(database) {
      const replies = Array.from({ length: 50 * LEVELS }, (_, index) => ({
        _id: index,
        answers: index === 0 ? null : index - 1,
        text: 'a reply',
      }));
      const collection = database.collection<{ _id: number; answers: number | null; text: string }>(this.name);
      await collection.createIndex({ answers: 1 });
      await collection.insertMany(replies);
    },
  },
};
