/** "--sample-size" of "sampleSize". Without the option's own library, which takes long to load. */
export function spelledFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}
