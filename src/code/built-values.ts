import type { Expression, Node, ObjectExpression, TSEnumDeclaration } from 'oxc-parser';
import { DATA_NAME } from '../workload/shapes/sort-shape.js';
import type { Change, Way } from './scope.js';
import type { SourceModule } from './source-module.js';
import { writtenName } from './syntax.js';
import {
  choice,
  isNullish,
  LONGEST_TEXT,
  UNKNOWN,
  textOf,
  waysOf,
  type ArrayValue,
  type Field,
  type ObjectValue,
  type Value,
} from './value.js';

/** Elements, fields and changes of one value. Beyond, it holds some that are not known. */
const MOST_PARTS = 2_000;

/** The value of an expression where it stands. */
type ValueOf = (expression: Expression) => Value;

/** What is known of a value once all that is done to it is done. */
export function changedValue(value: Value, changes: readonly Change[], module: SourceModule, valueOf: ValueOf): Value {
  const followed = changes.slice(0, MOST_PARTS);
  const changed = followed.reduce((of, change) => changedOnce(of, change, change.way, module, valueOf), value);
  return followed.length < changes.length ? opened(changed) : changed;
}

function opened(value: Value): Value {
  return value.kind === 'object' || value.kind === 'array' ? { ...value, open: true } : value;
}

function changedOnce(of: Value, change: Change, way: Way, module: SourceModule, valueOf: ValueOf): Value {
  if (of.kind === 'choice') return choice(of.of.map((each) => changedOnce(each, change, way, module, valueOf)));
  const [name, ...rest] = way;
  const isHere = change.how === 'set' || change.how === 'delete' ? way.length === 1 : way.length === 0;
  if (of.kind === 'object') {
    if (!isHere) {
      const inner = name === null || name === undefined ? undefined : of.fields.get(name);
      if (inner === undefined) return { ...of, open: true };
      const value = changedOnce(inner.value, change, rest, module, valueOf);
      return { ...of, fields: new Map(of.fields).set(name as string, { ...inner, value }) };
    }
    if (change.how === 'set') return withField(of, name ?? null, change, module, valueOf);
    if (change.how === 'delete') return withoutField(of, name ?? null, change.sometimes);
    if (change.how === 'assign') return withFieldsOf(of, change, valueOf);
    return { ...of, open: true };
  }
  if (of.kind === 'array') {
    if (!isHere || (change.how !== 'push' && change.how !== 'unshift')) return { ...of, open: true };
    const added = change.values.map((value): Field => ({
      value: valueOf(value),
      sometimes: change.sometimes,
      at: { module, node: value },
    }));
    return listOf(change.how === 'push' ? [...of.elements, ...added] : [...added, ...of.elements], of.open);
  }
  return of;
}

function withField(
  of: ObjectValue,
  name: string | null,
  change: Change,
  module: SourceModule,
  valueOf: ValueOf,
): Value {
  const [given] = change.values;
  if (name === null || given === undefined || of.fields.size >= MOST_PARTS) return { ...of, open: true };
  const value = valueOf(given);
  const before = of.fields.get(name);
  const field = change.sometimes
    ? { value: before === undefined ? value : choice([before.value, value]), sometimes: before?.sometimes ?? true }
    : { value, sometimes: false };
  return { ...of, fields: new Map(of.fields).set(name, { ...field, at: { module, node: change.at } }) };
}

/** @param name null if it may be any */
function withoutField(of: ObjectValue, name: string | null, sometimes: boolean): ObjectValue {
  const fields = [...of.fields].flatMap(([each, field]) => {
    if (name !== null && each !== name) return [[each, field] as const];
    return name === null || sometimes ? [[each, { ...field, sometimes: true }] as const] : [];
  });
  return { ...of, fields: new Map(fields) };
}

function withFieldsOf(of: ObjectValue, { values, sometimes }: Change, valueOf: ValueOf): Value {
  const fields = new Map(of.fields);
  const areOpen = values.map((each) => spreadInto(fields, valueOf(each), sometimes));
  return { kind: 'object', fields, open: of.open || areOpen.includes(true) };
}

