import { karpenterKinds, type Milliseconds, type NodeClaim } from '@kerf/apis'
import type { CoreEvent } from '../../core-event.ts'
import { eventObject } from '../../event-object.ts'
import type { Owner } from './owners.ts'

/** Returns the Event about a deleted NodeClaim whose node no expected pod of these owners has used. */
export const unusedClaimDeleted = (claim: NodeClaim, owners: readonly string[]): CoreEvent => ({
  object: eventObject(karpenterKinds.NodeClaim, claim),
  type: 'Normal',
  reason: 'UnusedNodeClaimDeleted',
  message: `Deleted: launched for expected pods of ${owners.join(', ')}, and no pod was bound to its node`,
  dedupeValues: [claim.metadata.uid ?? ''],
})

/** Returns the Event about an owner that did not create the pods that Kerf expected. */
export const podsDidNotAppear = ({ kind, object, uid }: Owner, count: number, wait: Milliseconds): CoreEvent => ({
  object: eventObject(kind.kind, object),
  type: 'Normal',
  reason: 'ExpectedPodsMissing',
  message: `${count} expected pod(s) did not appear within 60s; their capacity is free again. Kerf plans ahead for this object again after it, its pods or its quota change, and not before ${Math.round(wait / 1000)}s`,
  dedupeValues: [uid],
  dedupeFor: 60_000,
})
