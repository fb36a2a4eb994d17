import type { NodeClaim } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import { osTypes } from './instance-types/instance-types.ts'
import { bizflyLabels, nodeClassHashAnnotations } from './names.ts'
import type { BizflyCloudNodeClass } from './node-class/bizfly-node-class.ts'

/**
 * Returns the drift reason if the hash has changed, or if the class no longer lists a value with which the server was launched. Makes no
 * API call. Kerf's core detects instance types and zones that the provider no longer offers.
 */
export const classDrift = ({ metadata }: NodeClaim, nodeClass: BizflyCloudNodeClass): 'NodeClassDrift' | undefined => {
  const { diskTypes = [], networkPlans = [], osType } = nodeClass.spec ?? {}
  const isListed = (key: string, values: readonly string[]): boolean => {
    // Bizfly's own provider sets empty labels.
    const value = ownValue(metadata.labels ?? {}, key) ?? ''
    return value === '' || values.length === 0 || values.includes(value)
  }
  const isSame =
    !isStaticallyDrifted(nodeClassHashAnnotations, metadata, nodeClass.metadata) &&
    isListed(bizflyLabels.diskType, diskTypes) &&
    isListed(bizflyLabels.networkPlan, networkPlans) &&
    isListed(bizflyLabels.osType, osTypes(osType))
  return isSame ? undefined : 'NodeClassDrift'
}
