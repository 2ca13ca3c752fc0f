import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILES } from '../config/find-config.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';

const FILE = 'mongolint.config.yaml';

export const COMMENTED_CONFIG = `# yaml-language-server: $schema=./node_modules/mongolint/schema/config.schema.json
# Configuration of mongolint. Flags override the environment, which overrides this file. --verbose shows where each value
# comes from. Paths are relative to this file.

# Where to connect. \${NAME} is replaced by that environment variable: keep passwords out of this file.
uri: \${MONGODB_URI}

# Several clusters in one run, instead of uri. Each may have its own include, sampleSize, timeout, …
# targets:
#   - alias: staging
#     uri: \${STAGING_URI}
#   - alias: production
#     uri: \${PRODUCTION_URI}
#     exclude: ['archive.*']

# What to lint, as globs over database.collection.
# include: ['shop.*']
# exclude: ['*.tmp_*']

# What fails the run: the lowest severity (error, warning, info or never), too many warnings, anything that could not be
# judged.
# failOn: warning
# maxWarnings: 10
# strict: true

# Reports. Only one can go to stdout.
# formats: [table, sarif=reports/mongolint.sarif]

# Settings of checks. \`mongolint checks\` lists the checks, \`mongolint explain\` their thresholds.
# checks:
#   deep-nesting: off
#   bloated-document: info
#   unbounded-array:
#     thresholds: { embeddedWarning: 300 }
#     namespaces:
#       - glob: 'logs.*'
#         severity: info

# Production sizes of collections that are small here, as in a test database: they are judged at these sizes.
# expect:
#   - { glob: 'shop.orders', documents: 5000000, executionsPerDay: 12000 }

# Known findings that do not count for now. They stay visible in every report.
# suppressions:
#   - check: unbounded-array
#     namespace: shop.carts
#     path: 'items'
#     reason: Carts are emptied at night
#     expires: 2027-06-30
#     owner: team-shop

# Owners of namespaces, who answer for their findings. The last rule that matches wins; --owner filters reports.
# owners:
#   - { glob: 'shop.*', owner: team-shop }

# Known findings: only new ones fail the run. --update-baseline writes the file.
# baseline: mongolint-baseline.jsonl

# More checks and report formats, from packages or files.
# plugins: [./checks/our-checks.mjs]

# A webhook that gets what is new, fixed or failed.
# notify: \${SLACK_WEBHOOK}
`;

/** Writes the commented configuration into the working directory. @throws LintError if there is one, or it can't be written */
export async function initCommand(io: Io): Promise<ExitCode> {
  const present = CONFIG_FILES.filter((name) => name !== 'package.json').find((name) =>
    existsSync(join(io.cwd(), name)),
  );
  if (present !== undefined) throw new LintError(`${present} exists already. It was not changed.`);
  await writeFile(join(io.cwd(), FILE), COMMENTED_CONFIG, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new LintError(`${FILE} could not be written here: ${error.code}.`, { cause: error });
  });
  io.stdout.write(`Wrote ${FILE}. Set MONGODB_URI, then run mongolint.\n`);
  return EXIT_CODES.clean;
}