/** The value of an object that is written out. */
export function objectValue(node: ObjectExpression, module: SourceModule, valueOf: ValueOf): Value {
  const fields = new Map<string, Field>();
  let open = false;
  for (const property of node.properties) {
    if (fields.size >= MOST_PARTS) return { kind: 'object', fields, open: true };
    if (property.type === 'SpreadElement') {
      if (spreadInto(fields, valueOf(property.argument), false)) open = true;
      continue;
    }
    const name = writtenName(property) ?? nameOf(property.key as Expression, valueOf);
    if (name === null || name.length > LONGEST_TEXT) open = true;
    else
      fields.set(name, {
        value: valueOf(property.value as Expression),
        sometimes: false,
        at: { module, node: property },
      });
  }
  return { kind: 'object', fields, open };
}

/** A computed name. Parts of a path that are data are `*`: `votes.${user}` is `votes.*`. Null if nothing of it is known. */
function nameOf(key: Expression, valueOf: ValueOf): string | null {
  const whole = textOf(valueOf(key));
  if (whole !== null) return whole;
  const parts = partsOf(key).map((part) => (typeof part === 'string' ? part : (textOf(valueOf(part)) ?? NOT_KNOWN)));
  const names = parts.join('').split('.');
  const isClear = names.every((name) => name === NOT_KNOWN || !name.includes(NOT_KNOWN)) && names[0] !== NOT_KNOWN;
  return isClear ? names.map((name) => (name === NOT_KNOWN ? DATA_NAME : name)).join('.') : null;
}

const NOT_KNOWN = '\0';

function partsOf(text: Expression): readonly (string | Expression)[] {
  if (text.type === 'TemplateLiteral')
    return text.quasis.flatMap(({ value }, index) => [value.cooked ?? '', ...text.expressions.slice(index, index + 1)]);
  return text.type === 'BinaryExpression' && text.operator === '+'
    ? [...partsOf(text.left as Expression), ...partsOf(text.right)]
    : [text];
}

/** The value of an array that is written out. */
export function arrayValue(elements: readonly (Node | null)[], module: SourceModule, valueOf: ValueOf): Value {
  const known: Field[] = [];
  let open = false;
  for (const element of elements) {
    if (known.length > MOST_PARTS) break;
    if (element === null) continue;
    if (element.type !== 'SpreadElement') {
      known.push({ value: valueOf(element as Expression), sometimes: false, at: { module, node: element } });
      continue;
    }
    const ways = waysOf(valueOf(element.argument));
    open ||= ways.some((way) => way.kind !== 'array' || way.open);
    for (const way of ways)
      for (const each of way.kind === 'array' ? way.elements : [])
        known.push({ ...each, sometimes: each.sometimes || ways.length > 1 });
  }
  return listOf(known, open);
}

/** An array of these elements, as far as there may be so many. */
export function listOf(elements: readonly Field[], open: boolean): ArrayValue {
  const isCut = elements.length > MOST_PARTS;
  return { kind: 'array', elements: isCut ? elements.slice(0, MOST_PARTS) : elements, open: open || isCut };
}

/** Returns whether there may be fields that are not known. */
function spreadInto(fields: Map<string, Field>, value: Value, sometimes: boolean): boolean {
  const ways = waysOf(value).filter((way) => !(way.kind === 'constant' && (isNullish(way) || way.value === false)));
  const isSometimes = sometimes || ways.length < waysOf(value).length || ways.length > 1;
  let open = false;
  for (const way of ways) {
    if (way.kind !== 'object') {
      open = true;
      continue;
    }
    open ||= way.open;
    for (const [name, field] of way.fields) {
      const before = fields.get(name);
      fields.set(name, {
        ...field,
        value: isSometimes && before !== undefined ? choice([before.value, field.value]) : field.value,
        sometimes: (isSometimes || field.sometimes) && (before?.sometimes ?? true),
      });
    }
  }
  return open;
}

/** The names of an enumeration, with the texts that they stand for. */
export function enumValue({ body }: TSEnumDeclaration, module: SourceModule, valueOf: ValueOf): Value {
  const fields = body.members.slice(0, MOST_PARTS).map((member): [string, Field] => {
    const name = member.id.type === 'Identifier' ? member.id.name : String((member.id as { value?: unknown }).value);
    const value = member.initializer === null ? UNKNOWN : valueOf(member.initializer);
    return [name, { value, sometimes: false, at: { module, node: member } }];
  });
  return { kind: 'object', fields: new Map(fields), open: fields.length < body.members.length };
}
