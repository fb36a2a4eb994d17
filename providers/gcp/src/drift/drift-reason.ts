import { isConditionTrue, type NodeClaim } from '@kerf/apis'
import { isStaticallyDrifted } from '@kerf/provider-kit'
import { nodeClassHashAnnotations } from '../names.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'

/** The reason why a NodeClaim no longer matches its node class. */
export type DriftReason = 'NodeClassDrift' | 'ImageDrift'

/**
 * Returns the reason why the NodeClaim has drifted from its node class, or undefined if it has not
 * (`providers/gcp/docs/spec/gcp.md#drift`). The image causes no drift while the images of the class are uncertain or the image of the claim
 * is unknown.
 */
export const driftReason = (claim: NodeClaim, nodeClass: GCENodeClass): DriftReason | undefined => {
  if (nodeClass.metadata.deletionTimestamp !== undefined) return undefined
  if (isStaticallyDrifted(nodeClassHashAnnotations, claim.metadata, nodeClass.metadata)) return 'NodeClassDrift'
  const image = claim.status?.imageID ?? ''
  if (image === '' || !isConditionTrue(nodeClass, 'ImagesReady')) return undefined
  const images = nodeClass.status?.images ?? []
  return images.some(({ sourceImage }) => image.endsWith(sourceImage)) ? undefined : 'ImageDrift'
}
