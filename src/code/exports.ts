import type {
  ExportAllDeclaration,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  Node,
} from 'oxc-parser';
import { namesIn } from './pattern.js';
import { writtenPath } from './syntax.js';

/** What a module hands out under a name. */
export type Exported =
  | { readonly expression: Expression }
  | { readonly local: string }
  /** A name of another module; all that it exports if the name is null. */
  | { readonly specifier: string; readonly name: string | null };

type ExportDeclaration = ExportAllDeclaration | ExportDefaultDeclaration | ExportNamedDeclaration;

export function isExport(node: Node): node is ExportDeclaration {
  return (
    node.type === 'ExportNamedDeclaration' ||
    node.type === 'ExportDefaultDeclaration' ||
    node.type === 'ExportAllDeclaration'
  );
}

/** What a declaration exports, by name; `*` stands for all of another module. */
export function exportsOf(node: ExportDeclaration): readonly (readonly [name: string, Exported])[] {
  if (node.type === 'ExportAllDeclaration') {
    const name = node.exported === null ? '*' : nameOf(node.exported);
    return [[name, { specifier: node.source.value, name: null }]];
  }
  if (node.type === 'ExportDefaultDeclaration') return [['default', ownName(node.declaration)]];
  const { source, declaration } = node;
  const listed = node.specifiers.map(({ local, exported }): readonly [string, Exported] => [
    nameOf(exported),
    source === null ? { local: nameOf(local) } : { specifier: source.value, name: nameOf(local) },
  ]);
  if (declaration === null) return listed;
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) =>
      namesIn(id).map(({ name }) => [name, { local: name }] as const),
    );
  const own = ownName(declaration);
  return 'local' in own ? [[own.local, own]] : [];
}

/** `module.exports = …` as `module.exports`, and `exports.name = …`; null if an assignment exports nothing. */
export function exportedBy(left: Node): string | null {
  const path = writtenPath(left);
  return path === 'module.exports' ? path : (/^(?:module\.)?exports\.([^.]+)$/.exec(path)?.[1] ?? null);
}

export function nameOf(node: Node): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : '';
}

function ownName(declaration: Node): Exported {
  const id = 'id' in declaration ? declaration.id : null;
  return id !== null && id !== undefined && id.type === 'Identifier'
    ? { local: id.name }
    : { expression: declaration as Expression };
}
