import type { ConfigSource } from '../config/find-config.js';
import { loadConfig } from '../config/load-config.js';
import type { Privilege } from '../evidence/source.js';
import { type NeededPrivileges, privilegesOf } from '../evidence/sources.js';
import { enabledChecks } from '../findings/check-settings.js';
import { type CheckSelection, neededEvidence, selectedSettings } from '../findings/evidence-plan.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { mongoshStatement } from '../report/remedy-steps.js';
import type { Io } from './io.js';

/** The role, and its user. */
const NAME = 'mongolint';

const WIDTH = 110;

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

/** Statements for mongosh that create the role and a user who has it, or replace the privileges of the role. */
export function roleScript({ always, whereKnown }: NeededPrivileges, isUpdate = false): string {
  const privileges = always.map(asJson);
  const command = isUpdate ? { updateRole: NAME, privileges } : { createRole: NAME, privileges, roles: [] };
  const lines = [
    '// The fewest privileges that the enabled checks need. All of them are reads.',
    ...(isUpdate ? ['// It replaces the privileges of the role; roles that it inherits stay.'] : []),
    ...mongoshStatement({ db: 'admin', command }, WIDTH),
    ...whereKnown.flatMap(grantLines),
    ...(isUpdate ? [] : userLines()),
  ];
  return `${lines.join('\n')}\n`;
}

function userLines(): string[] {
  return [
    `db.getSiblingDB("admin").createUser({ user: "${NAME}", pwd: passwordPrompt(), roles: ["${NAME}"] });`,
    '// Only for a connection straight to a member of a shard, which MongoDB 8.0 and later otherwise refuse. mongos needs no such role.',
    `// db.getSiblingDB("admin").grantRolesToRole("${NAME}", ["directShardOperations"]);`,
  ];
}

function grantLines(privilege: Privilege): string[] {
  const grant = { grantPrivilegesToRole: NAME, privileges: [asJson(privilege)] };
  return [
    '// Only newer servers have this privilege. mongolint also works without it.',
    'try {',
    ...mongoshStatement({ db: 'admin', command: grant }, WIDTH).map((line) => `  ${line}`),
    '} catch (error) {',
    '  if (!/Unrecognized action/.test(error.message)) throw error;',
    '}',
  ];
}

function asJson({ resource, actions }: Privilege): { resource: Record<string, string | boolean>; actions: string[] } {
  return { resource: { ...resource }, actions: [...actions] };
}
