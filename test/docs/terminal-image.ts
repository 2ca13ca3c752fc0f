const CHARACTER = 8.4;
const LINE = 19;
const MARGIN = 16;
const BACKGROUND = '#0d1117';
const FOREGROUND = '#e6edf3';

/** Colors of a terminal by their codes. */
const COLORS: Readonly<Record<string, string>> = {
  30: '#484f58',
  31: '#ff7b72',
  32: '#3fb950',
  33: '#d29922',
  34: '#58a6ff',
  35: '#bc8cff',
  36: '#39c5cf',
  90: '#8b949e',
  91: '#ffa198',
  92: '#56d364',
  93: '#e3b341',
  94: '#79c0ff',
  95: '#d2a8ff',
  96: '#56d4dd',
};

interface Style {
  readonly color: string;
  readonly isBold: boolean;
  readonly isDim: boolean;
}

const PLAIN: Style = { color: FOREGROUND, isBold: false, isDim: false };

/** What a terminal shows, as an SVG. */
export function terminalImage(text: string, columns: number): string {
  const lines = text.trimEnd().split('\n');
  const [width, height] = [Math.ceil(columns * CHARACTER + 2 * MARGIN), lines.length * LINE + 2 * MARGIN];
  let style = PLAIN;
  const rows = lines.map((line, row) => {
    const spans: string[] = [];
    const [plain = '', ...colored] = line.split('\u{1b}[');
    if (plain !== '') spans.push(span(plain, style));
    for (const part of colored) {
      const end = part.indexOf('m');
      style = styled(style, part.slice(0, end).split(';'));
      if (end < part.length - 1) spans.push(span(part.slice(end + 1), style));
    }
    return `<text x="${MARGIN}" y="${MARGIN + (row + 0.75) * LINE}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    ...rows,
    '</svg>\n',
  ].join('\n');
}

function styled(style: Style, codes: readonly string[]): Style {
  let current = style;
  for (const code of codes) {
    if (code === '' || code === '0') current = PLAIN;
    else if (code === '1') current = { ...current, isBold: true };
    else if (code === '2') current = { ...current, isDim: true };
    else if (code === '22') current = { ...current, isBold: false, isDim: false };
    else current = { ...current, color: code === '39' ? FOREGROUND : (COLORS[code] ?? current.color) };
  }
  return current;
}

function span(text: string, { color, isBold, isDim }: Style): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<tspan fill="${color}"${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.7"' : ''}>${escaped}</tspan>`;
}
