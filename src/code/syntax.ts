import type {
  Argument,
  ArrowFunctionExpression,
  Class,
  Expression,
  Function as FunctionNode,
  Node,
  ObjectExpression,
  TSType,
  TSTypeName,
} from 'oxc-parser';

export type AnyFunction = ArrowFunctionExpression | FunctionNode;

export function isFunction(node: Node): node is AnyFunction {
  return (
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration'
  );
}

export function isClass(node: Node): node is Class {
  return node.type === 'ClassDeclaration' || node.type === 'ClassExpression';
}

/** An expression without what does not change its value: `await`, brackets, `?.`, and what TypeScript alone reads. */
export function bare(expression: Expression): Expression {
  switch (expression.type) {
    case 'AwaitExpression':
      return bare(expression.argument);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
      return bare(expression.expression);
    default:
      return expression;
  }
}

/** The expressions of arguments; null if a spread hides how many there are. */
export function plainArguments(given: readonly Argument[]): readonly Expression[] | null {
  return given.every((argument) => argument.type !== 'SpreadElement') ? (given as readonly Expression[]) : null;
}

/** The name of a property that is written out: `a.b`, `a['b']`, `{ b: … }`; null if it is computed. */
export function writtenName({ key, computed }: { readonly key: Node; readonly computed: boolean }): string | null {
  if (key.type === 'Literal') return String(key.value);
  if (computed) return null;
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier' ? key.name : null;
}

/** `b` of `a.b`; null of anything else. */
export function memberName(node: Node): string | null {
  return node.type === 'MemberExpression' && !node.computed ? node.property.name : null;
}

/** The decorators of a class, a property or a parameter that are called, with what they are given. */
export function decoratorsOf(
  node: Node,
): readonly { readonly called: string; readonly given: readonly Expression[] }[] {
  const decorators = 'decorators' in node && Array.isArray(node.decorators) ? node.decorators : [];
  return decorators.flatMap(({ expression }) =>
    expression.type === 'CallExpression' && expression.callee.type === 'Identifier'
      ? [{ called: expression.callee.name, given: plainArguments(expression.arguments) ?? [] }]
      : [],
  );
}

/** `stores.orders` of what is written so; empty if it is written in another way. */
export function writtenPath(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return '';
  const of = node.object.type === 'ThisExpression' ? 'this' : writtenPath(node.object);
  return of === '' ? '' : `${of}.${node.property.name}`;
}

/** What a function returns: the expressions of its `return`, without those of functions within. */
export function returnedBy(node: AnyFunction): readonly Expression[] {
  if (node.body === null) return [];
  if (node.body.type !== 'BlockStatement') return [node.body as Expression];
  const returned: Expression[] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) {
      part.forEach(visit);
      return;
    }
    if (typeof part !== 'object' || part === null || !('type' in part)) return;
    const inner = part as Node;
    if (isFunction(inner) || isClass(inner)) return;
    if (inner.type === 'ReturnStatement') {
      if (inner.argument !== null) returned.push(inner.argument);
      return;
    }
    if (inner.type.endsWith('Statement') || inner.type === 'CatchClause' || inner.type === 'SwitchCase')
      Object.values(inner).forEach(visit);
  };
  visit(node.body.body);
  return returned;
}

/** The type that is written after a name, a pattern, a parameter or a property; null if there is none. */
export function annotationOf(node: Node): TSType | null {
  if (node.type === 'AssignmentPattern') return annotationOf(node.left);
  if (node.type === 'TSParameterProperty') return annotationOf(node.parameter);
  return 'typeAnnotation' in node && node.typeAnnotation?.type === 'TSTypeAnnotation'
    ? node.typeAnnotation.typeAnnotation
    : null;
}

/** `B` of `A.B`, and `A` before it. */
export function typeNames(name: TSTypeName): readonly string[] {
  if (name.type === 'Identifier') return [name.name];
  return name.type === 'TSQualifiedName' ? [...typeNames(name.left), name.right.name] : [];
}

/** The names of the types that the source says an expression is of, or that a class is. */
export function typesOf(node: Node): readonly string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return node.init === null ? [] : referredTo(annotationOf(node.id));
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return referredTo(node.typeAnnotation);
    case 'CallExpression':
      // `model<IUser, UserModel>(…)`.
      return (node.typeArguments?.params ?? []).flatMap(referredTo);
    case 'ClassDeclaration':
    case 'ClassExpression':
      return [
        ...(node.superClass?.type === 'Identifier' ? [node.superClass.name] : []),
        ...(node.implements ?? []).flatMap(({ expression }) =>
          expression.type === 'Identifier' ? [expression.name] : [],
        ),
      ];
    default:
      return [];
  }
}

function referredTo(type: TSType | null): readonly string[] {
  return type?.type === 'TSTypeReference' ? typeNames(type.typeName).slice(-1) : [];
}

/** What may stand for a collection, or declare some. */
const FOUND_ELSEWHERE =
  /^(?:Identifier|(?:Object|Call|New|Member|Await|Logical|Conditional|TSAs|Chain|ArrowFunction|Function)Expression)$/;

/** The property that an assignment or a field of an object gives a value that comes from elsewhere; null if there is none. */
export function keptBy(
  node: Node,
  parent: Node | undefined,
): { readonly name: string; readonly value: Expression } | null {
  const [name, value] =
    node.type === 'AssignmentExpression'
      ? [memberName(node.left), node.right]
      : node.type === 'Property' && parent?.type === 'ObjectExpression'
        ? [writtenName(node), node.value as Expression]
        : [null, null];
  return name !== null && FOUND_ELSEWHERE.test(value.type) ? { name, value } : null;
}

export function isProvider(node: Node): node is ObjectExpression {
  return (
    node.type === 'ObjectExpression' &&
    node.properties.some((property) => property.type === 'Property' && writtenName(property) === 'provide')
  );
}
