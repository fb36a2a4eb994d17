import { readPages } from '@kerf/provider-kit'
import type {
  AlibabaApi,
  DescribedInstance,
  DescribedSecurityGroup,
  DescribedType,
  DescribedVSwitch,
  Tag,
} from './actions.ts'

const PAGE = 100
const VSWITCH_PAGE = 50

const nextOf = (token: string | undefined): { readonly next: string | undefined } => ({
  next: token === '' ? undefined : token,
})
const after = (token: string | undefined): { readonly NextToken?: string } =>
  token === undefined ? {} : { NextToken: token }

/** Returns all instance types. Throws if any page fails. */
export const allTypes = (api: AlibabaApi, signal: AbortSignal): Promise<readonly DescribedType[]> =>
  readPages(async (token?: string) => {
    const page = await api.call('DescribeInstanceTypes', { MaxResults: PAGE, ...after(token) }, signal)
    return { items: page.InstanceTypes?.InstanceType ?? [], ...nextOf(page.NextToken) }
  })

/** The maximum number of instances that a query by tags returns. The response does not indicate that there are more. */
const MOST_BY_TAG = 1_000
/** The maximum number of IDs in one query. */
const MOST_IDS = 100

interface InstanceQuery {
  readonly RegionId: string
  readonly Tag: readonly Tag[]
}

const instancesByTag = (
  api: AlibabaApi,
  query: InstanceQuery,
  signal: AbortSignal,
): Promise<readonly DescribedInstance[]> =>
  readPages(async (token?: string) => {
    const page = await api.call('DescribeInstances', { ...query, MaxResults: PAGE, ...after(token) }, signal)
    return { items: page.Instances?.Instance ?? [], ...nextOf(page.NextToken) }
  })

/** Returns the IDs of all instances with a tag, without duplicates. */
const taggedIds = async (
  api: AlibabaApi,
  RegionId: string,
  tag: Tag,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const entries = await readPages(async (token?: string) => {
    const query = { RegionId, ResourceType: 'instance', Tag: [tag], ...after(token) } as const
    const page = await api.call('ListTagResources', query, signal)
    return { items: page.TagResources?.TagResource ?? [], ...nextOf(page.NextToken) }
  })
  return [...new Set(entries.map(({ ResourceId }) => ResourceId))]
}

const hasTags = ({ Tags }: DescribedInstance, wanted: readonly Tag[]): boolean =>
  wanted.every(({ Key, Value }) =>
    Tags?.Tag?.some(({ TagKey, TagValue = '' }) => TagKey === Key && (Value === undefined || TagValue === Value)),
  )

/**
 * Returns all instances with the tags. If a query by tags returns its maximum of 1,000 instances, there may be more. In this case, Kerf
 * reads the IDs from `ListTagResources` by the first tag, and then reads the instances by ID. Throws if any page fails.
 */
export const allInstances = async (
  api: AlibabaApi,
  query: InstanceQuery,
  signal: AbortSignal,
): Promise<readonly DescribedInstance[]> => {
  const found = await instancesByTag(api, query, signal)
  const [tag] = query.Tag
  if (found.length < MOST_BY_TAG || tag === undefined) return found
  const ids = await taggedIds(api, query.RegionId, tag, signal)
  const byId = new Map(found.map((instance) => [instance.InstanceId, instance]))
  const missing = ids.filter((id) => !byId.has(id))
  for (let start = 0; start < missing.length; start += MOST_IDS) {
    const InstanceIds = JSON.stringify(missing.slice(start, start + MOST_IDS))
    const page = { RegionId: query.RegionId, InstanceIds, MaxResults: PAGE }
    const { Instances } = await api.call('DescribeInstances', page, signal)
    for (const instance of Instances?.Instance ?? [])
      if (hasTags(instance, query.Tag)) byId.set(instance.InstanceId, instance)
  }
  return [...byId.values()]
}

/** Returns all security groups that match. Throws if any page fails. */
export const allSecurityGroups = (
  api: AlibabaApi,
  query: {
    readonly RegionId: string
    readonly SecurityGroupId?: string
    readonly SecurityGroupName?: string
    readonly Tag?: readonly Tag[]
  },
  signal: AbortSignal,
): Promise<readonly DescribedSecurityGroup[]> =>
  readPages(async (token?: string) => {
    const page = await api.call('DescribeSecurityGroups', { ...query, MaxResults: PAGE, ...after(token) }, signal)
    return { items: page.SecurityGroups?.SecurityGroup ?? [], ...nextOf(page.NextToken) }
  })

/** Returns all vSwitches that match. This API uses page numbers. Throws if any page fails. */
export const allVSwitches = async (
  api: AlibabaApi,
  query: { readonly RegionId: string; readonly VSwitchId?: string; readonly Tag?: readonly Tag[] },
  signal: AbortSignal,
): Promise<readonly DescribedVSwitch[]> => {
  const found: DescribedVSwitch[] = []
  for (let number = 1; ; number++) {
    const page = await api.call('DescribeVSwitches', { ...query, PageSize: VSWITCH_PAGE, PageNumber: number }, signal)
    const items = page.VSwitches?.VSwitch ?? []
    found.push(...items)
    const { TotalCount } = page
    const isLast = TotalCount === undefined ? items.length < VSWITCH_PAGE : found.length >= TotalCount
    // If someone deletes a vSwitch between two pages, the total count exceeds the number of items.
    if (isLast || items.length === 0) return found
  }
}
