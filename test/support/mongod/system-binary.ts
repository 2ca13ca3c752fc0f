/**
 * `node --import` of this has mongodb-memory-server start the mongod that the checkout finds. Only a checkout has this
 * file: the published package leaves finding a mongod to mongodb-memory-server.
 */
import { findMongod } from './find-mongod.js';

try {
  process.env['MONGOMS_SYSTEM_BINARY'] = (await findMongod((message) => process.stderr.write(`${message}\n`))).path;
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false';
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(2);
}
