import { capacityTypes, findCondition, labels, type Node } from '@kerf/apis'
import { type InterruptionDeps, nodeInterruption, type UnavailableOfferings } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { alibabaEvents } from '../alibaba-events.ts'

/** The condition that ACK's node problem detector sets when ECS is about to reclaim a spot instance. */
const CONDITION = 'InstanceExpired'

const isInterrupted = (node: Node): boolean =>
  node.metadata.labels?.[labels.capacityType] === capacityTypes.spot &&
  findCondition(node, CONDITION)?.status === 'True'

/**
 * Deletes the NodeClaims of spot instances that ECS is about to reclaim, and marks their offerings as unavailable
 * (`providers/alibaba/docs/spec/alibaba.md#life-after-launch`). In clusters without ACK's node problem detector, Kerf gets no notice of the
 * reclaim.
 */
export const interruption = (deps: InterruptionDeps, unavailable: Pick<UnavailableOfferings, 'mark'>): Controller =>
  nodeInterruption(deps, {
    isInterrupted,
    markOffering: (node) => {
      const { [labels.instanceType]: instanceType = '', [labels.zone]: zone = '' } = node.metadata.labels ?? {}
      const reason = findCondition(node, CONDITION)?.reason ?? CONDITION
      if (instanceType !== '' && zone !== '')
        unavailable.mark({ instanceType, zone, capacityType: capacityTypes.spot }, reason)
    },
    cause: 'spot_interrupted',
    event: alibabaEvents.reason('TerminatingOnInterruption'),
    message: ({ metadata }) => `ECS takes the instance of node ${metadata.name} back`,
  })
