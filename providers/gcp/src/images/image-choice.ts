import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'
import type { GCENodeClassStatus } from '../node-class/gce-node-class.ts'

type Image = NonNullable<GCENodeClassStatus['images']>[number]

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const

/** Returns the requirements of an image. An image whose requirements have an unknown operator fits no instance type. */
const imageRequirements = ({ requirements }: Image): readonly RequirementSpec[] | undefined => {
  const read = requirements.map(({ key, operator, values }) => {
    const known = OPERATORS.find((each) => each === operator)
    return known === undefined ? undefined : { key, operator: known, ...(values === undefined ? {} : { values }) }
  })
  const good = read.filter((each) => each !== undefined)
  return good.length === read.length ? good : undefined
}

/** Returns the path of the first image that the instance type can boot, or undefined if there is none. */
export const imageForType = (images: readonly Image[], type: Pick<InstanceType, 'requirements'>): string | undefined =>
  images.find((image) => {
    const wanted = imageRequirements(image)
    return wanted !== undefined && areCompatible(wanted, type.requirements)
  })?.sourceImage
