import { ownValue } from '@kerf/apis'
import type { ScalingFlags, SourceGroup } from '@kerf/provider-contract'
import type { LaunchSettings } from './aws-group.ts'

const ENABLED = 'k8s.io/cluster-autoscaler/enabled'

/** Returns whether the node group has every tag of a value such as `asg:tag=KEY,KEY=VALUE`. Returns undefined for any other value. */
const isDiscovered = (tags: Readonly<Record<string, string>>, value: string): boolean | undefined => {
  const [, list] = /^asg:tag=(.+)$/s.exec(value) ?? []
  return list?.split(',').every((tag) => {
    const at = tag.indexOf('=')
    return at === -1 ? Object.hasOwn(tags, tag) : ownValue(tags, tag.slice(0, at)) === tag.slice(at + 1)
  })
}

/**
 * Returns the missing tag that keeps Cluster Autoscaler from finding the Auto Scaling group. Returns undefined if Cluster Autoscaler finds
 * the group, or may find it.
 */
const missingTag = (
  tags: Readonly<Record<string, string>>,
  { namesGroups, discovery }: ScalingFlags,
): string | undefined => {
  const found = discovery.map((value) => isDiscovered(tags, value))
  if (found.length === 0)
    return namesGroups || Object.hasOwn(tags, ENABLED)
      ? undefined
      : `it has no tag ${ENABLED}: Cluster Autoscaler scales it only when --nodes names it`
  return found.some((each) => each !== false)
    ? undefined
    : `it lacks a tag of --node-group-auto-discovery=${discovery.join(' and ')}, and no --nodes names it: Cluster Autoscaler does not scale it. Add the tag, or name it with --keep`
}

/**
 * Returns the reason why Cluster Autoscaler does not scale a node group that no flag names. Returns undefined if Cluster Autoscaler scales
 * the group, or may scale it.
 */
export const whyNotScaled = (
  { origin, launch }: SourceGroup<LaunchSettings>,
  flags: ScalingFlags,
): string | undefined =>
  (origin === 'Auto Scaling group' ? missingTag(launch?.groupTags ?? {}, flags) : undefined) ??
  (flags.namesGroups && flags.discovery.length === 0
    ? 'no --nodes names it and Cluster Autoscaler discovers no groups: it does not scale this one. Name it with a flag, or with --keep'
    : undefined)
