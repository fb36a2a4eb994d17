import { type Milliseconds, ownValue } from '@kerf/apis'
import type { Gauge, Labels } from './metrics.ts'

/** One series as it is shown. */
export interface GaugeValue {
  readonly labels: Labels
  readonly value: number
}

interface Row {
  readonly labels: Labels
  value: number
}

/** The series of a gauge at one moment. Writes that follow do not change it. Call `close` when it is no longer read. */
export interface GaugeSnapshot {
  readonly values: readonly GaugeValue[]
  close(): void
}

/**
 * The series of one gauge. In a large cluster there are hundreds of thousands of them: prom-client would hash the labels at every
 * write, and removing series by some of their labels would need a second table beside its own. The labels of the first value are
 * kept as they are, so whoever keeps them too shares them.
 */
export class GaugeSeries implements Gauge {
  readonly #names: readonly string[]
  readonly #rows = new Map<string, Row>()
  /** How many snapshots are being read. Meanwhile a write replaces a row instead of changing it. */
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

  /** A gauge without labels always has its one series. */
  reset(): void {
    this.#rows.clear()
    if (this.#names.length === 0) this.set(0)
  }

  /** From here on series are set to times, in milliseconds since the epoch, and shown as seconds since then. */
  showAges(now: () => Milliseconds): void {
    this.#now = now
  }

  /** What a scrape shows, in the order in which the series came. */
  values(): GaugeValue[] {
    const shown = this.shown()
    return Array.from(this.#rows.values(), ({ labels, value }) => ({ labels, value: shown(value) }))
  }

  /** The series as they are at this moment, to be read in steps: their values as they were set, see `shown`. */
  snapshot(): GaugeSnapshot {
    this.#readers++
    let isOpen = true
    const close = (): void => {
      if (isOpen) this.#readers--
      isOpen = false
    }
    return { values: [...this.#rows.values()], close }
  }

  /** What to show of a value that was set, at this moment: an age never is below 0. */
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
