import type { ObjectMeta } from '@kerf/apis'
import { awsAnnotations } from '../labels.ts'

type Annotated = Pick<ObjectMeta, 'annotations'>

/**
 * Whether a claim was launched from another state of its node class than the one it is in now
 * (`docs/spec/aws-node-class.md#drift-reasons`, step 1). Only fingerprints of one version can be compared; one that is
 * missing tells nothing, so a cluster taken over in the middle of a change drifts nothing.
 */
export const isStaticallyDrifted = (claim: Annotated, nodeClass: Annotated): boolean => {
  const { nodeClassHash, nodeClassHashVersion } = awsAnnotations
  const [ofClaim, ofClass] = [claim.annotations ?? {}, nodeClass.annotations ?? {}]
  const version = ofClaim[nodeClassHashVersion]
  if (version === undefined || version !== ofClass[nodeClassHashVersion]) return false
  const [before, now] = [ofClaim[nodeClassHash], ofClass[nodeClassHash]]
  return before !== undefined && now !== undefined && before !== now
}
