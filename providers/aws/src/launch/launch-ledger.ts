import { labels, type NodeClaim, timeOf } from '@kerf/apis'
import { CLOCK_SKEW, type ClaimIndex, LaunchLedger } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { AwsInstance } from '../instances/aws-instance.ts'
import type { Instances } from '../instances/instances.ts'
import { awsTags } from '../labels.ts'
import { admits } from './launch-candidates.ts'
import { isExact, launchedForFilters, mayBeLaunchedFor } from './launched-for.ts'

/**
 * Whether an instance may have been launched for the claim: by its tags, and where those name more claims than they
 * should (`launched-for.ts`) by its age and by what the claim admits.
 */
export const couldBeFor = (instance: AwsInstance, { metadata, spec }: NodeClaim): boolean => {
  const { tags, launchedAt } = instance
  const value = tags[awsTags.launchedFor]
  const owner = tags[awsTags.nodeClaim]
  if ((owner !== undefined && owner !== metadata.name) || !mayBeLaunchedFor(value, metadata.uid ?? '')) return false
  if (owner !== undefined || isExact(value)) return true
  const born = timeOf(metadata.creationTimestamp)
  return (
    (born === undefined || launchedAt === undefined || launchedAt >= born - CLOCK_SKEW) &&
    tags[awsTags.nodePool] === metadata.labels?.[labels.nodePool] &&
    tags[awsTags.nodeClass] === spec.nodeClassRef.name &&
    admits(spec.requirements, labels.instanceType, instance.type) &&
    admits(spec.requirements, labels.zone, instance.zone) &&
    admits(spec.requirements, labels.capacityType, instance.capacityType)
  )
}

/** Which instance was launched for which NodeClaim; what an earlier run launched is found by its tag. */
export const launchLedgerOf = (
  clock: Clock,
  { claims, instances }: { readonly claims: ClaimIndex; readonly instances: Instances },
): LaunchLedger<AwsInstance> =>
  new LaunchLedger(clock, claims, {
    get: (id, signal) => instances.get(id, 'memory', signal),
    launchedFor: ({ metadata: { uid = '' } }, signal) =>
      instances.tagged({ tag: awsTags.launchedFor, ...launchedForFilters(uid) }, signal),
    couldBeFor,
  })
