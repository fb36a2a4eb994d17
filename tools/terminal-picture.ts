/**
 * Converts the output of a terminal into an SVG for the README: `node tools/with-node.mjs tools/terminal-picture.ts TITLE < ansi.txt >
 * picture.svg`. Supports the colours that the CLI uses. The SVG contains the text as text, so it can be searched and read aloud.
 */
import { text as readAll } from 'node:stream/consumers'

const COLOURS: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#f2cc60',
  '34': '#79c0ff',
  '36': '#76e3ea',
  '90': '#8b949e',
}
const DEFAULT_COLOUR = '#e6edf3'
const CELL = { width: 8.4, height: 19 }
const PADDING = 18

interface Run {
  readonly text: string
  readonly colour: string
  readonly bold: boolean
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const ESCAPE = String.fromCharCode(27)
const COLOUR_CODE = new RegExp(`(${ESCAPE}\\[[0-9;]*m)`)

/** Returns the numbers in a colour code. Returns undefined if the part is text. */
const codesOf = (part: string): string | undefined => (part.startsWith(`${ESCAPE}[`) ? part.slice(2, -1) : undefined)

/** Returns each line as a list of texts with the same style. A colour applies until it is changed, even across lines. */
const runsOf = (lines: readonly string[]): readonly (readonly Run[])[] => {
  let colour = DEFAULT_COLOUR
  let bold = false
  return lines.map((line) => {
    const runs: Run[] = []
    for (const part of line.split(COLOUR_CODE)) {
      const codes = codesOf(part)
      if (codes === undefined) {
        if (part !== '') runs.push({ text: part, colour, bold })
        continue
      }
      for (const code of codes.split(';')) {
        if (code === '1') bold = true
        else if (code === '22') bold = false
        else if (code === '0' || code === '') {
          colour = DEFAULT_COLOUR
          bold = false
        } else if (code === '39') colour = DEFAULT_COLOUR
        else colour = COLOURS[code] ?? colour
      }
    }
    return runs
  })
}

/** Returns an SVG that shows the lines in a window with a title. */
export const terminalPicture = (title: string, lines: readonly string[]): string => {
  const drawn = runsOf(lines)
  const bare = drawn.map((runs) => runs.map((run) => run.text).join(''))
  const width = Math.ceil(Math.max(60, ...bare.map((line) => [...line].length)) * CELL.width + 2 * PADDING)
  const height = lines.length * CELL.height + 2 * PADDING + 26
  const body = drawn.map((runs, row) => {
    let column = 0
    const spans = runs.map((run) => {
      const x = PADDING + column * CELL.width
      column += [...run.text].length
      return `<tspan x="${x.toFixed(1)}" fill="${run.colour}"${run.bold ? ' font-weight="bold"' : ''}>${escapeXml(run.text)}</tspan>`
    })
    return `<text y="${PADDING + 40 + row * CELL.height}" xml:space="preserve">${spans.join('')}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="100%" height="100%" rx="10" fill="#0d1117"/>`,
    `<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>`,
    `<text x="${width / 2}" y="23" text-anchor="middle" fill="#8b949e" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="13">${escapeXml(title)}</text>`,
    `<g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

if (import.meta.main) {
  const input = await readAll(process.stdin)
  process.stdout.write(terminalPicture(process.argv[2] ?? 'kerf', input.replace(/\n+$/, '').split('\n')))
}
