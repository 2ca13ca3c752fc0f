import type { Expression, Node, ObjectExpression } from 'oxc-parser';
import { DATA_NAME } from '../workload/shapes/sort-shape.js';
import type { Change, Way } from './scope.js';
import type { SourceModule } from './source-module.js';
import { writtenName } from './syntax.js';
import {
  choice,
  isNullish,
  textOf,
  waysOf,
  type Evaluating,
  type Field,
  type Frame,
  type ObjectValue,
  type Value,
} from './value.js';

/** What is known of a value once all that is done to it is done. */
export function changedValue(
  evaluator: Evaluating,
  value: Value,
  changes: readonly Change[],
  module: SourceModule,
  frame: Frame,
): Value {
  return changes.reduce((of, change) => changedOnce(evaluator, of, change, change.way, module, frame), value);
}

function changedOnce(
  evaluator: Evaluating,
  of: Value,
  change: Change,
  way: Way,
  module: SourceModule,
  frame: Frame,
): Value {
  if (of.kind === 'choice')
    return choice(of.of.map((each) => changedOnce(evaluator, each, change, way, module, frame)));
  const [name, ...rest] = way;
  const isHere = change.how === 'set' || change.how === 'delete' ? way.length === 1 : way.length === 0;
  if (of.kind === 'object') {
    if (!isHere) {
      const inner = name === null || name === undefined ? undefined : of.fields.get(name);
      if (inner === undefined) return { ...of, open: true };
      const value = changedOnce(evaluator, inner.value, change, rest, module, frame);
      return { ...of, fields: new Map(of.fields).set(name as string, { ...inner, value }) };
    }
    if (change.how === 'set') return withField(evaluator, of, name ?? null, change, module, frame);
    if (change.how === 'delete') return withoutField(of, name ?? null, change.sometimes);
    if (change.how === 'assign') return withFieldsOf(evaluator, of, change, module, frame);
    return { ...of, open: true };
  }
  if (of.kind === 'array') {
    if (!isHere || (change.how !== 'push' && change.how !== 'unshift')) return { ...of, open: true };
    const added = change.values.map((value): Field => ({
      value: evaluator.valueOf(value, module, frame),
      sometimes: change.sometimes,
      at: { module, node: value },
    }));
    return { ...of, elements: change.how === 'push' ? [...of.elements, ...added] : [...added, ...of.elements] };
  }
  return of;
}

function withField(
  evaluator: Evaluating,
  of: ObjectValue,
  name: string | null,
  change: Change,
  module: SourceModule,
  frame: Frame,
): Value {
  const [given] = change.values;
  if (name === null || given === undefined) return { ...of, open: true };
  const value = evaluator.valueOf(given, module, frame);
  const before = of.fields.get(name);
  const field: Field = change.sometimes
    ? {
        value: before === undefined ? value : choice([before.value, value]),
        sometimes: before?.sometimes ?? true,
        at: { module, node: change.at },
      }
    : { value, sometimes: false, at: { module, node: change.at } };
  return { ...of, fields: new Map(of.fields).set(name, field) };
}

/** @param name null if it may be any */
function withoutField(of: ObjectValue, name: string | null, sometimes: boolean): ObjectValue {
  const fields = [...of.fields].flatMap(([each, field]) => {
    if (name !== null && each !== name) return [[each, field] as const];
    return name === null || sometimes ? [[each, { ...field, sometimes: true }] as const] : [];
  });
  return { ...of, fields: new Map(fields) };
}

function withFieldsOf(
  evaluator: Evaluating,
  of: ObjectValue,
  change: Change,
  module: SourceModule,
  frame: Frame,
): Value {
  return change.values.reduce<ObjectValue>((into, each) => {
    const value = evaluator.valueOf(each, module, frame);
    return spreadInto(into, value, change.sometimes);
  }, of);
}

/** The value of an object that is written out. */
export function objectValue(evaluator: Evaluating, node: ObjectExpression, module: SourceModule, frame: Frame): Value {
  let fields = new Map<string, Field>();
  let open = false;
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const value = evaluator.valueOf(property.argument, module, frame);
      const spread = spreadInto({ kind: 'object', fields, open }, value, false);
      fields = new Map(spread.fields);
      open = spread.open;
      continue;
    }
    const name = writtenName(property) ?? nameOf(evaluator, property.key as Expression, module, frame);
    if (name === null) open = true;
    else
      fields.set(name, {
        value: evaluator.valueOf(property.value as Expression, module, frame),
        sometimes: false,
        at: { module, node: property },
      });
  }
  return { kind: 'object', fields, open };
}

/** A computed name. Parts of a path that are data are `*`: `votes.${user}` is `votes.*`. Null if nothing of it is known. */
function nameOf(evaluator: Evaluating, key: Expression, module: SourceModule, frame: Frame): string | null {
  const whole = textOf(evaluator.valueOf(key, module, frame));
  if (whole !== null) return whole;
  const parts = partsOf(key).map((part) =>
    typeof part === 'string' ? part : (textOf(evaluator.valueOf(part, module, frame)) ?? NOT_KNOWN),
  );
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
export function arrayValue(
  evaluator: Evaluating,
  elements: readonly (Node | null)[],
  module: SourceModule,
  frame: Frame,
): Value {
  const known: Field[] = [];
  let open = false;
  for (const element of elements) {
    if (element === null) continue;
    if (element.type !== 'SpreadElement') {
      known.push({
        value: evaluator.valueOf(element as Expression, module, frame),
        sometimes: false,
        at: { module, node: element },
      });
      continue;
    }
    const ways = waysOf(evaluator.valueOf(element.argument, module, frame));
    open ||= ways.some((way) => way.kind !== 'array' || way.open);
    for (const way of ways)
      for (const each of way.kind === 'array' ? way.elements : [])
        known.push({ ...each, sometimes: each.sometimes || ways.length > 1 });
  }
  return { kind: 'array', elements: known, open };
}

function spreadInto(into: ObjectValue, value: Value, sometimes: boolean): ObjectValue {
  const ways = waysOf(value).filter((way) => !(way.kind === 'constant' && (isNullish(way) || way.value === false)));
  const isSometimes = sometimes || ways.length < waysOf(value).length || ways.length > 1;
  const fields = new Map(into.fields);
  let open = into.open;
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
  return { kind: 'object', fields, open };
}
