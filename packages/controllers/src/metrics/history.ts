import type { Milliseconds } from '@kerf/apis'

/** The charts of the history. */
export const historyCharts = [
  'cost',
  'pending',
  'usage',
  'allowed',
  'created',
  'disrupted',
  'latency',
  'nodes',
  'interruptions',
  'cloudErrors',
  'cloudLatency',
  'scheduling',
  'disruptionTime',
] as const
export type HistoryChart = (typeof historyCharts)[number]

/** One value of a sample, for a NodePool or for the cluster. */
export interface HistoryValue {
  readonly chart: HistoryChart
  readonly nodePool?: string
  /** The name of the line in the chart, without the NodePool. */
  readonly line: string
  readonly value: number
}

/** The lines of the last day. Unknown values are `null`. */
export interface HistoryResponse {
  /** When this process took its first sample. The samples of earlier processes are lost. */
  readonly since: Milliseconds
  /** The time of the first value of each line. The interval between values is `step`. */
  readonly from: Milliseconds
  readonly step: Milliseconds
  /** How many lines were omitted because of the memory limit. */
  readonly leftOut: number
  /** The values, by chart and then by line. */
  readonly charts: Readonly<Partial<Record<HistoryChart, Readonly<Record<string, readonly (number | null)[]>>>>>
}

const STEP: Milliseconds = 60_000
const SAMPLES = 1_440
/**
 * The maximum number of lines. Each value has four bytes, so the values of 2,500 lines use 14.4 MB per day. The names of the lines fit into
 * the rest of 16 MiB.
 */
const MOST_LINES = 2_500
/**
 * The maximum number of lines per chart in a response. If a chart has more lines, the response contains the largest lines and one line with
 * the sum of the others.
 */
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

/** The charts whose lines can be summed. */
const ADDS_UP: ReadonlySet<HistoryChart> = new Set([
  'cost',
  'pending',
  'created',
  'disrupted',
  'nodes',
  'interruptions',
  'cloudErrors',
])

const added = (sum: Float32Array, values: Float32Array): Float32Array =>
  sum.map((each, place) => {
    const value = values[place] ?? Number.NaN
    return Number.isNaN(each) ? value : Number.isNaN(value) ? each : each + value
  })

const largestValue = (values: Float32Array): number => values.reduce((peak, value) => (value > peak ? value : peak), 0)

/**
 * Keeps one sample per minute for the last day in memory. Uses at most 16 MiB for any cluster size. The samples are lost when the process
 * ends.
 */
export class History {
  readonly since: Milliseconds
  readonly #lines = new Map<string, Line>()
  #minute: number | undefined
  #leftOut = 0

  constructor(since: Milliseconds) {
    this.since = since
  }

  /** The bytes that values and names use. */
  get bytes(): number {
    return [...this.#lines].reduce(
      (sum, [key, { values, name, nodePool }]) =>
        sum + values.byteLength + 2 * (key.length + name.length + nodePool.length),
      0,
    )
  }

  /**
   * Stores a sample. A line that is not in the sample has no value for that minute. If the sample exceeds the memory limit, its first lines
   * are stored.
   */
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

  /** Marks minutes without a sample as unknown. Removes lines that have no value in the last day. */
  #advance(minute: number): void {
    const first = Math.max((this.#minute ?? minute) + 1, minute - SAMPLES + 1)
    for (const [key, { values, lastSeen }] of this.#lines) {
      for (let each = first; each <= minute; each++) values[each % SAMPLES] = Number.NaN
      if (minute - lastSeen >= SAMPLES) this.#lines.delete(key)
    }
    this.#minute = minute
  }

  /**
   * Returns the lines of a NodePool, or of the whole cluster. For the cluster, returns the largest lines of each chart and the sum of the
   * others.
   */
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

  /** Sums the lines of several NodePools that have the same name, for example the lines of one instance type. */
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
    const largest = [...lines].toSorted(([, a], [, b]) => largestValue(b) - largestValue(a))
    const kept = new Map(largest.slice(0, MOST_SHOWN - 1))
    if (!ADDS_UP.has(chart)) return kept
    const rest = largest.slice(MOST_SHOWN - 1).map(([, values]) => values)
    return kept.set('…', rest.reduce(added))
  }
}
