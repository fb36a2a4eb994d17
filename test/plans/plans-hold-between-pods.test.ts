import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { sampled } from '@kerf/testing'
import { test } from 'vitest'
import { runPlanHolds } from './plan-holds.ts'

/**
 * As in `plans-hold.test.ts`, for pods with constraints on other pods. Hard spread is included as far as its pods can be nominated
 * one after the other (`controllers/src/nomination/waiting-spreads.ts`). 011 and 014 are not: in them several spread groups of
 * different sizes share nodes, pods that are not nominated yet take capacity of one another, and then Kerf adds a node.
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
  'plans for pods that look at one another hold when kube-scheduler binds them',
  (cluster) => {
    test.each(sampled(SCENARIOS, 5, 'plans-hold-between-pods'))('%s', (name) =>
      runPlanHolds(cluster(), name, 'together'),
    )
  },
)
