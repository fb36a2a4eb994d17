import type {
  ConditionMeanings,
  ConditionSet,
  CustomResource,
  KubeObject,
  LabelAlias,
  NodeGroupLabel,
  ProviderVocabulary,
  ResourceKind,
  StructuralSchema,
  UntoldLabel,
} from '@kerf/apis'
import type { LegacyTemplates } from '@kerf/apis/legacy'
import type { InstanceType } from '@kerf/engine'
import type {
  Connection,
  HealthChecks,
  MetricDefinition,
  Metrics,
  Permission,
  Settings,
  SettingsOf,
  SettingsTable,
  WriteGate,
} from '@kerf/runtime'
import type { CloudProvider, ProviderContext } from './cloud-provider.ts'
import type { HashReading, ImageFamilyRule } from './dashboard/class-drift-rule.ts'
import type { NodeClassColumn } from './dashboard/node-class-column.ts'
import type { ProviderDashboard } from './dashboard/provider-dashboard.ts'
import type { DeclaredEvents } from './declared-events.ts'
import type { ProviderChecks } from './doctor-check.ts'
import type { MigrationSources } from './migration-source.ts'
import type { CAPACITY_TYPES } from './offerings.ts'
import type { ProviderVerb } from './verb.ts'

/** The hash of the fields that instances are launched with. A claim is drifted if the hash of its class has changed. */
export interface NodeClassHash<T extends KubeObject = KubeObject> {
  /** Changes when the same class gets a different hash. Hashes of different versions are not compared. */
  readonly version: string
  of(nodeClass: T): string
}

/** A node class kind that a provider serves. */
export interface NodeClassDescriptor<T extends KubeObject = KubeObject> {
  /** Names, schema and printer columns. The CRD, its validation and its reference page are generated from it. */
  readonly resource: CustomResource<T>
  readonly conditions: ConditionSet
  /** The meaning of each condition of the set, for docs/reference/conditions.md. */
  readonly conditionMeanings: ConditionMeanings
  /** Absent if an edit of the class never causes drift. */
  readonly hash?: NodeClassHash<T>
  /**
   * The spec fields that select resources in the cloud, such as images or networks. An edit causes drift only if the selection
   * changes.
   */
  readonly selectors: readonly string[]
  /** The spec fields that are neither hashed nor selectors, so that an edit causes no drift. Default: none. */
  readonly unhashed?: readonly string[]
  /** Absent if every field is hashed unchanged. */
  readonly hashReading?: HashReading
  /** Absent if no hashed value depends on another field. */
  readonly imageFamily?: ImageFamilyRule
  /** Additional columns of this kind in the dashboard's list of node classes. */
  readonly columns?: readonly NodeClassColumn[]
  /** A small valid class, for documentation and tests. */
  readonly example: T
}

/** The capabilities of a cloud. Kerf does not use features that are missing here, and no controller checks a provider's name. */
export interface ProviderCapabilities {
  /** The capacity types of its offerings. */
  readonly capacityTypes: readonly (typeof CAPACITY_TYPES)[number][]
  /** Whether the cloud announces interruptions of instances. */
  readonly interruptionNotices: boolean
  /**
   * The source of prices: `current`, from the cloud while Kerf runs; `declared`, from tables or from users, and possibly
   * outdated; `none`, only NodeOverlays can set prices.
   */
  readonly prices: 'current' | 'declared' | 'none'
  /** Whether instance types may have devices (dynamic resource allocation). */
  readonly devices: boolean
  /** Whether an instance has its ownership tags from the launching call on. Otherwise it is bound to its claim afterwards. */
  readonly tagsAtLaunch: boolean
}

/** The offline instance types of a provider for the NodePools of one node class. */
export interface OfflineClassTypes {
  readonly types: readonly InstanceType[]
  /** What the class selects in the cloud and cannot be known offline, as parts of a sentence. */
  readonly notLookedAt: readonly string[]
  /** Why the controller would launch nothing with the class. There are no types in this case. */
  readonly problems: readonly string[]
}

