import type { ObjectMeta } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

/** The annotations with the hash of a node class, both on the node class and on the NodeClaims launched with it. */
export interface HashAnnotations {
  readonly hash: string
  readonly version: string
}

type Annotated = Pick<ObjectMeta, 'annotations'>

/**
 * Returns whether the spec of the node class has changed since the NodeClaim was launched
 * (`docs/spec/provider-contract.md#rules-beyond-the-signature`). Only hashes of the same version are compared. A missing hash does not
 * count as drift, so that nothing drifts if Kerf takes over a cluster in the middle of a change.
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
