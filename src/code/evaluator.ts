import type { CallExpression, Expression, NewExpression, Node } from 'oxc-parser';
import { ownValue } from '../plain.js';
import { Answers } from './answers.js';
import { arrayValue, changedValue, enumValue, objectValue } from './built-values.js';
import { calledMethod, constructed } from './libraries.js';
import { exportedValue, memberValue } from './member-value.js';
import { either, joinedText, madeExpression, unary } from './operators.js';
import { Registry } from './registry.js';
import { isInStatic, modelOfStatic } from './schema-statics.js';
import type { Binding, Origin, Way } from './scope.js';
import type { SourceModule } from './source-module.js';
import type { SourceModules } from './source-modules.js';
import { annotationOf, bare, isClass, isFunction, plainArguments, returnedBy, writtenPath } from './syntax.js';
import { typed, typedResult, typedValue } from './typed-value.js';
import {
  NO_FRAME,
  choice,
  constant,
  SOME,
  UNDEFINED,
  UNKNOWN,
  isNullish,
  textOf,
  waysOf,
  type Evaluating,
  type Frame,
  type FunctionValue,
  type Value,
} from './value.js';

/** Classes of values of the database. */
const VALUES = /(?:^|\.)(?:Date|ObjectI[dD]|UUID|Decimal128|Long)$/;

/** Calls within calls that are followed. */
const MOST_DEPTH = 6;

/** Finds out what expressions stand for, without running anything. What can't be known is unknown, never guessed. */
export class Evaluator implements Evaluating {
  private readonly known = new Map<Binding, Value>();
  /** The values of expressions, whatever the functions around them are called with. */
  private readonly found = new Map<Expression, Value>();
  private readonly handedOut = new Map<string, Value>();
  private readonly returns = new Map<FunctionValue['node'], readonly Expression[]>();
  private readonly answers = new Answers();
  private readonly areNamed: boolean;
  readonly registry: Registry;
  /** The values of types that are declared. */
  private readonly declared = new Map<Node, Value>();

  constructor(
    readonly modules: SourceModules,
    /** By what the source calls them, as in "stores.orders". */
    private readonly collections: Readonly<Record<string, string>> = {},
  ) {
    this.registry = new Registry(this, modules.all);
    this.areNamed = Object.keys(collections).length > 0;
  }

  /** The value of an expression of a module. */
  ask(node: Expression, module: SourceModule, frame: Frame = NO_FRAME): Value {
    return this.valueOf(node, module, frame);
  }

  valueOf(given: Expression, module: SourceModule, frame: Frame): Value {
    const node = bare(given);
    const find = () => this.valueOfBare(node, module, frame);
    const value =
      (this.areNamed ? this.namedCollection(node) : null) ??
      (frame === NO_FRAME && node.type !== 'Identifier'
        ? this.answers.keptOnce(this.found, node, find)
        : this.answers.deeper(find));
    return given.type === 'TSAsExpression' ? typed(this, value, given.typeAnnotation, module) : value;
  }

  /** What a configuration says of a name, or of what a call of it returns. */
  private namedCollection(node: Expression): Value | null {
    const name = ownValue(this.collections, writtenPath(node.type === 'CallExpression' ? node.callee : node));
    return name === undefined ? null : { kind: 'collection', name, database: null, library: 'driver', schema: null };
  }

