import { documentIn, textIn } from '../../connect/answer.js';
import type { Cluster } from '../../connect/connect.js';
import { FileFault } from '../../file-fault.js';
import { isDocument, type Section } from './sections.js';

export interface DescribedCluster {
  readonly cluster: Cluster;
  /** When the script began; now, if the file does not say. */
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Members of the replica set; null if they are unknown. */
  readonly members: number | null;
}

/** @throws FileFault if the file does not have the server's version */
export function describedCluster(sections: readonly Section[]): DescribedCluster {
  const outputOf = (subsection: string) => sections.find((each) => each.subsection === subsection)?.output;
  const version = textIn(outputOf('server_build_info'), 'version') ?? textIn(outputOf('server_status_info'), 'version');
  if (version === null) throw new FileFault('it does not say which version of MongoDB the server has');
  const hello = outputOf('ismaster');
  const isRouter = textIn(hello, 'msg') === 'isdbgrid';
  const name = textIn(hello, 'setName');
  const topology = isRouter ? 'sharded' : name === null ? 'standalone' : 'replicaSet';
  const now = Date.now();
  const times = sections.flatMap(({ at }) => at ?? []);
  return {
    cluster: {
      topology,
      version,
      engine: { name: 'MongoDB', version: null },
      name,
      atlas: false,
      readFrom: isRouter ? null : isDocument(hello) && hello['secondary'] === true ? 'secondary' : 'primary',
    },
    startedAt: new Date(times.reduce((least, time) => Math.min(least, time), now)),
    finishedAt: new Date(times.reduce((most, time) => Math.max(most, time), times.length === 0 ? now : 0)),
    members: topology === 'standalone' ? 1 : membersIn(outputOf('replica_set_config')),
  };
}

function membersIn(config: unknown): number | null {
  const members: unknown = documentIn({ config }, 'config')?.['members'];
  return Array.isArray(members) ? members.length : null;
}
