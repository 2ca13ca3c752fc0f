import type { Class, MethodDefinition, PropertyDefinition } from 'oxc-parser';
import type { KeptInThis } from './changes.js';
import { memberOfCollection, injectedValue } from './libraries.js';
import type { SourceModule } from './source-module.js';
import { annotationOf, writtenName, type AnyFunction } from './syntax.js';
import { typed, typedMember, typedValue } from './typed-value.js';
import {
  NO_FRAME,
  UNDEFINED,
  UNKNOWN,
  choice,
  isNullish,
  type Evaluating,
  type Value,
  constant,
  type ClassValue,
  type InstanceValue,
} from './value.js';

/** A part of a value by its name. */
export function memberValue(evaluator: Evaluating, of: Value, name: string): Value {
  switch (of.kind) {
    case 'choice':
      return choice(of.of.map((each) => evaluator.member(each, name)));
    case 'object': {
      const field = of.fields.get(name);
      // Another module may give it one: `app.db = …`.
      if (field === undefined) return evaluator.registry.assigned(name) ?? (of.open ? UNKNOWN : UNDEFINED);
      return field.sometimes ? choice([field.value, of.open ? UNKNOWN : UNDEFINED]) : field.value;
    }
    case 'array':
      return of.elements[Number(name)]?.value ?? (/^\d+$/.test(name) ? UNKNOWN : { kind: 'method', of, name });
    case 'module':
      return exportedValue(evaluator, of.module, name);
    case 'models':
      // What makes a model looks first whether it is there.
      return evaluator.registry.models().get(name) ?? UNDEFINED;
    case 'unknown':
      if (of.from !== undefined) return of;
      if (of.type !== undefined) return typedMember(evaluator, of.type, name);
      // Connections have them, as the package itself has.
      return name === 'models' ? { kind: 'models' } : UNKNOWN;
    case 'package':
      if (of.name === 'mongoose' && name === 'models') return { kind: 'models' };
      return { kind: 'package', name: of.name, path: [...of.path, name] };
    case 'instance':
    case 'class':
      return declaredClassMember(evaluator, of, name);
    case 'collection':
      return memberOfCollection(of, name);
    case 'client':
    case 'database':
    case 'schema':
    case 'document':
    case 'function':
      return { kind: 'method', of, name };
    case 'constant':
      // As `?.` has it: elsewhere it fails.
      return isNullish(of) ? UNDEFINED : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** What a module hands out under a name; of `module.exports` and a missing default, all of it. */
export function exportedValue(evaluator: Evaluating, module: SourceModule, name: string): Value {
  const found = module.exports.get(name);
  if (found !== undefined) {
    if ('expression' in found) return evaluator.valueOf(found.expression, module, NO_FRAME);
    if ('local' in found) return evaluator.named(found.local, module.program, module, NO_FRAME);
    return evaluator.imported(module, found.specifier, found.name);
  }
  const whole = module.exports.get('module.exports');
  if (whole !== undefined && 'expression' in whole) {
    const value = evaluator.valueOf(whole.expression, module, NO_FRAME);
    return name === 'default' ? value : evaluator.member(value, name);
  }
  if (name === 'default' && module.exports.size > 0) return { kind: 'module', module };
  for (const specifier of module.reexported) {
    const value = evaluator.imported(module, specifier, name);
    if (value.kind !== 'unknown') return value;
  }
  return UNKNOWN;
}

/**
 * What `this.name` is of an object of a class, or `Class.name` of the class itself; unknown if it declares no such member.
 *
 * @param self the object itself, if the class is one that its own class extends
 */
function declaredClassMember(
  evaluator: Evaluating,
  of: ClassValue | InstanceValue,
  name: string,
  self: ClassValue | InstanceValue = of,
): Value {
  const ofClass = of.kind === 'class' ? of : of.of;
  const { node, module, frame } = ofClass;
  const isStatic = of.kind === 'class';
  if (isStatic && name === 'name' && node.id !== null) return constant(node.id.name);
  const declared = node.body.body.find(
    (member): member is MethodDefinition | PropertyDefinition =>
      (member.type === 'MethodDefinition' || member.type === 'PropertyDefinition') &&
      member.static === isStatic &&
      writtenName(member) === name &&
      !(member.type === 'MethodDefinition' && member.kind === 'set'),
  );
  if (declared?.type === 'MethodDefinition') {
    const method = { kind: 'function' as const, node: declared.value, module, frame };
    return declared.kind === 'get' ? evaluator.returned(method, [], self) : method;
  }
  const injected = declared === undefined ? null : injectedValue(evaluator, declared, module);
  if (injected !== null) return injected;
  const ownFrame = { ...frame, self };
  if (declared?.type === 'PropertyDefinition' && declared.value !== null)
    return evaluator.valueOf(declared.value, module, ownFrame);
  const made = of.kind === 'instance' ? madeInConstructor(evaluator, of, name, self) : null;
  const found = made ?? inherited(evaluator, of, name, self);
  return typed(evaluator, found, declared === undefined ? null : annotationOf(declared), module);
}

/** What a constructor keeps: `this.name = …`, or a parameter that TypeScript makes a property. */
function madeInConstructor(evaluator: Evaluating, of: InstanceValue, name: string, self: Value): Value | null {
  const { node, module, frame } = of.of;
  const constructor = constructorOf(node);
  for (const parameter of constructor?.params ?? []) {
    if (parameter.type !== 'TSParameterProperty') continue;
    const { parameter: inner } = parameter;
    const named = inner.type === 'AssignmentPattern' ? inner.left : inner;
    if (named.type !== 'Identifier' || named.name !== name) continue;
    const injected = injectedValue(evaluator, parameter, module);
    if (injected !== null) return injected;
    const given = of.given?.[(constructor as AnyFunction).params.indexOf(parameter)] ?? UNKNOWN;
    return given.kind === 'unknown' ? typedValue(evaluator, annotationOf(parameter), module) : given;
  }
  const kept = (module.keptInThis.get(node) ?? []).filter((each) => each.name === name);
  if (kept.length !== 1) return kept.length === 0 ? null : UNKNOWN;
  const { value, within } = kept[0] as KeptInThis;
  const isOwn = constructor !== null && within === constructor;
  const inFrame = isOwn
    ? evaluator.framed({ kind: 'function', node: constructor, module, frame }, of.given, self)
    : { ...frame, self };
  return evaluator.valueOf(value, module, inFrame);
}

function inherited(
  evaluator: Evaluating,
  of: ClassValue | InstanceValue,
  name: string,
  self: ClassValue | InstanceValue,
): Value {
  const { node, module, frame } = of.kind === 'class' ? of : of.of;
  if (node.superClass === null || frame.depth > 4) return UNKNOWN;
  const base = evaluator.valueOf(node.superClass, module, frame);
  if (base.kind !== 'class') return base.kind === 'collection' ? evaluator.member(base, name) : UNKNOWN;
  const deeper = { ...base, frame: { ...base.frame, depth: frame.depth + 1 } };
  if (of.kind === 'class') return declaredClassMember(evaluator, deeper, name, self);
  return declaredClassMember(
    evaluator,
    { kind: 'instance', of: deeper, given: givenToSuper(evaluator, of) },
    name,
    self,
  );
}

function givenToSuper(evaluator: Evaluating, of: InstanceValue): readonly Value[] | null {
  const { node, module, frame } = of.of;
  const constructor = constructorOf(node);
  if (constructor === null) return of.given;
  const call = module.superCalls.get(node);
  if (call === undefined) return null;
  const inFrame = evaluator.framed({ kind: 'function', node: constructor, module, frame }, of.given, null);
  return evaluator.given(call, module, inFrame);
}

function constructorOf(node: Class): AnyFunction | null {
  const found = node.body.body.find((member) => member.type === 'MethodDefinition' && member.kind === 'constructor');
  return found?.type === 'MethodDefinition' ? found.value : null;
}