  private valueOfBare(node: Expression, module: SourceModule, frame: Frame): Value {
    const value = (part: Expression) => this.valueOf(part, module, frame);
    switch (node.type) {
      case 'Literal':
        return constant('regex' in node && node.value === null ? undefined : (node.value as never));
      case 'TemplateLiteral':
        return joinedText(
          node.quasis.map(({ value: { cooked } }) => cooked ?? ''),
          node.expressions.map(value),
        );
      case 'Identifier':
        return this.named(node.name, node, module, frame);
      case 'ThisExpression':
        return this.self(node, module, frame);
      case 'ObjectExpression':
        return objectValue(node, module, value);
      case 'ArrayExpression':
        return arrayValue(node.elements, module, value);
      case 'ConditionalExpression':
        return isNullish(value(node.test))
          ? value(node.alternate)
          : choice([value(node.consequent), value(node.alternate)]);
      case 'LogicalExpression':
        return either(node.operator, value(node.left as Expression), () => value(node.right));
      case 'AssignmentExpression':
        return node.operator === '=' ? value(node.right) : UNKNOWN;
      case 'SequenceExpression':
        return value(node.expressions.at(-1) as Expression);
      case 'UnaryExpression':
        return unary(node.operator, value(node.argument));
      case 'BinaryExpression':
        return node.operator === '+' ? joinedText(['', '', ''], [node.left, node.right].map(value)) : SOME;
      case 'MemberExpression': {
        const name = node.computed ? textOf(this.valueOf(node.property, module, frame)) : node.property.name;
        return name === null ? UNKNOWN : this.member(this.valueOf(node.object as Expression, module, frame), name);
      }
      case 'CallExpression':
        return this.called(node, module, frame);
      case 'NewExpression':
        return this.made(node, module, frame);
      default:
        if (isFunction(node)) return { kind: 'function', node, module, frame };
        return isClass(node) ? { kind: 'class', node, module, frame } : UNKNOWN;
    }
  }

  /** A part of a value by its name. */
  member(of: Value, name: string): Value {
    return memberValue(this, of, name);
  }

  /** @param name null for all that it exports */
  imported(from: SourceModule, specifier: string, name: string | null): Value {
    const target = this.modules.resolve(from, specifier);
    if (target === null)
      return specifier.startsWith('.')
        ? UNKNOWN
        : { kind: 'package', name: specifier, path: name === null || name === 'default' ? [] : [name] };
    if (name === null) {
      const whole = target.exports.get('module.exports');
      return whole === undefined ? { kind: 'module', module: target } : exportedValue(this, target, 'default');
    }
    const key = `${target.file}\0${name}`;
    return this.answers.kept(this.handedOut, key, () => this.answers.deeper(() => exportedValue(this, target, name)));
  }

  /** The value that a call of a function returns. @param given null if it is not known with what it is called */
  returned(called: FunctionValue, given: readonly Value[] | null, self: Value | null = null): Value {
    const { node, module } = called;
    const depth = called.frame.depth + 1;
    if (depth > MOST_DEPTH || node.generator) return UNKNOWN;
    const frame = this.framed(called, given, self);
    const expressions = this.returns.get(node) ?? returnedBy(node);
    this.returns.set(node, expressions);
    const type = node.returnType?.typeAnnotation ?? null;
    if (expressions.length === 0) return node.body === null ? typedValue(this, type, module) : UNDEFINED;
    const value = this.answers.once(node, () => choice(expressions.map((each) => this.valueOf(each, module, frame))));
    return typed(this, value, type, module);
  }

  /** What names stand for in a call of a function. */
  framed(called: FunctionValue, given: readonly Value[] | null, self: Value | null): Frame {
    const { node, module, frame } = called;
    const bound = new Map(frame.bound);
    if (given !== null) {
      const scope = module.scopes.get(node);
      for (const binding of scope?.bindings.values() ?? []) {
        const origin = binding.origins.find(({ from }) => from === 'parameter');
        if (origin?.from !== 'parameter' || origin.of !== node) continue;
        const parameter = node.params[origin.index];
        const handed = given[origin.index] ?? UNDEFINED;
        const isDefault = isNullish(handed) && parameter?.type === 'AssignmentPattern';
        const whole = isDefault ? this.valueOf(parameter.right, module, frame) : handed;
        const value = this.part(whole, origin.way);
        // An argument that is left out, unless there is a default.
        const isMissing = origin.index >= given.length && (parameter?.type === 'Identifier' || isDefault);
        if (value.kind === 'unknown' || (isNullish(value) && !isMissing)) bound.delete(binding);
        else bound.set(binding, value);
      }
    }
    const isArrow = node.type === 'ArrowFunctionExpression';
    return { bound, self: isArrow ? frame.self : self, depth: frame.depth + 1 };
  }

  /** Values of arguments; null if a spread hides them. */
  given(node: CallExpression | NewExpression, module: SourceModule, frame: Frame): readonly Value[] | null {
    return plainArguments(node.arguments)?.map((argument) => this.valueOf(argument, module, frame)) ?? null;
  }

