import { leaderElectionMetrics } from './election/leader-elector.ts'
import { leaseGateMetrics } from './election/lease-gate.ts'
import { otherLeaseMetrics } from './election/other-leases.ts'
import { longTaskMetrics } from './event-loop/long-tasks.ts'
import { loopMetrics } from './event-loop/loop-metrics.ts'
import { eventMetrics } from './events/api-event-recorder.ts'
import { requestMetrics } from './http-client/request-metrics.ts'
import { refusedActionMetrics } from './limits/refused-action.ts'
import { controllerMetrics } from './manager/controller-metrics.ts'
import type { MetricDefinition } from './metrics/metric-table.ts'
import { queueMetrics } from './queue/queue-metrics.ts'
import { clockMetrics } from './server-clock/server-clock.ts'

/** The metrics of this package. */
export const runtimeMetrics: readonly MetricDefinition[] = [
  clockMetrics,
  controllerMetrics,
  eventMetrics,
  leaderElectionMetrics,
  leaseGateMetrics,
  longTaskMetrics,
  loopMetrics,
  otherLeaseMetrics,
  queueMetrics,
  refusedActionMetrics,
  requestMetrics,
].flatMap(({ definitions }) => definitions)
