import {
  declaredPrices,
  type ProviderContext,
  type ProviderSurroundings,
  type RunningProvider,
} from '@kerf/provider-contract'
import { NodeClasses, OverlayPrices } from '@kerf/provider-kit'
import type { Settings } from '@kerf/runtime'
import { awsNetwork } from './api/network.ts'
import { findRegion } from './api/region.ts'
import { sdkApi } from './api/sdk-api.ts'
import type { AwsOptions } from './aws-deps.ts'
import { AwsProvider } from './aws-provider.ts'
import { CapacityReservations } from './discovery/capacity-reservations.ts'
import { Cluster } from './discovery/cluster.ts'
import { Images } from './discovery/images.ts'
import { InstanceProfiles } from './discovery/instance-profiles.ts'
import { PlacementGroups } from './discovery/placement-groups.ts'
import { SecurityGroups } from './discovery/security-groups.ts'
import { SsmParameters } from './discovery/ssm-parameters.ts'
import { Subnets } from './discovery/subnets.ts'
import { ZonalShifts } from './discovery/zonal-shifts.ts'
import { awsErrors } from './failures/aws-errors.ts'
import { DiscoveredMemory } from './instance-type/discovered-memory.ts'
import { RegionTypes } from './instance-type/region-types.ts'
import { TypeResolver } from './instance-type/type-resolver.ts'
import { defaultTypeSettings } from './instance-type/type-settings.ts'
import { createClaimIndex } from './instances/claim-index.ts'
import { Instances } from './instances/instances.ts'
import { LaunchTemplates } from './launch/launch-templates.ts'
import { Launcher } from './launch/launcher.ts'
import { reportSpotRole } from './launch/report-spot-role.ts'
import { TemplateMaker } from './launch/template-maker.ts'
import { ec2NodeClassKind } from './node-class/ec2-node-class.ts'
import { insufficientCapacity } from './offerings/insufficient-capacity.ts'
import { awsPriceBook } from './pricing/price-book.ts'
import { readPriceFile } from './pricing/price-file.ts'
import { awsPriceMemory } from './pricing/price-memory.ts'
import { PriceReader } from './pricing/price-reader.ts'
import type { AwsSettings } from './settings/aws-settings.ts'

/** Creates the deps that find the cluster and the resources that node classes select. */
const discoveryDeps = (context: ProviderContext, options: AwsOptions) => {
  const { clock, log, random, client } = context
  const { api, settings, region } = options
  const { ec2 } = api
  const { clusterName } = settings
  const cluster = new Cluster(
    { eks: api.eks, client, log },
    {
      ...settings,
      clusterCABundle: settings.clusterCABundle === '' ? (options.caBundle ?? '') : settings.clusterCABundle,
    },
  )
  const parameters = new SsmParameters(api.ssm, clock)
  return {
    cluster,
    parameters,
    subnets: new Subnets(ec2, clock, { refreshInterval: settings.subnetRefreshInterval }),
    securityGroups: new SecurityGroups(ec2, clock),
    images: new Images({ ec2, parameters, clock, log }, { refreshInterval: settings.amiRefreshInterval }),
    profiles: new InstanceProfiles({ iam: api.iam, clock, random }, { region, clusterName }),
    groups: new PlacementGroups(ec2, clock),
    // No shifts are read while ENABLE_ZONAL_SHIFT is off, so no zone counts as shifted.
    zonalShifts: new ZonalShifts(context, { api: api.zonalShift, cluster }),
    reservations: new CapacityReservations({ ec2, clock, log }),
  }
}

type DiscoveryDeps = ReturnType<typeof discoveryDeps>

/** Creates the deps that compute the instance types, their offerings and their prices. */
const offeringDeps = (
  context: ProviderContext,
  options: AwsOptions,
  { reservations, groups, zonalShifts }: DiscoveryDeps,
) => {
  const { clock, log, client, informers } = context
  const { api, settings, region, reservedCapacity, namespace } = options
  const regionTypes = new RegionTypes(api.ec2, clock)
  const discoveredMemory = new DiscoveredMemory(clock)
  const file = options.priceFile === undefined ? {} : { file: options.priceFile }
  const prices = awsPriceBook(clock, { region, ...file })
  const insufficient = insufficientCapacity(clock)
  return {
    regionTypes,
    discoveredMemory,
    prices,
    priceReader: new PriceReader({ api, clock, book: prices }, { region }),
    priceMemory: namespace === undefined ? undefined : awsPriceMemory(client, { namespace, region }),
    insufficient,
    types: new TypeResolver({
      clock,
      log,
      regionTypes,
      prices,
      overlayPrices: new OverlayPrices(options.nodeOverlay === true ? informers : undefined),
      declared: declaredPrices(informers),
      insufficient,
      reservations,
      groups,
      discoveredMemory,
      shiftedZones: () => zonalShifts.zones(),
      settings: {
        region,
        vmMemoryOverheadPercent: settings.vmMemoryOverheadPercent ?? defaultTypeSettings.vmMemoryOverheadPercent,
        reservedEnis: settings.reservedENIs,
      },
      reservedCapacity,
    }),
  }
}

