import type { Milliseconds } from '@kerf/apis'
import type { Clock } from '../clock/clock.ts'

export type Labels = Readonly<Record<string, string>>

/** A value for each label of a family. If the labels are known only at run time, any labels are accepted. */
export type LabelValues<L extends string> = string extends L ? Labels : Readonly<Record<L, string>>

/** The arguments after the value: none for a family without labels. */
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
  /** Removes one series, or every series whose labels include the given ones. */
  remove(labels: Partial<LabelValues<L>>): void
  reset(): void
}

export interface Histogram<L extends string = string> {
  /** Records a value in the unit of the metric, which is seconds for durations. */
  observe(value: number, ...labels: LabelArguments<L>): void
}

export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** One series of a family. A histogram has several series for each set of labels: `name_bucket`, `name_sum` and `name_count`. */
export interface Series {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

/**
 * Metric families by full name. Requesting a name again returns the same family. Other code declares its metrics with
 * `defineMetrics`, which uses this interface.
 */
export interface Metrics {
  counter(options: MetricOptions): Counter
  gauge(options: MetricOptions): Gauge
  histogram(options: MetricOptions & { readonly buckets?: readonly number[] }): Histogram
  summary(
    options: MetricOptions & { readonly percentiles?: readonly number[]; readonly maxAge?: Milliseconds },
  ): Histogram
  /**
   * Calls `update` before each scrape, for gauges that are easier to compute than to keep up to date. `update` must be fast. If
   * the gauges that it writes are given in `gauges`, it is not called when only other series are read. Returns a function that
   * removes `update` again.
   */
  onScrape(update: () => void, gauges?: readonly Gauge[]): () => void
  /**
   * Turns the values of these gauges into ages: callers then store times in milliseconds since the epoch, and scrapes show the
   * seconds since then, but at least 0. Such ages grow without writes.
   */
  showAges(gauges: readonly Gauge[], clock: Pick<Clock, 'now'>): void
  /**
   * Yields the metrics in Prometheus' text format, in chunks of at most `SERIES_PER_CHUNK` series. The reader may let other work
   * run between two chunks. Each family is shown as it was at one moment. Rendering stops when the reader stops.
   */
  chunks(): AsyncIterable<string>
  /** Returns all chunks together. */
  text(): Promise<string>
  /** Returns the series of a counter, gauge or histogram as a scrape shows them, or none if there is no such family. */
  series(name: string): Promise<readonly Series[]>
}
