import { ownValue } from '@kerf/apis'
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

/**
 * The series of one gauge. In a large cluster there are hundreds of thousands of them: prom-client would hash the labels at every
 * write, and removing series by some of their labels would need a second table beside its own. The labels of the first value are
 * kept as they are, so whoever keeps them too shares them.
 */
export class GaugeSeries implements Gauge {
  readonly #names: readonly string[]
  readonly #rows = new Map<string, Row>()

  constructor(labelNames: readonly string[]) {
    this.#names = labelNames
    this.reset()
  }

  set(value: number, labels: Labels = {}): void {
    const key = this.#keyOf(labels)
    const row = this.#rows.get(key)
    if (row === undefined) this.#rows.set(key, { labels, value })
    else row.value = value
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

  /** What a scrape shows, in the order in which the series came. */
  values(): GaugeValue[] {
    return [...this.#rows.values()]
  }

  #keyOf(labels: Labels): string {
    let key = ''
    for (const name of this.#names) key += `${ownValue(labels, name) ?? ''}\u0000`
    return key
  }
}
