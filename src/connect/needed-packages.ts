import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import { MongoMissingDependencyError } from 'mongodb';
import type { ConnectionString } from 'mongodb-connection-string-url';
import { LintError } from '../lint-error.js';

interface Need {
  /** As in the connection string: "compressors=snappy". */
  readonly option: string;
  readonly name: string;
  isIn(uri: ConnectionString): boolean;
}

/** Node.js has it itself since 22.15. */
const HAS_ZSTD = 'zstdCompress' in zlib;

/** Packages that the driver loads if a connection string asks for them. Its peers `gcp-metadata` and `mongodb-client-encryption` serve client-side encryption. */
const NEEDS: readonly Need[] = [
  { option: 'authMechanism=GSSAPI', name: 'kerberos', isIn: hasMechanism('GSSAPI') },
  { option: 'authMechanism=MONGODB-AWS', name: '@aws-sdk/credential-providers', isIn: hasMechanism('MONGODB-AWS') },
  { option: 'compressors=snappy', name: 'snappy', isIn: hasCompressor('snappy') },
  { option: 'compressors=zstd', name: '@mongodb-js/zstd', isIn: (uri) => !HAS_ZSTD && hasCompressor('zstd')(uri) },
  { option: 'proxyHost', name: 'socks', isIn: (uri) => valueOf(uri, 'proxyHost') !== '' },
];

/**
 * Loads what a connection string needs beside the driver, so that what is missing is known before the first connection.
 *
 * @throws LintError that names the package
 */
export function loadNeededPackages(uri: ConnectionString): void {
  const needed = NEEDS.filter(({ isIn }) => isIn(uri));
  if (needed.length === 0) return;
  const require = requireOfDriver();
  for (const { option, name } of needed) {
    try {
      require(name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'MODULE_NOT_FOUND') throw new LintError(`${missing(option, name)}.`);
      // Such as a native module that was built for another system.
      throw new LintError(
        `The package ${name}, which ${option} needs, can't be loaded${code ? ` (${code})` : ''}: reinstall it.`,
        { cause: error },
      );
    }
  }
}

/** What the driver's error about a missing package comes to, wherever it surfaces; null if it is about something else. */
export function missingPackage(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (!(error instanceof MongoMissingDependencyError)) return missingPackage(error.cause);
  // The driver leaves out the scope of one.
  const need = NEEDS.find(({ name }) => name === error.dependencyName || name.endsWith(`/${error.dependencyName}`));
  return need === undefined
    ? `the driver needs the package ${error.dependencyName}: npm install --global ${error.dependencyName}`
    : missing(need.option, need.name);
}

function missing(option: string, name: string): string {
  return `${option} needs the package ${name}: npm install --global ${name}`;
}

/** Resolves as the driver does: beside it, or in a folder above, such as that of global packages. */
function requireOfDriver(): NodeJS.Require {
  const own = createRequire(import.meta.url);
  try {
    return createRequire(own.resolve('mongodb'));
  } catch {
    return own;
  }
}

function hasMechanism(mechanism: string): Need['isIn'] {
  return (uri) => valueOf(uri, 'authMechanism').toUpperCase() === mechanism;
}

function hasCompressor(compressor: string): Need['isIn'] {
  return (uri) => valueOf(uri, 'compressors').split(',').includes(compressor);
}

function valueOf({ searchParams }: ConnectionString, option: string): string {
  return searchParams.get(option) ?? '';
}
