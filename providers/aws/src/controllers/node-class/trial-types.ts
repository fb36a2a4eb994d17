import type { NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { likeliestTypes } from '@kerf/provider-kit'
import { imageFor, nodeClassImages } from '../../discovery/images.ts'
import { awsLabels } from '../../label-names.ts'
import { nodeClassAmiFamily } from '../../node-class/ami-family.ts'
import { type EC2NodeClass, ec2NodeClassKind } from '../../node-class/ec2-node-class.ts'

/** Types that most accounts can launch, for both architectures. */
const FALLBACK_TYPES = ['m5.large', 'm6g.large']

/** Returns true if a NodePool uses the node class. */
export const isLinked =
  (nodeClass: EC2NodeClass) =>
  ({ spec }: NodePool): boolean => {
    const { group, kind, name } = spec.template.spec.nodeClassRef
    return group === ec2NodeClassKind.group && kind === 'EC2NodeClass' && name === nodeClass.metadata.name
  }

const hasAccelerators = ({ requirements }: InstanceType): boolean =>
  [awsLabels.gpuCount, awsLabels.acceleratorCount].some((key) =>
    requirements.some((each) => each.key === key && each.operator === 'In'),
  )

/**
 * Returns the instance types for a trial launch, starting with those that are most likely to succeed
 * (`providers/aws/docs/spec/aws-controllers.md#node-class-status`). These are types that both the node class and its NodePools allow,
 * without accelerators if possible. If there are none, returns types that most accounts can launch.
 */
export const trialTypes = (
  types: readonly InstanceType[],
  nodeClass: EC2NodeClass,
  pools: readonly NodePool[],
  isCompatible: (type: InstanceType) => boolean,
): readonly InstanceType[] => {
  const images = nodeClassImages(nodeClass)
  const started = types.filter((type) => isCompatible(type) && imageFor(type, images) !== undefined)
  const isWindows = nodeClassAmiFamily(nodeClass.spec).startsWith('Windows')
  return likeliestTypes(started, {
    pools: isWindows ? [] : pools,
    isUsual: ({ name }) => FALLBACK_TYPES.includes(name),
    isPlain: (type) => !hasAccelerators(type),
  })
}
