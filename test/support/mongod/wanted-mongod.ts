import { findMongod } from './find-mongod.js';
import { findMongod6027 } from './mongod-6.0.27.js';
import { findMongod7028 } from './mongod-7.0.28.js';
import type { Mongod } from './mongod.js';

/** Others than the one that all tests find, by version. */
const MONGODS: Readonly<Record<string, () => Promise<Mongod>>> = {
  '6.0.27': findMongod6027,
  '7.0.28': findMongod7028,
};

/** For suites of their own: the server whose version `MONGOLINT_MONGODB` names, or else the one that all tests find. */
export function findWantedMongod(): Promise<Mongod> {
  const version = process.env['MONGOLINT_MONGODB'];
  const find = version === undefined ? findMongod : MONGODS[version];
  if (find !== undefined) return find();
  throw new Error(`MONGOLINT_MONGODB is ${version}: there is ${Object.keys(MONGODS).join(' and ')}.`);
}
