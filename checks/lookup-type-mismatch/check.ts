import {
  type BsonType,
  type ClusterVerdict,
  defineClusterCheck,
  type RemedyStep,
  type Workload,
} from '../../src/check.js';
import { formatShare, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { convertingUpdate, isConvertible } from '../../src/judgement/documents/converting-update.js';
import { documentsOf, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { workloadGaps } from '../../src/judgement/joins/workload-gaps.js';
import { shareWithin } from '../../src/judgement/margins.js';
import { SCAN_COST, shellScan, spacedJson } from '../../src/judgement/shell-statement.js';
import type { TypeFamily } from '../../src/profile/type-families.js';
import { stepsOf } from '../../src/remedy.js';
import { joinTelling } from '../../src/workload/coverage/join-telling.js';
import { joinedTypes, type JoinedTypes, type JoinSide, sideToChange, unsampledSides } from './joined-types.js';

/** The type that `$convert` produces for a family. */
const CONVERSIONS: Readonly<Partial<Record<TypeFamily, BsonType>>> = {
  objectId: 'objectId',
  string: 'string',
  number: 'long',
  date: 'date',
};

/** Values on each side from which a sample is fully trusted. */
const VALUES_FOR_HIGH = 100;

/** Families with a smaller share of the values are not named. */
const LEAST_NAMED_SHARE = 0.01;

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
      description:
        'number of sampled values on each side below which a join is not judged (unless the whole collection was read)',
      source: 'judgement: fewer may all be exceptions',
    },
    share: {
      default: 0.9,
      unit: 'share',
      description: 'share of values without a counterpart of their type on the other side from which it is a finding',
      source:
        'judgement: mistakes leave up to a few in a hundred of another type, two ways of writing far more than ten',
    },
  },
  judge(cluster, limits) {
    const mismatched = joinedTypes(cluster).filter(
      ({ local, foreign, overlap }) =>
        1 - overlap >= limits.share && [local, foreign].every((side) => isEnough(side, limits.values)),
    );
    const bySide = groupedBy(mismatched, (join) => {
      const { namespace, path } = sideToChange(join);
      return JSON.stringify([namespace, path]);
    });
    return [
      ...workloadGaps(cluster.workload, 'operations and views'),
      ...unsampledSides(cluster),
      ...[...bySide.values()].map((joins) => {
        const isSure = joins.some((join) => isSurelyMismatched(join, limits.share, cluster));
        return verdictOn(joins as [JoinedTypes], isSure, cluster.workload);
      }),
    ];
  },
});

function isEnough({ values, complete }: JoinSide, least: number): boolean {
  return values >= least || (complete && values > 0);
}

/** A family that both sides hold is rare on one of them: the shares of such values on both sides add up to the overlap. */
function isSurelyMismatched({ local, foreign, overlap }: JoinedTypes, share: number, cluster: JoinedCluster): boolean {
  const sampled = [local, foreign].filter(({ complete }) => !complete);
  if (sampled.length === 0 || overlap === 0) return true;
  const values = Math.min(...sampled.map((side) => side.values));
  const seen = sampled.map(({ namespace, documents }) =>
    Math.min(1, documents / Math.max(1, documentsOf(cluster, namespace) ?? Infinity)),
  );
  const [, atMost] = shareWithin(Math.round(overlap * values), values, { share: Math.min(...seen), byChance: false });
  return 1 - atMost >= share;
}

