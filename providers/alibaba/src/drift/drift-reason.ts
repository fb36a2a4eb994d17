import { findCondition, type NodeClaim } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import type { EcsInstance } from '../instances/ecs-instance.ts'
import { nodeClassHashAnnotations } from '../names.ts'
import type { ECSNodeClass } from '../node-class/ecs-node-class.ts'

export type DriftReason = 'NodeClassDrift' | 'SecurityGroupDrift' | 'VSwitchDrift' | 'ImageDrift'

const isReady = (nodeClass: ECSNodeClass, type: string): boolean => findCondition(nodeClass, type)?.status === 'True'

/** Returns the drift reason if the node class's hash has changed. Makes no API call. */
export const hashDrift = (claim: NodeClaim, nodeClass: ECSNodeClass): DriftReason | undefined =>
  isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata) ? 'NodeClassDrift' : undefined

/**
 * Returns the reason why an instance no longer matches the resolved node class
 * (`providers/alibaba/docs/spec/alibaba.md#life-after-launch`).
 *
 * @throws NotKnownYetError while the class's security groups or vSwitches are not resolved
 */
export const instanceDrift = (
  { securityGroups, vSwitch, image }: EcsInstance,
  nodeClass: ECSNodeClass,
): DriftReason | undefined => {
  const { securityGroups: groups = [], vSwitches = [], images = [] } = nodeClass.status ?? {}
  const { name } = nodeClass.metadata
  if (groups.length === 0 || vSwitches.length === 0)
    throw new NotKnownYetError(`ECSNodeClass ${name} has no security groups or no vSwitches yet`)
  const wanted = new Set(groups.map(({ id }) => id))
  const own = new Set(securityGroups)
  if (wanted.symmetricDifference(own).size > 0) return 'SecurityGroupDrift'
  if (!vSwitches.some(({ id }) => id === vSwitch)) return 'VSwitchDrift'
  // Upstream never compares the image.
  const isOld = image !== undefined && images.length > 0 && !images.some(({ id }) => id === image)
  return isOld && isReady(nodeClass, 'ImagesReady') ? 'ImageDrift' : undefined
}
