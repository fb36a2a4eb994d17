import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { test } from 'vitest'
import { runPlanHolds } from './plan-holds.ts'

/**
 * As in `plans-hold.test.ts`, of what pods ask of one another. Hard spread is among them as far as its pods can be nominated
 * in turn (`controllers/src/nomination/waiting-spreads.ts`). 011 and 014 are not: several spread groups of different sizes
 * share nodes there, the ones whose turn has not come take one another's room, and then Kerf adds a node.
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
    test.each(SCENARIOS)('%s', (name) => runPlanHolds(cluster(), name, 'together'))
  },
)
