import { isBuiltin } from 'node:module';
import { parseSync } from 'rolldown/utils';

/** The modules that the text of a module imports as it is loaded. */
export function importedModules(text: string): string[] {
  const { staticImports, staticExports } = parseSync('module.js', text).module;
  const again = staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? []));
  return [...new Set([...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...again])];
}

/** Those that it imports on demand, if their names are written out. */
export function modulesOnDemand(text: string): string[] {
  return [...text.matchAll(/\bimport\(["'`]([^"'`]+)["'`]/g)].map(([, module = '']) => module);
}

/** The names of the packages among modules, sorted. */
export function packagesAmong(modules: readonly string[]): string[] {
  const packages = modules.filter((module) => !module.startsWith('.') && !isBuiltin(module));
  return [...new Set(packages.map((module) => module.split('/', module.startsWith('@') ? 2 : 1).join('/')))].sort();
}
