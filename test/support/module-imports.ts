import { parseAst } from 'rolldown/parseAst';

/** The modules that the text of a module imports as it is loaded. */
export function importedModules(text: string): string[] {
  return parseAst(text).body.flatMap((statement) =>
    'source' in statement && statement.source !== null ? [String(statement.source.value)] : [],
  );
}

/** Those that it imports on demand, if their names are written out. */
export function modulesOnDemand(text: string): string[] {
  return [...text.matchAll(/\bimport\(["'`]([^"'`]+)["'`]/g)].map(([, module = '']) => module);
}
