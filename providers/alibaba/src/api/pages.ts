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

/** Returns all instance types. A failed page fails the call. */
export const allTypes = (api: AlibabaApi, signal: AbortSignal): Promise<readonly DescribedType[]> =>
  readPages(async (token?: string) => {
    const page = await api.call('DescribeInstanceTypes', { MaxResults: PAGE, ...after(token) }, signal)
    return { items: page.InstanceTypes?.InstanceType ?? [], ...nextOf(page.NextToken) }
  })

/** Returns all instances with the tags. A failed page fails the call. */
export const allInstances = (
  api: AlibabaApi,
  query: { readonly RegionId: string; readonly Tag: readonly Tag[] },
  signal: AbortSignal,
): Promise<readonly DescribedInstance[]> =>
  readPages(async (token?: string) => {
    const page = await api.call('DescribeInstances', { ...query, MaxResults: PAGE, ...after(token) }, signal)
    return { items: page.Instances?.Instance ?? [], ...nextOf(page.NextToken) }
  })

/** Returns all security groups that match. A failed page fails the call. */
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

/** Returns all vSwitches that match. They are paged by number. A failed page fails the call. */
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
    if (items.length < VSWITCH_PAGE || found.length >= (page.TotalCount ?? Number.POSITIVE_INFINITY)) return found
  }
}
