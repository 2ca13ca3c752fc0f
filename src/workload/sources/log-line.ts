/** The server's own text, after a prefix by syslog, journald or a container's runtime. */
export const LINE_START = '{"t":{"$date":"';

export interface LogLine {
  readonly t?: { readonly $date?: string };
  /** The service that wrote it, from 8.0 on: `R` for a router, `S` for a shard or a replica set. */
  readonly svc?: unknown;
  readonly msg?: unknown;
  readonly ctx?: unknown;
  readonly attr?: Record<string, unknown>;
  readonly truncated?: { readonly command?: unknown; readonly originatingCommand?: unknown };
}

/** Null if it is no JSON. */
export function parsedLine(text: string): LogLine | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as LogLine) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}
