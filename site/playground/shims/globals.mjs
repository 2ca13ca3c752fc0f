/** What Node has, and browsers lack. */
export { Buffer } from 'buffer';
import { assets } from 'mongolint:assets';

/** mongolint takes its own files from here, as its executable does. */
const sea = {
  isSea: () => true,
  getAsset(path) {
    const text = assets[path];
    if (text === undefined) throw new Error(`There is no ${path}.`);
    return new TextEncoder().encode(text).buffer;
  },
};

export const process = {
  env: {},
  argv: [],
  platform: 'browser',
  versions: {},
  cwd: () => '/',
  getBuiltinModule: (name) => (name === 'node:sea' ? sea : undefined),
};
