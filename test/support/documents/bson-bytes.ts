/** BSON written by hand, for documents that no driver would write. */

const encoder = new TextEncoder();

export function int32(value: number): number[] {
  return [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, (value >> 24) & 0xff];
}

export function cstring(text: string): number[] {
  return [...encoder.encode(text), 0];
}

export function string(text: string): number[] {
  return [...int32(encoder.encode(text).length + 1), ...cstring(text)];
}

export function element(type: number, name: string, value: readonly number[] = []): number[] {
  return [type, ...cstring(name), ...value];
}

/** A document, object or array of elements. */
export function object(...elements: readonly (readonly number[])[]): number[] {
  const body = elements.flat();
  return [...int32(body.length + 5), ...body, 0];
}

export function document(...elements: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from(object(...elements));
}
