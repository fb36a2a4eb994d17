/** One line of a graph. Lines with the same name have the same style and share one entry in the legend. */
export interface Line {
  readonly name: string
  readonly colour: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Axes {
  /** The unit of x. */
  readonly unit: string
  readonly text: (y: number) => string
  /**
   * Whether the last value of a line extends to the right edge. Set this to false for sampled values, because nothing was measured after
   * the last sample.
   */
  readonly holds: boolean
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [900, 320, 64, 24, 64, 36]
const TICKS = 5
/** The space that a legend entry needs in addition to its letters, and the maximum width of a letter. */
const [LEGEND_GAP, LETTER] = [56, 7]
const STYLE =
  'text{font:12px sans-serif;fill:#57606a}.title{font-size:15px;fill:#1f2328}.left{text-anchor:end;dominant-baseline:middle}' +
  '.below{text-anchor:middle}.grid{stroke:#d0d7de;stroke-width:1}.line{fill:none;stroke-width:1.4;stroke-opacity:.75}'

export const usdAnHour = (y: number): string => `$${y.toFixed(2)}`

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the step between two ticks: 1, 2 or 5 times a power of ten. */
const stepFor = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1e-9) / TICKS))
  return power * ([1, 2, 5, 10].find((factor) => factor * power * TICKS >= most) ?? 10)
}

const ticksTo = (most: number): readonly number[] => {
  const step = stepFor(most)
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, index) => Math.round(index * step * 1e6) / 1e6)
}

/** Returns an SVG graph of steps over time. It contains its title and legend, so that it needs no explanation. */
export const linePlot = (title: string, lines: readonly Line[], axes: Axes): string => {
  const points = lines.flatMap((line) => line.points)
  const mostX = points.reduce((most, [x]) => Math.max(most, x), 0) * 1.03 || 1
  const mostY = points.reduce((most, [, y]) => Math.max(most, y), 0) * 1.05 || 1
  const x = (value: number): string => (LEFT + (value / mostX) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number): string => (HEIGHT - BOTTOM - (value / mostY) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const grid = ticksTo(mostY).map(
    (value) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>` +
      `<text class="left" x="${LEFT - 8}" y="${y(value)}">${escaped(axes.text(value))}</text>`,
  )
  const times = ticksTo(mostX).map(
    (value) => `<text class="below" x="${x(value)}" y="${HEIGHT - 12}">${value} ${axes.unit}</text>`,
  )
  const paths = lines.map(({ colour, points: own }) => {
    const steps = own.map(([at, value], index) => (index === 0 ? `M${x(at)} ${y(value)}` : `H${x(at)}V${y(value)}`))
    return `<path class="line" stroke="${colour}" d="${steps.join('')}${axes.holds ? `H${x(mostX)}` : ''}"/>`
  })
  let at = LEFT
  const legend = [...new Map(lines.map((line) => [line.name, line.colour]))].map(([name, colour]) => {
    const count = lines.filter((line) => line.name === name).length
    const label = `${name}, ${count} ${count === 1 ? 'run' : 'runs'}`
    const entry =
      `<line x1="${at}" x2="${at + 24}" y1="44" y2="44" stroke="${colour}" stroke-width="3"/>` +
      `<text x="${at + 30}" y="48">${escaped(label)}</text>`
    at += LEGEND_GAP + label.length * LETTER
    return entry
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">` +
    `<style>${STYLE}</style><rect width="100%" height="100%" fill="#fff"/>` +
    `<text class="title" x="${LEFT}" y="24">${escaped(title)}</text>` +
    `${[...legend, ...grid, ...times, ...paths].join('')}</svg>\n`
  )
}
