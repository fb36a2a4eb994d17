import type { ProviderContext } from '@kerf/provider-contract'
import {
  type ClaimIndex,
  type InsufficientCapacity,
  OverlayPrices,
  type PriceMemory,
  type PriceTable,
} from '@kerf/provider-kit'
import type { Clock, Metrics } from '@kerf/runtime'
import type { AwsApi } from './api/aws-api.ts'
import { CapacityReservations } from './discovery/capacity-reservations.ts'
import { Cluster } from './discovery/cluster.ts'
import { Images } from './discovery/images.ts'
import { InstanceProfiles } from './discovery/instance-profiles.ts'
import { PlacementGroups } from './discovery/placement-groups.ts'
import { SecurityGroups } from './discovery/security-groups.ts'
import { SsmParameters } from './discovery/ssm-parameters.ts'
import { Subnets } from './discovery/subnets.ts'
import { ZonalShifts } from './discovery/zonal-shifts.ts'
import { DiscoveredMemory } from './instance-type/discovered-memory.ts'
import { RegionTypes } from './instance-type/region-types.ts'
import { TypeResolver } from './instance-type/type-resolver.ts'
import { defaultTypeSettings } from './instance-type/type-settings.ts'
import { claimIndexOf } from './instances/claim-index.ts'
import { Instances } from './instances/instances.ts'
import { LaunchTemplates } from './launch/launch-templates.ts'
import { Launcher } from './launch/launcher.ts'
import { TemplateMaker } from './launch/template-maker.ts'
import { insufficientCapacity } from './offerings/insufficient-capacity.ts'
import { type AwsPriceBook, awsPriceBook } from './pricing/price-book.ts'
import { awsPriceMemory } from './pricing/price-memory.ts'
import { PriceReader } from './pricing/price-reader.ts'
import type { AwsSettings } from './settings/aws-settings.ts'

/** The options of the AWS provider, in addition to those that every provider gets. */
export interface AwsOptions {
  readonly api: AwsApi
  readonly metrics: Metrics
  readonly settings: AwsSettings
  readonly region: string
  /** The certificate authority of the API server in base64, used if the settings do not contain one. */
  readonly caBundle?: string
  /** The namespace in which the last known prices are saved. If absent, they are not saved. */
  readonly namespace?: string
  /** The prices in the file of `--aws-price-file`. */
  readonly priceFile?: PriceTable
  /** The core's feature gate ReservedCapacity. */
  readonly reservedCapacity: boolean
  /** The core's feature gate NodeOverlay. Off by default. */
  readonly nodeOverlay?: boolean
  readonly minValuesPolicy: 'Strict' | 'BestEffort'
  /**
   * The clock for the batching windows. The default is the provider's clock. Tests in virtual time pass another one, because
   * their clock does not advance while a call waits.
   */
  readonly batchClock?: Clock
}

/** The collaborators of the provider. Each is created once, and shared by the provider and its controllers. */
export interface AwsDeps {
  readonly context: ProviderContext
  readonly options: AwsOptions
  readonly cluster: Cluster
  readonly subnets: Subnets
  readonly securityGroups: SecurityGroups
  readonly parameters: SsmParameters
  readonly images: Images
  readonly profiles: InstanceProfiles
  readonly groups: PlacementGroups
  readonly zonalShifts: ZonalShifts
  readonly reservations: CapacityReservations
  readonly regionTypes: RegionTypes
  readonly discoveredMemory: DiscoveredMemory
  readonly prices: AwsPriceBook
  readonly priceReader: PriceReader
  readonly priceMemory: PriceMemory | undefined
  readonly insufficient: InsufficientCapacity
  readonly types: TypeResolver
  /** The index of NodeClaims and Nodes by instance. */
  readonly claims: ClaimIndex
  readonly instances: Instances
  readonly templates: LaunchTemplates
  readonly maker: TemplateMaker
  readonly launcher: Launcher
}

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
  const claims = claimIndexOf(informers)
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

/** Creates all deps. `onSpotRoleMissing` is called if the account lacks the service-linked role for spot instances. */
export const makeAwsDeps = (context: ProviderContext, options: AwsOptions, onSpotRoleMissing: () => void): AwsDeps => {
  const discovery = discoveryDeps(context, options)
  const deps = { ...discovery, ...offeringDeps(context, options, discovery) }
  return { context, options, ...deps, ...launchDeps(context, options, deps, onSpotRoleMissing) }
}
