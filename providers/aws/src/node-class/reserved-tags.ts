import type { EC2NodeClassSpec } from '@kerf/apis'
import { awsTags, clusterTag } from '../labels.ts'

const OWN: ReadonlySet<string> = new Set([awsTags.nodePool, awsTags.nodeClaim, awsTags.nodeClass, awsTags.clusterName])

/** A name that EKS takes for a cluster. */
const CLUSTER_TAG = new RegExp(`^${clusterTag('').replaceAll('.', '\\.')}[0-9A-Za-z][A-Za-z0-9_-]*$`)

/**
 * The tags of a node class that say whose an instance is and that only the controller may set
 * (`docs/spec/aws.md#tags`). Looked at again before a launch: an object may be older than the rules of its schema.
 */
export const reservedTagsOf = (tags: EC2NodeClassSpec['tags']): readonly string[] =>
  Object.keys(tags ?? {}).filter((tag) => OWN.has(tag) || CLUSTER_TAG.test(tag))

/** The tags of everything a launch creates: the node class's, and over them those that IAM and the clean-up go by. */
export const launchTagsOf = (
  tags: EC2NodeClassSpec['tags'],
  of: { readonly clusterName: string; readonly nodePool: string; readonly nodeClass: string },
): Readonly<Record<string, string>> => ({
  ...tags,
  [clusterTag(of.clusterName)]: 'owned',
  [awsTags.nodePool]: of.nodePool,
  [awsTags.clusterName]: of.clusterName,
  [awsTags.nodeClass]: of.nodeClass,
})
