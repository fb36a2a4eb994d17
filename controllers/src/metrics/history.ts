import type { Milliseconds } from '@kerf/apis'

/** The charts that the history has lines for. */
export const historyCharts = [
  'cost',
  'pending',
  'usage',
  'allowed',
  'created',
  'disrupted',
  'latency',
  'nodes',
] as const
export type HistoryChart = (typeof historyCharts)[number]

/** One value of a sample: of a NodePool, or of the cluster. */
export interface HistoryValue {
  readonly chart: HistoryChart
  readonly nodePool?: string
  /** What the line shows, without the NodePool. */
  readonly line: string
  readonly value: number
}

/** The lines of a day. A value that is not known is `null`. */
export interface HistoryResponse {
  /** When this process began to take samples: what was before was lost with the process before. */
  readonly since: Milliseconds
  /** When the first value of each line was taken; the others follow each `step`. */
  readonly from: Milliseconds
  readonly step: Milliseconds
  /** How many lines found no room and are missing. */
  readonly leftOut: number
  /** By chart and line. */
  readonly charts: Readonly<Partial<Record<HistoryChart, Readonly<Record<string, readonly (number | null)[]>>>>>
}

const STEP: Milliseconds = 60_000
const SAMPLES = 1_440
/** With four bytes a value, 2,500 lines of a day take 14.4 MB, and their names less than the rest of 16 MiB. */
const MOST_LINES = 2_500
/** Of one chart, in a response about the whole cluster: the largest, and the sum of the others. */
const MOST_SHOWN = 12

interface Line {
  readonly chart: HistoryChart
  readonly nodePool: string
  readonly name: string
  readonly values: Float32Array
  lastSeen: number
}

const SIX_DIGITS = 6
const shown = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : Number(value.toPrecision(SIX_DIGITS))

/** Which charts are sums, so that lines may be added up. */
const ADDS_UP: ReadonlySet<HistoryChart> = new Set(['cost', 'pending', 'created', 'disrupted', 'nodes'])

const added = (sum: Float32Array, values: Float32Array): Float32Array =>
  sum.map((each, place) => {
    const value = values[place] ?? Number.NaN
    return Number.isNaN(each) ? value : Number.isNaN(value) ? each : each + value
  })

const peakOf = (values: Float32Array): number => values.reduce((peak, value) => (value > peak ? value : peak), 0)

/** One sample a minute of the last day, in memory: at most 16 MiB, however large the cluster is, and gone with the process. */
export class History {
  readonly since: Milliseconds
  readonly #lines = new Map<string, Line>()
  #minute: number | undefined
  #leftOut = 0

  constructor(since: Milliseconds) {
    this.since = since
  }

  /** Bytes that values and names take. */
  get bytes(): number {
    return [...this.#lines].reduce(
      (sum, [key, { values, name, nodePool }]) =>
        sum + values.byteLength + 2 * (key.length + name.length + nodePool.length),
      0,
    )
  }

  /** Keeps a sample. What it does not name is not known at that minute; the first named find room first. */
  record(time: Milliseconds, sample: readonly HistoryValue[]): void {
    const minute = Math.floor(time / STEP)
    this.#advance(minute)
    this.#leftOut = 0
    for (const { chart, nodePool = '', line, value } of sample) {
      const key = `${chart}\0${nodePool}\0${line}`
      let found = this.#lines.get(key)
      if (found === undefined) {
        if (this.#lines.size >= MOST_LINES) {
          this.#leftOut++
          continue
        }
        found = { chart, nodePool, name: line, values: new Float32Array(SAMPLES).fill(Number.NaN), lastSeen: minute }
        this.#lines.set(key, found)
      }
      found.values[minute % SAMPLES] = value
      found.lastSeen = minute
    }
  }

  /** Minutes without a sample are not known, and lines without a value for a day are dropped. */
  #advance(minute: number): void {
    const first = Math.max((this.#minute ?? minute) + 1, minute - SAMPLES + 1)
    for (const [key, { values, lastSeen }] of this.#lines) {
      for (let each = first; each <= minute; each++) values[each % SAMPLES] = Number.NaN
      if (minute - lastSeen >= SAMPLES) this.#lines.delete(key)
    }
    this.#minute = minute
  }

  /** The lines of a NodePool, or of the whole cluster: then the largest of each chart, and the others added up. */
  respond(nodePool?: string): HistoryResponse {
    const last = this.#minute ?? Math.floor(this.since / STEP)
    const first = Math.max(last - SAMPLES + 1, Math.floor(this.since / STEP))
    const order = Array.from({ length: last - first + 1 }, (_, place) => (first + place) % SAMPLES)
    const charts: Partial<Record<HistoryChart, Readonly<Record<string, readonly (number | null)[]>>>> = {}
    for (const chart of historyCharts) {
      const lines = this.#linesOf(chart, nodePool)
      if (lines.size === 0) continue
      charts[chart] = Object.fromEntries(
        Array.from(lines, ([name, values]) => [name, order.map((place) => shown(values[place]))]),
      )
    }
    return { since: this.since, from: first * STEP, step: STEP, leftOut: this.#leftOut, charts }
  }

  /** Lines of the same name belong to several NodePools, as nodes of the same type do, and are one. */
  #linesOf(chart: HistoryChart, nodePool: string | undefined): ReadonlyMap<string, Float32Array> {
    const lines = new Map<string, Float32Array>()
    for (const line of this.#lines.values()) {
      if (line.chart !== chart) continue
      if (nodePool !== undefined && line.nodePool !== '' && line.nodePool !== nodePool) continue
      const isOfPool = line.nodePool !== '' && chart !== 'nodes'
      const name = isOfPool ? [line.nodePool, line.name].filter((part) => part !== '').join(' · ') : line.name
      const known = lines.get(name)
      lines.set(name, known === undefined ? line.values : added(known, line.values))
    }
    if (lines.size <= MOST_SHOWN) return lines
    const largest = [...lines].toSorted(([, a], [, b]) => peakOf(b) - peakOf(a))
    const kept = new Map(largest.slice(0, MOST_SHOWN - 1))
    if (!ADDS_UP.has(chart)) return kept
    const rest = largest.slice(MOST_SHOWN - 1).map(([, values]) => values)
    return kept.set('…', rest.reduce(added))
  }
}
