import { type ConfigSource, loadConfig } from '../config/load-config.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { enabledChecks } from '../findings/check-settings.js';
import { selectedSettings, type CheckSelection } from '../findings/selected-checks.js';
import { privilegesOf } from '../evidence/privileges.js';
import { neededEvidence } from '../findings/needed-evidence.js';
import { roleScript } from './role-script.js';
import type { Io } from './io.js';

/** Prints the role that the selected checks need, or what gives an existing one the same privileges. */
export async function roleCommand(
  source: ConfigSource,
  selection: CheckSelection,
  isUpdate: boolean,
  io: Io,
): Promise<ExitCode> {
  const { checks, settings } = await loadConfig(source);
  const enabled = enabledChecks(checks, selectedSettings(checks, settings, selection));
  io.stdout.write(roleScript(privilegesOf(neededEvidence(enabled)), isUpdate));
  return EXIT_CODES.clean;
}
