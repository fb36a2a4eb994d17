import { awsTags, clusterTag } from '../labels.ts'
import type { EC2NodeClassSpec } from './ec2-node-class.ts'

const OWN: ReadonlySet<string> = new Set([awsTags.nodePool, awsTags.nodeClaim, awsTags.nodeClass, awsTags.clusterName])

/** Matches the tag key of a cluster whose name EKS accepts. */
const CLUSTER_TAG = new RegExp(`^${clusterTag('').replaceAll('.', '\\.')}[0-9A-Za-z][A-Za-z0-9_-]*$`)

/**
 * Returns the ownership tags in a node class, which only the controller may set (`providers/aws/docs/spec/aws.md#tags`). Kerf checks them
 * again before a launch, because a stored object may be older than the schema's rules.
 */
export const reservedTags = (tags: EC2NodeClassSpec['tags']): readonly string[] =>
  Object.keys(tags ?? {}).filter((tag) => OWN.has(tag) || CLUSTER_TAG.test(tag))

/**
 * Returns the tags of everything that a launch creates: those of the node class, overridden by those that IAM policies and
 * garbage collection rely on.
 */
export const makeLaunchTags = (
  tags: EC2NodeClassSpec['tags'],
  of: { readonly clusterName: string; readonly nodePool: string; readonly nodeClass: string },
): Readonly<Record<string, string>> => ({
  ...tags,
  [clusterTag(of.clusterName)]: 'owned',
  [awsTags.nodePool]: of.nodePool,
  [awsTags.clusterName]: of.clusterName,
  [awsTags.nodeClass]: of.nodeClass,
})
