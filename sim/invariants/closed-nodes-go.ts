import { findCondition, taints } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** At rest no node is closed for a disruption that nobody goes on with: it goes, or it is opened again. */
export const closedNodesGo: MakeInvariant = (world) => ({
  name: 'closed-nodes-go',
  rest: () =>
    world.claims().flatMap((claim) => {
      const { metadata, status } = claim
      if (metadata.deletionTimestamp !== undefined) return []
      const node = world.nodes().find((each) => each.metadata.name === status?.nodeName)
      if (node === undefined || node.metadata.deletionTimestamp !== undefined) return []
      if (findCondition(claim, 'DisruptionReason')?.status === 'True') return [`${metadata.name} is marked and stays`]
      const isClosed = node.spec.taints?.some(({ key }) => key === taints.disrupted.key) === true
      return isClosed ? [`node ${node.metadata.name} is closed and stays`] : []
    }),
})
