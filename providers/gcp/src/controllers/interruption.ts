import { capacityTypes, findCondition, labels, type Node } from '@kerf/apis'
import { type InterruptionDeps, nodeInterruption, type UnavailableOfferings } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { gcpEvents } from '../gcp-events.ts'
import { recognisedNodes } from '../recognised-nodes.ts'

/** The Ready condition that the kubelet reports during a graceful shutdown of the node. */
const SHUTDOWN = { reason: 'KubeletNotReady', message: 'node is shutting down' } as const
/**
 * How long an offering stays unavailable after a preemption. A zone that preempts a spot instance rarely has capacity for another one.
 */
const TAKEN_FOR = 300_000

const isOurs = ({ metadata }: Node): boolean => metadata.labels?.[labels.nodePool] !== undefined

/** Returns true if the instance is stopping: GKE has tainted the Node, or the kubelet reports the shutdown. */
const isInterrupted = (node: Node): boolean => {
  const { spotInterruptionTaints = [] } = recognisedNodes
  const ready = findCondition(node, 'Ready')
  return (
    isOurs(node) &&
    ((node.spec.taints ?? []).some(({ key }) => spotInterruptionTaints.includes(key)) ||
      (ready !== undefined &&
        ready.status !== 'True' &&
        ready.reason === SHUTDOWN.reason &&
        ready.message === SHUTDOWN.message))
  )
}

/**
 * Deletes the NodeClaim of an instance when its Node reports that Compute Engine is stopping the instance. If it is a spot instance, also
 * makes its offering unavailable for a while (`providers/gcp/docs/spec/gcp.md#interruption`). The Node is the only place outside the
 * instance that announces a preemption.
 */
export const interruption = (deps: InterruptionDeps, unavailable: Pick<UnavailableOfferings, 'mark'>): Controller =>
  nodeInterruption(deps, {
    isInterrupted,
    markOffering: ({ metadata }) => {
      const {
        [labels.instanceType]: instanceType = '',
        [labels.zone]: zone = '',
        [labels.capacityType]: capacityType,
      } = metadata.labels ?? {}
      if (capacityType === capacityTypes.spot && instanceType !== '' && zone !== '')
        unavailable.mark({ instanceType, zone, capacityType }, 'Preempted', TAKEN_FOR)
    },
    cause: 'interruption',
    event: gcpEvents.reason('TerminatingOnInterruption'),
    message: ({ metadata }) => `Compute Engine stops the instance of node ${metadata.name}`,
  })
