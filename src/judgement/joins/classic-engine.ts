import type { Document } from 'mongodb';
import { sum } from 'simple-statistics';
import { isPatchOf } from '../../connect/server-version.js';
import type { PlannedServer } from '../../planner/access.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';

/** Stages after which the slot-based engine of 6.0 may run a `$lookup`; 18 others were measured to prevent it. */
const SLOT_BASED_STAGES = new Set(['$match', '$project', '$sort', '$limit', '$skip', '$group', '$lookup']);

/** Whether the classic engine ran it, or must have: in `$facet`, through a view, or after a stage that only it runs. */
export function isKnownClassic({ join, operation }: JoinUse, server: PlannedServer): boolean {
  if (join.at.includes('$facet') || join.foreign.namespace !== join.foreign.base) return true;
  if (operation === null) return false;
  const figures = Object.values(operation.figures);
  const slotBased = sum(figures.map(({ slotBasedExecutions }) => slotBasedExecutions));
  const classic = sum(figures.map(({ classicExecutions }) => classicExecutions));
  if (slotBased + classic > 0) return slotBased === 0;
  const isPlain = /^\d+$/.test(join.at) && join.source.namespace === join.source.base;
  return isPlain && isClassicByPosition(operation.shape.pipeline ?? [], Number(join.at), server);
}

/**
 * Whether the stages around a `$lookup` are certain to keep it in the classic engine; known of 6.0 only.
 *
 * Measured on 6.0.5, and on 6.0.27 with the slot-based engine enabled: it takes the first stages of a pipeline, up to
 * one that it does not run, and no `$lookup` whose result is unwound next.
 *
 * @param pipeline of the aggregation; a `$facet` runs in the classic engine
 */
export function isClassicByPosition(
  pipeline: readonly Document[],
  position: number,
  { version }: PlannedServer,
): boolean {
  if (version === undefined || !isPatchOf(version, '6.0.0')) return false;
  if (!pipeline.slice(0, position).every(isSlotBased)) return true;
  const next = pipeline.slice(position + 1).find((stage) => stage['$match'] === undefined);
  const unwound: unknown = next?.['$unwind']?.path ?? next?.['$unwind'];
  return unwound === `$${pipeline[position]?.['$lookup']?.as}`;
}

function isSlotBased(stage: Document): boolean {
  const lookup: Document | undefined = stage['$lookup'];
  return SLOT_BASED_STAGES.has(Object.keys(stage)[0] ?? '') && lookup?.['pipeline'] === undefined;
}
