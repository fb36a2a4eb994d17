import { ownValue } from '@kerf/apis'
import { awsTags, clusterTag } from '../labels.ts'

type Tags = Readonly<Record<string, string>>

/**
 * Returns the ownership tags that an instance lacks. They are used for listing and garbage collection, and the controller's
 * policy requires them for termination (`providers/aws/docs/spec/aws.md#instances`, `providers/aws/docs/spec/aws.md#tags`,
 * `providers/aws/docs/spec/aws-installation.md#controller-permissions`).
 */
export const missingOwnerTags = (tags: Tags, clusterName: string): readonly string[] =>
  [clusterTag(clusterName), awsTags.clusterName, awsTags.nodePool, awsTags.nodeClass].filter(
    (key) => ownValue(tags, key) === undefined,
  )

/** Returns true if a tag shows that the instance belongs to another cluster. */
export const isOtherClusters = (tags: Tags, clusterName: string): boolean =>
  tags[awsTags.clusterName] !== undefined && tags[awsTags.clusterName] !== clusterName

/**
 * Returns true if any tag shows that this cluster launched the instance. Without such a tag, the instance is not terminated, because
 * anybody may have written its provider ID into a NodeClaim.
 */
export const hasMark = (tags: Tags, clusterName: string): boolean =>
  tags[awsTags.clusterName] === clusterName ||
  [clusterTag(clusterName), awsTags.launchedFor, awsTags.nodeClaim].some((key) => ownValue(tags, key) !== undefined)
