import type { FieldTypes, RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount } from '../src/format.js';
import { countOf, fieldsAt, holdsNullAt, nullComparisons } from '../src/judgement/queries/null-comparisons.js';
import { defineUpgradeCheck, type Affected, type UpgradeSubject } from '../src/judgement/upgrades/upgrade-check.js';
import { ownValue } from '../src/plain.js';
import { isWithin } from '../src/profile/path-steps.js';
import { bestFigures } from '../src/workload/operations/figures.js';
import { isObjectShape, type Shape } from '../src/workload/shapes/shape.js';

/** The recorded operation shows it by itself, whatever the documents hold. */
const OF_SHAPE = { because: null, values: null } as const;

/** Source: "Compatibility Changes in MongoDB 9.0", Null Comparisons on Dotted Paths That Traverse Arrays. */
const CHANGED = new Set(['$eq', '$ne', '$in', '$nin', '$gte', '$lte', '$lookup foreignField', '$lookup localField']);
const EXCLUDING = new Set(['$ne', '$nin']);
const SCRIPTS = ['$where', '$function', '$accumulator'] as const;

export const upgradeTo9 = defineUpgradeCheck({
  release: '9.0',
  id: 'upgrade-to-9',
  title: 'Changed by an upgrade to 9.0',
  summary: 'recorded operations that fail, or return or write something else, after an upgrade to 9.0',
  page: 'https://www.mongodb.com/docs/manual/release-notes/9.0-compatibility/',
  affected: (subject) => [
    ...ofNulls(subject),
    ...ofGroups(subject),
    ...ofDensified(subject),
    ...ofMemory(subject),
    ...ofScripts(subject),
  ],
  remedy: remedySteps,
});

function remedySteps({ path, consequence }: Affected): readonly RemedyStep[] {
  switch (consequence) {
    case 'fails':
      return stepsOf(
        path === '$group'
          ? 'Give the field of the accumulator a name.'
          : 'Densify and partition by fields of which neither lies within the other. Copy one by $set if the pipeline needs both.',
      );
    case 'mayFail':
      return stepsOf(
        'Let the operation hold less: filter and project before it sorts, groups or joins, or read its input in parts.',
        {
          text: 'See what the upgraded server allows. The larger of 1 GB and 20 % of its memory is the default.',
          code: 'db.serverStatus().metrics.query.configuredMaxMemoryUsageBytesPerOperation',
        },
      );
    case 'review':
      return stepsOf(
        'Look for local Date methods in the JavaScript, such as getHours(): 9.0 evaluates them in UTC, whatever the time zone of the host. Use getUTCHours() and its like, or $hour with a timezone.',
      );
    default:
      return stepsOf(
        `Decide what a document is to count as whose \`${path.split('.')[0]}\` is an empty array, or an array without objects.`,
        `Ask by $exists instead of null, which both releases answer alike: { "${path}": { $exists: false } } finds the documents without it.`,
      );
  }
}

function ofNulls({ queries, workload, typesOf }: UpgradeSubject): Affected[] {
  return nullComparisons(queries, workload).flatMap((one): Affected[] => {
    const types = typesOf(one.namespace);
    if (types === null || !CHANGED.has(one.operator) || one.ofElement) return [];
    const array = traversedArray(types, one.path);
    const others = one.other === null ? null : typesOf(one.other.namespace);
    if (array === null || (one.other !== null && (others === null || !holdsNullAt(others, one.other.path)))) return [];
    return [
      {
        ...one,
        effect: EXCLUDING.has(one.operator) ? 'fewer documents are found' : 'more documents are found',
        because: `behind \`${array.path}\`, which holds ${array.what} in ${formatCount(array.values)} of ${formatCount(types.documents)} sampled documents`,
        values: array.values,
        consequence: one.isWrite ? 'writes' : 'reads',
      },
    ];
  });
}

