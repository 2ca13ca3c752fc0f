import type { Comparison } from './compared-collection.js';
import type { ComparedRunFacts } from './compared-run-facts.js';
import { changedMessage, subjectText, type SideNames } from './difference-message.js';
import type { Change, Difference, DriftSide, NotCompared } from './drift-schema.js';

/** Versions and topologies, and whether it can be compared how collections are sharded. */
export function comparedClusters(older: ComparedRunFacts, newer: ComparedRunFacts, names: SideNames): Comparison {
  const [old, after] = [older, newer].map(({ cluster }) => clusterTexts(cluster)) as [ClusterTexts, ClusterTexts];
  const changes = (['engine', 'version', 'topology'] as const)
    .filter((what) => old[what] !== after[what])
    .map((what): Change => ({ what, old: old[what], new: after[what] }));
  const message = changedMessage(subjectText('server', null), changes, names);
  const difference: Difference = {
    subject: 'server',
    namespace: null,
    name: null,
    in: 'both',
    declared: false,
    changes,
    message,
  };
  return {
    differences: changes.length === 0 ? [] : [difference],
    notCompared: [...unknownSharding('old', older, newer, names), ...unknownSharding('new', newer, older, names)],
  };
}

/** True if the run tells which collections are sharded. */
export function knowsSharding({ cluster, inventory }: ComparedRunFacts): boolean {
  return cluster.topology === 'sharded' && inventory.shardingUnknown === undefined;
}

type ClusterTexts = Readonly<Record<'engine' | 'version' | 'topology', string>>;

function clusterTexts({ engine, version, topology }: ComparedRunFacts['cluster']): ClusterTexts {
  return { engine: engine.name, version: engine.version ?? version, topology };
}

function unknownSharding(
  side: DriftSide,
  run: ComparedRunFacts,
  other: ComparedRunFacts,
  names: SideNames,
): NotCompared[] {
  if (knowsSharding(run) || other.cluster.topology !== 'sharded') return [];
  const { reason, detail } = run.inventory.shardingUnknown ?? {
    reason: 'unsupported' as const,
    detail: 'it is no sharded cluster, so shard keys were not compared.',
  };
  return [{ subject: 'options', namespace: null, name: null, side, reason, detail: `${names[side]}: ${detail}` }];
}
