import { mayRead, pathBefore, pathsRead } from '../../src/judgement/pipelines/stage-reads.js';
import { stagesOf } from '../../src/workload/joins/join-position.js';
import { below, stageOf } from '../../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';
import { groupedJoins } from './grouped-joins.js';
import { isJoin, isNamed, joinedField, unwoundJoin, type IsSingle, type Stages } from './joining-stages.js';

/**
 * Why a join is made for too many documents.
 *
 * - `unread`: nothing reads what it brings.
 * - `group`: a `$group` follows by the field that it joins by.
 * - `limit`: a `$limit` follows that the server does not move ahead of it.
 * - `page`: a `$facet` follows that shows a page of the documents and counts the rest.
 */
export type EarlyBecause = 'unread' | 'group' | 'limit' | 'page';

/** A pipeline whose joins could run for fewer documents, and the pipeline with the same results in which they do. */
export interface EarlyJoins {
  readonly because: readonly [EarlyBecause, ...EarlyBecause[]];
  /** Namespaces of the collections that are joined too early, as the pipeline names them. */
  readonly joined: readonly string[];
  /** How many of its joins are made too early. */
  readonly early: number;
  readonly rewritten: readonly ObjectShape[];
}

/** Stages of which each makes one document of one, in their order; a `$unwind` may be another. */
const KEEPING = new Set(['$lookup', '$graphLookup', '$addFields', '$project', '$unset', '$replaceRoot']);

/**
 * Joins ahead of stages that make them superfluous. The server itself moves `$match`, `$sort`, `$skip` and `$limit` ahead
 * of a `$lookup` that stands directly before them. It does not move a `$sort` ahead of a stage that reshapes documents,
 * nor any of them ahead of a `$unwind` of the joined field, nor out of a `$facet`; and it makes joins that nothing reads.
 * Measured on 6.0.5, 6.0.27 and 7.0.28.
 *
 * @param isSingle whether a `$lookup` finds at most one document for each
 */
export function earlyJoins(stages: Stages, isSingle: IsSingle): EarlyJoins | null {
  const unread = unreadJoins(stages, isSingle);
  const read = stages.filter((stage) => !unread.dropped.has(stage));
  const grouped = groupedJoins(read, isSingle);
  const isSingleStill = (stage: ObjectShape) => isSingle(grouped?.was.get(stage) ?? stage);
  const region = regionOf(grouped?.rewritten ?? read, isSingleStill);
  const moved = region === null ? null : (aheadOfLimit(region, isSingleStill) ?? intoFacet(region));
  const because: EarlyBecause[] = [
    ...(unread.joins.length > 0 ? (['unread'] as const) : []),
    ...(grouped === null ? [] : (['group'] as const)),
    ...(moved === null ? [] : [moved.because]),
  ];
  const [first, ...others] = because;
  if (first === undefined) return null;
  const late = (moved?.joins ?? []).map((join) => grouped?.was.get(join) ?? join);
  const early = new Set([...unread.joins, ...(grouped?.joins ?? []), ...late]);
  return {
    because: [first, ...others],
    joined: [...new Set([...early].map(foreignOf))],
    early: early.size,
    rewritten: moved?.rewritten ?? grouped?.rewritten ?? read,
  };
}

/** From the last to the first: what only an unread join reads is not read either. */
function unreadJoins(stages: Stages, isSingle: IsSingle): { dropped: Set<ObjectShape>; joins: ObjectShape[] } {
  const dropped = new Set<ObjectShape>();
  const joins: ObjectShape[] = [];
  for (const [index, stage] of [...stages.entries()].toReversed()) {
    const following = stages.slice(index + 1).filter((each) => !dropped.has(each));
    const unwound = following.filter(
      (each, at) => unwoundJoin(each, [stage, ...following.slice(0, at)], isSingle) === stage,
    );
    if (!isUnread(stage, following, unwound)) continue;
    joins.unshift(stage);
    for (const each of [stage, ...unwound]) dropped.add(each);
  }
  return { dropped, joins };
}

function isUnread(stage: ObjectShape, following: Stages, unwound: Stages): boolean {
  const field = joinedField(stage);
  if (field === null) return false;
  for (const next of following) {
    if (unwound.includes(next)) continue;
    if (mayRead(next, field)) return false;
    if (leavesOut(next, field)) return true;
  }
  return false;
}

/** Whether a field that a stage does not read is gone after it. */
function leavesOut(stage: ObjectShape, field: string): boolean {
  const { name, body } = stageOf(stage);
  if (name === '$group' || name === '$replaceRoot') return true;
  if (name === '$unset') return Array.isArray(body) && body.some((path) => below(field, String(path)) !== null);
  return (
    name === '$project' &&
    isObjectShape(body) &&
    Object.entries(body).some(([path, value]) => path !== '_id' && value !== false)
  );
}

/** The first join with what follows it, as far as each document stays one document. */
interface Region {
  readonly before: Stages;
  readonly kept: Stages;
  readonly rest: Stages;
}

function regionOf(stages: Stages, isSingle: IsSingle): Region | null {
  const start = stages.findIndex(isJoin);
  if (start === -1) return null;
  const [before, kept] = [stages.slice(0, start), [] as ObjectShape[]];
  let end = start;
  for (const stage of stages.slice(start)) {
    // The server tests these conditions before the join too.
    if (isUntouchedMatch(stage, kept)) before.push(stage);
    else if (isKeeping(stage, kept, isSingle)) kept.push(stage);
    else break;
    end += 1;
  }
  return { before, kept, rest: stages.slice(end) };
}

