import type {
  Class,
  Expression,
  TSInterfaceDeclaration,
  TSSignature,
  TSType,
  TSTypeAliasDeclaration,
} from 'oxc-parser';
import type { SourceModule } from './source-module.js';
import { isClass, typeNames, writtenName } from './syntax.js';
import { NO_FRAME, UNKNOWN, choice, waysOf, type Evaluating, type TypeSite, type Value } from './value.js';

/** Names that stand for names of other modules. */
const MOST_HANDED_ON = 8;

/** What is made of one type. More are data. */
const MOST_MADE = 200;

/** Types of TypeScript whose values are those of the type that they are given. */
const WRAPPING = new Set(['Promise', 'Awaited', 'Readonly', 'Required', 'Partial', 'NonNullable', 'Ref']);

type Declaration = Class | TSInterfaceDeclaration | TSTypeAliasDeclaration;

/** A type that the source declares, or a package does. */
type DeclaredType =
  | { readonly node: Declaration; readonly module: SourceModule }
  | { readonly node: null; readonly from: string; readonly name: string };

/**
 * The value of which only the type is known: an object of a class; of an interface, what the source makes of that type, if all
 * that it makes is the same; of types of MongoDB's packages, a collection or database. Otherwise it is unknown, with its type.
 */
export function typedValue(evaluator: Evaluating, type: TSType | null, module: SourceModule): Value {
  switch (type?.type) {
    case 'TSTypeReference':
      return ofReference(evaluator, typeNames(type.typeName), type.typeArguments?.params ?? [], module);
    case 'TSTypeQuery':
      return type.exprName.type === 'Identifier'
        ? evaluator.named(type.exprName.name, module.program, module, NO_FRAME)
        : UNKNOWN;
    case 'TSTypeLiteral':
    case 'TSIntersectionType':
    case 'TSFunctionType':
      return { kind: 'unknown', type: { node: type, module } };
    case 'TSUnionType': {
      const there = type.types.filter((each) => each.type !== 'TSNullKeyword' && each.type !== 'TSUndefinedKeyword');
      return there.length === 1 ? typedValue(evaluator, there[0] as TSType, module) : UNKNOWN;
    }
    case 'TSIndexedAccessType': {
      const { objectType, indexType } = type;
      if (indexType.type !== 'TSLiteralType' || indexType.literal.type !== 'Literal') return UNKNOWN;
      const name = String(indexType.literal.value);
      // A property may be of its own type: `orders: Shop['orders']` of `Shop`.
      return evaluator.ofDeclaration(type, () => evaluator.member(typedValue(evaluator, objectType, module), name));
    }
    default:
      return UNKNOWN;
  }
}

/** A value, or what its type says of it if nothing else is known. */
export function typed(evaluator: Evaluating, value: Value, type: TSType | null, module: SourceModule): Value {
  return value.kind === 'unknown' && type !== null ? typedValue(evaluator, type, module) : value;
}

/** A member of something of which only the type is known. */
export function typedMember(evaluator: Evaluating, { node, module }: TypeSite, name: string): Value {
  switch (node.type) {
    case 'TSInterfaceDeclaration': {
      const own = signatureValue(evaluator, node.body.body, module, name);
      if (own !== null) return own;
      for (const { expression } of node.extends) {
        const base = expression.type === 'Identifier' ? ofReference(evaluator, [expression.name], [], module) : UNKNOWN;
        const found = evaluator.member(base, name);
        if (!isPlainlyUnknown(found)) return found;
      }
      return UNKNOWN;
    }
    case 'TSTypeLiteral':
      return signatureValue(evaluator, node.members, module, name) ?? UNKNOWN;
    case 'TSIntersectionType':
      return (
        node.types
          .map((each) => evaluator.member(typedValue(evaluator, each, module), name))
          .find((found) => !isPlainlyUnknown(found)) ?? UNKNOWN
      );
    default:
      return UNKNOWN;
  }
}

/** What a function returns of which only the type is known. */
export function typedResult(evaluator: Evaluating, { node, module }: TypeSite): Value {
  return node.type === 'TSMethodSignature' || node.type === 'TSFunctionType'
    ? typedValue(evaluator, node.returnType?.typeAnnotation ?? null, module)
    : UNKNOWN;
}

