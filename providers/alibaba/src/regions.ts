import type { KubeObject } from '@kerf/apis'
import type { RegionEvidence } from '@kerf/provider-contract'
import { regionOfObjects as findRegion } from '@kerf/provider-kit'

/**
 * The regions for which Kerf has built-in prices. This list is separate from the price tables, because every run of `kerf` loads the list
 * but few runs need the prices.
 */
export const offlineRegions: readonly string[] = [
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-southeast-1',
  'ap-southeast-3',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'cn-beijing',
  'cn-chengdu',
  'cn-fuzhou',
  'cn-guangzhou',
  'cn-hangzhou',
  'cn-heyuan',
  'cn-hongkong',
  'cn-huhehaote',
  'cn-nanjing',
  'cn-qingdao',
  'cn-shanghai',
  'cn-shenzhen',
  'cn-wuhan-lr',
  'cn-wulanchabu',
  'cn-zhangjiakou',
  'eu-central-1',
  'eu-west-1',
  'me-east-1',
  'us-east-1',
  'us-west-1',
]

/** The region that Kerf assumes if neither the user nor the cluster specifies one. */
export const USUAL_REGION = 'cn-hangzhou'

const known = new Set(offlineRegions)

/**
 * Returns the region of a zone such as `cn-hangzhou-b` or `us-east-1a`, or the text itself if it is a region. Returns undefined for
 * anything else.
 */
export const regionIn = (text: string): string | undefined => {
  const region = text.replace(/(?<=^cn-[a-z-]+)-[a-z]$|(?<=\d)[a-z]$/, '')
  return known.has(region) ? region : undefined
}

/** Returns the region that the objects of a cluster are in. Ignores node classes, because their IDs contain no region. */
export const regionOfObjects = (objects: readonly KubeObject[]): RegionEvidence | undefined =>
  findRegion(objects, {
    regionIn,
    classValues: ({ kind }) => (kind === 'ECSNodeClass' ? [] : undefined),
  })