interface Moved {
  readonly because: EarlyBecause;
  readonly joins: Stages;
  readonly rewritten: Stages;
}

function aheadOfLimit({ before, kept, rest }: Region, isSingle: IsSingle): Moved | null {
  const sorted = isNamed(rest[0], '$sort') ? movedSort(rest[0], kept) : [];
  if (sorted === null) return null;
  const following = rest.slice(sorted.length);
  const next = following.findIndex((stage, at) => !isKeeping(stage, [...kept, ...following.slice(0, at)], isSingle));
  const later = next === -1 ? following : following.slice(0, next);
  const paging = leading(following.slice(later.length), ['$skip', '$limit']);
  if (!paging.some((stage) => isNamed(stage, '$limit'))) return null;
  const joins = joinsNotPassed(kept, later, sorted.length > 0, paging.length > 1);
  if (joins.length === 0) return null;
  const behind = following.slice(later.length + paging.length);
  return { because: 'limit', joins, rewritten: [...before, ...sorted, ...paging, ...kept, ...later, ...behind] };
}

/** The joins that the server makes before the limit all the same. */
function joinsNotPassed(kept: Stages, later: Stages, isSorted: boolean, isSkipped: boolean): Stages {
  if (!isSorted) return isSkipped ? kept.slice(0, kept.findLastIndex(isUnwind) + 1).filter(isJoin) : [];
  const reshaped = kept.slice(0, kept.findLastIndex((stage) => !isJoin(stage)) + 1).filter(isJoin);
  // Without a skip, what is joined behind the sort is joined until the page is full.
  return isSkipped && later.some(isUnwind) ? [...kept, ...later].filter(isJoin) : reshaped;
}

function intoFacet({ before, kept, rest }: Region): Moved | null {
  const sorted = isNamed(rest[0], '$sort') ? movedSort(rest[0], kept) : [];
  const facet = rest[sorted?.length ?? 0];
  const body = facet?.['$facet'];
  if (sorted === null || !isObjectShape(body)) return null;
  const branches = Object.entries(body).map(([name, branch]) => [name, branchWith(kept, stagesOf(branch))] as const);
  if (branches.some(([, branch]) => branch === null)) return null;
  const $facet = Object.fromEntries(branches) as Record<string, Shape>;
  const behind = rest.slice(sorted.length + 1);
  return { because: 'page', joins: kept.filter(isJoin), rewritten: [...before, ...sorted, { $facet }, ...behind] };
}

/** A branch that makes the joins itself, behind its limit, or not at all; null if it needs them for all documents. */
function branchWith(kept: Stages, stages: Stages): Stages | null {
  const first: ObjectShape[] = [];
  for (const stage of stages) {
    const moved = isNamed(stage, '$sort') ? movedSort(stage, kept) : isPassing(stage, kept) ? [stage] : null;
    if (moved === null) break;
    first.push(...moved);
  }
  const further = stages.slice(first.length);
  if (isGroupedWithout(kept, further)) return [...first, ...further];
  return first.some((stage) => isNamed(stage, '$limit')) ? [...first, ...kept, ...further] : null;
}

function isPassing(stage: ObjectShape, kept: Stages): boolean {
  return isNamed(stage, '$skip') || isNamed(stage, '$limit') || isUntouchedMatch(stage, kept);
}

/** Whether documents are grouped by fields that were there before. */
function isGroupedWithout(kept: Stages, stages: Stages): boolean {
  for (const stage of stages) {
    const read = pathsRead(stage);
    if (read === null || !read.every((path) => pathBefore(kept, path) === path)) return false;
    if (isNamed(stage, '$group')) return true;
    if (!isNamed(stage, '$match') && !isUnwind(stage)) return false;
  }
  return false;
}

/** The sort by the names that its fields have before these stages; null if they make one of them. */
function movedSort(stage: ObjectShape, kept: Stages): Stages | null {
  const fields = Object.entries(isObjectShape(stage['$sort']) ? stage['$sort'] : {});
  const moved = fields.map(([path, direction]) => [pathBefore(kept, path), direction] as const);
  const isMoved = moved.every(([path, direction]) => path !== null && typeof direction === 'number');
  return isMoved && moved.length > 0 ? [{ $sort: Object.fromEntries(moved) as ObjectShape }] : null;
}

function isUntouchedMatch({ $match }: ObjectShape, kept: Stages): boolean {
  return (
    isObjectShape($match) &&
    Object.keys($match).every((path) => !path.startsWith('$') && pathBefore(kept, path) === path)
  );
}

function isKeeping(stage: ObjectShape, kept: Stages, isSingle: IsSingle): boolean {
  return KEEPING.has(stageOf(stage).name) || unwoundJoin(stage, kept, isSingle) !== null;
}

function isUnwind(stage: ObjectShape): boolean {
  return isNamed(stage, '$unwind');
}

function leading(stages: Stages, names: readonly string[]): Stages {
  const end = stages.findIndex((stage) => !names.includes(stageOf(stage).name));
  return end === -1 ? stages : stages.slice(0, end);
}

function foreignOf(stage: ObjectShape): string {
  const { body } = stageOf(stage);
  return isObjectShape(body) ? String(body['from']) : '';
}
