import { ownValue } from '@kerf/apis'
import type { ScalingFlags, SourceGroup } from '@kerf/provider-contract'
import type { OkeLaunch } from './read-node-pool.ts'

/** A value of `--node-group-auto-discovery`: the tags that select node pools, and the maximum size of these pools. */
interface Discovery {
  readonly tags: readonly (readonly [key: string, value: string])[]
  readonly max: string
}

/** Parses `clusterId:…,compartmentId:…,nodepoolTags:KEY=VALUE&KEY=VALUE,min:…,max:…`, with the fields in any order. */
const parseDiscovery = (text: string): Discovery => {
  const fields = new Map(
    text.split(',').map((part) => {
      const at = part.indexOf(':')
      return [part.slice(0, at), part.slice(at + 1)] as const
    }),
  )
  const tags = (fields.get('nodepoolTags') ?? '').split('&').map((pair) => {
    const [key = '', value = ''] = pair.split('=')
    return [key, value] as const
  })
  return { tags, max: fields.get('max') ?? '' }
}

/**
 * Returns a note about a node pool that is missing from the `--nodes` flags. Either Cluster Autoscaler discovers it by its tags, with the
 * sizes of the discovery flag, or it does not scale it.
 */
export const whyNotScaled = (
  { launch }: SourceGroup<OkeLaunch>,
  { namesGroups, discovery }: ScalingFlags,
): string | undefined => {
  const found = discovery
    .map(parseDiscovery)
    .find(({ tags }) => tags.every(([key, value]) => ownValue(launch?.tags ?? {}, key) === value))
  if (found !== undefined)
    return `--node-group-auto-discovery gives it at most ${found.max} nodes: write this number into limits.nodes of the NodePool`
  return namesGroups || discovery.length > 0
    ? 'no flag of Cluster Autoscaler finds it: it does not scale this one. Name it with a flag, or with --keep'
    : undefined
}
