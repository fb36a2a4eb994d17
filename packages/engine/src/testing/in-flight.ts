import { toQuantity } from '@kerf/apis'
import { allocatableGroups } from '../instance-types/allocatable.ts'
import type { Plan, PlannedClaim } from '../plan.ts'
import type { ClusterSnapshot, NodeState } from '../snapshot.ts'
import { CAPACITY_TYPE, ZONE } from './cluster-builders.ts'

/** Returns a planned claim as the next decision sees it: launched as its cheapest offering, without a Node. */
export const inFlight = (snapshot: ClusterSnapshot, claim: PlannedClaim, name: string): NodeState => {
  const { nodePool, cheapest } = claim
  const pool = snapshot.pools.find((each) => each.nodePool.metadata.name === nodePool)
  const type = pool?.instanceTypes.find((each) => each.name === cheapest.instanceType)
  if (pool === undefined || type === undefined) throw new Error(`nothing is known of ${cheapest.instanceType}`)
  const labels: Record<string, string> = {}
  for (const { key, operator, values = [] } of [...type.requirements, ...claim.requirements]) {
    if (operator === 'In' && values.length === 1 && values[0] !== undefined) labels[key] = values[0]
  }
  const [group] = allocatableGroups(type)
  return {
    name,
    hostName: name,
    labels: {
      ...labels,
      ...claim.labels,
      'karpenter.sh/nodepool': nodePool,
      [ZONE]: cheapest.zone,
      [CAPACITY_TYPE]: cheapest.capacityType,
    },
    taints: pool.nodePool.spec.template.spec.taints ?? [],
    capacity: type.capacity,
    allocatable: Object.fromEntries(
      [...(group?.allocatable ?? [])].map(([key, amount]) => [key, toQuantity(amount, 'nano')]),
    ),
    initialized: false,
    managed: true,
    hasNode: false,
    nodePool,
    nodeClaim: name,
    providerID: `test:///${name}`,
    markedForDeletion: false,
    pods: [],
  }
}

/** Returns the snapshot after Kerf has created the claims of a plan: the claims are launching, and their pods are still pending. */
export const afterPlan = (snapshot: ClusterSnapshot, { claims, placements }: Plan): ClusterSnapshot => {
  const nodes = claims.map((claim, number) => inFlight(snapshot, claim, `claim-${number}`))
  const plannedFor = new Map<string, string>()
  for (const { node, pods } of placements) for (const { metadata } of pods) plannedFor.set(metadata.uid ?? '', node)
  for (const [number, { pods }] of claims.entries()) {
    for (const { metadata } of pods) plannedFor.set(metadata.uid ?? '', `claim-${number}`)
  }
  return { ...snapshot, nodes: [...snapshot.nodes, ...nodes], plannedFor }
}
