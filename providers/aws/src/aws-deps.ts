import type { ProviderContext } from '@kerf/provider-contract'
import type { ClaimIndex, InsufficientCapacity, NodeClasses, PriceMemory, PriceTable } from '@kerf/provider-kit'
import type { Clock, Metrics } from '@kerf/runtime'
import type { AwsApi } from './api/aws-api.ts'
import type { CapacityReservations } from './discovery/capacity-reservations.ts'
import type { Cluster } from './discovery/cluster.ts'
import type { Images } from './discovery/images.ts'
import type { InstanceProfiles } from './discovery/instance-profiles.ts'
import type { PlacementGroups } from './discovery/placement-groups.ts'
import type { SecurityGroups } from './discovery/security-groups.ts'
import type { SsmParameters } from './discovery/ssm-parameters.ts'
import type { Subnets } from './discovery/subnets.ts'
import type { ZonalShifts } from './discovery/zonal-shifts.ts'
import type { DiscoveredMemory } from './instance-type/discovered-memory.ts'
import type { RegionTypes } from './instance-type/region-types.ts'
import type { TypeResolver } from './instance-type/type-resolver.ts'
import type { Instances } from './instances/instances.ts'
import type { LaunchTemplates } from './launch/launch-templates.ts'
import type { Launcher } from './launch/launcher.ts'
import type { TemplateMaker } from './launch/template-maker.ts'
import type { EC2NodeClass } from './node-class/ec2-node-class.ts'
import type { AwsPriceBook } from './pricing/price-book.ts'
import type { PriceReader } from './pricing/price-reader.ts'
import type { AwsSettings } from './settings/aws-settings.ts'

/** The options of the AWS provider, in addition to the options of every provider. */
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
   * The clock for the batching windows. The default is the provider's clock. Tests in virtual time pass a different clock, because virtual
   * time does not advance while a call waits.
   */
  readonly batchClock?: Clock
}

/** The collaborators of the provider. The provider and its controllers share one instance of each. */
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
  readonly classes: NodeClasses<EC2NodeClass>
  /** Indexes NodeClaims and Nodes by instance id. */
  readonly claims: ClaimIndex
  readonly instances: Instances
  readonly templates: LaunchTemplates
  readonly maker: TemplateMaker
  readonly launcher: Launcher
}
