import type { Milliseconds } from '@kerf/apis'
import { InvariantError } from '@kerf/apis'
import {
  collectDefaultMetrics,
  Counter as PromCounter,
  Gauge as PromGauge,
  Histogram as PromHistogram,
  Summary as PromSummary,
  Registry,
} from 'prom-client'
import type { Clock } from '../clock/clock.ts'
import { type ExposedFamily, familyHead, seriesLine } from './exposition.ts'
import { GaugeSeries } from './gauge-series.ts'
import type { Counter, Gauge, Histogram, Labels, MetricOptions, Metrics, Series } from './metrics.ts'

/** client-go's default buckets, in seconds. */
export const DEFAULT_BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * A scrape yields to other work after this many series, which take about a millisecond. While V8 marks a large heap, it also does a marking
 * step for every 64 KiB or so of allocated memory. With a thousand series per chunk, one chunk took 0.4 s at 5,000 nodes.
 */
export const SERIES_PER_CHUNK = 100

interface Family {
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
  readonly handle: Counter | Gauge | Histogram
}

/** Metric families in a separate registry of prom-client, for production and tests. */
export class PrometheusMetrics implements Metrics {
  readonly registry = new Registry()
  readonly #updates = new Map<() => void, readonly Gauge[] | undefined>()
  readonly #families = new Map<string, Family>()

  /** Adds the metrics of the process: `process_*` as in upstream, and metrics of Node instead of those of Go. Not for tests. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry })
  }

  counter(options: MetricOptions): Counter {
    return this.#family('counter', options, (base) => {
      const metric = new PromCounter(base)
      return { inc: (labels: Labels = {}, by = 1) => metric.inc(labels, by) }
    })
  }

  gauge(options: MetricOptions): Gauge {
    return this.#family('gauge', options, (base) => {
      const series = new GaugeSeries(base.labelNames)
      // Gauges are written much more often than they are read, so their values are given to prom-client only when they are read.
      const metric = new PromGauge(base)
      const shown = metric.get.bind(metric)
      metric.get = async () => ({ ...(await shown()), values: series.values() })
      return series
    })
  }

  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram {
    return this.#family('histogram', options, (base) => {
      const metric = new PromHistogram({ ...base, buckets: [...(options.buckets ?? DEFAULT_BUCKETS)] })
      return { observe: (value: number, labels: Labels = {}) => metric.observe(labels, value) }
    })
  }

  summary(
    options: MetricOptions & { readonly percentiles?: readonly number[]; readonly maxAge?: Milliseconds },
  ): Histogram {
    return this.#family('summary', options, (base) => {
      const window = options.maxAge === undefined ? {} : { maxAgeSeconds: options.maxAge / 1000, ageBuckets: 5 }
      const metric = new PromSummary({
        ...base,
        ...window,
        percentiles: [...(options.percentiles ?? [0.5, 0.9, 0.99])],
      })
      return { observe: (value: number, labels: Labels = {}) => metric.observe(labels, value) }
    })
  }

  onScrape(update: () => void, gauges?: readonly Gauge[]): () => void {
    this.#updates.set(update, gauges)
    return () => this.#updates.delete(update)
  }

  showAges(gauges: readonly Gauge[], clock: Pick<Clock, 'now'>): void {
    for (const gauge of gauges) if (gauge instanceof GaugeSeries) gauge.showAges(() => clock.now())
  }

  async *chunks(): AsyncGenerator<string, void, undefined> {
    for (const update of this.#updates.keys()) update()
    let text = ''
    let series = 0
    let isFirst = true
    for (const { name } of this.registry.getMetricsAsArray()) {
      const opened = await this.#open(name)
      if (opened === undefined) continue
      try {
        text += `${isFirst ? '' : '\n\n'}${familyHead(opened.family)}`
        isFirst = false
        for (const each of opened.family.values) {
          text += seriesLine(opened.family, each)
          if (++series < SERIES_PER_CHUNK) continue
          yield text
          text = ''
          series = 0
        }
      } finally {
        opened.close()
      }
    }
    yield `${text}\n`
  }

  async text(): Promise<string> {
    let text = ''
    for await (const chunk of this.chunks()) text += chunk
    return text
  }

  /** Returns the family as it is now, or `undefined` if it was removed. */
  async #open(name: string): Promise<{ readonly family: ExposedFamily; readonly close: () => void } | undefined> {
    const handle = this.#families.get(name)?.handle
    const metric = this.registry.getSingleMetric(name)
    if (handle instanceof GaugeSeries) {
      const { values, close } = handle.snapshot()
      const help = this.#families.get(name)?.help ?? ''
      return { family: { name, help, type: 'gauge', values, shown: handle.shown() }, close }
    }
    const found = await metric?.get()
    if (found === undefined) return undefined
    // Copies the values, because the next write changes the objects of counters and of the process's gauges.
    const values = found.values.map((each) => ({
      ...('metricName' in each && typeof each.metricName === 'string' && { metricName: each.metricName }),
      labels: each.labels as Readonly<Record<string, string | number>>,
      value: each.value,
    }))
    return { family: { name: found.name, help: found.help, type: String(found.type), values }, close: () => {} }
  }

  async series(name: string): Promise<readonly Series[]> {
    const asked = this.#families.get(name)?.handle
    for (const [update, gauges] of this.#updates) {
      if (gauges === undefined || gauges.some((gauge) => gauge === asked)) update()
    }
    const found = await this.registry.getSingleMetric(name)?.get()
    return (found?.values ?? []).map((each) => ({
      name: 'metricName' in each && typeof each.metricName === 'string' ? each.metricName : name,
      labels: Object.fromEntries(Object.entries(each.labels).map(([label, value]) => [label, String(value)])),
      value: each.value,
    }))
  }

  #family<H extends Counter | Gauge | Histogram>(
    type: string,
    options: MetricOptions,
    create: (base: { name: string; help: string; labelNames: string[]; registers: Registry[] }) => H,
  ): H {
    const labels = options.labels ?? []
    const known = this.#families.get(options.name)
    if (known === undefined) {
      const base = { name: options.name, help: options.help, labelNames: [...labels], registers: [this.registry] }
      const handle = create(base)
      this.#families.set(options.name, { type, help: options.help, labels, handle })
      return handle
    }
    if (known.type !== type || known.labels.join() !== labels.join()) {
      throw new InvariantError(
        `metric ${options.name} exists already as a ${known.type} with labels [${known.labels.join(', ')}]`,
      )
    }
    return known.handle as H
  }
}
