import { sizeOf, UNKNOWN, type Value } from './value.js';

/** Expressions within expressions that are followed: below what the stack holds. */
const DEEPEST = 150;

/** Expressions that one question from outside may look at, each with the size of its value: few lines can stand for more than any memory holds. */
const MOST_STEPS = 20_000;

/** Stands below all questions: a limit cut the answer short, which depends on where it was asked. */
const LIMIT = -1;

/** Keeps answers to questions, and ends those that go in a circle or too far. */
export class Answers {
  /** Questions that are being asked, the first at 0. */
  private readonly open = new Map<unknown, number>();
  private steps = 0;
  private deep = 0;
  /** The first open question on which what was found meanwhile depends, since a circle ended there. */
  private rests = Infinity;

  /** The answer to a question, which another one may have asked; unknown beyond the limits. */
  deeper(answer: () => Value): Value {
    if (this.deep === 0) this.steps = 0;
    this.steps += 1;
    if (this.steps > MOST_STEPS || this.deep >= DEEPEST) return this.cutAt(LIMIT);
    this.deep += 1;
    try {
      const value = answer();
      this.steps += sizeOf(value);
      return value;
    } finally {
      this.deep -= 1;
    }
  }

  private cutAt(question: number): Value {
    this.rests = Math.min(this.rests, question);
    return UNKNOWN;
  }

  /** Found once, also beyond the limits if nothing else was being asked for, since it then would be cut short again. */
  keptOnce<Key>(known: Map<Key, Value>, key: Key, derive: () => Value): Value {
    return this.remembered(known, key, () => this.deeper(derive), this.deep === 0);
  }

  /** Found once, unless a limit or a question around it cut the answer short. */
  kept<Key>(known: Map<Key, Value>, key: Key, derive: () => Value): Value {
    return this.remembered(known, key, () => this.once(key, derive), false);
  }

  /** @param isFinal whether an answer that was cut short is kept, too */
  private remembered<Key>(known: Map<Key, Value>, key: Key, find: () => Value, isFinal: boolean): Value {
    const before = known.get(key);
    if (before !== undefined) return before;
    const [around, own] = [this.rests, this.open.size];
    this.rests = Infinity;
    const value = find();
    // A circle within the answer ends at the same place, whoever asks.
    const isWhole = this.rests >= own;
    if (isFinal || isWhole) known.set(key, value);
    this.rests = isWhole ? around : Math.min(around, this.rests);
    return value;
  }

  /** A value that is being asked for already is unknown. */
  once(key: unknown, value: () => Value): Value {
    const asked = this.open.get(key);
    if (asked !== undefined) return this.cutAt(asked);
    this.open.set(key, this.open.size);
    try {
      return value();
    } finally {
      this.open.delete(key);
    }
  }
}
