import type {
  BindingPattern,
  CallExpression,
  Class,
  ComputedMemberExpression,
  Expression,
  NewExpression,
  Node,
  ObjectExpression,
  ParamPattern,
  Program,
  TSInterfaceDeclaration,
  TSTypeAliasDeclaration,
} from 'oxc-parser';
import { noted } from '../grouped-by.js';
import { readChange, type KeptInThis } from './changes.js';
import { exportsOf, isExport, nameOf, type Exported } from './exports.js';
import { namesIn, type DeclaredName } from './pattern.js';
import { functionScope, NOWHERE, Scope, type Origin } from './scope.js';
import { annotationOf, isClass, isFunction, isProvider, keptBy, typesOf, type AnyFunction } from './syntax.js';

/** Parts of the syntax that hold types alone. */
const OF_TYPES = new Set(['typeAnnotation', 'returnType', 'typeArguments']);

/** Nodes within nodes. People stay below 100, sums of many lines below 1,000; what follows expressions is recursive, too. */
const DEEPEST = 2_000;

/** What nests more deeply than is followed. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** `b` in `a.b`. */
function isNameOfPart(node: Node, parent: Node | null): boolean {
  return parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
}

/** A file of source: its names, what they stand for, its exports and its calls. */
export class SourceModule {
  readonly scopes = new Map<Node, Scope>();
  readonly parents = new Map<Node, Node>();
  readonly calls: (CallExpression | NewExpression)[] = [];
  /** `this.name = …` of a class, with the function that does it. */
  readonly keptInThis = new Map<Class, KeptInThis[]>();
  /** What constructors hand to those of the class that they extend. */
  readonly superCalls = new Map<Class, CallExpression>();
  readonly exports = new Map<string, Exported>();
  /** Modules of which everything is handed on. */
  readonly reexported: string[] = [];
  readonly specifiers = new Set<string>();
  /** How often each name is written, as a name of something: declared, called, or handed on. */
  readonly mentions = new Map<string, number>();
  /** Interfaces and other types that it declares. */
  readonly types = new Map<string, TSInterfaceDeclaration | TSTypeAliasDeclaration>();
  /** By the name of a type: expressions and classes of which the source says that they are of it. */
  readonly madeAs = new Map<string, (Expression | Class)[]>();
  /** Objects with a field `provide`, as NestJS has them. */
  readonly providers: ObjectExpression[] = [];
  /** Assignments to properties whose names are computed. */
  readonly computed: { readonly left: ComputedMemberExpression; readonly right: Expression }[] = [];
  /** By the name of a property: what is assigned to it, or stands in an object. */
  readonly kept = new Map<string, Expression[]>();
  /** Only for nodes that were asked for. */
  private readonly scopesAround = new Map<Node, Scope>();
  /** Null until it is asked for. */
  private methods: Map<string, Set<string>> | null = null;
  private readonly later: (readonly [Node, Scope])[] = [];
  /** How many there are. */
  readonly lines: number;
  private readonly lineStarts: readonly number[];

  constructor(
    /** Below the folder of the source, with `/`. */
    readonly file: string,
    text: string,
    readonly program: Program,
    /** The same from the root of the repository, for people. */
    readonly name = file,
  ) {
    const lineStarts = [0];
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lineStarts.push(end + 1);
    this.lineStarts = lineStarts;
    this.lines = this.lineStarts.length - (text.endsWith('\n') ? 1 : 0);
    this.walk(program, null, new Scope(null, program), 0);
    for (const [node, scope] of this.later) readChange(this, node, scope);
  }

  /** How many nodes its syntax has. */
  get nodes(): number {
    return this.parents.size;
  }

  /** From 1. */
  lineOf(node: Node): number {
    return this.lineAtOffset(node.start);
  }

  /** From 1, in UTF-16 units. */
  columnOf({ start }: Node): number {
    return start - (this.lineStarts[this.lineAtOffset(start) - 1] as number) + 1;
  }

  /** From 1. */
  lineAtOffset(offset: number): number {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  scopeOf(node: Node): Scope {
    const known = this.scopesAround.get(node);
    if (known !== undefined) return known;
    for (let at: Node | undefined = node; at !== undefined; at = this.parents.get(at)) {
      const scope = this.scopes.get(at);
      if (scope === undefined) continue;
      this.scopesAround.set(node, scope);
      return scope;
    }
    throw new Error(`A node of ${this.file} lies in no scope.`);
  }

  /** The nearest function around a node; null at the top of the module. */
  functionAround(node: Node): AnyFunction | null {
    for (let at = this.parents.get(node); at !== undefined; at = this.parents.get(at)) if (isFunction(at)) return at;
    return null;
  }

  /** The nearest class around a node; null if there is none. */
  classAround(node: Node): Class | null {
    for (let at = this.parents.get(node); at !== undefined; at = this.parents.get(at)) if (isClass(at)) return at;
    return null;
  }

  /** The names of the methods that are called on a name. */
  methodsOn(name: string): ReadonlySet<string> {
    if (this.methods === null) {
      this.methods = new Map();
      for (const { callee } of this.calls) {
        if (callee.type !== 'MemberExpression' || callee.computed || callee.object.type !== 'Identifier') continue;
        const known = this.methods.get(callee.object.name) ?? new Set();
        this.methods.set(callee.object.name, known.add(callee.property.name));
      }
    }
    return this.methods.get(name) ?? new Set();
  }

  private walk(node: Node, parent: Node | null, around: Scope, depth: number): void {
    if (depth > DEEPEST) throw new TooDeep();
    if (parent !== null) this.parents.set(node, parent);
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration') {
      this.types.set(node.id.name, node);
      return;
    }
    const scope = this.entered(node, around);
    this.declare(node, scope, around);
    if (node.type === 'Identifier' && !isNameOfPart(node, parent))
      this.mentions.set(node.name, (this.mentions.get(node.name) ?? 0) + 1);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.calls.push(node);
    const isDelete = node.type === 'UnaryExpression' && node.operator === 'delete';
    if (node.type === 'CallExpression' || node.type === 'AssignmentExpression' || isDelete)
      this.later.push([node, scope]);
    const parts = node as unknown as Readonly<Record<string, unknown>>;
    for (const key in parts) {
      if (OF_TYPES.has(key)) continue;
      const part = parts[key];
      if (typeof part !== 'object' || part === null) continue;
      if (Array.isArray(part)) {
        for (const child of part as readonly unknown[]) if (isNode(child)) this.walk(child, node, scope, depth + 1);
      } else if (isNode(part)) this.walk(part, node, scope, depth + 1);
    }
  }

