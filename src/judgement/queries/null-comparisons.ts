import { ownValue } from '../../plain.js';
import type { FieldType, FieldTypes } from '../../profile/field-types.js';
import { queryPath } from '../../profile/path-steps.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { WRITE_KINDS, type Operation } from '../../workload/workload.js';
import { everyCondition } from './conditions.js';
import type { Query } from './query.js';

/** A recorded comparison with `null`, or with a missing field of the other side of a join. */
export interface NullComparison {
  readonly namespace: string;
  readonly path: string;
  /** `$eq` of joins. */
  readonly operator: string;
  readonly operation: Operation;
  readonly isWrite: boolean;
  /** The other side of a join: it must hold null, or lack the field. */
  readonly other: { readonly namespace: string; readonly path: string } | null;
  /** False of a list of values of several types, which may hold null, and mostly does. */
  readonly isSure: boolean;
  /** Whether it is about one element of an array (`$elemMatch`). */
  readonly ofElement: boolean;
}

/** Those of filters on stored documents, and of `$lookup` by `localField` and `foreignField`, on both of its sides. */
export function nullComparisons(queries: readonly Query[], workload: TracedWorkload): readonly NullComparison[] {
  const ofFilters = queries.flatMap((query) =>
    everyCondition(query.conditions).flatMap(({ path, operator, ofNull, role, element }): NullComparison[] => {
      const isMixed = role === 'mixed' && operator === '$in';
      if (path === '' || !(ofNull || isMixed)) return [];
      const { operation, known } = query;
      const isWrite = WRITE_KINDS.has(operation.shape.kind);
      const { namespace } = known.collection;
      return [
        { namespace, path, operator, operation, isWrite, other: null, isSure: ofNull, ofElement: element !== null },
      ];
    }),
  );
  const ofJoins = workload.tracedOperations.flatMap(({ operation, joins }) =>
    joins.flatMap(({ keys, form }) => {
      if (form !== 'fields' && form !== 'fields-and-pipeline') return [];
      return keys.flatMap(({ local, foreign }): NullComparison[] => {
        if (!local.origin.traced || !foreign.origin.traced) return [];
        const sides = [foreign.origin, local.origin];
        return sides.map((side, at) => ({
          namespace: side.namespace,
          path: side.path,
          operator: at === 0 ? '$lookup foreignField' : '$lookup localField',
          operation,
          isWrite: false,
          other: sides[1 - at] ?? null,
          isSure: true,
          ofElement: false,
        }));
      });
    }),
  );
  return [...ofFilters, ...ofJoins];
}

/** The sampled values at a path as queries write it, those within arrays among them. */
export function fieldsAt({ fields }: FieldTypes, path: string): readonly FieldType[] {
  return fields.filter((field) => queryPath(field.path) === path);
}

/** Whether sampled documents hold null there, or lack the field. */
export function holdsNullAt(types: FieldTypes, path: string): boolean {
  const found = fieldsAt(types, path);
  return (
    found.every(({ documents }) => documents < types.documents) || found.some((field) => countOf(field, 'null') > 0)
  );
}

export function countOf({ types }: FieldType, type: string): number {
  return ownValue(types as Readonly<Record<string, number>>, type) ?? 0;
}
