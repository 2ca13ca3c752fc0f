/** Unchanged data give the same findings: documents are chosen in one place, and nothing else is left to chance. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/files/package-root.js';

const CHOOSING = 'src/profile/sampling/chosen-documents.ts';
/** The shapes of recorded operations name the stage, and send nothing. */
const SHAPES = 'src/workload/shapes/pipeline-shape.ts';
const CHANCE = /Math\.random|\$sample: \{|\$rand\b|\$sampleRate|randomInt\(|getRandomValues/;
/** Natural order is the order of insertion on a primary alone. */
const NATURAL_ORDER = /\$natural|showRecordId: true/;

/** Each reads system.profile or the oplog, whose natural order is theirs by definition, or the primary alone; the check only prints it. */
const IN_NATURAL_ORDER = [
  'src/evidence/measurements/measurement-series.ts',
  'src/evidence/sharding/key-sample.ts',
  'src/growth/oplog.ts',
  'src/workload/sources/profiler.ts',
  'checks/useless-index/check.ts',
];

describe('what differs from run to run', () => {
  it('is chosen in one place only', () => {
    const choosing = sources().filter(({ text }) => CHANCE.test(text));
    expect(
      choosing.map(({ file }) => file),
      'a check that names $sample in its remedy draws nothing: add it here',
    ).toEqual([CHOOSING, SHAPES]);
  });

  it('is not the order of storage', () => {
    const ordered = sources().filter(({ text }) => NATURAL_ORDER.test(text));
    expect(
      ordered.map(({ file }) => file),
      'a check that names $natural in its remedy reads nothing: add it here',
    ).toEqual(IN_NATURAL_ORDER);
  });
});

function sources(): { readonly file: string; readonly text: string }[] {
  return ['src', 'checks'].flatMap((folder) =>
    readdirSync(join(packageRoot(), folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('demo'))
      .map((file) => join(folder, file))
      .sort()
      .map((file) => ({ file, text: readFileSync(join(packageRoot(), file), 'utf8') })),
  );
}
