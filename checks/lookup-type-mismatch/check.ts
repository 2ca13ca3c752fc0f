import { type ClusterVerdict, defineClusterCheck, type RemedyStep, type Workload } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatShare, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { SCAN_COST, shellScan, spacedJson } from '../../src/judgement/shell-statement.js';
import type { TypeFamily } from '../../src/profile/type-families.js';
import { joinRecord } from '../../src/workload/coverage/recording.js';
import { joinedTypes, type JoinedTypes, type JoinSide } from './joined-types.js';

/** Values on each side from which a sample is fully trusted. */
const VALUES_FOR_HIGH = 100;

/** Families with a smaller share of the values are not named. */
const LEAST_NAMED_SHARE = 0.01;

/**
 * A join by equality is a finding if nine tenths of the values of both sides have no counterpart of a family of types that can
 * be equal: an error if it was recorded, a warning in a view. It is about the side that refers to the other.
 */
export const lookupTypeMismatch = defineClusterCheck({
  id: 'lookup-type-mismatch',
  title: 'Join between types that are never equal',
  summary: 'a join that finds nothing because its two sides hold different types, such as strings and ObjectIds',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    values: {
      default: 20,
      unit: 'values',
      description: 'values sampled on each side, at least, unless the whole collection was read',
      source: 'judgement: fewer may all be exceptions',
    },
    share: {
      default: 0.9,
      unit: 'share',
      description: 'share of values whose type the other side lacks',
      source:
        'judgement: mistakes leave up to a few in a hundred of another type, two ways of writing far more than ten',
    },
  },
  judge(cluster, { values, share }) {
    const all = joinedTypes(cluster);
    const unknown = all.flatMap((each) => ('notJudged' in each ? [[each.namespace, each] as const] : []));
    const known = all.filter((each): each is JoinedTypes => 'overlap' in each);
    const mismatched = known.filter(({ overlap, sampled }) => 1 - overlap >= share && sampled >= values);
    const byField = groupedBy(mismatched, ({ side: { namespace, path } }) => JSON.stringify([namespace, path]));
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...new Map(unknown).values(),
      ...[...byField.values()].map((joins) => verdictOn(joins as [JoinedTypes], share, cluster.workload)),
    ];
  },
});

function verdictOn(joins: readonly [JoinedTypes, ...JoinedTypes[]], share: number, workload: Workload): ClusterVerdict {
  const [first] = joins;
  const { side, other } = first;
  const others = joins.map((join) => `${join.other.namespace} \`${join.other.path}\` (${typesText(join.other)})`);
  const joinedWith = [...new Set(others)];
  const uses = joins.map(({ use }) => use);
  const { seen, source, ...recorded } = joinRecord(uses, workload);
  const severityIfSure = seen === null ? 'warning' : 'error';
  const isSure = joins.some(({ overlapAtMost }) => 1 - overlapAtMost >= share);
  const overlap = Math.max(...joins.map((join) => join.overlap));
  const finds = overlap === 0 ? 'nothing' : `a counterpart for at most ${formatShare(overlap)} of the values`;
  return {
    namespace: side.namespace,
    path: side.path,
    severity: isSure ? severityIfSure : 'info',
    ...(!isSure && { severityIfSure }),
    confidence: joins.every(({ sampled }) => sampled >= VALUES_FOR_HIGH) ? 'high' : 'medium',
    message:
      `\`${side.path}\` of ${side.namespace} (${typesText(side)}) is joined with ${joinedWith.join(' and ')}. Values of these types are never equal: the join finds ${finds}.` +
      (comparesWholeArrays(first) ? ' `$expr` compares an array as a whole.' : ''),
    restsOn: ['sample', source],
    evidence: {
      source: `sample and ${source}`,
      ...recorded,
      window: `${plural(side.values, 'value')} and ${plural(other.values, 'value')}; ${recorded.window}`,
      types: Object.fromEntries(side.families),
      otherTypes: Object.fromEntries(other.families),
      shareOfSameTypesAtMost: overlap,
      executions: seen?.executions ?? null,
      joinedWith: joinedWith.map((text) => text.replaceAll('`', '')),
    },
    operations: uses.flatMap(({ operation }) => operation ?? []),
    remedy: { steps: remedySteps(first) },
  };
}

function comparesWholeArrays({ byElements, side, other }: JoinedTypes): boolean {
  return !byElements && [side, other].some(({ families }) => families.has('array'));
}

/** "string", "number and string", without families that are nearly absent. */
function typesText({ families, values, conversion }: JoinSide): string {
  const named = [...families].filter(([, count]) => count / values >= LEAST_NAMED_SHARE);
  const text = named.map(([family]) => family).join(' and ');
  return conversion === null ? text : `${text}, by ${conversion}`;
}

function remedySteps(join: JoinedTypes): RemedyStep[] {
  if (comparesWholeArrays(join))
    return stepsOf('Write the join with `localField` and `foreignField`: they compare the elements of an array.');
  const { namespace, path, storedPath } = join.side;
  const [old, family] = [join.side, join.other].map(({ families }) => [...families.keys()][0]) as [
    TypeFamily,
    TypeFamily,
  ];
  const to = family === 'number' ? 'long' : family;
  const update =
    storedPath !== null && isConvertible(old, to) ? convertingUpdate(namespace, storedPath, old, to) : null;
  return stepsOf(
    `Let the application write \`${path}\` of ${namespace} as ${family}.`,
    ...(update === null
      ? ['Convert the stored values with a script of your own: no single update does it.']
      : [
          ...onlyIf(storedPath === path, {
            text: 'Until the stored values are converted, convert them in the join, with a pipeline that compares the other side with `$$key`.',
            code: `let: { key: { $convert: { input: "$${path}", to: "${to}", onError: null } } }`,
          }),
          {
            text: `Convert the stored values. The update reads ${namespace}, rewrites each document with a value of the old type, and leaves what cannot be converted as it is.`,
            code: update,
          },
          {
            text: `Check: list the documents with a value of the old type. ${SCAN_COST} What it still lists could not be converted: look at those.`,
            code: shellScan(namespace, spacedJson({ [path]: { $type: old } })),
          },
        ]),
  );
}
