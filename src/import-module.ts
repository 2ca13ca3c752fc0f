/** Imports a module by its address. Apart from code that is compiled once and kept, which can't. */
export function importModule(address: string): Promise<{ readonly default?: unknown }> {
  return import(address);
}
