import { sizeOf, UNKNOWN, type Value } from './value.js';

/** Expressions within expressions that are followed: below what the stack holds. */
const DEEPEST = 150;

/** Expressions that one question from outside may look at, each with the size of its value: few lines can stand for more than any memory holds. */
const MOST_STEPS = 20_000;

/** Keeps answers to questions, and ends those that go in a circle or too far. */
export class Answers {
  private readonly open = new Set<unknown>();
  private steps = 0;
  private deep = 0;
  /** How often a limit or a circle cut an answer short: what was found meanwhile is not kept. */
  private cuts = 0;

  /** The answer to a question, which another one may have asked; unknown beyond the limits. */
  deeper(answer: () => Value): Value {
    if (this.deep === 0) this.steps = 0;
    this.steps += 1;
    if (this.steps > MOST_STEPS || this.deep >= DEEPEST) return this.cut();
    this.deep += 1;
    try {
      const value = answer();
      this.steps += sizeOf(value);
      return value;
    } finally {
      this.deep -= 1;
    }
  }

  cut(): Value {
    this.cuts += 1;
    return UNKNOWN;
  }

  /**
   * Found once: an answer that was cut short is kept only if nothing else was being asked for, since it then would be cut short
   * again.
   */
  keptOnce<Key>(known: Map<Key, Value>, key: Key, derive: () => Value): Value {
    return this.remembered(known, key, () => this.deeper(derive), this.deep === 0);
  }

  /** Found once, unless something cut the answer short. */
  kept<Key>(known: Map<Key, Value>, key: Key, derive: () => Value): Value {
    return this.remembered(known, key, () => this.once(key, derive), false);
  }

  /** @param isFinal whether an answer that was cut short is kept, too */
  private remembered<Key>(known: Map<Key, Value>, key: Key, find: () => Value, isFinal: boolean): Value {
    const before = known.get(key);
    if (before !== undefined) return before;
    const cuts = this.cuts;
    const value = find();
    if (isFinal || cuts === this.cuts) known.set(key, value);
    return value;
  }

  /** A value that is being asked for already is unknown. */
  once(key: unknown, value: () => Value): Value {
    if (this.open.has(key)) return this.cut();
    this.open.add(key);
    try {
      return value();
    } finally {
      this.open.delete(key);
    }
  }
}
