import { annotations, isConditionTrue, kinds, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

/** Pods that nobody asks to leave keep their volumes to the end. */
const staysToTheEnd = ({ metadata, spec }: Pod): boolean =>
  metadata.deletionTimestamp !== undefined ||
  (spec.tolerations ?? []).some(({ key, operator }) => key === undefined && operator === 'Exists')

/** An instance whose node is well is ended only when no disk is attached to it, or its termination grace period is over. */
export const volumesComeOffFirst: MakeInvariant = (world, report) => ({
  name: 'volumes-come-off-first',
  ending: (providerID) => {
    const node = world.nodes().find(({ spec }) => spec.providerID === providerID)
    const claim = world.claims().find(({ status }) => status?.providerID === providerID)
    if (node === undefined || claim === undefined || !isConditionTrue(node, 'Ready')) return
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    if (world.pods().some((pod) => pod.spec.nodeName === node.metadata.name && staysToTheEnd(pod))) return
    const attached = world.list(kinds.VolumeAttachment).filter(({ spec }) => spec.nodeName === node.metadata.name)
    if (attached.length > 0) report(`instance ${providerID} was ended with ${attached.length} disks attached`)
  },
})
