import type { PrometheusMetrics } from '@kerf/runtime'
import type { MetricFact } from './metrics.ts'

/** Fields of a metric family that exist in prom-client but are not in its types. */
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

/** Returns the registered families by name, in the format of a fact, with sorted labels. */
export const metricFamilies = (metrics: PrometheusMetrics): Readonly<Record<string, Omit<MetricFact, 'name'>>> =>
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

/** Returns what `metricFamilies` returns for a family that equals the fact. */
export const expectedFact = ({ name: _, ...fact }: MetricFact): Omit<MetricFact, 'name'> => sorted(fact)

/** Returns the name and help text of each family. */
export const listHelpTexts = (metrics: PrometheusMetrics): readonly (readonly [string, string])[] =>
  registered(metrics).map(({ name, help }) => [name, help])
