import type { ObjectMeta } from '@kerf/apis'
import { ownValue } from '@kerf/apis'

/** The annotations that hold the hash of a node class, on the class and on NodeClaims launched from it. */
export interface HashAnnotations {
  readonly hash: string
  readonly version: string
}

type Annotated = Pick<ObjectMeta, 'annotations'>

/**
 * Returns true if a claim was launched from a different spec of its node class than the current one
 * (`docs/spec/provider-contract.md#rules-beyond-the-signature`). Only hashes of the same version are compared. A missing hash
 * never counts as drift, so taking over a cluster in the middle of a change causes no drift.
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
