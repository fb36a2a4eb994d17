import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { sampled } from '@kerf/testing'
import { test } from 'vitest'
import { runPlanHolds } from './plan-holds.ts'

/**
 * Tests the same as `plans-hold.test.ts`, for pods with constraints on other pods. Includes scenarios with a hard topology spread only if
 * their pods can be nominated one after the other (`packages/controllers/src/pod/nomination/waiting-spreads.ts`). Does not include 011 and
 * 014: in these, several spread groups of different sizes share nodes, so pods without a nomination take the capacity of others, and Kerf
 * adds a node.
 */
const SCENARIOS = [
  '012-spread-hostname',
  '015-min-domains',
  '017-match-label-keys',
  '018-affinity-zone',
  '019-affinity-hostname',
  '020-anti-hostname',
  '021-anti-zone',
  '022-affinity-namespaces',
] as const

describeWithCustomResources(
  'plans for pods with constraints on other pods hold when kube-scheduler binds them',
  (cluster) => {
    test.each(sampled(SCENARIOS, 5, 'plans-hold-between-pods'))('%s', (name) =>
      runPlanHolds(cluster(), name, 'together'),
    )
  },
)
