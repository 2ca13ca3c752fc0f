/** The last step of a path, without its array marks: the field's own name. */
export function fieldName(path: string): string {
  const bare = withoutElements(path);
  const quoted = /\["((?:[^"\\]|\\.)*)"\]$/.exec(bare);
  if (quoted !== null) return JSON.parse(`"${quoted[1]}"`) as string;
  return bare.slice(bare.lastIndexOf('.') + 1);
}

/** "tags" for "tags[]" and for "tags[][]". */
export function withoutElements(path: string): string {
  let end = path.length;
  while (path.endsWith('[]', end)) end -= 2;
  return path.slice(0, end);
}

/** As queries and projections write it: "items.sku" for "items[].sku". */
export function queryPath(path: string): string {
  // Most paths have no mark, and every path of every collection passes here.
  return path.includes('[]') ? path.replaceAll('[]', '') : path;
}

/**
 * Whether a query by `queryPath` finds the values at a path. It does not if a name on the way is data, has a dot or begins
 * with a dollar, nor in an array that is an element of another: it would find nothing, as if there were no such value.
 */
export function isQueryable(path: string): boolean {
  return !/^\$|(?:^|\.)\*(?:$|[.[])|\["|\[\]\[\]/.test(path);
}

/** Whether a path as queries write it is that of a field, or below it, or may be: names that are data are `*`. */
export function isWithin(path: string, field: string): boolean {
  const names = path.split('.');
  return field.split('.').every((name, at) => names[at] === name || names[at] === '*');
}

/** An expression can't name a field that begins with a dollar, such as the `$id` of a DBRef. */
export function isExpressible(path: string): boolean {
  return !path.split('.').some((name) => name.startsWith('$'));
}
