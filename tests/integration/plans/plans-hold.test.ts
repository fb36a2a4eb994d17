import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { test } from 'vitest'
import { runPlanHolds } from './plan-holds.ts'

/**
 * Scenarios whose objects a real API server accepts unchanged, which excludes recorded nodes and volumes. Scenarios with constraints
 * between pods are in `plans-hold-between-pods.test.ts`, which runs in parallel.
 */
const SCENARIOS = [
  '001-web-simple',
  '004-arch-mix',
  '006-taints-tolerations',
  '007-node-affinity',
  '008-or-terms',
  '009-preferred-node',
  '023-host-ports',
  '029-daemonsets',
  '030-weighted-pools',
  '033-init-sidecar-overhead',
] as const

describeWithCustomResources('plans hold when kube-scheduler binds the pods', (cluster) => {
  test.each(SCENARIOS)('%s', (name) => runPlanHolds(cluster(), name, 'one by one'))
})
