/** Filter conditions that exclude arrays on the way to a field, but not the field itself. */
export function outsideArrays(path: string): Readonly<Record<string, object>> {
  const names = path.split('.');
  return Object.fromEntries(
    names.slice(1).map((_, position) => [names.slice(0, position + 1).join('.'), { $not: { $type: 'array' } }]),
  );
}
