import {
  convertingUpdate,
  isConvertible,
  joinedTypes,
  joinTelling,
  plural,
  unsampledSides,
  workloadGaps,
  type JoinedTypes,
  type JoinSide,
  type TypeFamily,
} from '../src/helpers.js';
import { defineClusterCheck, type BsonType, type ClusterVerdict, type Workload } from '../src/check.js';

/** Values on each side from which a sample can be trusted in full. */
const VALUES_FOR_HIGH = 100;
/** A family of fewer values of a side is not named. */
const LEAST_NAMED_SHARE = 0.01;

/** What `$convert` makes for a family, for the remedy. */
const CONVERSIONS: Readonly<Partial<Record<TypeFamily, BsonType>>> = {
  objectId: 'objectId',
  string: 'string',
  number: 'long',
  date: 'date',
};

export const lookupTypeMismatch = defineClusterCheck({
  id: 'lookup-type-mismatch',
  title: 'Join between types that are never equal',
  summary: 'a join that can find nothing, as its two sides hold different types, such as strings and ObjectIds',
  needs: ['indexes', 'storage', 'fieldTypes'],
  clusterNeeds: ['workload', 'server'],
  thresholds: {
    values: {
      default: 20,
      unit: 'values',
      description: 'sampled values on each side below which a join is not judged, unless the collection was read whole',
      source: 'judgement: fewer may all be exceptions',
    },
    share: {
      default: 0.99,
      unit: 'share',
      description:
        'share of the values that have no counterpart of their type on the other side from which a finding is given',
      source: 'judgement: the rest are slips, such as a single document written by hand',
    },
  },
  judge(cluster, limits) {
    const mismatched = joinedTypes(cluster).filter(
      ({ local, foreign, overlap }) =>
        1 - overlap >= limits.share && [local, foreign].every((side) => isEnough(side, limits.values)),
    );
    const bySide = new Map<string, JoinedTypes[]>();
    for (const join of mismatched) {
      const { namespace, path } = toChange(join);
      const name = JSON.stringify([namespace, path]);
      bySide.set(name, [...(bySide.get(name) ?? []), join]);
    }
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...unsampledSides(cluster),
      ...[...bySide.values()].map((joins) => verdictOn(joins as [JoinedTypes], cluster.workload)),
    ];
  },
});

function isEnough({ values, complete }: JoinSide, least: number): boolean {
  return values >= least || (complete && values > 0);
}

/** The side that refers to the other, and whose type is to be changed: an `_id` stays what it is. */
function toChange({ local, foreign }: JoinedTypes): JoinSide {
  return local.path === '_id' ? foreign : local;
}

function other(join: JoinedTypes): JoinSide {
  return toChange(join) === join.local ? join.foreign : join.local;
}

function verdictOn(joins: readonly [JoinedTypes, ...JoinedTypes[]], workload: Workload): ClusterVerdict {
  const [first] = joins;
  const side = toChange(first);
  const others = [
    ...new Set(joins.map((join) => `${other(join).namespace} \`${other(join).path}\` (${typesText(other(join))})`)),
  ];
  const { seen, source, window } = joinTelling(
    joins.map(({ use }) => use),
    workload,
  );
  const isSure = joins.every(({ local, foreign }) =>
    [local, foreign].every(({ complete, values }) => complete || values >= VALUES_FOR_HIGH),
  );
  return {
    namespace: side.namespace,
    path: side.path,
    severity: seen === null ? 'warning' : 'error',
    confidence: isSure ? 'high' : 'medium',
    message:
      `\`${side.path}\` of ${side.namespace} (${typesText(side)}) is joined with ${others.join(' and ')}: values of these types are never equal, so the join finds nothing.` +
      (first.byElements ? '' : wholeArrayText(first)),
    evidence: {
      source: `sample and ${source}`,
      window: `${plural(side.values, 'value')} and ${plural(other(first).values, 'value')}; ${window}`,
      types: Object.fromEntries(side.families),
      otherTypes: Object.fromEntries(other(first).families),
      executions: seen?.executions ?? null,
      joinedWith: others.map((text) => text.replaceAll('`', '')),
    },
    remedy: { text: remedyText(first) },
  };
}

function wholeArrayText({ local, foreign }: JoinedTypes): string {
  return [local, foreign].some(({ families }) => families.has('array')) ? ' `$expr` compares an array as a whole.' : '';
}

/** "string", "number and string (3 %)": families that are all but absent are left out. */
function typesText({ families, values, conversion }: JoinSide): string {
  const named = [...families]
    .filter(([, count]) => count / values >= LEAST_NAMED_SHARE)
    .sort(([, one], [, two]) => two - one);
  const text = named.map(([family]) => family).join(' and ');
  return conversion === null ? text : `${text}, by ${conversion}`;
}

function remedyText(join: JoinedTypes): string {
  const side = toChange(join);
  if (!join.byElements && [join.local, join.foreign].some(({ families }) => families.has('array'))) {
    return 'Write the join with localField and foreignField, which compare the elements of an array.';
  }
  const family = mainFamily(other(join));
  const old = mainFamily(side);
  const conversion = family === null ? undefined : CONVERSIONS[family];
  const canConvert = conversion !== undefined && old !== null && isConvertible(old, conversion);
  const update =
    canConvert && side.storedPath !== null ? convertingUpdate(side.namespace, side.storedPath, old, conversion) : null;
  if (update === null) {
    return `Store \`${side.path}\` in the type of what it refers to: first have the application write it so, then write anew what is stored.`;
  }
  const untilThen =
    side.storedPath === side.path
      ? ` Until then, convert it in the join: \`let: { key: { $convert: { input: "$${side.path}", to: "${conversion}", onError: null } } }\` with a pipeline that compares the other side with "$$key".`
      : '';
  return `Store \`${side.path}\` as ${family}: first have the application write it so, then convert what is stored, \`${update}\` (what can't be converted stays as it is).${untilThen}`;
}

function mainFamily({ families }: JoinSide): TypeFamily | null {
  const [most] = [...families].sort(([, one], [, two]) => two - one);
  return most?.[0] ?? null;
}
