import type { PrometheusMetrics } from '@kerf/runtime'
import type { MetricFact } from './metrics.ts'

/** What prom-client knows of a family and does not declare. */
interface Registered {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labelNames: readonly string[]
  readonly upperBounds?: readonly number[]
  readonly percentiles?: readonly number[]
}

const registered = ({ registry }: PrometheusMetrics): readonly Registered[] =>
  registry.getMetricsAsArray() as unknown as Registered[]

const sorted = (fact: Omit<MetricFact, 'name'>): Omit<MetricFact, 'name'> => ({
  ...fact,
  labels: [...fact.labels].sort(),
})

/** The families by name, as a fact has them; labels in the order of their names. */
export const familiesOf = (metrics: PrometheusMetrics): Readonly<Record<string, Omit<MetricFact, 'name'>>> =>
  Object.fromEntries(
    registered(metrics).map(({ name, type, labelNames, upperBounds, percentiles }) => {
      const bounds = type === 'histogram' ? upperBounds : percentiles
      return [
        name,
        sorted({
          type: type as MetricFact['type'],
          labels: labelNames,
          ...(bounds === undefined ? {} : { bounds }),
        }),
      ]
    }),
  )

/** What `familiesOf` says of a family that is as the fact has it. */
export const expectedOf = ({ name: _, ...fact }: MetricFact): Omit<MetricFact, 'name'> => sorted(fact)

/** What each family says of itself, by name. */
export const helpOf = (metrics: PrometheusMetrics): readonly (readonly [string, string])[] =>
  registered(metrics).map(({ name, help }) => [name, help])
