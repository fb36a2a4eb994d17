import { kinds, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** Kerf asks pods to leave a node only after it has closed the node to others. */
export const closedBeforeDrained: MakeInvariant = (world, report) => ({
  name: 'closed-before-drained',
  acts: ({ verb, kind, ref }) => {
    if (verb !== 'evict' || kind?.kind !== kinds.Pod.kind || ref === undefined || world.hadTwo) return
    const pod = world.pods().find(({ metadata }) => metadata.name === ref.name && metadata.namespace === ref.namespace)
    const node = world.nodes().find(({ metadata }) => metadata.name === pod?.spec.nodeName)
    if (node === undefined || node.spec.taints?.some(({ key }) => key === taints.disrupted.key)) return
    report(`pod ${ref.name} is evicted from node ${node.metadata.name}, which is open to pods`)
  },
})