  private entered(node: Node, around: Scope): Scope {
    const opens =
      isFunction(node) ||
      isClass(node) ||
      node.type === 'BlockStatement' ||
      node.type === 'CatchClause' ||
      node.type === 'StaticBlock' ||
      node.type.startsWith('For');
    const scope = node.type === 'Program' ? around : opens ? new Scope(around, node) : null;
    if (scope !== null) this.scopes.set(node, scope);
    return scope ?? around;
  }

  private declare(node: Node, scope: Scope, around: Scope): void {
    if (isExport(node)) this.readExport(node);
    if (isProvider(node)) this.providers.push(node);
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression' && node.left.computed)
      this.computed.push({ left: node.left, right: node.right });
    const kept = keptBy(node, this.parents.get(node));
    if (kept !== null) noted(this.kept, kept.name, kept.value);
    for (const name of typesOf(node)) noted(this.madeAs, name, this.made(node));
    switch (node.type) {
      case 'VariableDeclarator': {
        const owner = this.parents.get(node);
        const isVar = owner?.type === 'VariableDeclaration' && owner.kind === 'var';
        const into = isVar ? functionScope(scope) : scope;
        const { init } = node;
        // In a loop, the names stand for one thing after the other.
        const inLoop = owner !== undefined && /^For(?:In|Of)/.test(this.parents.get(owner)?.type ?? '');
        this.bind(node.id, into, ({ way, otherwise }) => {
          if (init === null) return inLoop ? NOWHERE : null;
          return { from: 'expression', node: init, way, otherwise, type: annotationOf(node.id) };
        });
        if (node.init !== null) this.noteRequire(node.init);
        return;
      }
      case 'FunctionDeclaration':
        if (node.id !== null) around.declare(node.id.name).origins.push({ from: 'function', node });
        this.bindParameters(node, scope);
        return;
      case 'FunctionExpression':
        if (node.id !== null) scope.declare(node.id.name).origins.push({ from: 'function', node });
        this.bindParameters(node, scope);
        return;
      case 'ArrowFunctionExpression':
        this.bindParameters(node, scope);
        return;
      case 'ClassDeclaration':
        if (node.id !== null) around.declare(node.id.name).origins.push({ from: 'class', node });
        return;
      case 'TSEnumDeclaration':
        around.declare(node.id.name).origins.push({ from: 'enum', node });
        return;
      case 'CatchClause':
        if (node.param !== null) this.bind(node.param, scope, () => NOWHERE);
        return;
      case 'ImportDeclaration':
        this.specifiers.add(node.source.value);
        for (const each of node.specifiers) {
          const name =
            each.type === 'ImportNamespaceSpecifier'
              ? null
              : each.type === 'ImportDefaultSpecifier'
                ? 'default'
                : nameOf(each.imported);
          around.declare(each.local.name).origins.push({ from: 'import', specifier: node.source.value, name });
        }
        return;
      case 'CallExpression':
        this.noteRequire(node);
        return;
    }
  }

  /** What stands for a value once all that is done to it is done: the name that it is given, if it is given one. */
  private made(node: Node): Expression | Class {
    const declarator = node.type === 'VariableDeclarator' ? node : this.parents.get(node);
    if (declarator?.type !== 'VariableDeclarator') return node as Expression | Class;
    return (declarator.id.type === 'Identifier' ? declarator.id : declarator.init) as Expression;
  }

  private noteRequire(node: Node): void {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require') return;
    const [specifier] = node.arguments;
    if (specifier?.type === 'Literal' && typeof specifier.value === 'string') this.specifiers.add(specifier.value);
  }

  private bind(
    pattern: BindingPattern | ParamPattern,
    scope: Scope,
    origin: (declared: DeclaredName) => Origin | null,
  ): void {
    for (const declared of namesIn(pattern)) {
      const binding = scope.declare(declared.name);
      const from = origin(declared);
      if (from !== null) binding.origins.push(from);
    }
  }

  private bindParameters(of: AnyFunction, scope: Scope): void {
    for (const [index, node] of of.params.entries()) {
      const pattern = node.type === 'TSParameterProperty' ? node.parameter : node;
      this.bind(pattern, scope, ({ way }) => ({ from: 'parameter', of, index, way }));
    }
  }

  private readExport(node: Parameters<typeof exportsOf>[0]): void {
    if ('source' in node && node.source !== null) this.specifiers.add(node.source.value);
    for (const [name, exported] of exportsOf(node)) {
      if (name === '*' && 'specifier' in exported) this.reexported.push(exported.specifier);
      else this.exports.set(name, exported);
    }
  }
}