  moduleOf(from: SourceModule, specifier: string): SourceModule | null {
    return this.modules.resolve(from, specifier);
  }

  ofDeclaration(node: Node, derive: () => Value): Value {
    return this.answers.kept(this.declared, node, () => this.answers.deeper(derive));
  }

  /** What a name stands for at a place. */
  named(name: string, at: Node, module: SourceModule, frame: Frame): Value {
    if (name === 'undefined') return UNDEFINED;
    const binding = module.scopeOf(at).find(name);
    if (binding === null) return UNKNOWN;
    const changed = (value: Value) =>
      changedValue(value, binding.changes, module, (each) => this.valueOf(each, module, frame));
    const bound = frame.bound.get(binding);
    if (bound !== undefined) return changed(bound);
    const derived = () => {
      const origins = binding.origins.map((origin) => this.originValue(origin, module, frame));
      const isPlain = origins.length === 0 && binding.changes.length === 0;
      return changed(isPlain ? UNDEFINED : choice(origins));
    };
    return frame === NO_FRAME ? this.answers.kept(this.known, binding, derived) : this.answers.once(binding, derived);
  }

  private originValue(origin: Origin, module: SourceModule, frame: Frame): Value {
    switch (origin.from) {
      case 'expression': {
        const whole = typed(this, this.valueOf(origin.node, module, frame), origin.type, module);
        const value = this.part(whole, origin.way);
        return origin.otherwise !== null && isNullish(value) ? this.valueOf(origin.otherwise, module, frame) : value;
      }
      case 'function':
        return { kind: 'function', node: origin.node, module, frame };
      case 'class':
        return { kind: 'class', node: origin.node, module, frame };
      case 'enum':
        return enumValue(origin.node, module, (each) => this.valueOf(each, module, NO_FRAME));
      case 'import':
        return this.imported(module, origin.specifier, origin.name);
      case 'parameter': {
        const parameter = origin.of.params[origin.index];
        return parameter === undefined
          ? UNKNOWN
          : this.part(typedValue(this, annotationOf(parameter), module), origin.way);
      }
      default:
        return UNKNOWN;
    }
  }

  private part(whole: Value, way: Way): Value {
    return way.reduce<Value>((value, name) => (name === null ? UNKNOWN : this.member(value, name)), whole);
  }

  private self(node: Node, module: SourceModule, frame: Frame): Value {
    if (frame.self !== null) return frame.self;
    const model = modelOfStatic(this, node, module);
    const around = module.classAround(node);
    if (model !== null || around === null) return model ?? UNKNOWN;
    const of = { kind: 'class', node: around, module, frame: NO_FRAME } as const;
    return isInStatic(node, module) ? of : { kind: 'instance', of, given: null };
  }

  private called(node: CallExpression, module: SourceModule, frame: Frame): Value {
    const callee = bare(node.callee);
    if (callee.type === 'Identifier' && callee.name === 'require') {
      const specifier = plainArguments(node.arguments)?.[0];
      const name = specifier === undefined ? null : textOf(this.valueOf(specifier, module, frame));
      return name === null ? UNKNOWN : this.imported(module, name, null);
    }
    const of = this.valueOf(callee, module, frame);
    const self = callee.type === 'MemberExpression' ? this.valueOf(callee.object as Expression, module, frame) : null;
    const results = waysOf(of).map((each): Value => {
      if (each.kind === 'unknown' && each.type !== undefined) return typedResult(this, each.type);
      if (each.kind === 'function') return this.returned(each, this.given(node, module, frame), self);
      return calledMethod(this, each, self, callee, () => this.given(node, module, frame), { module, node });
    });
    return choice(results);
  }

  private made(node: NewExpression, module: SourceModule, frame: Frame): Value {
    const of = this.valueOf(node.callee as Expression, module, frame);
    const given = this.given(node, module, frame);
    if (of.kind === 'class') return { kind: 'instance', of, given };
    if (writtenPath(node.callee) === 'RegExp') return madeExpression(given);
    const made = constructed(of, given ?? [], { module, node });
    return made.kind === 'unknown' && VALUES.test(writtenPath(node.callee)) ? SOME : made;
  }
}
