/** Shard keys judged by their data: pure functions, for checks and for `mongolint shard-key`. */
export { balancerState, worstImbalance, type BalancerState, type Imbalance } from './balance.js';
export { betterKey, spreadingFields, type BetterKey } from './better-key.js';
export { candidateFields, type CandidateField, type CandidateRow } from './candidate-fields.js';
export { candidateKeyVerdict, type CandidateKeyVerdict, type KeyAspect } from './candidate-key.js';
export { fieldOrders, type FieldOrder, type KeyRow } from './key-order.js';
export { LEAST_PAIRS, orderVerdict, type OrderLimits, type OrderVerdict } from './order-verdict.js';
export { refineRemedy } from './refine-remedy.js';
export { reshardRemedy } from './reshard-remedy.js';
export { formatShardKey, isKeyPrefix, keyPattern, shardKeyOf, type ShardKey, type ShardKeyField } from './shard-key.js';
export { filterTarget, keyTargeting, type KeyTargeting, type Target } from './targeting.js';
export { VALUE_KIND_NAMES, type ValueKind } from './value-kind.js';
export { valueSpread, type ValueSpread } from './value-spread.js';
