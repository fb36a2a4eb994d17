import { ownValue } from '@kerf/apis'
import { awsTags, clusterTag } from '../labels.ts'

type Tags = Readonly<Record<string, string>>

/**
 * Tags of an instance that are missing of those by which it is listed, garbage collected, and by which the policy of the
 * controller allows it to be ended (`docs/spec/aws.md#instances`, `docs/spec/aws.md#tags`,
 * `docs/spec/aws-installation.md#controller-permissions`).
 */
export const missingOwnerTags = (tags: Tags, clusterName: string): readonly string[] =>
  [clusterTag(clusterName), awsTags.clusterName, awsTags.nodePool, awsTags.nodeClass].filter(
    (key) => ownValue(tags, key) === undefined,
  )

/** Whether the instance says that it is another cluster's. */
export const isOtherClusters = (tags: Tags, clusterName: string): boolean =>
  tags[awsTags.clusterName] !== undefined && tags[awsTags.clusterName] !== clusterName

/**
 * Whether anything on the instance says that it was launched here. Without it a provider ID alone, which anybody may have
 * written into a claim, ends nothing.
 */
export const hasMark = (tags: Tags, clusterName: string): boolean =>
  tags[awsTags.clusterName] === clusterName ||
  [clusterTag(clusterName), awsTags.launchedFor, awsTags.nodeClaim].some((key) => ownValue(tags, key) !== undefined)
