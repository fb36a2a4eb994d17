import { type Milliseconds, ownValue } from '@kerf/apis'
import type { Gauge, Labels } from './metrics.ts'

/** One series as a scrape shows it. */
export interface GaugeValue {
  readonly labels: Labels
  readonly value: number
}

interface Row {
  readonly labels: Labels
  value: number
}

/** The series of a gauge as they were at one moment. Later writes do not change them. The reader must call `close` at the end. */
export interface GaugeSnapshot {
  readonly values: readonly GaugeValue[]
  close(): void
}

/**
 * Stores the series of one gauge. A large cluster has hundreds of thousands of series. prom-client would hash the labels at every
 * write, and would need a second table to remove series by some of their labels. The labels object of the first value is stored as
 * it is, so a caller that keeps that object shares its memory.
 */
export class GaugeSeries implements Gauge {
  readonly #names: readonly string[]
  readonly #rows = new Map<string, Row>()
  /** The number of open snapshots. While there are any, a write replaces a row and does not change it. */
  #readers = 0
  #now: (() => Milliseconds) | undefined

  constructor(labelNames: readonly string[]) {
    this.#names = labelNames
    this.reset()
  }

  set(value: number, labels: Labels = {}): void {
    const key = this.#keyOf(labels)
    const row = this.#rows.get(key)
    if (row === undefined) this.#rows.set(key, { labels, value })
    else if (this.#readers === 0) row.value = value
    else this.#rows.set(key, { labels: row.labels, value })
  }

  remove(labels: Labels): void {
    const wanted = Object.entries(labels)
    if (wanted.length === this.#names.length) {
      this.#rows.delete(this.#keyOf(labels))
      return
    }
    for (const [key, row] of this.#rows) {
      if (wanted.every(([name, value]) => ownValue(row.labels, name) === value)) this.#rows.delete(key)
    }
  }

  /** Removes all series. A gauge without labels keeps its only series. */
  reset(): void {
    this.#rows.clear()
    if (this.#names.length === 0) this.set(0)
  }

  /**
   * Turns the values into ages: callers then store times in milliseconds since the epoch, and scrapes show the seconds since
   * these times.
   */
  showAges(now: () => Milliseconds): void {
    this.#now = now
  }

  /** Returns the series as a scrape shows them, in the order in which they were added. */
  values(): GaugeValue[] {
    const shown = this.shown()
    return Array.from(this.#rows.values(), ({ labels, value }) => ({ labels, value: shown(value) }))
  }

  /** Returns the current series for reading in steps. The values are the stored ones; `shown` converts them to the values shown. */
  snapshot(): GaugeSnapshot {
    this.#readers++
    let isOpen = true
    const close = (): void => {
      if (isOpen) this.#readers--
      isOpen = false
    }
    return { values: [...this.#rows.values()], close }
  }

  /** Returns a function that converts stored values to the values shown now. An age is not negative. */
  shown(): (value: number) => number {
    const now = this.#now?.()
    return now === undefined ? (value) => value : (time) => Math.max(0, now - time) / 1000
  }

  #keyOf(labels: Labels): string {
    let key = ''
    for (const name of this.#names) key += `${ownValue(labels, name) ?? ''}\u0000`
    return key
  }
}
