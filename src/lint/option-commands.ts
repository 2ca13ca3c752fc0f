/** Commands that take the same options. */

export const READS_CLUSTER = ['shard-key', 'rehearse', 'collect'] as const;
export const READS_CONFIG = [
  'checks',
  'explain',
  'role',
  ...READS_CLUSTER,
  'judge',
  'report',
  'compare',
  'mcp',
  'accept',
] as const;
export const SELECTS_CHECKS = ['role', 'rehearse', 'collect', 'judge', 'compare'] as const;
export const COLLECTS = ['collect'] as const;
export const JUDGES = ['judge'] as const;
export const OF_BOTH = ['collect', 'judge'] as const;
