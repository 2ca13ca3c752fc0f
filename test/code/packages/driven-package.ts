import { execFile } from 'node:child_process';
import { cp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Db } from 'mongodb';
import { readCode, type CodeSelection } from '../../../src/code/read-code.js';
import type { UnderstoodCode } from '../../../src/code/understood-code.js';
import { packageRoot } from '../../../src/files/package-root.js';
import { executionOf, isExecution } from '../../../src/workload/operations/execution.js';
import { OperationTally, type TalliedOperation } from '../../../src/workload/operations/operation-tally.js';
import { install, PROGRAMS, type InstalledPackages } from '../../applications/installed-application.js';
import type { PackageCase } from './cases.js';
import { placed, type ServiceCase } from './services.js';

const HERE = join(packageRoot(), 'test', 'code', 'packages');
/** In ms. A busy machine. */
const LONGEST = 600_000;
/** Of system.profile. */
const PROFILE_BYTES = 256 * 1024 * 1024;
const ALL_OPERATIONS = 2;

/** What mongolint understands of a package, and what its program sent. */
interface DrivenPackage {
  readonly code: UnderstoodCode;
  /** `sentFrom` has for each execution the lines of the package on the stack, nearest first: "a.js:3,b.js:4". */
  readonly operations: readonly TalliedOperation[];
  readonly output: string;
}

/** Installs a package, runs its program on a database with the profiler on, and reads both. @throws if the program fails */
export async function driven(of: PackageCase, database: Db, uri: string): Promise<DrivenPackage> {
  const folder = await installed(of);
  const { include } = of;
  const source = join(folder, 'node_modules', of.source);
  return run({ name: of.name, folder, source, selection: include === undefined ? {} : { include } }, database, uri);
}

/** The same of a service, with the packages that it uses. */
export async function drivenService(of: ServiceCase, database: Db, uri: string): Promise<DrivenPackage> {
  const folder = await installed(of);
  return run(
    { name: of.name, folder, source: await placed(of, folder), selection: {}, isCompiled: of.isTyped === true },
    database,
    uri,
  );
}

async function installed(of: InstalledPackages): Promise<string> {
  const folder = await realpath(await install(of, 'code', join(HERE, 'programs')));
  await cp(PROGRAMS, join(folder, 'applications'), { recursive: true });
  return folder;
}

interface Program {
  readonly name: string;
  readonly folder: string;
  readonly source: string;
  readonly selection: CodeSelection;
  /** Whether what runs is compiled of it, as its maps say. */
  readonly isCompiled?: boolean;
}

async function run(
  { name, folder, source, selection, isCompiled = false }: Program,
  database: Db,
  uri: string,
): Promise<DrivenPackage> {
  await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await database.command({ profile: ALL_OPERATIONS });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...(isCompiled ? ['--enable-source-maps'] : []),
      '--import',
      join(HERE, 'calling-lines.mjs'),
      join(folder, 'programs', `${name}.mjs`),
    ],
    {
      cwd: folder,
      env: { ...process.env, MONGODB_URI: uri, CODE_SOURCE: source, DO_NOT_TRACK: '1', NODE_ENV: 'production' },
      timeout: LONGEST,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  await database.command({ profile: 0 });
  return { code: await readCode(source, selection), operations: await recorded(database), output: stdout };
}

async function recorded(database: Db): Promise<readonly TalliedOperation[]> {
  const tally = new OperationTally();
  for await (const fields of database.collection('system.profile').find()) {
    const execution = executionOf({
      fields,
      operation: fields['op'],
      at: (fields['ts'] as Date).getTime(),
      milliseconds: fields['millis'],
      responseBytes: fields['responseLength'],
      user: null,
      truncated: false,
      lineOf: (comment) =>
        typeof comment === 'string' && comment.startsWith('stack=') ? comment.slice('stack='.length) : null,
    });
    if (isExecution(execution)) tally.add(execution);
  }
  return tally.operations();
}
