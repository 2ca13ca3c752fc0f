import { parseSync, Visitor, type ESTree } from 'rolldown/utils';

/** The modules that the text of a CommonJS module requires as it is loaded, those that a function requires aside. */
export function importedModules(text: string): string[] {
  const modules: string[] = [];
  let depth = 0;
  const enter = () => void depth++;
  const leave = () => void depth--;
  const visitor = new Visitor({
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression({ callee, arguments: [argument] }) {
      if (depth > 0 || callee.type !== 'Identifier' || callee.name !== 'require') return;
      const module = textOf(argument);
      if (module !== null) modules.push(module);
    },
  });
  visitor.visit(parseSync('module.cjs', text).program);
  return modules;
}

/** Those that it imports on demand, if their names are written out. */
export function modulesOnDemand(text: string): string[] {
  return [...text.matchAll(/\bimport\(["'`]([^"'`]+)["'`]/g)].map(([, module = '']) => module);
}

/** What the minifier writes as a template or as a string. */
function textOf(node: ESTree.Argument | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
}
