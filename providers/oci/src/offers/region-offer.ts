import type { KubeObject } from '@kerf/apis'
import { type OfflineClassTypes, providerErrors, type RegionOffer } from '@kerf/provider-contract'
import { ociTypes, type TypeSettings } from '../instance-types/instance-types.ts'
import type { Market } from '../instance-types/offerings.ts'
import { COMMUNITY_NOT_PREEMPTIBLE, COMMUNITY_PREEMPTIBLE } from '../instance-types/shape-lists.ts'
import { upstreamOfGroup } from '../names.ts'
import { communityProblems, oracleProblems } from '../node-class/class-problems.ts'
import type { CommunityNodeClass } from '../node-class/community-node-class.ts'
import { resolveCommunityClass } from '../node-class/community-resolution.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import type { OracleNodeClass } from '../node-class/oracle-node-class.ts'
import { resolveOracleClass } from '../node-class/oracle-resolution.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { offlineZones } from '../regions.ts'
import { knownRates, knownShapes, PRICE_DATE } from '../tables/known-shapes.ts'

/** Facts that only the tenancy's APIs return, so an offline command cannot check them. Each text completes a sentence. */
const NOT_LOOKED_AT = [
  'which availability domains have a shape, and the limits of your tenancy (assumed: every shape in every availability domain)',
  'the newest shapes (assumed: 53 shapes; a running Kerf reads all of them)',
  'the images that the class selects (assumed: images for every processor and for GPUs)',
]
const NEEDS_TAINTS =
  'the taints of the NodePool (preemptible instances and GPUs of an OCINodeClass need one, so the plan leaves them out)'

/** The default sizes in the chart of zoom/karpenter-oci. */
const SETTINGS: TypeSettings = {
  memoryOverhead: 0,
  defaultIpCount: 32,
  preemptible: { included: COMMUNITY_PREEMPTIBLE, excluded: COMMUNITY_NOT_PREEMPTIBLE },
  sizes: { ocpus: [1, 2, 4, 8, 16, 32, 48, 64, 96, 128], memoryRatios: [2, 4, 8], sizes: [] },
}
/** The sizes of flexible shapes if no specific class is given. */
const ANY_SIZES = SETTINGS.sizes.ocpus.flatMap((ocpus) =>
  [4, 8, 16].map((ratio) => ({ ocpus, memoryInGBs: ocpus * ratio, baseline: undefined })),
)
const TAG_NAMESPACE = 'oke-karpenter-ns'

/** Returns the instance types of a region with Kerf's built-in shapes and prices. @throws KerfError `UnknownRegion` */
export const regionOffer = (region: string): RegionOffer => {
  const zones = offlineZones(region)
  if (zones === undefined)
    throw providerErrors.UnknownRegion({ problem: `the availability domains of the region ${region} are unknown` })
  const market: Market = {
    region,
    zones: () => zones,
    rates: (shape) => knownRates.get(shape),
    reservedSizes: () => [],
  }
  const typesFor = (nodeClass: ResolvedClass) =>
    ociTypes(knownShapes.values(), nodeClass, [], market, SETTINGS).map(({ type }) => type)
  const ofClass = (problems: readonly string[], nodeClass: () => ResolvedClass, more: readonly string[]) => ({
    types: problems.length === 0 ? typesFor(nodeClass()) : [],
    notLookedAt: [...NOT_LOOKED_AT, ...more],
    problems,
  })
  return {
    region,
    pricesOf: region,
    priceNote: `Oracle's list prices of ${PRICE_DATE}, which are the same in all commercial regions`,
    types: () => typesFor({ ...resolveOracleClass(oracleNodeClassDescriptor.example), shapeSizes: ANY_SIZES }),
    // The caller passes only node classes of this provider.
    forNodeClass: (nodeClass: KubeObject): OfflineClassTypes => {
      if (upstreamOfGroup(nodeClass.apiVersion.split('/')[0] ?? '') === 'oracle') {
        const oracle = nodeClass as OracleNodeClass
        const problems = oracleProblems(oracle, SETTINGS.defaultIpCount)
        return ofClass(problems, () => resolveOracleClass(oracle), [NEEDS_TAINTS])
      }
      const community = nodeClass as CommunityNodeClass
      return ofClass(communityProblems(community, TAG_NAMESPACE), () => resolveCommunityClass(community), [])
    },
  }
}
