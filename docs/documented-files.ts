import { builtInChecks } from '../checks/index.js';
import { createProgram } from '../src/cli/program.js';
import { reportJsonSchema } from '../src/report/report.js';
import { checksTable, optionsTable, thresholdsTable, withSection } from './generated-docs.js';

/** A file of which a part, or the whole, is generated. */
export interface DocumentedFile {
  /** From the package's root. */
  readonly path: string;
  /** The file as it should be, from the file as it is. */
  generate(before: string): string;
}

/** Every file with generated parts. The contract test compares them with what they would become. */
export function documentedFiles(): DocumentedFile[] {
  const program = createProgram({ stdout: { write: () => true }, stderr: { write: () => true }, env: {} }, () => {});
  return [
    {
      path: 'README.md',
      generate: (before) => withSection(withSection(before, 'checks', checksTable(builtInChecks)), 'options', optionsTable(program)),
    },
    { path: 'schema/report.schema.json', generate: () => `${JSON.stringify(reportJsonSchema(), null, 2)}\n` },
    ...builtInChecks.map((check) => ({
      path: `checks/${check.id}.md`,
      generate: (before: string) => withSection(before, 'thresholds', thresholdsTable(check)),
    })),
  ];
}
