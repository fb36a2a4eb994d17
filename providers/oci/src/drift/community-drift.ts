import { NotKnownYetError } from '@kerf/provider-contract'
import type { OciInstance } from '../api/oci-shapes.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import type { AttachedParts } from './attached-parts.ts'

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((each) => b.includes(each))

/**
 * Returns the reason why an instance no longer matches its OciNodeClass (`providers/oci/docs/spec/oci.md#drift`). The instance may have any
 * image of the class, whereas zoom/karpenter-oci accepts only the first one.
 *
 * @throws NotKnownYetError while the class is not resolved.
 */
export const communityDrift = async (
  instance: OciInstance,
  { images, primaryVnic, name }: ResolvedClass,
  attached: AttachedParts,
  signal: AbortSignal,
): Promise<'ImageDrift' | 'SecurityGroupDrift' | 'SubnetDrift' | undefined> => {
  if (images.length === 0 || primaryVnic.subnets.length === 0)
    throw new NotKnownYetError(`the images and subnets of OciNodeClass ${name} are not known yet`)
  const { imageId } = instance
  if (imageId !== undefined && images.every(({ id }) => id !== imageId)) return 'ImageDrift'
  const vnic = await attached.primaryVnic(instance, signal)
  if (vnic === undefined) return undefined
  if (!isSameSet(vnic.nsgIds, primaryVnic.nsgIds)) return 'SecurityGroupDrift'
  return primaryVnic.subnets.every(({ id }) => id !== vnic.subnetId) ? 'SubnetDrift' : undefined
}
