import { mongoshStatement } from '../report/remedy-commands.js';
import type { NeededPrivileges, Privilege } from '../evidence/privileges.js';

/** Name of the role, and of the user who has it. */
const NAME = 'mongolint';

const WIDTH = 110;

/** The role, and a user who has it, as statements to paste into mongosh as a user who may create both. */
export function roleScript({ always, whereKnown }: NeededPrivileges): string {
  const create = { createRole: NAME, privileges: always.map(asJson), roles: [] };
  const lines = [
    '// The least that mongolint needs for the checks that are enabled: reads, every one.',
    ...mongoshStatement({ db: 'admin', command: create }, WIDTH),
    ...whereKnown.flatMap(grantLines),
    `db.getSiblingDB("admin").createUser({ user: "${NAME}", pwd: passwordPrompt(), roles: ["${NAME}"] });`,
  ];
  return `${lines.join('\n')}\n`;
}

function grantLines(privilege: Privilege): string[] {
  const grant = { grantPrivilegesToRole: NAME, privileges: [asJson(privilege)] };
  return [
    '// Only newer servers know this; on others mongolint does without.',
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
