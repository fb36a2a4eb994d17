import { annotations, isConditionTrue, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isLeft = ({ metadata, spec, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  !['Succeeded', 'Failed'].includes(status?.phase ?? '') &&
  !(spec.tolerations ?? []).some(({ key, operator }) => key === undefined && operator === 'Exists')

/** An instance whose node is well is ended only when no pod is left on it, or its termination grace period is over. */
export const drainedBeforeEnded: MakeInvariant = (world, report) => ({
  name: 'drained-before-ended',
  cloudCall: ({ verb, subject }) => {
    if (verb !== 'terminate') return
    const instance = world.cloud?.instances().find(({ id }) => id === subject)
    const node = world.nodes().find(({ spec }) => spec.providerID === instance?.providerID)
    const claim = world.claims().find(({ status }) => status?.providerID === instance?.providerID)
    if (node === undefined || claim === undefined || !isConditionTrue(node, 'Ready')) return
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    const left = world.pods().filter((pod) => pod.spec.nodeName === node.metadata.name && isLeft(pod))
    if (left.length > 0)
      report(`instance ${subject} was ended with ${left.map(({ metadata }) => metadata.name).join(', ')} on it`)
  },
})
