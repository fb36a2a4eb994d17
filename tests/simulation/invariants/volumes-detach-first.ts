import { annotations, isConditionTrue, kinds, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** Reports whether Kerf skips the pod when it drains a node. Such pods keep their volumes until the instance terminates. */
const isNotDrained = ({ metadata, spec }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined ||
  (spec.tolerations ?? []).some(({ key, operator }) => key === undefined && operator === 'Exists')

/** An instance with a ready node terminates only after all disks are detached from it, or after its terminationGracePeriod. */
export const volumesDetachFirst: MakeInvariant = (environment, report) => ({
  name: 'volumes-detach-first',
  terminating: (providerID) => {
    const node = environment.nodes().find(({ spec }) => spec.providerID === providerID)
    const claim = environment.claims().find(({ status }) => status?.providerID === providerID)
    if (node === undefined || claim === undefined || !isConditionTrue(node, 'Ready')) return
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    if (environment.pods().some((pod) => pod.spec.nodeName === node.metadata.name && isNotDrained(pod))) return
    const attached = environment.list(kinds.VolumeAttachment).filter(({ spec }) => spec.nodeName === node.metadata.name)
    if (attached.length > 0) report(`instance ${providerID} was terminated with ${attached.length} disks attached`)
  },
})
