export const uri = process.env.MONGODB_URI;
export const databaseName = new URL(uri).pathname.slice(1);
export const HOUR = 3_600_000;
export const soon = () => new Date(Date.now() + HOUR);

/** Calls of which some are meant to fail, once the operation is sent: prints how many did. */
export class Calls {
  made = 0;
  failed = [];

  async try(name, call) {
    this.made += 1;
    try {
      return await call();
    } catch (error) {
      this.failed.push(`${name}: ${String(error?.message ?? error).slice(0, 100)}`);
      return null;
    }
  }

  end() {
    process.stdout.write(`${this.made} calls, ${this.failed.length} failed\n${this.failed.join('\n')}\n`);
    process.exit(0);
  }
}
