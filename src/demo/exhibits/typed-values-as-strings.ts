import type { Exhibit } from '../exhibit.js';
import { mixedTypes } from './mixed-types.js';

const HOUR = { $add: ['$starts', 3_600_000] };
const DATES = { starts: { $type: 'date' } };

/** On the events of `mixed-types`, which are planted before: references are looked for among a hundred collections. */
export const typedValuesAsStrings: Exhibit = {
  check: 'typed-values-as-strings',
  story: 'dates that are kept as text, and as dates in the collection beside it',
  bad: {
    name: mixedTypes.bad.name,
    path: 'ends',
    async plant(database) {
      await database
        .collection(this.name)
        .updateMany(DATES, [{ $set: { ends: { $dateToString: { date: HOUR, format: '%Y-%m-%dT%H:%M:%SZ' } } } }]);
    },
  },
  twin: {
    name: mixedTypes.twin.name,
    async plant(database) {
      await database.collection(this.name).updateMany(DATES, [{ $set: { ends: HOUR } }]);
    },
  },
};
