import { labels, type NodeClaim, parseTime } from '@kerf/apis'
import { CLOCK_SKEW, type ClaimIndex, LaunchRecords } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { AwsInstance } from '../instances/aws-instance.ts'
import type { Instances } from '../instances/instances.ts'
import { awsTags } from '../labels.ts'
import { admits } from './launch-candidates.ts'
import { isExact, launchedForFilters, mayBeLaunchedFor } from './launched-for.ts'

/**
 * Returns true if an instance may have been launched for the NodeClaim. Compares the instance's tags. If they match too many claims
 * (`launched-for.ts`), also compares the claim's age and requirements.
 */
export const couldBeFor = (instance: AwsInstance, { metadata, spec }: NodeClaim): boolean => {
  const { tags, launchedAt } = instance
  const value = tags[awsTags.launchedFor]
  const owner = tags[awsTags.nodeClaim]
  if ((owner !== undefined && owner !== metadata.name) || !mayBeLaunchedFor(value, metadata.uid ?? '')) return false
  if (owner !== undefined || isExact(value)) return true
  const born = parseTime(metadata.creationTimestamp)
  return (
    (born === undefined || launchedAt === undefined || launchedAt >= born - CLOCK_SKEW) &&
    tags[awsTags.nodePool] === metadata.labels?.[labels.nodePool] &&
    tags[awsTags.nodeClass] === spec.nodeClassRef.name &&
    admits(spec.requirements, labels.instanceType, instance.type) &&
    admits(spec.requirements, labels.zone, instance.zone) &&
    admits(spec.requirements, labels.capacityType, instance.capacityType)
  )
}

/**
 * Returns an object that records which instance was launched for which NodeClaim. It finds the launches of an earlier process by their tag.
 */
export const createLaunchRecords = (
  clock: Clock,
  { claims, instances }: { readonly claims: ClaimIndex; readonly instances: Instances },
): LaunchRecords<AwsInstance> =>
  new LaunchRecords(clock, claims, {
    get: (id, signal) => instances.get(id, 'memory', signal),
    launchedFor: ({ metadata: { uid = '' } }, signal) =>
      instances.tagged({ tag: awsTags.launchedFor, ...launchedForFilters(uid) }, signal),
    couldBeFor,
  })
