import { declaredPrices, isNodeClaimNotFound, type ProviderContext } from '@kerf/provider-contract'
import { ClaimIndex, type HttpClient, instanceNaming, LaunchRecords, UnavailableOfferings } from '@kerf/provider-kit'
import { type Metrics, TtlCache, textOfThrown } from '@kerf/runtime'
import type { GceInstance } from './api/compute-shapes.ts'
import type { GcpApi } from './api/gcp-api.ts'
import { BootstrapSource } from './bootstrap/bootstrap-source.ts'
import { nodeStart } from './bootstrap/node-start.ts'
import { ClusterFacts } from './discovery/cluster-facts.ts'
import { UNAVAILABLE_FOR } from './failures/launch-refusal.ts'
import { placeInProviderId } from './instances/instance-names.ts'
import { isEnding } from './instances/instance-view.ts'
import { Instances, type ZonalName } from './instances/instances.ts'
import { instanceRequests } from './launch/instance-request.ts'
import { Launcher } from './launch/launcher.ts'
import { gceNodeClassKind } from './node-class/gce-node-class.ts'
import { FullRanges } from './offers/full-ranges.ts'
import { OfferedTypes } from './offers/offered-types.ts'
import { TypeResolver } from './offers/type-resolver.ts'
import type { GcpPrices } from './prices/gcp-prices.ts'

export interface GcpOptions {
  readonly api: GcpApi
  /** Sends requests without a token. */
  readonly plain: Pick<HttpClient, 'call'>
  readonly metrics: Metrics
  readonly project: string
  readonly region: string
  readonly clusterName: string
  /** The region or zone of the cluster. */
  readonly location: string
  /** The fraction of the memory that the hypervisor uses. */
  readonly memoryOverhead: number
  readonly prices: GcpPrices
  /** The service account of nodes whose node class has none, or an empty string. */
  readonly serviceAccount: string
  /** The node pool from whose template Kerf copies the bootstrap metadata. Empty if Kerf chooses the pool. */
  readonly sourcePool: string
  /** Whether Kerf replaces instances that Compute Engine is stopping. */
  readonly watchesInterruptions: boolean
}

const HOUR = 3_600_000

/**
 * Returns the id of an instance in indexes and caches of this provider. It includes the zone, because a name is unique only within its
 * zone.
 */
const instanceId = ({ zone, name }: ZonalName): string => `${zone}/${name}`
const placeOf = (id: string): ZonalName => {
  const [zone = '', name = ''] = id.split('/')
  return { zone, name }
}

/** All provider objects with the same informers share this object. */
const naming = instanceNaming(gceNodeClassKind, (providerID) => {
  const place = placeInProviderId(providerID)
  return place && instanceId(place)
})

const inRecords = (instance: GceInstance) => ({ ...instance, id: instanceId(instance), isEnding: isEnding(instance) })

/** Creates the dependencies that the provider and its controllers share. */
export const makeDeps = ({ client, clock, informers, log }: ProviderContext, options: GcpOptions) => {
  const { api, plain, project, region, clusterName, location, memoryOverhead, prices } = options
  const cluster = new ClusterFacts({ api, client, clock }, region)
  const claims = new ClaimIndex(informers, naming)
  const unavailable = new UnavailableOfferings(clock, { ttl: UNAVAILABLE_FOR })
  const fullRanges = new FullRanges(clock)
  const offered = new OfferedTypes(api.compute, clock, region)
  const types = new TypeResolver({
    region,
    memoryOverhead,
    offered,
    cluster,
    prices,
    unavailable,
    fullRanges,
    declared: declaredPrices(informers),
  })
  const instances = new Instances({ compute: api.compute, cluster, clock, clusterName, location })
  const source = new BootstrapSource(api, clock, { cluster: clusterName, region, pool: options.sourcePool })
  const launcher = new Launcher({
    ...{ compute: api.compute, clock, log, types, unavailable, fullRanges, instances },
    request: instanceRequests({
      ...{ project, clusterName, location, types, cluster, serviceAccount: options.serviceAccount },
      metadata: nodeStart({ source, cluster, plain, clock }),
    }),
  })
  const records = new LaunchRecords<ReturnType<typeof inRecords>>(clock, claims, {
    get: async (id, signal) => inRecords(await instances.get(placeOf(id), signal)),
    launchedFor: async ({ metadata }, signal) => (await instances.launchedFor(metadata.name, signal)).map(inRecords),
    // The search by name finds only instances that Kerf launched for the NodeClaim.
    couldBeFor: () => true,
  })
  const images = new TtlCache<string, string>(clock, { ttl: HOUR })

  /**
   * Returns the image of an instance, or undefined if it is unknown. The image is recorded only on the boot disk, and the roles in
   * upstream's guide do not allow reading disks.
   */
  const imageOf = async (
    claimUid: string,
    { zone, name, bootDisk }: GceInstance,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const known = images.get(claimUid)
    if (known !== undefined || bootDisk === undefined) return known
    try {
      return await api.compute.diskImage(zone, bootDisk, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isNodeClaimNotFound(error))
        log.info('the image of an instance is not known', { name, error: textOfThrown(error) })
      return undefined
    }
  }

  return { cluster, claims, unavailable, types, instances, launcher, records, images, imageOf, instanceId }
}

export type GcpDeps = ReturnType<typeof makeDeps>
