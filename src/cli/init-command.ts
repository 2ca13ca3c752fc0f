import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_FILES } from '../config/find-config.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';

const FILE = 'mongolint.config.yaml';

/** The configuration that sets nothing but where to connect, with all else in comments. */
export const COMMENTED_CONFIG = `# yaml-language-server: $schema=./node_modules/mongolint/schema/config.schema.json
# Configuration of mongolint. A flag wins over the environment, that over this file; --verbose shows where each value
# comes from. Paths are relative to this file.

# Where to connect. \${NAME} is replaced with that environment variable: keep passwords out of this file.
uri: \${MONGODB_URI}

# Several clusters in one run, in place of uri; each may have its own include, sampleSize, timeout, …
# targets:
#   - alias: staging
#     uri: \${STAGING_URI}
#   - alias: production
#     uri: \${PRODUCTION_URI}
#     exclude: ['archive.*']

# What to lint, as globs over database.collection.
# include: ['shop.*']
# exclude: ['*.tmp_*']

# When the run fails: at error, warning, info or never; at too many warnings; where something could not be judged.
# failOn: warning
# maxWarnings: 10
# strict: true

# Reports; one of them may go to the terminal.
# formats: [table, sarif=reports/mongolint.sarif]

# Settings of checks (\`mongolint checks\` lists them, \`mongolint explain\` names their thresholds).
# checks:
#   deep-nesting: off
#   bloated-document: info
#   unbounded-array:
#     thresholds: { embeddedWarning: 300 }
#     namespaces:
#       - glob: 'logs.*'
#         severity: info

# Findings that are known and are not to count for a while. They stay visible in every report.
# suppressions:
#   - check: unbounded-array
#     namespace: shop.carts
#     path: 'items'
#     reason: Carts are emptied at night
#     expires: 2027-06-30
#     owner: team-shop

# Findings that were there before: only new ones fail. Written with --update-baseline.
# baseline: mongolint-baseline.jsonl

# More checks, from packages or from files.
# plugins: [./checks/our-checks.mjs]

# A webhook that is told of what is new.
# notify: \${SLACK_WEBHOOK}
`;

/** Writes the commented configuration into the working directory; a configuration that is there is left as it is. */
export async function initCommand(io: Io): Promise<ExitCode> {
  const present = CONFIG_FILES.filter((name) => name !== 'package.json').find((name) =>
    existsSync(join(io.cwd(), name)),
  );
  if (present !== undefined) {
    io.stderr.write(`${present} is there already, and was left as it is.\n`);
    return EXIT_CODES.fault;
  }
  try {
    await writeFile(join(io.cwd(), FILE), COMMENTED_CONFIG, { flag: 'wx' });
  } catch (error) {
    io.stderr.write(`${FILE} can't be written here: ${(error as NodeJS.ErrnoException).code}.\n`);
    return EXIT_CODES.fault;
  }
  io.stdout.write(`${FILE} is written. Set MONGODB_URI, then run mongolint.\n`);
  return EXIT_CODES.clean;
}
