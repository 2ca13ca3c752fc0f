import type { Collection, CollectionSharding, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { distributionStep } from '../../src/judgement/shard-keys/reshard-remedy.js';
import type { BalancerState } from './balance.js';

export function remedySteps(
  state: BalancerState,
  { namespace }: Collection,
  { cluster }: CollectionSharding,
): RemedyStep[] {
  const { window } = cluster.balancer;
  switch (state) {
    case 'off':
      return stepsOf(
        'Find out why the balancer was stopped. If it was for backups or load, set a window of quiet hours (`activeWindow`).',
        {
          text: 'Start the balancer. It moves chunks in the background, which adds load to the shards.',
          command: { db: 'admin', command: { balancerStart: 1 } },
        },
        distributionStep(namespace),
      );
    case 'off for the collection':
      return [
        {
          text: 'Turn on balancing for this collection, as `sh.enableBalancing()` does. Moving chunks adds load to the shards.',
          command: {
            db: 'config',
            command: {
              update: 'collections',
              updates: [{ q: { _id: namespace }, u: { $set: { noBalance: false } } }],
              writeConcern: { w: 'majority' },
            },
          },
        },
        distributionStep(namespace),
      ];
    case 'at work':
      return stepsOf(
        'Let the balancer work, and run mongolint again in some days.',
        'If the difference stays, inserts outpace the balancer: see `monotonic-shard-key` and `low-cardinality-shard-key`.',
      );
    default:
      return stepsOf(
        ...(window === null
          ? []
          : [`Widen the balancer's window: it works only from ${window.start} to ${window.stop}.`]),
        'Look for jumbo chunks (see `jumbo-chunk`) and a shard key of few values (see `low-cardinality-shard-key`).',
        {
          text: 'List failed migrations.',
          code: 'db.getSiblingDB("config").changelog.find(\n  { what: "moveChunk.error" }\n).sort({ time: -1 })',
        },
        { text: 'See the state of the shards and the balancer.', code: 'sh.status()' },
      );
  }
}
