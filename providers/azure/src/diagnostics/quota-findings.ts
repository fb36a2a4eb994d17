import type { ComputeApi } from '../api/azure-api.ts'
import type { Usage } from '../api/compute-shapes.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { isSupportedSize } from '../sizes/supported-size.ts'
import { parseVmSize, type VmSize } from '../sizes/vm-size.ts'
import { failed, passed, refused, type SubscriptionFinding, warned } from './finding.ts'

/** The names of two quotas in the usages API: the cores of all families together, and the spot cores. */
const ALL_CORES = 'cores'
const SPOT_CORES = 'lowprioritycores'

interface Quota {
  readonly used: number
  readonly limit: number
}

const quotasOf = (usages: readonly Usage[]): ReadonlyMap<string, Quota> =>
  new Map(
    usages.flatMap(({ name, currentValue: used, limit }) =>
      name.value === undefined || used === undefined || limit === undefined
        ? []
        : [[name.value.toLowerCase(), { used, limit }] as const],
    ),
  )

const text = ({ used, limit }: Quota): string => `${used} of ${limit} cores used`
const hasCapacity = (quota: Quota | undefined, cores: number): boolean =>
  quota === undefined || quota.limit - quota.used >= cores
const smallest = (sizes: readonly VmSize[]): number => Math.min(...sizes.map(({ vcpus }) => vcpus))

const RAISE = 'request more with "az quota update" or in the portal under Quotas; Kerf reads quotas every ten minutes'

/** Checks whether the location has VM sizes for nodes, and whether the subscription has quota for them. */
export const quotaFindings = async (
  compute: Pick<ComputeApi, 'resourceSkus' | 'usages'>,
  { azureLocation, azureSubscriptionID }: Pick<AzureSettings, 'azureLocation' | 'azureSubscriptionID'>,
  signal: AbortSignal,
): Promise<readonly SubscriptionFinding[]> => {
  const object = `/subscriptions/${azureSubscriptionID} in ${azureLocation}`
  const offered = { check: 'the subscription can use VM sizes for nodes', object }
  const families = { check: 'the quotas of families have room for a node', object }
  const regional = { check: 'the quota of all cores of the location has room for a node', object }
  const spot = { check: 'the quota of spot cores has room for a node', object }
  try {
    const sizes = (await compute.resourceSkus(signal))
      .flatMap((sku) => parseVmSize(sku, azureLocation) ?? [])
      .filter(isSupportedSize)
    if (sizes.length === 0)
      return [
        failed(
          offered,
          'none',
          'check LOCATION; if the sizes are restricted, request access from Azure support, or use another location',
        ),
      ]
    const quotas = quotasOf(await compute.usages(signal))
    const byFamily = Map.groupBy(sizes, ({ quotaFamily }) => quotaFamily)
    const full = [...byFamily].filter(([name, own]) => !hasCapacity(quotas.get(name.toLowerCase()), smallest(own)))
    const names = full.map(([name]) => `${name} (${text(quotas.get(name.toLowerCase()) ?? { used: 0, limit: 0 })})`)
    const seen = `${byFamily.size - full.length} of ${byFamily.size} families${names.length === 0 ? '' : `; not ${names.join(', ')}`}`
    const all = quotas.get(ALL_CORES)
    const spots = quotas.get(SPOT_CORES)
    return [
      passed(offered, `${sizes.length} sizes`),
      full.length === byFamily.size ? failed(families, seen, RAISE) : passed(families, seen),
      ...(all === undefined
        ? []
        : [hasCapacity(all, smallest(sizes)) ? passed(regional, text(all)) : failed(regional, text(all), RAISE)]),
      ...(spots === undefined
        ? []
        : [
            hasCapacity(spots, smallest(sizes))
              ? passed(spot, text(spots))
              : warned(spot, text(spots), `NodePools with spot get on-demand nodes; ${RAISE}`),
          ]),
    ]
  } catch (error) {
    signal.throwIfAborted()
    return [refused(offered, error, 'check LOCATION and the subscription')]
  }
}
