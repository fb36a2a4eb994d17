import type { Node, Pod } from '@kerf/apis'
import { same } from '../objects/same.ts'

/** Returns whether two versions of a node are equivalent for waiting pods. */
export const sameForScheduling = (a: Node, b: Node): boolean =>
  same(a.metadata.labels, b.metadata.labels) &&
  same(a.spec, b.spec) &&
  same(a.status?.allocatable, b.status?.allocatable)

/** Returns whether two versions of a pod use the same resources. In a pod's spec, only gates, resources and tolerations can change. */
export const sameForCounting = (a: Pod, b: Pod): boolean =>
  (a.spec === b.spec || same(a.spec, b.spec)) &&
  same(a.metadata.labels, b.metadata.labels) &&
  same(a.status?.resourceClaimStatuses, b.status?.resourceClaimStatuses) &&
  resizeStatus(a) === resizeStatus(b)

const resizeStatus = (pod: Pod): string => {
  let text = ''
  for (const status of pod.status?.containerStatuses ?? []) {
    if (status.resources !== undefined)
      text += JSON.stringify([status.name, status.resources, status.allocatedResources])
  }
  return text
}
