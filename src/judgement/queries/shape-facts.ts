import type { AveragedFigure } from '../../workload/operations/operation-figures.js';
import { addedTails, p90Of, type Tail, tailOf } from '../../workload/operations/tail.js';
import type { OperationFigures } from '../../workload/workload.js';
import { quotient, sumOf } from '../quotient.js';

/** A figure of an execution: on average, in the tail, and at worst. Null if unknown. */
export interface Spread {
  readonly mean: number | null;
  /** What nine of ten executions do not exceed, within 9 %. */
  readonly p90: number | null;
  readonly worst: number | null;
}

/** What executions of a shape cost, by one source. */
export interface ShapeFacts {
  readonly milliseconds: Spread;
  readonly documents: Spread;
  readonly keys: Spread;
  /** Documents returned or written. */
  readonly returned: Spread;
  /** Bytes of the documents examined, each as large as the collection's are on average. */
  readonly bytesExamined: Spread;
  /** Bytes of all replies. */
  readonly responseBytes: Spread;
}

/** The facts of shapes together. @param averageBytes of a document; null if unknown */
export function shapeFacts(figures: readonly OperationFigures[], averageBytes: number | null): ShapeFacts {
  const documents = spreadOf(figures, () => 'documentsExamined');
  return {
    milliseconds: spreadOf(figures, () => 'milliseconds'),
    documents,
    keys: spreadOf(figures, () => 'keysExamined'),
    returned: spreadOf(figures, ({ documentsWritten }) =>
      documentsWritten === null ? 'documentsReturned' : 'documentsWritten',
    ),
    bytesExamined: timesEach(documents, averageBytes),
    responseBytes: spreadOf(figures, () => 'responseBytes'),
  };
}

/**
 * How a figure is spread over the executions that tell it. The tail is unknown of query stats and of evidence from before tails
 * were kept, unless each shape ran once.
 */
function spreadOf(figures: readonly OperationFigures[], name: (figures: OperationFigures) => AveragedFigure): Spread {
  const telling = figures.filter((each) => each[name(each)] !== null);
  const total = sumOf(telling, (each) => each[name(each)]);
  const mean = quotient(
    total,
    sumOf(telling, ({ executions }) => executions),
  );
  const tails = telling.map((each) => tailIn(each, name(each)));
  if (tails.length === 0 || !tails.every((tail) => tail !== null)) return { mean, p90: null, worst: null };
  const tail = tails.reduce<Tail>(addedTails, { worst: 0, steps: {} });
  return { mean, p90: p90Of(tail), worst: tail.worst };
}

/** The same of what each unit of the figure takes, such as bytes of a document. */
function timesEach({ mean, p90, worst }: Spread, each: number | null): Spread {
  const times = (value: number | null) => (value === null || each === null ? null : value * each);
  return { mean: times(mean), p90: times(p90), worst: times(worst) };
}

function tailIn(figures: OperationFigures, name: AveragedFigure): Tail | null {
  const total = figures[name];
  return figures.tails?.[name] ?? (figures.executions === 1 && total !== null ? tailOf(total) : null);
}