/** The instance types and prices of one region, without calling the cloud. */
export interface RegionOffer {
  readonly region: string
  /** The region of the on-demand prices. It differs if the prices of this region are unknown. */
  readonly pricesOf: string
  /** A note for users about the prices. */
  readonly priceNote: string
  /** Returns the types for a node class with defaults. */
  types(): readonly InstanceType[]
  /** Returns the types for one node class, either as a user wrote it or as a cluster returned it. */
  forNodeClass(nodeClass: KubeObject): OfflineClassTypes
}

/** The region of objects, and why. */
export interface RegionEvidence {
  readonly region: string
  /** Kind and name of the first object that names the region. */
  readonly saidBy: string
  /** Regions that other objects of the same priority name. */
  readonly others: readonly string[]
}

/** The regions of a provider whose offline instance types differ by region. */
export interface OfflineRegions {
  /** The regions that come with Kerf, in order. */
  readonly names: readonly string[]
  /** The default region. */
  readonly usual: string
  /** Returns the region of objects, or undefined if none of them names one. It may be a region that does not come with Kerf. */
  of(objects: readonly KubeObject[]): RegionEvidence | undefined
  /** Returns the offer of a region. @throws Error for a region that is not in `names` */
  open(region: string): Promise<RegionOffer>
  /**
   * Returns the offer in a file that a verb of the provider wrote, parsed from JSON, or undefined for any other document.
   *
   * @throws Error whose message says what is wrong with the document
   */
  read(document: unknown): Promise<RegionOffer | undefined>
  /** The command that writes such a file for any region, without its flags. Absent if no command does. */
  readonly fileCommand?: string
}

/** How to recognise nodes of a cloud that Kerf did not launch. */
export interface NodeRecognition {
  /** Returns whether `spec.providerID` of a Node is one of this cloud. Not every cloud has a scheme of its own. */
  isProviderId(providerID: string): boolean
  /** A provider ID of this cloud. */
  readonly exampleProviderId: string
  /** Returns the capacity type of a node, if its labels contain it. */
  capacityTypeOf(labels: Readonly<Record<string, string>>): string | undefined
  /** Returns the group of a node, such as an auto-scaling group, or undefined for a node that nothing scales. */
  groupOf(labels: Readonly<Record<string, string>>): string | undefined
  /** The labels of this cloud with the name of a node's group. Default: none. */
  readonly groupLabels?: readonly NodeGroupLabel[]
  /** The keys of taints that announce the interruption of a spot instance. Default: none. */
  readonly spotInterruptionTaints?: readonly string[]
}

/** The instance types of a provider without its cloud, for plans and simulations. */
export interface OfflineInstanceTypes {
  /** A phrase for help texts: what the types are and where their prices come from. */
  readonly description: string
  /** Returns the types, of the default region if there are regions. */
  load(): Promise<readonly InstanceType[]>
  /** Absent if the types are the same everywhere, and no node class changes them. */
  readonly regions?: OfflineRegions
  readonly nodes?: NodeRecognition
  /** Labels whose values only the account knows, if no node class was resolved in it. Default: none. */
  readonly untold?: readonly UntoldLabel[]
}

/** The pages of a provider: paths in the repository. */
export interface ProviderDocumentation {
  readonly specification: string
  /** How to install and use Kerf on the cloud. Absent for a provider that only simulates. */
  readonly guide?: string
}

/** A provider's kind of Karpenter's old API. */
export interface LegacyKind {
  readonly kind: string
  /** Returns the definition of the kind, and how its objects are converted. */
  load(): Promise<LegacyTemplates>
}

/** A provider's additions to the Helm chart and the plain manifests. */
export interface ChartFragment {
  /** Whether the chart installs the CRDs of its node classes. False for a provider that only simulates. */
  readonly hasCrds: boolean
  /** Adds rules to the CRDs of the core kinds, for example for labels of the provider's domain. */
  readonly coreRules?: (kind: ResourceKind, schema: StructuralSchema) => StructuralSchema
  /** Environment variables of the controller, as a Helm template in which `$settings` is `.Values.settings`. */
  readonly env?: string
  /** The values with which manifests/NAME/karpenter.yaml is rendered, in the format of `--set`. */
  readonly manifestValues: readonly string[]
  /** The name suffixes of Roles in namespaces other than Kerf's own, by namespace. The prefix is the name of the release. */
  readonly roleSuffixes: Readonly<Record<string, string>>
}

