import { kinds, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'
import { podOfCall } from './pod-of-call.ts'

/** Kerf taints a node before it evicts pods from the node. */
export const taintedBeforeDrained: MakeInvariant = (environment, report) => ({
  name: 'tainted-before-drained',
  acts: (call) => {
    if (call.verb !== 'evict' || call.kind?.kind !== kinds.Pod.kind) return
    if (environment.processes.overlaps.near(environment.clock.monotonic())) return
    const pod = podOfCall(environment, call)
    const node = environment.nodes().find(({ metadata }) => metadata.name === pod?.spec.nodeName)
    if (node === undefined || node.spec.taints?.some(({ key }) => key === taints.disrupted.key)) return
    report(`pod ${pod?.metadata.name} is evicted from node ${node.metadata.name}, which has no disruption taint`)
  },
})
