import { isConditionTrue, type NodeClaim } from '@kerf/apis'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import { nodeClassHashAnnotations } from '../names.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'

/** Why a NodeClaim no longer matches its node class. */
export type DriftReason = 'NodeClassDrift' | 'ImageDrift'

/**
 * Returns why the NodeClaim has drifted from its node class, or undefined (`providers/gcp/docs/spec/gcp.md#drift`). No claim drifts because
 * of its image while the images of the class are uncertain or the image of the claim is unknown.
 */
export const driftReason = (claim: NodeClaim, nodeClass: GCENodeClass): DriftReason | undefined => {
  if (nodeClass.metadata.deletionTimestamp !== undefined) return undefined
  if (isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata)) return 'NodeClassDrift'
  const image = claim.status?.imageID ?? ''
  if (image === '' || !isConditionTrue(nodeClass, 'ImagesReady')) return undefined
  const images = nodeClass.status?.images ?? []
  return images.some(({ sourceImage }) => image.endsWith(sourceImage)) ? undefined : 'ImageDrift'
}
