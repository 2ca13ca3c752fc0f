import { typeCounts } from './bson-types.js';
import type { BsonType } from './document-profile.js';
import { commonPattern, type JudgedField, judgeFieldNames, SCHEMA_PRESENCE } from './field-names.js';
import type { PathFields, PathNode } from './path-node.js';
import type { PathTree } from './path-tree.js';

/** Objects since a field was first seen from which its presence is trusted while documents are still being read. */
const OBJECTS_TO_SETTLE = 20;
const OBJECTS_TO_SHOW_WIDE_SCHEMA = 5;

/** Nobody writes down so many names, and no index serves them, so they are data even if all objects share them. */
const MOST_NAMES_OF_A_SCHEMA = 10_000;

interface Field extends JudgedField {
  readonly node: PathNode;
}

// `thinning`: documents are still to come, but memory is short. `shown`: the profile is to be taken.
export type FoldingStage = 'reading' | 'thinning' | 'shown';

export function foldBelow(tree: PathTree, node: PathNode, stage: FoldingStage): void {
  if (node.object !== null) foldFields(tree, node.object, stage);
  for (const child of node.children) foldBelow(tree, child, stage);
}

/** @returns whether any names were data: their counts are summed under one path, and the names are forgotten */
export function foldFields(tree: PathTree, object: PathFields, stage: FoldingStage): boolean {
  const final = stage !== 'reading';
  const objects = object.counts.count;
  const fields = object.named.map((node) => judgedField(node, objects));
  const known = object.named.reduce((sum, { occurrences }) => sum + occurrences, 0);
  const fieldsPerKnownField = known === 0 ? 1 : object.counts.sum / known;
  const verdict = judgeFieldNames(fields, {
    count: objects,
    fieldsPerKnownField,
    namesAreData: object.namesAreData,
    final,
    shown: stage === 'shown',
  });
  const data = new Set(verdict.namedByData);
  let namesAreData = verdict.namesAreData;
  if (final && object.overflows && !object.namesAreData && !isWideSchema(object)) {
    namesAreData = true;
    for (const field of fields) {
      if (field.presence < SCHEMA_PRESENCE || objects < OBJECTS_TO_SHOW_WIDE_SCHEMA) data.add(field);
    }
  }
  if (namesAreData) object.namesAreData = true;
  if (data.size === 0) return false;
  object.addPattern(commonPattern([...data].map((field) => field.name)), data.size);
  foldInto(
    tree,
    object,
    [...data].map((field) => field.node),
  );
  return true;
}

// Whether the names beyond those told apart are fields that the objects share: a wide schema, not data. Known by their
// mean presence, as each cannot be counted by itself.
export function isWideSchema(object: PathFields): boolean {
  const { rest, restNames, overflows, namesAreData } = object;
  if (rest === null || restNames === null || !overflows || namesAreData) return false;
  const objects = object.counts.count - rest.objectsBefore;
  if (objects < OBJECTS_TO_SHOW_WIDE_SCHEMA || object.distinctNames > MOST_NAMES_OF_A_SCHEMA) return false;
  return rest.occurrences >= objects * restNames.atLeast * SCHEMA_PRESENCE;
}

function foldInto(tree: PathTree, object: PathFields, fields: readonly PathNode[]): void {
  const folded = new Set(fields);
  const rest = tree.restOf(object);
  for (const field of fields) {
    object.openRestNames().add(field.name.hash);
    mergePath(rest, field);
  }
  object.keepNamed(object.named.filter((field) => !folded.has(field)));
  // Objects hold several of the fields, so holders cannot be summed; without other fields, every non-empty object is
  // one.
  rest.holders = object.named.length === 0 ? object.nonEmptyObjects : Math.min(object.nonEmptyObjects, rest.holders);
}

function judgedField(node: PathNode, objects: number): Field {
  const objectsSince = objects - node.objectsBefore;
  const fields = new Map<string, string>();
  for (const field of node.object?.named ?? []) fields.set(field.name.toString(), kindOf(field));
  const rest = node.object?.rest ?? null;
  if (rest !== null) fields.set('*', kindOf(rest));
  return {
    node,
    name: node.name.toString(),
    presence: node.holders / Math.max(1, objectsSince, Math.min(objects, OBJECTS_TO_SETTLE)),
    shareOfAll: node.holders / Math.max(1, objects),
    settled: objectsSince >= OBJECTS_TO_SETTLE,
    kind: kindOf(node),
    fields,
  };
}

function kindOf(node: PathNode): string {
  const kind = mostFrequentKind(node);
  return kind === 'array' && node.element !== null ? `array of ${mostFrequentKind(node.element)}` : kind;
}

const KINDS: Partial<Record<BsonType, string>> = { int: 'number', long: 'number', double: 'number', decimal: 'number' };

function mostFrequentKind(node: PathNode): string {
  const types = Object.keys(typeCounts(node.types)) as BsonType[];
  if (types.length === 1)
    return types[0] === 'undefined' ? 'null' : (KINDS[types[0] as BsonType] ?? (types[0] as BsonType));
  const counts = new Map<string, number>();
  for (const [type, count] of Object.entries(typeCounts(node.types)) as [BsonType, number][]) {
    if (type === 'null' || type === 'undefined') continue;
    const kind = KINDS[type] ?? type;
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most === undefined ? 'null' : most[0];
}

// Between documents. Afterwards `from` is no part of the tree, whose paths must then be counted again.
function mergePath(into: PathNode, from: PathNode): void {
  for (let slot = 0; slot < into.types.length; slot += 1) {
    into.types[slot] = (into.types[slot] as number) + (from.types[slot] as number);
  }
  into.bytes += from.bytes;
  into.documents += from.documents;
  into.holders += from.holders;
  into.values.merge(from.values);
  if (from.array !== null) into.openArray().merge(from.array);
  if (from.object !== null) mergeFields(into.openObject(), from.object);
  if (from.element !== null) into.element = mergedOrMoved(into, into.element, from.element);
  from.mergedInto = into;
}

function mergeFields(into: PathFields, from: PathFields): void {
  into.counts.merge(from.counts);
  for (const field of from.named) {
    const known = into.findNamed(field.name);
    if (known === null) {
      field.parent = into.node;
      field.successor = null;
      into.addNamed(field);
    } else {
      mergePath(known, field);
    }
  }
  if (from.rest !== null) into.rest = mergedOrMoved(into.node, into.rest, from.rest);
  if (from.restNames !== null) into.openRestNames().merge(from.restNames);
  if (from.overflows) into.overflows = true;
  if (from.namesAreData) into.namesAreData = true;
  into.addPatterns(from);
}

function mergedOrMoved(parent: PathNode, known: PathNode | null, path: PathNode): PathNode {
  if (known !== null) {
    mergePath(known, path);
    return known;
  }
  path.parent = parent;
  path.successor = null;
  return path;
}
