import type { ClusterReader } from './cluster-reader.js';

const known = new WeakMap<ClusterReader, Promise<ClusterReader | null>>();

/**
 * A reader that only a primary answers: there, natural order and RecordIds are the order of insertion, which secondaries
 * do not keep. Null if there is no primary, or the connection goes directly to another member. Asked once of each reader.
 *
 * @throws the server's or driver's error
 */
export function primaryReader(reader: ClusterReader): Promise<ClusterReader | null> {
  const asked = known.get(reader) ?? readerOfPrimary(reader);
  known.set(reader, asked);
  asked.catch(() => known.delete(reader));
  return asked;
}

async function readerOfPrimary(reader: ClusterReader): Promise<ClusterReader | null> {
  // Not `primary`: the driver would wait for one, and sends it to whatever member it is connected with directly.
  const hello = await reader.withReadPreference('primaryPreferred').command('admin', { hello: 1 });
  const isPrimary = hello['isWritablePrimary'] === true || hello['msg'] === 'isdbgrid';
  return isPrimary ? reader.withReadPreference('primary') : null;
}
