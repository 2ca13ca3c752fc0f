/** README.md of this folder: what was measured, as tables, with what went wrong. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/files/package-root.js';
import type { ObjectShape } from '../../src/workload/shapes/shape.js';
import type { OperationShape } from '../../src/workload/workload.js';
import { isEstimateMet, isWorse, type ComparedShape } from './comparison.js';
import type { Proof } from './proof.js';

const MARKER = '<!-- measured -->';
const ROUNDED = 10;
/** Of the documents that a shape examined before: what is left of them with a remedy that helps. */
const MOST_LEFT = 0.5;
/** Documents that an execution examines and neither returns nor writes, from which a shape that no command is for is told. */
const WASTED = 1_000;

interface Totals {
  readonly workloads: number;
  readonly commands: number;
  readonly shapes: number;
  readonly worse: number;
  readonly named: readonly ComparedShape[];
}

/** Writes the tables below the marker; what stands above it is written by hand. */
export async function writeProvenPage(proofs: readonly Proof[], version: string): Promise<void> {
  const path = join(packageRoot(), 'test', 'prove', 'README.md');
  const page = await readFile(path, 'utf8');
  const end = page.indexOf(MARKER) + MARKER.length;
  await writeFile(path, `${page.slice(0, end)}\n\n${provenTables(proofs, version)}\n`);
}

function provenTables(proofs: readonly Proof[], version: string): string {
  const totals = totalsOf(proofs);
  return [
    `Measured on MongoDB ${version}. ${summaryOf(totals)}`,
    markdownTable(
      ['workload', 'from', 'commands', 'shapes', 'worse', 'examined before', 'and after', 'estimates that held'],
      proofs.map(workloadRow),
    ),
    '## Misses',
    ...missesOf(proofs),
    '## Left as they are',
    'No command is for these, and an execution still examines 1,000 documents and more that it neither returns nor writes.',
    leftOf(proofs),
  ].join('\n\n');
}

/** "Replayed: 27 workloads … None got worse." */
function summaryOf({ workloads, commands, shapes, worse, named }: Totals): string {
  const [before, after] = [sumOf(named, 'before'), sumOf(named, 'after')];
  const estimated = named.filter((shape) => isEstimateMet(shape) !== null);
  const met = estimated.filter((shape) => isEstimateMet(shape) === true);
  return (
    `${workloads} workloads with ${shapes} shapes of operations, before and after ${commands} commands: ${worse} got worse. ` +
    `The ${named.length} shapes that the commands are for examined ${count(before)} documents before and ${count(after)} after. ` +
    `Of ${estimated.length} estimates, ${met.length} are within a factor of two.`
  );
}

function totalsOf(proofs: readonly Proof[]): Totals {
  const shapes = proofs.flatMap((proof) => proof.shapes);
  return {
    workloads: proofs.length,
    commands: proofs.flatMap(commandsOf).length,
    shapes: shapes.length,
    worse: shapes.filter(isWorse).length,
    named: proofs.flatMap(indexedShapes),
  };
}

/** The shapes that a finding with commands names. */
function indexedShapes({ shapes, findings }: Proof): ComparedShape[] {
  const ids = new Set(findings.flatMap(({ impact }) => (impact?.operations ?? []).map(({ id }) => id)));
  return shapes
    .filter(({ id }) => ids.has(id))
    .toSorted((one, other) => other.before.documentsExamined - one.before.documentsExamined);
}

function commandsOf({ findings }: Proof): unknown[] {
  return findings.flatMap(({ remedy }) => remedy.commands ?? []);
}

function workloadRow(proof: Proof): string[] {
  const named = indexedShapes(proof);
  const estimated = named.filter((shape) => isEstimateMet(shape) !== null);
  const met = estimated.filter((shape) => isEstimateMet(shape) === true);
  return [
    proof.workload.name,
    proof.workload.source,
    String(commandsOf(proof).length),
    String(proof.shapes.length),
    String(proof.shapes.filter(isWorse).length),
    named.length === 0 ? '' : count(sumOf(named, 'before')),
    named.length === 0 ? '' : count(sumOf(named, 'after')),
    named.length === 0 ? '' : `${met.length} of ${estimated.length}`,
  ];
}

function missesOf(proofs: readonly Proof[]): string[] {
  const named = proofs.flatMap(indexedShapes);
  const all = proofs.flatMap(({ shapes }) => shapes);
  const lines = [
    ...all.filter(isWorse).map((shape) => `${line(shape)} got worse`),
    ...named
      .filter(({ before, after }) => after.documentsExamined > MOST_LEFT * before.documentsExamined)
      .map((shape) => `${line(shape)} still examines more than half`),
    ...named
      .filter((shape) => isEstimateMet(shape) === false)
      .map((shape) => `${line(shape)} was estimated at ${figure(shape.estimated ?? 0)}`),
    ...named
      .filter((shape) => shape.estimated !== null && isEstimateMet(shape) === null)
      .map((shape) => `${line(shape)} met other documents than when it was recorded, so its estimate is not tested`),
    ...named.filter(({ estimated }) => estimated === null).map((shape) => `${line(shape)} has no estimate`),
  ];
  return [lines.length === 0 ? 'None.' : lines.map((each) => `- ${each}`).join('\n')];
}

/** Wasteful shapes that no command is for. */
function leftOf(proofs: readonly Proof[]): string {
  const lines = proofs.flatMap((proof) => {
    const named = new Set(indexedShapes(proof));
    return proof.shapes
      .filter((shape) => !named.has(shape) && shape.after.documentsExamined - shape.after.documentsReturned >= WASTED)
      .map((shape) => `- ${line(shape)} ${namedText(shape)}`);
  });
  return lines.length === 0 ? 'None.' : lines.join('\n');
}

function namedText({ namedBy }: ComparedShape): string {
  return namedBy.length === 0
    ? 'no finding names it'
    : `${namedBy.map((check) => `\`${check}\``).join(', ')} says how to ask instead`;
}

function line({ namespace, shape, before, after }: ComparedShape): string {
  return `\`${namespace}\`, ${operationText(shape)} (${figure(before.documentsExamined)} → ${figure(after.documentsExamined)} documents):`;
}

function operationText({ kind, filter, sort, pipeline: given }: OperationShape): string {
  const pipeline: readonly ObjectShape[] = given ?? [];
  const asked = filter ?? (pipeline[0]?.['$match'] as object | undefined) ?? {};
  const fields = Object.keys(asked).map((field) => `\`${field}\``);
  const order = Object.keys(sort ?? {}).map((field) => `\`${field}\``);
  const stages = pipeline.flatMap((stage) => Object.keys(stage)).filter((stage) => stage !== '$match');
  return [
    fields.length === 0 ? kind : `${kind} by ${fields.join(', ')}`,
    ...(order.length === 0 ? [] : [`sorted by ${order.join(', ')}`]),
    ...(stages.length === 0 ? [] : [`then ${stages.map((stage) => `\`${stage}\``).join(', ')}`]),
  ].join(', ');
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Documents of one execution of each shape. */
function sumOf(shapes: readonly ComparedShape[], side: 'before' | 'after'): number {
  return shapes.reduce((sum, shape) => sum + shape[side].documentsExamined, 0);
}

export function figure(value: number): string {
  return (Math.round(value * ROUNDED) / ROUNDED).toLocaleString('en-US');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
