import { awsLabels, type EC2NodeClass, karpenterKinds, type NodePool } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'
import { imageFor, imagesOf } from '../../discovery/images.ts'
import { amiFamilyOf } from '../../node-class/ami-family.ts'

/** Types that most accounts can launch, of both architectures. */
const FALLBACK_TYPES = ['m5.large', 'm6g.large']

/** Whether a NodePool launches from the class. */
export const isLinked =
  (nodeClass: EC2NodeClass) =>
  ({ spec }: NodePool): boolean => {
    const { group, kind, name } = spec.template.spec.nodeClassRef
    return group === karpenterKinds.EC2NodeClass.group && kind === 'EC2NodeClass' && name === nodeClass.metadata.name
  }

const isWanted = (type: InstanceType, pools: readonly NodePool[]): boolean =>
  pools.some(({ spec }) => {
    const fixed = Object.entries(spec.template.metadata?.labels ?? {}).map(([key, value]) => ({
      key,
      operator: 'In' as const,
      values: [value],
    }))
    return areCompatible([...(spec.template.spec.requirements ?? []), ...fixed], type.requirements)
  })

const hasAccelerators = ({ requirements }: InstanceType): boolean =>
  [awsLabels.gpuCount, awsLabels.acceleratorCount].some((key) =>
    requirements.some((each) => each.key === key && each.operator === 'In'),
  )

/** What an instance costs where it can be had; what cannot be had anywhere comes last. */
const priceOf = ({ offerings }: InstanceType): number =>
  Math.min(...offerings.filter(({ available }) => available).map(({ price }) => price))

const familyOf = ({ name }: InstanceType): string => name.split('.')[0] ?? ''

/** The cheapest of each family, then the second cheapest of each: what is wrong with one is often wrong with its family. */
const varied = (types: readonly InstanceType[]): readonly InstanceType[] => {
  const seen = new Map<string, number>()
  return types
    .map((type) => ({ type, price: priceOf(type) }))
    .toSorted((a, b) => (a.price === b.price ? (a.type.name < b.type.name ? -1 : 1) : a.price - b.price))
    .map((each) => {
      const turn = seen.get(familyOf(each.type)) ?? 0
      seen.set(familyOf(each.type), turn + 1)
      return { ...each, turn }
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ type }) => type)
}

/**
 * The types to try a launch with, the likeliest first (`docs/spec/aws-controllers.md#node-class-status`): what the
 * NodePools of the class may launch of what the class can, without accelerators where that is possible; else what most
 * accounts have.
 */
export const trialTypes = (
  types: readonly InstanceType[],
  nodeClass: EC2NodeClass,
  pools: readonly NodePool[],
  isCompatible: (type: InstanceType) => boolean,
): readonly InstanceType[] => {
  const images = imagesOf(nodeClass)
  const started = types.filter((type) => isCompatible(type) && imageFor(type, images) !== undefined)
  const wanted = started.filter((type) => isWanted(type, pools))
  const isWindows = amiFamilyOf(nodeClass.spec).startsWith('Windows')
  const usual = started.filter(({ name }) => FALLBACK_TYPES.includes(name))
  const chosen = wanted.length > 0 && !isWindows ? wanted : usual.length > 0 ? usual : started
  const plain = chosen.filter((type) => !hasAccelerators(type))
  return varied(plain.length > 0 ? plain : chosen)
}