/** Creates the deps that launch and terminate instances. */
const launchDeps = (
  { clock, log, informers }: ProviderContext,
  options: AwsOptions,
  deps: DiscoveryDeps & ReturnType<typeof offeringDeps>,
  onSpotRoleMissing: () => void,
) => {
  const { api, metrics, settings, region, reservedCapacity, minValuesPolicy } = options
  const { ec2 } = api
  const { clusterName } = settings
  const batchClock = options.batchClock ?? clock
  const claims = createClaimIndex(informers)
  const templates = new LaunchTemplates({ ec2, clock, log }, { clusterName })
  const instances = new Instances(
    {
      ec2,
      clock: batchClock,
      metrics,
      isZoneShifted: (zone) => deps.zonalShifts.zones().has(zone),
      launchTime: (id) => claims.launchTime(id),
    },
    { clusterName, reservedCapacity },
  )
  const { cluster, groups, subnets, reservations, insufficient } = deps
  const maker = new TemplateMaker({ cluster, groups, templates, log, metrics }, { region, reservedCapacity })
  const own = { ec2, clock, batchClock, metrics, log, templates, maker, instances, onSpotRoleMissing }
  return {
    claims,
    instances,
    templates,
    maker,
    launcher: new Launcher({ ...own, subnets, groups, reservations, insufficient }, { minValuesPolicy }),
  }
}

/** Creates the provider with these options. The provider and its controllers share one instance of each collaborator. */
export const assembleAws = (context: ProviderContext, options: AwsOptions): AwsProvider => {
  const classes = new NodeClasses(context, ec2NodeClassKind, { provider: 'aws', withoutReady: 'unknown' })
  const discovery = discoveryDeps(context, options)
  const deps = { ...discovery, ...offeringDeps(context, options, discovery) }
  const launch = launchDeps(context, options, deps, () => reportSpotRole(context, classes))
  return new AwsProvider({ context, options, classes, ...deps, ...launch })
}

/**
 * Creates the provider from the settings and the environment.
 *
 * @throws Error if the cluster name or region is missing, or if the price file cannot be used.
 */
export const createAws = async (
  settings: Settings & AwsSettings,
  context: ProviderContext,
  { metrics, connection, env, version, namespace, gate }: ProviderSurroundings,
): Promise<RunningProvider> => {
  if (settings.clusterName === '') throw awsErrors.NoClusterName({ setting: 'CLUSTER_NAME' })
  const priceFile = await readPriceFile(settings.awsPriceFile)
  const region = await findRegion(settings.awsRegion, env)
  const { clock } = context
  const { awsEndpointUrl: endpoint, awsMaxAttempts: maxAttempts } = settings
  // If the endpoint comes from the environment, the SDK reads it itself, together with the endpoints for individual services.
  const isOwn = endpoint !== '' && endpoint !== env['AWS_ENDPOINT_URL']
  const network = awsNetwork(env)
  const api = sdkApi({ region, maxAttempts, version, clock, metrics, gate, network, ...(isOwn ? { endpoint } : {}) })
  const { ca } = connection.tls
  const provider = assembleAws(context, {
    api,
    metrics,
    settings,
    region,
    namespace,
    reservedCapacity: settings.featureGates.ReservedCapacity,
    nodeOverlay: settings.featureGates.NodeOverlay,
    minValuesPolicy: settings.minValuesPolicy,
    ...(ca === undefined ? {} : { caBundle: Buffer.from(ca).toString('base64') }),
    ...(priceFile === undefined ? {} : { priceFile }),
  })
  return {
    provider,
    start: (signal) => provider.warmUp(signal),
    ready: { aws: () => provider.access() },
  }
}
