/** The last step of a path, without its array marks: the field's own name. */
export function fieldName(path: string): string {
  const bare = withoutElements(path);
  const quoted = /\["((?:[^"\\]|\\.)*)"\]$/.exec(bare);
  if (quoted !== null) return JSON.parse(`"${quoted[1]}"`) as string;
  return bare.slice(bare.lastIndexOf('.') + 1);
}

/** The path of an array, for the path of its elements: "tags" for "tags[]" and for "tags[][]". */
export function withoutElements(path: string): string {
  return path.replace(/(?:\[\])+$/, '');
}

/** A path as queries and projections write it, without the marks of arrays: "items.sku" for "items[].sku". */
export function queryPath(path: string): string {
  // Most paths have none, and every path of every collection is asked for.
  return path.includes('[]') ? path.replaceAll('[]', '') : path;
}

/** True where an expression can name the field: it takes no name that begins with a dollar, such as the `$id` of a DBRef. */
export function isExpressible(path: string): boolean {
  return !path.split('.').some((name) => name.startsWith('$'));
}
