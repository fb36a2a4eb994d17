import type { Taint } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { type CapacitySettings, diskSize, typeCapacity } from './capacity.ts'
import { hasNoScheduleTaint, type Market, type OfferingSettings, typeOfferings } from './offerings.ts'
import { typeOverhead } from './overhead.ts'
import { isGeneric, type ShapeFacts } from './shape-facts.ts'
import { type SizedShape, type SizeSettings, sizesOfShape } from './sized-shape.ts'
import { typeRequirements } from './type-labels.ts'

export interface TypeSettings extends CapacitySettings, OfferingSettings {
  readonly sizes: SizeSettings
}

/** An instance type, and the size with which it is launched. */
export interface OciType {
  readonly type: InstanceType
  readonly size: SizedShape
}

/** Oracle's provider offers GPU shapes only if the NodePool has one of these taints. */
const GPU_TAINTS = ['nvidia.com/gpu', 'amd.com/gpu']

/**
 * Returns the instance types of a node class, in the order of the shapes (`providers/oci/docs/spec/oci.md#instance-types`).
 *
 * @param taints the taints of the pool or claim. With an OCINodeClass, some shapes and capacity types require one.
 */
export const ociTypes = (
  shapes: Iterable<ShapeFacts>,
  nodeClass: ResolvedClass,
  taints: readonly Taint[],
  market: Market,
  settings: TypeSettings,
): readonly OciType[] =>
  [...shapes]
    .filter(({ name, gpus }) => {
      const isHeldBack = nodeClass.upstream === 'oracle' && gpus > 0 && !hasNoScheduleTaint(taints, ...GPU_TAINTS)
      return !isGeneric(name) && !isHeldBack
    })
    .flatMap((facts) => sizesOfShape(facts, nodeClass, settings.sizes))
    .flatMap((size): readonly OciType[] => {
      const offerings = typeOfferings(size, nodeClass, taints, market, settings)
      const capacity = typeCapacity(size, nodeClass, settings)
      if (offerings.length === 0) return []
      return [
        {
          size,
          type: {
            name: size.name,
            requirements: typeRequirements(size, nodeClass.upstream, nodeClass.name, offerings, market.region),
            offerings,
            capacity,
            overhead: typeOverhead(size, nodeClass, diskSize(nodeClass)),
          },
        },
      ]
    })
