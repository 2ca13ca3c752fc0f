/** The lines of a mongod's log, with its slow queries spread evenly over the day before now: what ran in seconds looks like a day's work. */
export function spreadOverADay(log: string, now = Date.now()): string {
  const lines = log.split('\n').filter((line) => line.includes('"Slow query"'));
  const step = (24 * 60 * 60 * 1_000) / Math.max(1, lines.length - 1);
  return lines
    .map((line, position) => {
      const at = new Date(now - (lines.length - 1 - position) * step).toISOString();
      return line.replace(/"t":\{"\$date":"[^"]*"\}/, `"t":{"$date":"${at}"}`);
    })
    .join('\n');
}
