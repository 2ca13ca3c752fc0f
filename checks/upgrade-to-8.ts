import { formatCount } from '../src/format.js';
import { countOf, fieldsAt, holdsNullAt, nullComparisons } from '../src/judgement/queries/null-comparisons.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { defineUpgradeCheck, type Affected } from '../src/judgement/upgrades/upgrade-check.js';

/** Source: "Compatibility Changes in MongoDB 8.0", Queries for null Don't Match undefined Fields. */
const CHANGED = new Set(['$eq', '$in', '$lookup foreignField']);

export const upgradeTo8 = defineUpgradeCheck({
  release: '8.0',
  id: 'upgrade-to-8',
  title: 'Changed by an upgrade to 8.0',
  summary: 'recorded operations that return or write something else after an upgrade to 8.0, by the documents',
  page: 'https://www.mongodb.com/docs/manual/release-notes/8.0-compatibility/',
  affected: ({ queries, workload, typesOf }) =>
    nullComparisons(queries, workload).flatMap((one): Affected[] => {
      const types = typesOf(one.namespace);
      if (types === null || !CHANGED.has(one.operator)) return [];
      const values = fieldsAt(types, one.path).reduce((sum, field) => sum + countOf(field, 'undefined'), 0);
      const others = one.other === null ? null : typesOf(one.other.namespace);
      if (values === 0 || (one.other !== null && (others === null || !holdsNullAt(others, one.other.path)))) return [];
      return [
        {
          ...one,
          effect: 'null no longer matches undefined',
          because: `undefined in ${formatCount(values)} values of ${formatCount(types.documents)} sampled documents`,
          values,
          consequence: one.isWrite ? 'writes' : 'reads',
        },
      ];
    }),
  remedy: ({ namespace, path }) => [
    {
      text: `Set \`${path}\` to null if it is undefined: the operations then match the same documents before and after. The statement reads the whole collection, and an undefined element of an array needs a statement of its own.`,
      code: shellStatement(
        namespace,
        'updateMany',
        `{ ${JSON.stringify(path)}: { $type: 6 } }`,
        `[{ $set: { ${JSON.stringify(path)}: null } }]`,
      ),
    },
    { text: `Or ask for both: { $or: [ { "${path}": null }, { "${path}": { $type: 6 } } ] }.` },
  ],
});