/** What a provider may need from the process, in addition to its `ProviderContext`. */
export interface ProviderSurroundings {
  readonly metrics: Metrics
  readonly connection: Connection
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  /** The namespace of Kerf's own objects. */
  readonly namespace: string
  /**
   * Called right before each request that changes something in a cloud, or in an API server other than that of `context.client`.
   * Absent without leader election.
   */
  readonly gate?: WriteGate | undefined
  /** The label aliases of all providers. */
  readonly aliases: readonly LabelAlias[]
  /** Returns the offline instance types of the provider with that name, or undefined if there are none. */
  instanceTypes(provider: string): Promise<readonly InstanceType[] | undefined>
}

/** A provider that the process runs. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Reads what the first plan needs. It never throws for temporary failures. */
  readonly start?: (signal: AbortSignal) => Promise<void>
  /** Additional conditions for the process to be ready. */
  readonly ready?: HealthChecks
}

/**
 * Everything that Kerf uses of a provider outside its package. The command line, the charts, the manifests, the reference pages
 * and the conformance tests are generated from it (`docs/providers.md`). Every run of `kerf` loads this module, so it imports no
 * SDK: large dependencies are loaded by `create` and `instanceTypes.load`.
 */
export interface ProviderDescriptor<Table extends SettingsTable = SettingsTable> {
  /** The value for `--provider`, and the name of its folder below `providers/`. */
  readonly name: string
  /** The name in texts for users. */
  readonly title: string
  /** The first one is the default of a pool without a node class kind. */
  readonly nodeClasses: readonly [NodeClassDescriptor, ...NodeClassDescriptor[]]
  /** Its kind of Karpenter's old API. */
  readonly legacy?: LegacyKind
  /** Returns its settings, in addition to those of the core. */
  settings(): Table
  /** The meaning of labels. The aliases apply with every provider, because a volume driver may run wherever its cloud is. */
  readonly labels: ProviderVocabulary
  /** The permissions on the API server that it needs. */
  readonly permissions: readonly Permission[]
  /**
   * The permissions that it needs on a second API server, that of a management cluster, which may be the same one. They apply to
   * all namespaces and have their own roles: in the chart with `managementRole.create`, and in `manifests/NAME/management.yaml`.
   */
  readonly managementPermissions?: readonly Permission[]
  /** The Events that it publishes, in addition to those about conditions. */
  readonly events: DeclaredEvents
  /** Returns the metrics that it registers, in addition to those of the core and of the contract. */
  metrics(): Promise<readonly MetricDefinition[]>
  readonly capabilities: ProviderCapabilities
  readonly instanceTypes?: OfflineInstanceTypes
  readonly chart: ChartFragment
  /** Every provider in the list of `packages/cli/src/provider-list.ts` has it; `npm run check` looks for the pages. */
  readonly documentation?: ProviderDocumentation
  /** What the dashboard shows of it, in addition to the columns of its node classes. Default: nothing. */
  readonly dashboard?: ProviderDashboard
  /** Its commands of `kerf`, from `src/verbs/index.ts`. Default: none. */
  readonly verbs?: readonly ProviderVerb[]
  /** Its checks of `kerf doctor`. Default: none. */
  readonly doctorChecks?: ProviderChecks
  /** What `kerf migrate cas` reads and writes for its node groups. Default: it reads none. */
  readonly migrationSources?: MigrationSources
  /** The ConfigMap with the latest prices, in the namespace of the controller. Absent if it keeps none. */
  readonly priceConfigMap?: string
  /** Creates the provider. @throws Error for missing or contradictory settings, and for files that cannot be read. */
  create(
    settings: Settings & SettingsOf<Table>,
    context: ProviderContext,
    surroundings: ProviderSurroundings,
  ): Promise<RunningProvider>
}

/** What plans, simulations and reports need from a provider, including one that Kerf does not launch with. */
export type KnownProvider = Pick<ProviderDescriptor, 'name' | 'title' | 'nodeClasses' | 'labels' | 'instanceTypes'>
