import { type Node, ownValue, type Pod, parseResources, toleratesTaints } from '@kerf/apis'
import { cachedRequests } from '@kerf/engine'
import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Audit } from '../audit.ts'
import type { Check } from '../check.ts'

type Room = Map<string, bigint>

const freeCapacity = (audit: Audit, node: Node): Room => {
  const free: Room = new Map(Object.entries(parseResources(node.status?.allocatable)))
  for (const pod of audit.podsOn(node.metadata.name)) take(free, pod)
  return free
}

const take = (free: Room, pod: Pod): void => {
  for (const [name, amount] of cachedRequests(pod)) free.set(name, (free.get(name) ?? 0n) - amount)
}

const fits = (free: Room, pod: Pod): boolean =>
  [...cachedRequests(pod)].every(([name, amount]) => (free.get(name) ?? 0n) >= amount)

const isDns = ({ metadata }: Pod): boolean => metadata.labels?.['k8s-app'] === 'kube-dns'

export const ctl002: Check = {
  id: 'CTL-002',
  group: 'controller',
  severity: 'warning',
  title: 'No room for the controller and DNS if a node fails',
  why: 'No NodePool launches a node for the controller. If one of its nodes fails, the remaining nodes must have room for its pods and for DNS, or the cluster has no autoscaler.',
  reads: ['Deployment', 'Pod', 'Node'],
  examine(audit) {
    const names = new Set(
      audit.workloads
        .filter(({ object }) => audit.controllers.some((each) => each === object))
        .flatMap(({ pods }) => pods.map(({ metadata }) => metadata.uid)),
    )
    const vital = audit.pods.filter(
      (pod) => pod.spec.nodeName !== undefined && (names.has(pod.metadata.uid) || isDns(pod)),
    )
    const own = vital.filter(({ metadata }) => names.has(metadata.uid))
    if (own.length === 0) return undecided('no running pod of Kerf or Karpenter was found')
    const homes = audit.foreignNodes.filter(({ metadata }) => own.some(({ spec }) => spec.nodeName === metadata.name))
    const lacking = homes.filter((lost) => {
      const rest = audit.foreignNodes
        .filter((node) => node !== lost)
        .map((node) => ({ node, free: freeCapacity(audit, node) }))
      return vital
        .filter(({ spec }) => spec.nodeName === lost.metadata.name)
        .some((pod) => {
          const place = rest.find(({ node, free }) => {
            const isSelected = Object.entries(pod.spec.nodeSelector ?? {}).every(
              ([key, value]) => ownValue(node.metadata.labels, key) === value,
            )
            return isSelected && toleratesTaints(node.spec.taints ?? [], pod.spec.tolerations) && fits(free, pod)
          })
          if (place !== undefined) take(place.free, pod)
          return place === undefined
        })
    })
    return foundAny(
      lacking.map(objectName),
      {
        seen: 'if it fails, its pods of the controller and of DNS fit on no other node outside of NodePools',
        remedy: 'use larger nodes, or one more node, in the node group of the controller',
      },
      'if any one node fails, the others have room for the controller and DNS',
    )
  },
}
