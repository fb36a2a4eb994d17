import type { Counter, Gauge, Histogram, Metrics } from './metrics.ts'

/** The definition of one metric family, which users see. */
export interface MetricDefinition {
  /** The name in `/metrics`. Metrics that upstream does not have begin with `kerf_`. */
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** One sentence, for dashboards and docs/reference/metrics.md. */
  readonly help: string
  readonly labels?: readonly string[]
  /** The upper bounds of a histogram's buckets. Default: those of the Prometheus client. */
  readonly buckets?: readonly number[]
  /** The quantiles of a summary, from 0 to 1. */
  readonly percentiles?: readonly number[]
}

type LabelsOf<D> = D extends { readonly labels: readonly (infer L extends string)[] } ? L : never

type MetricOf<D> = D extends { readonly type: 'counter' }
  ? Counter<LabelsOf<D>>
  : D extends { readonly type: 'gauge' }
    ? Gauge<LabelsOf<D>>
    : Histogram<LabelsOf<D>>

type MetricsOf<Table> = { readonly [Key in keyof Table]: MetricOf<Table[Key]> }

/** Some metrics that belong together, declared once for the code that writes them and for the catalogue. */
export interface MetricTable<Table extends Readonly<Record<string, MetricDefinition>>> {
  readonly definitions: readonly MetricDefinition[]
  /** Returns the families, under the keys of the table. The methods of each accept exactly the labels of its definition. */
  register(metrics: Metrics): MetricsOf<Table>
}

const familyOf = (metrics: Metrics, definition: MetricDefinition): Counter | Gauge | Histogram => {
  switch (definition.type) {
    case 'counter':
      return metrics.counter(definition)
    case 'gauge':
      return metrics.gauge(definition)
    case 'histogram':
      return metrics.histogram(definition)
    case 'summary':
      return metrics.summary(definition)
  }
}

/**
 * Declares metrics. Write the table as a literal, because its labels become types: code with a missing, misspelt or additional
 * label does not compile.
 */
export const defineMetrics = <const Table extends Readonly<Record<string, MetricDefinition>>>(
  table: Table,
): MetricTable<Table> => ({
  definitions: Object.values(table),
  register: (metrics) =>
    Object.fromEntries(
      Object.entries(table).map(([key, definition]) => [key, familyOf(metrics, definition)]),
    ) as unknown as MetricsOf<Table>,
})
