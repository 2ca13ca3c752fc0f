import { defineClusterCheck, type ClusterVerdict, type RemedyStep } from '../src/check.js';
import type { Safety } from '../src/evidence/safety.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, formatDay, plural, sentences } from '../src/format.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { endOfLife, isOlder, openTo, releaseOf } from '../src/judgement/upgrades/releases.js';
import type { Evidence } from '../src/presence.js';

const SERVER = '*';
/** "Access control is not enabled for the database". */
const NO_ACCESS_CONTROL = 22120;

interface Fault {
  /** What of the server it is about: where a finding has the path of a field. */
  readonly of: 'authentication' | 'encryption' | 'version' | 'startup' | 'voters' | 'compatibility';
  readonly severity: 'warning' | 'info';
  readonly source: string;
  readonly message: string;
  readonly steps: readonly RemedyStep[];
}

export const unsafeServer = defineClusterCheck({
  id: 'unsafe-server',
  title: 'Servers that are easy to break into or to lose',
  summary: 'no authentication, no TLS, a version without fixes, warnings of the start, voters that cannot decide',
  about: 'server',
  optional: true,
  group: 'safety',
  needs: [],
  clusterNeeds: ['server', 'safety'],
  thresholds: {},
  judge({ server, safety }): readonly ClusterVerdict[] {
    const { startupWarnings, connections, voters, compatibility, readAt } = safety;
    const absent = [startupWarnings, connections, voters, compatibility].flatMap((each) =>
      each.present ? [] : [each],
    );
    const faults = [
      ...accessFaults(safety),
      ...inPresent(startupWarnings, startupFaults),
      ...inPresent(connections, connectionFaults),
      ...versionFaults(server.version, readAt),
      ...inPresent(voters, voterFaults),
      ...inPresent(compatibility, (version) => compatibilityFaults(version, server.version)),
    ];
    return [
      ...absent.map(({ reason, detail }) => ({ notJudged: reason, detail })),
      ...faults.map(({ of, severity, source, message, steps }) => ({
        namespace: SERVER,
        path: of,
        severity,
        confidence: 'high' as const,
        message,
        evidence: { source, window: `MongoDB ${server.version}` },
        remedy: { steps },
      })),
    ];
  },
});

function inPresent<Value>(piece: Evidence<Value>, faultsIn: (value: Value) => readonly Fault[]): readonly Fault[] {
  return piece.present ? faultsIn(piece.value) : [];
}

type Known<Name extends keyof Safety> = Extract<Safety[Name], { readonly present: true }>['value'];

/** Without a word about it in the settings the server warns; with authorization disabled it does not (measured on 6.0.5). */
function accessFaults({ startupWarnings, connections }: Safety): readonly Fault[] {
  const isWarned = startupWarnings.present && startupWarnings.value.some(({ id }) => id === NO_ACCESS_CONTROL);
  const isShown = connections.present && connections.value.toAnyone;
  return onlyIf(isWarned || isShown, {
    of: 'authentication' as const,
    severity: 'warning' as const,
    source: isWarned ? 'startup warnings' : 'connectionStatus',
    message: 'Whoever reaches the port can read and change everything: access control is off.',
    steps: stepsOf(
      'Create an administrator, then a user for each application with the roles that it needs.',
      'Start each member with --auth, or with --keyFile in a replica set. Do it member by member with transitionToAuth.',
    ),
  });
}

function startupFaults(warnings: Known<'startupWarnings'>): readonly Fault[] {
  const others = warnings.filter(({ id }) => id !== NO_ACCESS_CONTROL);
  return onlyIf(others.length > 0, {
    of: 'startup' as const,
    severity: 'info' as const,
    source: 'startup warnings',
    message: `The server gives ${plural(others.length, 'warning')} when it starts: ${others.map(({ text }) => `"${text}"`).join(', ')}.`,
    steps: stepsOf(
      'Set the limits of the system as the "Production Notes" of the MongoDB manual say, and restart member by member.',
    ),
  });
}

function connectionFaults({ created, encrypted }: Known<'connections'>): readonly Fault[] {
  return onlyIf(encrypted === 0, {
    of: 'encryption' as const,
    severity: 'info' as const,
    source: 'serverStatus',
    message: `None of ${plural(created, 'connection')} since the start uses TLS: all data crosses the network in plain text.`,
    steps: stepsOf(
      'Give each member a certificate and set net.tls.mode to preferTLS, add tls=true to all connection strings, then set it to requireTLS.',
    ),
  });
}

function versionFaults(version: string, readAt: number): readonly Fault[] {
  const ended = endOfLife(version);
  const isEnded = ended !== null && ended <= readAt;
  const open = openTo(version);
  if (!isEnded && open.length === 0) return [];
  const message = sentences(
    isEnded && `MongoDB ${version} gets no more fixes since ${formatDay(ended)}.`,
    open.length > 0 && `It is open to ${open.join('; ')}.`,
  );
  return [
    {
      of: 'version',
      severity: 'warning',
      source: 'buildInfo',
      message,
      steps: stepsOf(
        'Install the newest patch of this release, member by member, the primary last. This changes no data format.',
        isEnded &&
          `Then upgrade release by release. See first what each changes for your queries: mongolint --for ${isOlder(version, '8.0.0') ? '8.0' : '9.0'}.`,
      ),
    },
  ];
}

function voterFaults(voters: Known<'voters'>): readonly Fault[] {
  if (voters === null) return [];
  const { voting, withData, forMajority } = voters;
  const hasArbiter = withData < voting && withData <= forMajority;
  const isEven = voting % 2 === 0;
  return onlyIf(isEven || hasArbiter, {
    of: 'voters' as const,
    severity: 'info' as const,
    source: 'replSetGetStatus',
    message: hasArbiter
      ? `${formatCount(withData)} of ${formatCount(voting)} voters hold data, and a write with majority waits for ${formatCount(forMajority)}: once one of them is down, such writes wait without end.`
      : `${formatCount(voting)} members vote: one more adds no safety over ${formatCount(voting - 1)}, and half of them cannot elect a primary.`,
    steps: stepsOf(
      hasArbiter
        ? 'Replace the arbiter by a member that holds data.'
        : 'Add a member that holds data, or take the vote of one: votes: 0 and priority: 0.',
    ),
  });
}

function compatibilityFaults(compatibility: string, version: string): readonly Fault[] {
  const release = releaseOf(version);
  return onlyIf(/^\d+\.\d+$/.test(compatibility) && isOlder(compatibility, release), {
    of: 'compatibility' as const,
    severity: 'info' as const,
    source: 'admin.system.version',
    message: `MongoDB ${version} still keeps to the data formats of ${compatibility}: features of ${release} are off, and the next upgrade is refused.`,
    steps: stepsOf({
      text: `Once nobody wants back to ${compatibility}, which is then hard, set it to ${release}.`,
      code: `db.adminCommand({ setFeatureCompatibilityVersion: "${release}"${isOlder(version, '7.0.0') ? '' : ', confirm: true'} })`,
    }),
  });
}
