import { labels, type Pod, toQuantity } from '@kerf/apis'
import {
  type ClusterSnapshot,
  type InstanceType,
  type NodeState,
  type PlannedClaim,
  typeAllocatable,
} from '@kerf/engine'

/** Returns a function that returns a pod as bound to this node. */
export const boundTo =
  (node: string) =>
  (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, nodeName: node } })

const singleLabels = ({ requirements }: InstanceType): Readonly<Record<string, string>> =>
  Object.fromEntries(
    requirements.flatMap(({ key, operator, values }) =>
      operator === 'In' && values?.length === 1 ? [[key, String(values[0])]] : [],
    ),
  )

/** Returns the node that a planned claim becomes. Its instance type is the cheapest possible one. */
export const plannedNode = (claim: PlannedClaim, name: string, snapshot: ClusterSnapshot): NodeState | undefined => {
  const { nodePool, cheapest, pods } = claim
  const pool = snapshot.pools.find((each) => each.nodePool.metadata.name === nodePool)
  const type = pool?.instanceTypes.find((each) => each.name === cheapest.instanceType)
  if (type === undefined) return undefined
  return {
    ...{ name, hostName: name, nodeClaim: name, nodePool },
    labels: {
      ...singleLabels(type),
      ...claim.labels,
      [labels.nodePool]: nodePool,
      [labels.instanceType]: cheapest.instanceType,
      [labels.zone]: cheapest.zone,
      [labels.capacityType]: cheapest.capacityType,
      [labels.hostname]: name,
    },
    taints: claim.spec.taints ?? [],
    capacity: { ...type.capacity, nodes: toQuantity(1) },
    allocatable: Object.fromEntries(typeAllocatable(type)) as NodeState['allocatable'],
    ...{ initialized: false, managed: true, hasNode: false, markedForDeletion: false },
    pods: pods.map(boundTo(name)),
  }
}
