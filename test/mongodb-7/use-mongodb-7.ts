import { findMongod7028 } from '../support/mongod/mongod-7.0.28.js';

/** Vitest runs this before the shared replica set is started, whose server it names. */
export default async function useMongodb7(): Promise<void> {
  const { path, version } = await findMongod7028((message) => process.stderr.write(`${message}\n`));
  process.stderr.write(`MongoDB ${version}, the build for Windows, run by Wine\n`);
  process.env['MONGOMS_SYSTEM_BINARY'] = path;
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false';
}
