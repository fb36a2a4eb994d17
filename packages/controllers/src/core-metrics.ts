import type { CloudProvider } from '@kerf/provider-contract'
import type { MetricDefinition } from '@kerf/runtime'
import { disruptionMetrics } from './disruption/commands/disruption-metrics.ts'
import { nodeReasonMetrics } from './disruption/explanation/node-reasons.ts'
import { conditionMetrics } from './metrics/condition-metrics.ts'
import { interactionMetrics } from './metrics/interaction-metrics.ts'
import { nodeMetrics } from './metrics/node-metrics.ts'
import { nodePoolMetrics } from './metrics/nodepool-metrics.ts'
import { podMetrics } from './metrics/pod-metrics.ts'
import { observationMetrics } from './modes/observe/observations.ts'
import { nodeRepairMetrics } from './node/repair/node-repair.ts'
import { evictionMetrics } from './node/termination/eviction-queue.ts'
import { terminationMetrics } from './node/termination/termination-metrics.ts'
import { podDisruptionMetrics } from './nodeclaim/claim-deletion.ts'
import { registrationMetrics } from './nodeclaim/lifecycle/registration.ts'
import { refusedPodMetrics } from './pod/placement/refused-pod-metrics.ts'
import { ceilingMetrics } from './policy/cluster-policy-controller.ts'
import { commitmentMetrics } from './policy/commitments/commitment-metrics.ts'
import { poolPolicyMetrics } from './policy/node-pool-policy-controller.ts'
import { priceBookMetrics } from './policy/price-book/price-metrics.ts'
import { claimCreationMetrics } from './provisioning/claim-creator.ts'
import { expectedPodMetrics } from './provisioning/expected-pods/expected-pod-metrics.ts'
import { schedulerMetrics } from './provisioning/scheduler-metrics.ts'
import { clusterSyncMetrics } from './state/cluster-sync.ts'
import { isolationMetrics } from './state/isolation/isolation.ts'
import { podDecisionMetrics } from './state/pod-timings.ts'

/** Returns the metrics of this package. The labels of some metrics depend on the labels and node classes of the provider. */
export const coreMetrics = ({
  vocabulary,
  nodeClasses,
}: Pick<CloudProvider, 'vocabulary' | 'nodeClasses'>): readonly MetricDefinition[] => [
  ...[
    ceilingMetrics,
    commitmentMetrics,
    priceBookMetrics,
    poolPolicyMetrics,
    claimCreationMetrics,
    clusterSyncMetrics,
    disruptionMetrics,
    evictionMetrics,
    expectedPodMetrics,
    interactionMetrics,
    isolationMetrics,
    nodePoolMetrics,
    nodeReasonMetrics,
    nodeRepairMetrics,
    observationMetrics,
    podDecisionMetrics,
    podDisruptionMetrics,
    refusedPodMetrics,
    registrationMetrics,
    schedulerMetrics,
    terminationMetrics,
  ].flatMap(({ definitions }) => definitions),
  ...podMetrics,
  ...nodeMetrics(vocabulary.added.wellKnown),
  ...conditionMetrics(nodeClasses),
]
