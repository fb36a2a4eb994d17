import { annotations, isConditionTrue, type Pod } from '@kerf/apis'
import type { MakeInvariant } from './invariant.ts'

const isLeft = ({ metadata, spec, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  !['Succeeded', 'Failed'].includes(status?.phase ?? '') &&
  !(spec.tolerations ?? []).some(({ key, operator }) => key === undefined && operator === 'Exists')

/** An instance with a ready node terminates only after all pods have left it, or after its terminationGracePeriod. */
export const drainedBeforeTerminated: MakeInvariant = (environment, report) => ({
  name: 'drained-before-terminated',
  terminating: (providerID) => {
    const node = environment.nodes().find(({ spec }) => spec.providerID === providerID)
    const claim = environment.claims().find(({ status }) => status?.providerID === providerID)
    if (node === undefined || claim === undefined || !isConditionTrue(node, 'Ready')) return
    if (claim.metadata.annotations?.[annotations.terminationTimestamp] !== undefined) return
    const left = environment.pods().filter((pod) => pod.spec.nodeName === node.metadata.name && isLeft(pod))
    if (left.length > 0)
      report(`instance ${providerID} was terminated with ${left.map(({ metadata }) => metadata.name).join(', ')} on it`)
  },
})
