import { formatCount } from '../src/format.js';

/** How the processor time of a run grows with one thing. */
export interface CostPanel {
  /** What grows: "recorded operations". */
  readonly by: string;
  /** Processor time in ms. */
  readonly points: readonly { readonly size: number; readonly ofServer: number; readonly ofClient: number }[];
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [300, 220, 52, 46, 40] as const;
const LINES = [
  { name: 'mongolint', of: 'ofClient', color: '#2563eb' },
  { name: 'server', of: 'ofServer', color: '#d97706' },
] as const;

/** The panels side by side as SVG: seconds of the processor over the size. */
export function drawnCosts(panels: readonly CostPanel[]): string {
  const parts = panels.map((panel, index) => `<g transform="translate(${index * WIDTH} 0)">${panelParts(panel)}</g>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * panels.length} ${HEIGHT}" font-family="sans-serif" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function panelParts({ by, points }: CostPanel): string {
  const most = { size: Math.max(...points.map(({ size }) => size)), ms: highest(points) };
  const x = (size: number) => LEFT + (size / most.size) * (WIDTH - LEFT - 24);
  const y = (ms: number) => HEIGHT - BOTTOM - (ms / most.ms) * (HEIGHT - TOP - BOTTOM);
  const grid = [0, most.ms / 2, most.ms].map(
    (ms) =>
      `<line x1="${LEFT}" x2="${WIDTH - 24}" y1="${y(ms).toFixed(1)}" y2="${y(ms).toFixed(1)}" stroke="#e5e7eb"/>` +
      label([LEFT - 6, y(ms) + 4], `${(ms / 1_000).toFixed(1)} s`, 'end'),
  );
  const lines = LINES.map(({ name, of, color }, index) => {
    const places = points.map((point) => [x(point.size), y(point[of])] as const);
    const path = places.map((place) => place.map((each) => each.toFixed(1)).join(',')).join(' ');
    const dots = places.map(
      ([cx, cy]) => `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="2.5" fill="${color}"/>`,
    );
    return (
      `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots.join('')}` +
      label([LEFT + 84 * index, 34], `● ${name}`, 'start', color)
    );
  });
  return [
    label([LEFT, 16], by, 'start', '#111827'),
    ...grid,
    ...lines,
    label([x(0), HEIGHT - BOTTOM + 18], '0'),
    label([x(most.size), HEIGHT - BOTTOM + 18], formatCount(most.size)),
  ].join('');
}

function highest(points: CostPanel['points']): number {
  return Math.max(...points.flatMap(({ ofServer, ofClient }) => [ofServer, ofClient]));
}

function label(at: readonly [number, number], text: string, anchor = 'middle', color = '#374151'): string {
  return `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}" fill="${color}">${text}</text>`;
}
