/** One line of a plot. */
export interface Series {
  readonly name: string
  readonly colour: string
  /** The points, each as an hour and a value. */
  readonly points: readonly (readonly [number, number])[]
}

const WIDTH = 900
const HEIGHT = 240
const LEFT = 64
/** Width of the right margin, which contains half of the last time label. */
const RIGHT = 24
const BOTTOM = 28
const TOP = 12
const TICKS = 4
const TIMES = 8
/** Possible distances between labels of the time axis, in hours. */
const HOUR_STEPS = [1 / 60, 1 / 30, 1 / 12, 1 / 6, 1 / 4, 1 / 2, 1, 2, 3, 6, 12, 24, 48, 168]

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Returns the smallest number that is at least `value` and is 1, 2 or 5 times a power of ten. */
const roundUp = (value: number): number => {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power
}

/** Returns the multiples of `step` from 0 to the first one that is at least `most`. */
const multiples = (step: number, most: number): readonly number[] =>
  Array.from({ length: Math.max(1, Math.ceil(most / step - 1e-9)) + 1 }, (_, index) => index * step)

const timeText = (hours: number, step: number): string =>
  step < 1 ? `${Math.round(hours * 60)} min` : `${Math.round(hours)} h`

/** How to label the value axis. `step` is the distance between two labels. */
export interface Scale {
  readonly least: number
  readonly text: (value: number, step: number) => string
}

/** The scale for whole numbers. */
export const counts: Scale = { least: 1, text: (value) => String(Math.round(value)) }

export const usd: Scale = {
  least: 0.0001,
  text: (value, step) => `$${value.toFixed(step >= 1 ? 0 : Math.max(2, Math.ceil(-Math.log10(step))))}`,
}

/** Returns a line plot as SVG. Values change in steps. */
export const plot = (title: string, series: readonly Series[], scale: Scale): string => {
  const points = series.flatMap((each) => each.points)
  const hours = points.reduce((most, [hour]) => Math.max(most, hour), 0) || 1
  const most = points.reduce((top, [, value]) => Math.max(top, value), 0)
  const step = Math.max(scale.least, roundUp(most / TICKS))
  const ticks = multiples(step, most)
  const top = ticks.at(-1) ?? step
  const x = (hour: number): string => (LEFT + (hour / hours) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number): string => (TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM)).toFixed(1)
  const grid = ticks.map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}" class="grid"/><text x="${LEFT - 8}" y="${y(value)}" class="left">${escapeHtml(scale.text(value, step))}</text>`,
  )
  const every = HOUR_STEPS.find((each) => each >= hours / TIMES) ?? roundUp(hours / TIMES)
  const times = multiples(every, hours)
    .filter((hour) => hour <= hours + 1e-9)
    .map((hour) => `<text x="${x(hour)}" y="${HEIGHT - 8}" class="below">${timeText(hour, every)}</text>`)
  const lines = series.map(({ colour, points: own }) => {
    const path = own
      .map(([hour, value], index) => (index === 0 ? `M${x(hour)} ${y(value)}` : `H${x(hour)}V${y(value)}`))
      .join('')
    return `<path d="${path}" stroke="${colour}" class="line"/>`
  })
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${[...grid, ...times, ...lines].join('')}</svg></figure>`
}
