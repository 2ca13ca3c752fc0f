import { formatCount, formatShare, plural } from '../../src/format.js';
import type { LookupLoad } from './lookup-load.js';

const NAMED = 3;

/** "Joins are 62 % of the operations on shop.orders: 620 of 1,000 executions join shop.customers." */
export function lookupSharesText({
  namespace,
  coverage,
  executions,
  joinExecutions,
  shareOfOperations,
  shareOfTime,
  joining,
}: LookupLoad): string {
  const slow = { all: '', slow: 'slow ', part: 'recorded ', none: 'recorded ', unknown: 'recorded ' }[
    coverage.operations
  ];
  const time = shareOfTime === null ? '' : ` and ${formatShare(shareOfTime)} of their time`;
  const foreign = [...new Set(joining.flatMap(({ joins }) => joins.map((join) => join.foreign.namespace)))];
  const names = foreign.length > NAMED ? `${formatCount(foreign.length)} collections` : foreign.join(' and ');
  return (
    `Joins are ${formatShare(shareOfOperations)} of the ${slow}operations on ${namespace}${time}: ` +
    `${formatCount(joinExecutions)} of ${plural(executions, 'execution')} join ${names}.`
  );
}
