import { type Access, isRefused, type Refusal } from '../../src/planner/access.js';
import type { ServerAccess, ServerBounds, ServerPlan } from './server-access.js';

/** In what the model and the server differ, the weightiest first. */
export const DIFFERENCES = ['use', 'order', 'bounds', 'documents tested', 'covered'] as const;
export type DifferenceKind = (typeof DIFFERENCES)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly model: string;
  readonly server: string;
}

/**
 * What differs most; null if the model says what one of the server's plans does. The server lets plans race over the
 * documents, and with several conditions on one array or a sort beside a range there is more than one.
 */
export function difference(model: Access | Refusal, server: ServerAccess): Difference | null {
  const { plans } = server;
  if (isRefused(model)) {
    if (plans.length === 0) return null;
    return { kind: 'use', model: `no: ${model.because} ${model.path}`.trim(), server: planText(plans[0]!) };
  }
  if (plans.length === 0) return { kind: 'use', model: accessText(model), server: 'no' };
  const least = plans.map((plan) => worst(model, plan)).reduce((one, other) => (rank(other) > rank(one) ? other : one));
  return least === null ? null : { kind: least, model: accessText(model), server: plans.map(planText).join(' or ') };
}

/** Whether the model names the plan that won. */
export function namesWinner(model: Access, { plans: [winner] }: ServerAccess): boolean {
  return winner !== undefined && worst(model, winner) === null;
}

function rank(kind: DifferenceKind | null): number {
  return kind === null ? DIFFERENCES.length : DIFFERENCES.indexOf(kind);
}

function worst(model: Access, plan: ServerPlan): DifferenceKind | null {
  // Where no key is within the bounds, there is nothing to sort or to test.
  const isEmpty = plan.scans.some((scan) => Object.values(scan).includes('empty'));
  const isSame = sameBounds(boundsOf(model), plan.scans);
  if (!isSame && plan.isOfBranches) return 'bounds';
  if (!isEmpty && model.givesOrder !== plan.givesOrder) return 'order';
  if (!isSame) return 'bounds';
  if (isEmpty) return null;
  if (model.testsDocuments !== plan.testsDocuments) return 'documents tested';
  return model.covered === plan.covered ? null : 'covered';
}

type Scans = ServerPlan['scans'];

function boundsOf({ scans }: Access): Scans {
  return scans.map(({ bounds }) => Object.fromEntries(bounds.map(({ path, kind }) => [path, kind])));
}

const KINDS: readonly ServerBounds[] = ['all', 'type', 'range', 'points', 'empty'];

/**
 * Walks that differ in values alone are one: the server makes one for each value to merge them in order. Some that bound the
 * first field alone, it makes at once, and their bounds are the widest of them.
 */
function sameBounds(model: Scans, server: Scans): boolean {
  const [short, long] = [firstKinds(model), firstKinds(server)];
  const isUnion =
    long.every((kind) => kind === 'empty' || short.includes(kind)) && (short.length === 0 || long.length > 0);
  const isWidest = widest(short) === widest(long) || long.every((kind) => kind === 'empty');
  return isAlike(model, server) || (isUnion && isWidest && isAlike(longer(model), longer(server)));
}

const widest = (kinds: readonly ServerBounds[]) => KINDS.find((kind) => kinds.includes(kind));

function boundsOnlyFirst(scan: Scans[number]): boolean {
  return Object.values(scan).every((kind, position) => position === 0 || kind === 'all');
}

function firstKinds(scans: Scans): ServerBounds[] {
  return scans.filter(boundsOnlyFirst).map((scan) => Object.values(scan)[0]!);
}

function longer(scans: Scans): Scans {
  return scans.filter((scan) => !boundsOnlyFirst(scan));
}

function isAlike(model: Scans, server: Scans): boolean {
  return (
    model.every((scan) => server.some((other) => sameScan(scan, other))) &&
    server.every((scan) => model.some((other) => sameScan(other, scan)))
  );
}

function sameScan(one: Readonly<Record<string, ServerBounds>>, other: Readonly<Record<string, ServerBounds>>): boolean {
  const paths = Object.keys(one);
  return (
    paths.length === Object.keys(other).length &&
    paths.every((path) => one[path] === other[path] || other[path] === 'empty')
  );
}

function accessText(model: Access): string {
  return described(boundsOf(model), model);
}

function planText(plan: ServerPlan): string {
  return described(plan.scans, plan);
}

function described(scans: Scans, plan: Pick<ServerPlan, 'testsDocuments' | 'givesOrder' | 'covered'>): string {
  const texts = new Set(
    scans.map((scan) =>
      Object.entries(scan)
        .map((bound) => bound.join(' '))
        .join(', '),
    ),
  );
  const further = [plan.testsDocuments && 'tests documents', !plan.givesOrder && 'sorts', plan.covered && 'covered'];
  return [`[${[...texts].join('] [')}]`, ...further].filter(Boolean).join(', ');
}