function signatureValue(
  evaluator: Evaluating,
  members: readonly TSSignature[],
  module: SourceModule,
  name: string,
): Value | null {
  for (const member of members) {
    if ((member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') || writtenName(member) !== name)
      continue;
    return member.type === 'TSMethodSignature'
      ? { kind: 'unknown', type: { node: member, module } }
      : typedValue(evaluator, member.typeAnnotation?.typeAnnotation ?? null, module);
  }
  return null;
}

function ofReference(
  evaluator: Evaluating,
  names: readonly string[],
  given: readonly TSType[],
  module: SourceModule,
): Value {
  const [name = ''] = names.slice(-1);
  if (WRAPPING.has(name)) return typedValue(evaluator, given[0] ?? null, module);
  const declared = declaredType(evaluator, names, module);
  if (declared === null) return UNKNOWN;
  if (declared.node === null) return ofPackage(evaluator, declared.from, declared.name, given, module);
  const { node } = declared;
  return evaluator.ofDeclaration(node, () => {
    if (isClass(node) && !node.abstract) return instanceOf(node, declared.module);
    const made = madeAs(evaluator, name, node);
    if (made !== null) return made;
    if (isClass(node)) return instanceOf(node, declared.module);
    if (node.type === 'TSTypeAliasDeclaration') return typedValue(evaluator, node.typeAnnotation, declared.module);
    return modelOf(evaluator, node, declared.module) ?? { kind: 'unknown', type: { node, module: declared.module } };
  });
}

function instanceOf(node: Class, module: SourceModule): Value {
  return { kind: 'instance', of: { kind: 'class', node, module, frame: NO_FRAME }, given: null };
}

/** An interface that extends the models of mongoose. */
function modelOf(evaluator: Evaluating, node: TSInterfaceDeclaration, module: SourceModule): Value | null {
  for (const { expression, typeArguments } of node.extends) {
    if (expression.type !== 'Identifier') continue;
    const base = ofReference(evaluator, [expression.name], typeArguments?.params ?? [], module);
    if (base.kind === 'collection') return base;
  }
  return null;
}

const VALUES_OF_PACKAGES: Readonly<Record<string, Value>> = {
  Db: { kind: 'database', name: null },
  MongoClient: { kind: 'client' },
  Connection: { kind: 'package', name: 'mongoose', path: ['connection'] },
  Collection: { kind: 'collection', name: null, database: null, library: 'driver', schema: null },
};

const OF_MONGODB = /^(?:mongodb|mongoose|@nestjs\/mongoose|@?typegoose(?:\/typegoose)?)$/;

function ofPackage(
  evaluator: Evaluating,
  from: string,
  name: string,
  [of]: readonly TSType[],
  module: SourceModule,
): Value {
  const isModel = /Model(?:Type)?$/.test(name) && (OF_MONGODB.test(from) || from.startsWith('mongoose-'));
  if (!isModel) return (OF_MONGODB.test(from) ? VALUES_OF_PACKAGES[name] : undefined) ?? { kind: 'unknown', from };
  const names = of?.type === 'TSTypeReference' ? typeNames(of.typeName) : [];
  const declaration = declaredType(evaluator, names, module)?.node ?? null;
  const made = declaration === null ? null : madeAs(evaluator, names.at(-1) ?? '', declaration);
  return made?.kind === 'collection'
    ? made
    : { kind: 'collection', name: null, database: null, library: 'mongoose', schema: null };
}

/** What the source makes of a type that holds collections or objects of classes; null if nothing. */
function madeAs(evaluator: Evaluating, name: string, declaration: Declaration): Value | null {
  const all = evaluator.registry.madeAs(name, (site) => declaredType(evaluator, [name], site.module)?.node ?? null);
  const own = all.get(declaration) ?? [];
  if (own.length > MOST_MADE) return null;
  const made = own.flatMap(({ node, module }): readonly Value[] =>
    waysOf(isClass(node) ? instanceOf(node, module) : evaluator.ask(node as Expression, module)).flatMap(
      (way) => serviceOf(way) ?? [],
    ),
  );
  return made.length === 0 ? null : choice(made);
}

/** Without plain data, which may be another one each time; null if nothing is left. */
function serviceOf(value: Value, depth = 0): Value | null {
  if (value.kind !== 'object')
    return value.kind === 'instance' || value.kind === 'collection' || value.kind === 'database' ? value : null;
  if (depth > 1) return null;
  const fields = [...value.fields].flatMap(([name, field]) => {
    const service = serviceOf(field.value, depth + 1);
    return service === null ? [] : [[name, { ...field, value: service }] as const];
  });
  return fields.length === 0 ? null : { kind: 'object', fields: new Map(fields), open: true };
}

function isPlainlyUnknown(value: Value): boolean {
  return value.kind === 'unknown' && value.type === undefined && value.from === undefined;
}

function declaredType(
  evaluator: Evaluating,
  names: readonly string[],
  module: SourceModule,
  depth = 0,
): DeclaredType | null {
  const [name, inner] = names;
  if (name === undefined || depth > MOST_HANDED_ON) return null;
  const own = module.types.get(name);
  if (own !== undefined) return { node: own, module };
  for (const origin of module.scopes.get(module.program)?.bindings.get(name)?.origins ?? []) {
    if (origin.from === 'class') return { node: origin.node, module };
    if (origin.from !== 'import') continue;
    const wanted = inner ?? origin.name ?? 'default';
    const target = evaluator.moduleOf(module, origin.specifier);
    if (target !== null) return exportedType(evaluator, wanted, target, depth + 1);
    return origin.specifier.startsWith('.')
      ? null
      : { node: null, from: origin.specifier, name: wanted === 'default' ? name : wanted };
  }
  return null;
}

function exportedType(evaluator: Evaluating, name: string, module: SourceModule, depth: number): DeclaredType | null {
  const found = module.exports.get(name);
  if (found !== undefined && 'local' in found) return declaredType(evaluator, [found.local], module, depth);
  if (found !== undefined && 'expression' in found) {
    const { expression } = found;
    return isClass(expression) ? { node: expression, module } : null;
  }
  const further = found === undefined ? module.reexported.map((specifier) => ({ specifier, name })) : [found];
  if (depth > MOST_HANDED_ON) return null;
  for (const { specifier, name: wanted } of further) {
    const target = evaluator.moduleOf(module, specifier);
    if (target === null) {
      if (found !== undefined && !specifier.startsWith('.'))
        return { node: null, from: specifier, name: wanted ?? name };
      continue;
    }
    const declared = exportedType(evaluator, wanted ?? name, target, depth + 1);
    if (declared !== null) return declared;
  }
  return null;
}
