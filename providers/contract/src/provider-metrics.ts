import type { MetricDefinition } from '@kerf/runtime'
import { claimDeletionMetrics } from './claim-deletion-metrics.ts'
import { providerCallMetrics } from './measured-provider.ts'

/** The metrics of this package. */
export const providerMetrics: readonly MetricDefinition[] = [claimDeletionMetrics, providerCallMetrics].flatMap(
  ({ definitions }) => definitions,
)
