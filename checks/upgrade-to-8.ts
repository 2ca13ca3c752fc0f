import { formatCount } from '../src/format.js';
import { countOf, fieldsAt, holdsNullAt, nullComparisons } from '../src/judgement/queries/null-comparisons.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { defineUpgradeCheck, type Affected, type UpgradeSubject } from '../src/judgement/upgrades/upgrade-check.js';
import { isObjectShape } from '../src/workload/shapes/shape.js';

/** Source: "Compatibility Changes in MongoDB 8.0", Queries for null Don't Match undefined Fields. */
const CHANGED = new Set(['$eq', '$in', '$lookup foreignField']);

/** Source: the same page, $rank and $denseRank Behavior. 6.0.5 ranks null behind missing. */
const RANKS = '$rank and $denseRank no longer tell null from missing';
const RANKING = ['$rank', '$denseRank'];
/** Stages that leave the documents as they are. */
const PASSING = new Set(['$match', '$sort', '$limit', '$skip', '$sample', '$geoNear']);

export const upgradeTo8 = defineUpgradeCheck({
  release: '8.0',
  id: 'upgrade-to-8',
  title: 'Changed by an upgrade to 8.0',
  summary: 'recorded operations that return or write something else after an upgrade to 8.0',
  page: 'https://www.mongodb.com/docs/manual/release-notes/8.0-compatibility/',
  affected: (subject) => [...ofNulls(subject), ...ofRanks(subject)],
  remedy: ({ namespace, path, effect }) =>
    effect === RANKS
      ? [
          {
            text: `Decide how documents without \`${path}\` rank. To rank null and missing alike on both releases, set the field first: { $set: { "${path}": { $ifNull: [ "$${path}", null ] } } }.`,
          },
        ]
      : [
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

function ofNulls({ queries, workload, typesOf }: UpgradeSubject): Affected[] {
  return nullComparisons(queries, workload).flatMap((one): Affected[] => {
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
  });
}

/** Only of stored fields: what a stage before it computes is not sampled. */
function ofRanks({ workload, typesOf }: UpgradeSubject): Affected[] {
  return workload.tracedOperations.flatMap(({ operation, base, stages }): Affected[] => {
    const types = typesOf(base);
    const stage = stages.find((each) => !Object.keys(each).some((name) => PASSING.has(name)))?.['$setWindowFields'];
    if (types === null || !isObjectShape(stage) || !isObjectShape(stage['output'])) return [];
    const isRanked = Object.values(stage['output']).some(
      (one) => isObjectShape(one) && RANKING.some((name) => name in one),
    );
    const [path = ''] = isObjectShape(stage['sortBy']) ? Object.keys(stage['sortBy']) : [];
    const field = types.fields.find((each) => each.path === path);
    if (!isRanked || field === undefined) return [];
    const [nulls, missing] = [countOf(field, 'null'), types.documents - field.documents];
    if (nulls === 0 || missing === 0) return [];
    const because = `null in ${formatCount(nulls)} and missing in ${formatCount(missing)} of ${formatCount(types.documents)} sampled documents`;
    return [
      { namespace: base, path, operation, effect: RANKS, because, values: nulls, consequence: 'reads', isSure: true },
    ];
  });
}
