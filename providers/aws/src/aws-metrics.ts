import { batchMetrics } from '@kerf/provider-kit'
import type { MetricDefinition } from '@kerf/runtime'
import { awsRequestMetrics } from './api/sdk-clients.ts'
import { instanceStatusMetrics } from './controllers/interruption/instance-status.ts'
import { interruptionMetrics } from './controllers/interruption/queue.ts'
import { offeringMetrics } from './controllers/offering-metrics.ts'
import { priceMetrics } from './controllers/pricing-refresh.ts'
import { instanceMetrics } from './instances/instances.ts'
import { fleetMetrics } from './launch/fleet-outcomes.ts'
import { userDataMetrics } from './launch/template-maker.ts'

/** The metrics of this package. */
export const awsMetrics: readonly MetricDefinition[] = [
  awsRequestMetrics,
  batchMetrics,
  fleetMetrics,
  instanceMetrics,
  instanceStatusMetrics,
  interruptionMetrics,
  offeringMetrics,
  priceMetrics,
  userDataMetrics,
].flatMap(({ definitions }) => definitions)
