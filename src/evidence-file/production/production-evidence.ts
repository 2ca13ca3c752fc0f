import { deflateSync, inflateSync } from 'node:zlib';
import type { CollectedTracedEvidence } from '../../evidence/cluster-evidence.js';
import type { KeptCollection } from '../../evidence/source.js';
import { namespaceFilter } from '../../inventory/namespace-glob.js';
import { databaseOf } from '../../namespace.js';
import { absent, type Absent } from '../../presence.js';
import type { HeaderLine } from '../evidence-lines.js';
import { fromFile, toFile, type FileCollection } from '../file-collection.js';
import { readEvidence } from '../read-evidence.js';
import { fromJson, toJson } from '../valid-line.js';

/** The evidence of production, held for a run: collections as compressed lines, some KB each. */
export interface ProductionEvidence {
  readonly header: HeaderLine;
  readonly namespaces: readonly string[];
  /** Null if it is not in the evidence. */
  collection(namespace: string): KeptCollection | null;
  /** Why it is not known whether production has a collection that is not in its evidence; null if it does not have it. */
  unknown(namespace: string): Absent | null;
  readonly cluster: CollectedTracedEvidence;
}

/** Speed counts more than size: a line is read again within the run. */
const LEVEL = 1;

/** @throws LintError if the file is cut off, damaged, foreign or of a newer version */
export async function readProduction(file: string): Promise<ProductionEvidence> {
  const run = await readEvidence(file);
  try {
    const lines = new Map<string, Buffer>();
    await run.ofCollections((collected) => {
      const text = JSON.stringify(toJson(toFile(collected)));
      // Copied: what zlib gives keeps a buffer of 16 KB.
      lines.set(collected.collection.namespace, Buffer.from(deflateSync(text, { level: LEVEL })));
    });
    const cluster = await run.ofCluster([]);
    await run.end();
    return {
      header: run.header,
      namespaces: [...lines.keys()],
      cluster,
      collection(namespace) {
        const line = lines.get(namespace);
        return line === undefined
          ? null
          : fromFile(fromJson(JSON.parse(inflateSync(line).toString('utf8'))) as FileCollection);
      },
      unknown: (namespace) => unknownIn(run.header, namespace),
    };
  } finally {
    await run.close();
  }
}

/** What was left out when the evidence was collected, or could not be listed. */
function unknownIn({ settings, unlisted }: HeaderLine, namespace: string): Absent | null {
  const { include, exclude } = settings;
  if (!namespaceFilter({ include, exclude })(namespace))
    return absent('insufficient', `${namespace} was left out when the evidence of production was collected.`);
  const gap = unlisted.find(({ database }) => database === undefined || database === databaseOf(namespace));
  return gap?.absent ?? null;
}
