import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

export type Labels = Readonly<Record<string, string>>

/** The values of a family's labels: every label once. Of a family whose labels are known at run time only, any. */
export type LabelValues<L extends string> = string extends L ? Labels : Readonly<Record<L, string>>

/** What follows the value: nothing for a family without labels. */
type LabelArguments<L extends string> = [L] extends [never]
  ? []
  : string extends L
    ? [labels?: Labels]
    : [labels: LabelValues<L>]

export interface Counter<L extends string = string> {
  inc(
    ...labelsAndStep: [L] extends [never]
      ? [labels?: Readonly<Record<string, never>>, by?: number]
      : [...LabelArguments<L>, by?: number]
  ): void
}

export interface Gauge<L extends string = string> {
  set(value: number, ...labels: LabelArguments<L>): void
  /** Removes one series, or every series whose labels include those given. */
  remove(labels: Partial<LabelValues<L>>): void
  reset(): void
}

export interface Histogram<L extends string = string> {
  /** `value` in the metric's own unit, which is seconds for durations. */
  observe(value: number, ...labels: LabelArguments<L>): void
}

export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** One series of a family. A histogram has several for each of its label sets: `name_bucket`, `name_sum` and `name_count`. */
export interface Series {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

/**
 * Metric families by their full name; asking for a name again returns the same family. Code declares its metrics with
 * `defineMetrics`, which asks here.
 */
export interface Metrics {
  counter(options: MetricOptions): Counter
  gauge(options: MetricOptions): Gauge
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram
  summary(
    options: MetricOptions & { readonly percentiles?: readonly number[]; readonly maxAge?: Milliseconds },
  ): Histogram
  /**
   * Calls `update` before each scrape, for gauges that are cheaper to compute than to keep; it must take next to no time. With `gauges`, those that it
   * writes, it is not called where only the series of others are asked for. Returns the way to stop.
   */
  onScrape(update: () => void, gauges?: readonly Gauge[]): () => void
  /**
   * Series of these gauges are set to times, in milliseconds since the epoch, and shown as the seconds since then, at least 0. An
   * age that grows by itself costs nothing until somebody reads it.
   */
  showAges(gauges: readonly Gauge[], clock: Pick<Clock, 'now'>): void
  /**
   * The Prometheus text format, in chunks of at most `SERIES_PER_CHUNK` series: whoever reads it lets others go on between two of
   * them. Each family is shown as it was at one moment. Work stops when the reader stops.
   */
  chunks(): AsyncIterable<string>
  /** All chunks at once. */
  text(): Promise<string>
  /** The series of the family of a counter or gauge as a scrape would have them, or those of a histogram; none when there is no such family. */
  series(name: string): Promise<readonly Series[]>
}
