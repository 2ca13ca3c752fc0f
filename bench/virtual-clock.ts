import { setImmediate } from 'node:timers/promises';

interface Waiting {
  readonly at: number;
  readonly resume: () => void;
}

/** Time that passes only while all wait for it: code that runs by promises alone takes none. In ms. */
export class VirtualClock {
  #now = 0;
  /** A binary heap, the earliest first. */
  readonly #waiting: Waiting[] = [];

  get now(): number {
    return this.#now;
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resume) => this.#add({ at: this.#now + milliseconds, resume }));
  }

  /** Lets time pass until the work is done. @returns how long it took */
  async run(work: () => Promise<unknown>): Promise<number> {
    const begun = this.#now;
    const done = work();
    // What was resumed runs on until all of it waits again.
    await setImmediate();
    for (let next = this.#earliest(); next !== undefined; next = this.#earliest()) {
      this.#now = next.at;
      next.resume();
      await setImmediate();
    }
    await done;
    return this.#now - begun;
  }

  #add(waiting: Waiting): void {
    const heap = this.#waiting;
    let index = heap.push(waiting) - 1;
    for (
      let parent = (index - 1) >> 1;
      index > 0 && (heap[parent] as Waiting).at > waiting.at;
      parent = (index - 1) >> 1
    ) {
      heap[index] = heap[parent] as Waiting;
      index = parent;
    }
    heap[index] = waiting;
  }

  #earliest(): Waiting | undefined {
    const heap = this.#waiting;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const other = child + 1;
      const least = other < heap.length && (heap[other] as Waiting).at < (heap[child] as Waiting).at ? other : child;
      if ((heap[least] as Waiting).at >= last.at) break;
      heap[index] = heap[least] as Waiting;
      index = least;
    }
    heap[index] = last;
    return first;
  }
}
