import type { ObjectMeta } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

/** The annotations in which a provider keeps a node class's hash, on the class and on NodeClaims launched from it. */
export interface HashAnnotations {
  readonly hash: string
  readonly version: string
}

type Annotated = Pick<ObjectMeta, 'annotations'>

/**
 * Whether a claim was launched from another state of its node class than the one it is in now
 * (`docs/spec/provider-contract.md#rules-beyond-the-signature`). Only hashes of one version can be compared; one that is
 * missing tells nothing, so a cluster taken over in the middle of a change drifts nothing.
 */
export const isStaticallyDrifted = (
  { hash, version }: HashAnnotations,
  claim: Annotated,
  nodeClass: Annotated,
): boolean => {
  const [ofClaim, ofClass] = [claim.annotations ?? {}, nodeClass.annotations ?? {}]
  if (ownValue(ofClaim, version) === undefined || ownValue(ofClaim, version) !== ownValue(ofClass, version))
    return false
  const [before, now] = [ownValue(ofClaim, hash), ownValue(ofClass, hash)]
  return before !== undefined && now !== undefined && before !== now
}