function verdictOn(
  joins: readonly [JoinedTypes, ...JoinedTypes[]],
  isMismatchSure: boolean,
  workload: Workload,
): ClusterVerdict {
  const [first] = joins;
  const side = sideToChange(first);
  const others = [
    ...new Set(joins.map((join) => `${other(join).namespace} \`${other(join).path}\` (${typesText(other(join))})`)),
  ];
  const { seen, source, ...recorded } = joinTelling(
    joins.map(({ use }) => use),
    workload,
  );
  const severityIfSure = seen === null ? 'warning' : 'error';
  const isSure = joins.every(({ local, foreign }) =>
    [local, foreign].every(({ complete, values }) => complete || values >= VALUES_FOR_HIGH),
  );
  return {
    namespace: side.namespace,
    path: side.path,
    severity: isMismatchSure ? severityIfSure : 'info',
    ...(!isMismatchSure && { severityIfSure }),
    confidence: isSure ? 'high' : 'medium',
    message:
      `\`${side.path}\` of ${side.namespace} (${typesText(side)}) is joined with ${others.join(' and ')}. Values of these types are never equal: the join finds ${nothingText(joins)}.` +
      (first.byElements ? '' : wholeArrayText(first)),
    restsOn: ['sample', source],
    evidence: {
      source: `sample and ${source}`,
      ...recorded,
      window: `${plural(side.values, 'value')} and ${plural(other(first).values, 'value')}; ${recorded.window}`,
      types: Object.fromEntries(side.families),
      otherTypes: Object.fromEntries(other(first).families),
      shareOfSameTypesAtMost: overlapOf(joins),
      executions: seen?.executions ?? null,
      joinedWith: others.map((text) => text.replaceAll('`', '')),
    },
    operations: joins.flatMap(({ use }) => use.operation ?? []),
    remedy: { steps: remedySteps(first) },
  };
}

/** Share of the values that a value of the same type on the other side can equal, in the join where it is largest. */
function overlapOf(joins: readonly JoinedTypes[]): number {
  return Math.max(...joins.map((join) => join.overlap));
}

function nothingText(joins: readonly JoinedTypes[]): string {
  const overlap = overlapOf(joins);
  return overlap === 0 ? 'nothing' : `a counterpart for at most ${formatShare(overlap)} of the values`;
}

function wholeArrayText({ local, foreign }: JoinedTypes): string {
  return [local, foreign].some(({ families }) => families.has('array')) ? ' `$expr` compares an array as a whole.' : '';
}

/** "string", "number and string", without families that are nearly absent. */
function typesText({ families, values, conversion }: JoinSide): string {
  const named = commonestFirst(families).filter(([, count]) => count / values >= LEAST_NAMED_SHARE);
  const text = named.map(([family]) => family).join(' and ');
  return conversion === null ? text : `${text}, by ${conversion}`;
}

function other(join: JoinedTypes): JoinSide {
  return sideToChange(join) === join.local ? join.foreign : join.local;
}

function remedySteps(join: JoinedTypes): RemedyStep[] {
  if (!join.byElements && [join.local, join.foreign].some(({ families }) => families.has('array'))) {
    return stepsOf('Write the join with `localField` and `foreignField`: they compare the elements of an array.');
  }
  const side = sideToChange(join);
  const field = `\`${side.path}\` of ${side.namespace}`;
  const family = mainFamily(other(join));
  const write = `Let the application write ${field} as ${family ?? 'the type of what it refers to'}.`;
  const old = mainFamily(side);
  const conversion = family === null ? undefined : CONVERSIONS[family];
  const canConvert = conversion !== undefined && old !== null && isConvertible(old, conversion);
  const update =
    canConvert && side.storedPath !== null ? convertingUpdate(side.namespace, side.storedPath, old, conversion) : null;
  if (update === null)
    return stepsOf(write, 'Convert the stored values with a script of your own: no single update does it.');
  return stepsOf(
    write,
    ...(side.storedPath === side.path ? [untilThen(side.path, conversion ?? '')] : []),
    {
      text: `Convert the stored values. The update reads ${side.namespace}, rewrites each document with a value of the old type, and leaves what cannot be converted as it is.`,
      code: update,
    },
    {
      text: `Check: list the documents with a value of the old type. ${SCAN_COST} What it still lists could not be converted: look at those.`,
      code: shellScan(side.namespace, spacedJson({ [side.path]: { $type: old } })),
    },
  );
}

function untilThen(path: string, conversion: string): RemedyStep {
  return {
    text: 'Until the stored values are converted, convert them in the join, with a pipeline that compares the other side with `$$key`.',
    code: `let: { key: { $convert: { input: "$${path}", to: "${conversion}", onError: null } } }`,
  };
}

function mainFamily({ families }: JoinSide): TypeFamily | null {
  return commonestFirst(families)[0]?.[0] ?? null;
}

function commonestFirst(families: JoinSide['families']) {
  return [...families].toSorted(([, one], [, two]) => two - one);
}