/** The array on a path, if sampled documents have it empty, of values that are no objects, or of arrays. */
function traversedArray(types: FieldTypes, path: string): { path: string; what: string; values: number } | null {
  const names = path.split('.');
  for (let end = 1; end < names.length; end += 1) {
    // A number behind it names an element, whatever that is.
    if (/^\d+$/.test(names[end] ?? '')) continue;
    const prefix = names.slice(0, end).join('.');
    for (const field of fieldsAt(types, prefix)) {
      const arrays = countOf(field, 'array');
      if (arrays === 0 || field.path.endsWith('[]')) continue;
      const elements = types.fields.find(({ path: at }) => at === `${field.path}[]`);
      const kinds = Object.entries(elements?.types ?? {}).flatMap(([type, count]) => (count > 0 ? [type] : []));
      const isEmpty = elements === undefined || (field.shortestArray ?? null) === 0;
      const what = [
        ...(kinds.some((type) => type !== 'object' && type !== 'array') ? ['an array of values'] : []),
        ...(kinds.includes('array') ? ['an array of arrays'] : []),
        ...(isEmpty ? ['an empty array'] : []),
      ];
      if (what.length > 0) return { path: prefix, what: what.join(' or '), values: arrays };
    }
  }
  return null;
}

function ofGroups({ workload }: UpgradeSubject): Affected[] {
  return workload.tracedOperations.flatMap(({ operation, base, stages }): Affected[] => {
    const isUnnamed = stages.some(({ $group }) => isObjectShape($group) && ownValue($group, '') !== undefined);
    if (!isUnnamed) return [];
    const effect = 'a $group with an empty field name fails';
    return [{ ...OF_SHAPE, namespace: base, path: '$group', operation, effect, consequence: 'fails', isSure: true }];
  });
}

/** Source: "Compatibility Changes in MongoDB 8.2", $densify Validation Changes (8.1). */
function ofDensified({ workload }: UpgradeSubject): Affected[] {
  return workload.tracedOperations.flatMap(({ operation, base, stages }): Affected[] => {
    const isRefused = stages.some(({ $densify }) => {
      if (!isObjectShape($densify) || !Array.isArray($densify['partitionByFields'])) return false;
      const field = String($densify['field']);
      return $densify['partitionByFields'].some((one) => isWithin(field, String(one)) || isWithin(String(one), field));
    });
    if (!isRefused) return [];
    const effect = '$densify fails whose field lies within a field that it partitions by, or holds one';
    return [{ ...OF_SHAPE, namespace: base, path: '$densify', operation, effect, consequence: 'fails', isSure: true }];
  });
}

/** Bytes. Source: "Release Notes for MongoDB 9.0", Per-Operation Memory Limit: or 20 % of the server's memory, if that is more. */
const MOST_MEMORY = 1024 ** 3;

function ofMemory({ workload }: UpgradeSubject): Affected[] {
  return workload.tracedOperations.flatMap(({ operation, base }): Affected[] => {
    const { peakMemoryBytes } = bestFigures(operation).figures;
    if (peakMemoryBytes === undefined || peakMemoryBytes <= MOST_MEMORY) return [];
    const effect = "an operation fails that takes more than 1 GB, or than 20 % of the server's memory if that is more";
    return [{ ...OF_SHAPE, namespace: base, path: 'memory', operation, effect, consequence: 'mayFail', isSure: false }];
  });
}

function ofScripts({ workload }: UpgradeSubject): Affected[] {
  return workload.tracedOperations.flatMap(({ operation, base, stages }) =>
    SCRIPTS.filter((name) => stages.some((stage) => hasName(stage, name))).map((path): Affected => {
      const effect = 'local dates of JavaScript are in UTC';
      return { ...OF_SHAPE, namespace: base, path, operation, effect, consequence: 'review', isSure: false };
    }),
  );
}

function hasName(shape: Shape, name: string): boolean {
  if (Array.isArray(shape)) return (shape as readonly Shape[]).some((each) => hasName(each, name));
  return isObjectShape(shape) && Object.entries(shape).some(([field, below]) => field === name || hasName(below, name));
}
