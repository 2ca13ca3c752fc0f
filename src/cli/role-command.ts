import { type ConfigSource, loadConfig } from '../config/load-config.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { enabledChecks } from '../findings/check-settings.js';
import { privilegesOf } from '../evidence/privileges.js';
import { neededEvidence } from '../findings/needed-evidence.js';
import { roleScript } from './role-script.js';
import type { Io } from './io.js';

export async function roleCommand(source: ConfigSource, io: Io): Promise<ExitCode> {
  const { checks, settings } = await loadConfig(source);
  io.stdout.write(roleScript(privilegesOf(neededEvidence(enabledChecks(checks, settings)))));
  return EXIT_CODES.clean;
}
