/** Holds the id of the process that watches. A process further down inherits it, and has another parent. */
export const WATCHED_BY = 'MONGOLINT_WATCHED_BY';

/** What a command tells the process that watches it. `of` is a target's place among those of the run. */
export type RunNews =
  /** From here on, it has to begin in time. */
  | { readonly kind: 'preparing' }
  | { readonly kind: 'target'; readonly of: number; readonly maxTime: number }
  /** Its time is over, and its process is not blocked: it can judge what it has read. */
  | { readonly kind: 'overtime'; readonly of: number }
  | { readonly kind: 'finished'; readonly of: number }
  /** Where it keeps what it finds. */
  | { readonly kind: 'spool'; readonly file: string }
  /** Why it ends without a report, in half a sentence. */
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'ended'; readonly exitCode: number };

/** How a command ended: by itself, at once because somebody asked for that, or why not. */
export type Outcome =
  | { readonly kind: 'ended' | 'stopped'; readonly exitCode: number }
  | { readonly kind: 'broken'; readonly why: string };

export function isWatched({ env, ppid, connected }: NodeJS.Process): boolean {
  return connected && env[WATCHED_BY] === String(ppid);
}
