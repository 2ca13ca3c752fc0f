import { builtInChecks } from '../checks/index.js';
import { thresholdLines } from '../src/cli/catalogue-commands.js';
import { listingJsonSchema } from '../src/cli/code-listing.js';
import { configJsonSchema } from '../src/config/config-schema.js';
import { evidenceJsonSchema } from '../src/evidence-file/evidence-lines.js';
import { REPORT_FORMATS } from '../src/report/formats.js';
import { reportJsonSchema } from '../src/report/report.js';
import { targetReportsJsonSchema } from '../src/report/target-reports.js';
import {
  checksList,
  formatsTable,
  missionList,
  optionsTable,
  proofList,
  withSection,
  withSince,
} from './generated-docs.js';

/** A file of which a part, or the whole, is generated. */
export interface DocumentedFile {
  /** From the package's root. */
  readonly path: string;
  /** The file as it should be, from the file as it is. */
  generate(before: string): string;
}

/** Every file with generated parts. The contract test compares them with what they would become. */
export function documentedFiles(): DocumentedFile[] {
  return [
    ...Object.entries(PAGES).map(([path, sections]) => page(path, sections)),
    schemaFile('report', reportJsonSchema()),
    schemaFile('target-reports', targetReportsJsonSchema()),
    schemaFile('evidence', evidenceJsonSchema()),
    schemaFile('code', listingJsonSchema()),
    schemaFile('config', configJsonSchema(builtInChecks)),
    ...builtInChecks.map((check) => {
      const lines = thresholdLines(check.thresholds);
      const { path, generate } = page(
        `checks/${check.id}.md`,
        lines.length === 0 ? {} : { thresholds: `\n${lines.join('\n')}\n` },
      );
      return { path, generate: (before: string) => withSince(generate(before), check) };
    }),
  ];
}

/** Pages, and the tables between their marks. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'README.md': { checks: missionList(builtInChecks), proof: proofList() },
  'docs/checks.md': { checks: checksList(builtInChecks, '../checks') },
  'docs/configuration.md': { options: optionsTable() },
  'docs/reports.md': { formats: formatsTable(REPORT_FORMATS) },
};

function page(path: string, sections: Readonly<Record<string, string>>): DocumentedFile {
  return {
    path,
    generate: (before) =>
      Object.entries(sections).reduce((text, [name, content]) => withSection(text, name, content), before),
  };
}

/** A published JSON Schema, as the code has it. */
function schemaFile(name: string, schema: object): DocumentedFile {
  return { path: `schema/${name}.schema.json`, generate: () => `${JSON.stringify(schema, null, 2)}\n` };
}
