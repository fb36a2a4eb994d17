/** One line of a plot. */
export interface Series {
  readonly name: string
  readonly colour: string
  /** Hours, and the value then. */
  readonly points: readonly (readonly [number, number])[]
}

const WIDTH = 900
const HEIGHT = 240
const LEFT = 64
const BOTTOM = 28
const TOP = 12
const TICKS = 4

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A round number that is not below `value`: 1, 2 or 5 with zeros. */
const roundUp = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}

/** A line plot as SVG, steps drawn as steps. */
export const plot = (title: string, series: readonly Series[], text: (value: number) => string): string => {
  const points = series.flatMap((each) => each.points)
  const hours = points.reduce((most, [hour]) => Math.max(most, hour), 0) || 1
  const top = roundUp(points.reduce((most, [, value]) => Math.max(most, value), 0))
  const x = (hour: number): string => (LEFT + (hour / hours) * (WIDTH - LEFT - 8)).toFixed(1)
  const y = (value: number): string => (TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const grid = Array.from({ length: TICKS + 1 }, (_, index) => (top * index) / TICKS).map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(value)}" y2="${y(value)}" class="grid"/><text x="${LEFT - 8}" y="${y(value)}" class="left">${escapeHtml(text(value))}</text>`,
  )
  const every = roundUp(hours / 8)
  const times = Array.from({ length: Math.floor(hours / every) + 1 }, (_, index) => index * every).map(
    (hour) => `<text x="${x(hour)}" y="${HEIGHT - 8}" class="below">${Number(hour.toFixed(2))} h</text>`,
  )
  const lines = series.map(({ colour, points: own }) => {
    const path = own
      .map(([hour, value], index) => (index === 0 ? `M${x(hour)} ${y(value)}` : `H${x(hour)}V${y(value)}`))
      .join('')
    return `<path d="${path}" stroke="${colour}" class="line"/>`
  })
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${[...grid, ...times, ...lines].join('')}</svg></figure>`
}
