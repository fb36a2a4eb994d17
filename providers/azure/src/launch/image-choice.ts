import { labels } from '@kerf/apis'
import { HYPER_V_GENERATION_LABEL } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { VmSize } from '../sizes/vm-size.ts'

type StatusImage = NonNullable<NonNullable<AKSNodeClass['status']>['images']>[number]

/** The properties of a size on which images depend. */
type ImageSize = Pick<VmSize, 'arch' | 'generations'>

const admits = ({ operator, values = [] }: StatusImage['requirements'][number], own: readonly string[]): boolean => {
  switch (operator) {
    case 'In':
      return own.some((value) => values.includes(value))
    case 'NotIn':
      return own.some((value) => !values.includes(value))
    case 'Exists':
      return own.length > 0
    case 'DoesNotExist':
      return own.length === 0
    default:
      return false
  }
}

const startsFrom = (size: ImageSize, { requirements }: StatusImage): boolean =>
  requirements.every((requirement) => {
    switch (requirement.key) {
      case labels.arch:
        return admits(requirement, [size.arch])
      case HYPER_V_GENERATION_LABEL:
        return admits(requirement, size.generations)
      default:
        return false
    }
  })

/** Returns the image for a VM of the size: the first one in the node class status that matches, or undefined. */
export const imageFor = (size: ImageSize, { status }: Pick<AKSNodeClass, 'status'>): string | undefined =>
  status?.images?.find((image) => startsFrom(size, image))?.id
