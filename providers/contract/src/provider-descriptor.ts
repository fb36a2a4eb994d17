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

/**
 * The hash of the node class fields that determine how instances are launched. A NodeClaim has drifted if the hash of its node class has
 * changed.
 */
export interface NodeClassHash<T extends KubeObject = KubeObject> {
  /**
   * The version of the hash function. Change it whenever the same node class would get a different hash. Kerf does not compare hashes of
   * different versions.
   */
  readonly version: string
  of(nodeClass: T): string
}

/** A node class kind that a provider serves. */
export interface NodeClassDescriptor<T extends KubeObject = KubeObject> {
  /** The names, the schema and the printer columns of the kind. Kerf generates the CRD, its validation and its reference page from them. */
  readonly resource: CustomResource<T>
  readonly conditions: ConditionSet
  /** The meaning of each condition, for docs/reference/conditions.md. */
  readonly conditionMeanings: ConditionMeanings
  /** Absent if no edit of the node class causes drift. */
  readonly hash?: NodeClassHash<T>
  /**
   * The spec fields that select resources in the cloud, such as images or networks. An edit of such a field causes drift only if it
   * selects different resources. Dots separate the names of nested fields.
   */
  readonly selectors: readonly string[]
  /** The spec fields that are neither hashed nor selectors. An edit of such a field causes no drift. Default: none. */
  readonly unhashed?: readonly string[]
  /** How the hash treats certain fields. Absent if every field is hashed with its exact value. */
  readonly hashReading?: HashReading
  /** How the hashed image family is computed. Absent if no hashed value depends on another field. */
  readonly imageFamily?: ImageFamilyRule
  /**
   * Hashed spec fields that do not affect the instance types of NodePools, their capacity or their price. The dashboard forecasts nodes and
   * cost only after edits of these fields. Default: none.
   */
  readonly typeNeutral?: readonly string[]
  /** Additional columns of this kind in the dashboard's list of node classes. */
  readonly columns?: readonly NodeClassColumn[]
  /** A small valid node class, for documentation and tests. */
  readonly example: T
}

/** A kind that a provider's node classes refer to, for example a template of virtual machines. */
export type FurtherKind<T extends KubeObject = KubeObject> = Pick<
  NodeClassDescriptor<T>,
  'resource' | 'conditions' | 'conditionMeanings' | 'example'
>

/** The capabilities of a cloud. Kerf uses only features that the provider declares here. Controllers never check a provider's name. */
export interface ProviderCapabilities {
  /** The capacity types of the provider's offerings. */
  readonly capacityTypes: readonly (typeof CAPACITY_TYPES)[number][]
  /** Whether the cloud announces interruptions of instances. */
  readonly interruptionNotices: boolean
  /**
   * The source of prices. `current`: the cloud, while Kerf runs. `declared`: tables or users, so prices may be outdated. `none`: only
   * NodeOverlays can set prices.
   */
  readonly prices: 'current' | 'declared' | 'none'
  /** Whether instance types may have devices (dynamic resource allocation). */
  readonly devices: boolean
  /**
   * Whether the call that launches an instance also sets its ownership tags. If false, a later call binds the instance to its NodeClaim.
   */
  readonly tagsAtLaunch: boolean
  /** Whether the provider can read prepaid capacity from the account (`CloudProvider.commitments`). Default false. */
  readonly accountCommitments?: boolean
}

/** The offline instance types of a provider for NodePools with one node class. */
export interface OfflineClassTypes {
  readonly types: readonly InstanceType[]
  /** The cloud resources that the node class selects and that are unknown offline, as phrases for a message. */
  readonly notLookedAt: readonly string[]
  /** Why the controller would not launch nodes with the node class. If there are problems, there are no instance types. */
  readonly problems: readonly string[]
}

/** The instance types and prices of one region, available without calls to the cloud. */
export interface RegionOffer {
  readonly region: string
  /** The region of the on-demand prices. A different region if the prices of this region are unknown. */
  readonly pricesOf: string
  /** A note for users about the prices. */
  readonly priceNote: string
  /** Returns the instance types for a node class with default values. */
  types(): readonly InstanceType[]
  /** Returns the instance types for one node class, as written by a user or returned by a cluster. */
  forNodeClass(nodeClass: KubeObject): OfflineClassTypes
}

/** The region that the objects of a cluster refer to, and the object that it comes from. */
export interface RegionEvidence {
  readonly region: string
  /** Kind and name of the first object that refers to the region. */
  readonly saidBy: string
  /** Other regions that objects of the same priority refer to. */
  readonly others: readonly string[]
}

/** The regions of a provider whose offline instance types differ by region. */
export interface OfflineRegions {
  /** The sorted names of the regions that are included in Kerf. */
  readonly names: readonly string[]
  /** The default region. */
  readonly usual: string
  /** Returns the region that the objects refer to, or undefined if they refer to none. Kerf might not include this region. */
  of(objects: readonly KubeObject[]): RegionEvidence | undefined
  /**
   * Returns the instance types of a region.
   *
   * @throws Error for a region that is not in `names`
   */
  open(region: string): Promise<RegionOffer>
  /**
   * Returns the instance types in a file that a verb of the provider has written. `document` is the parsed JSON. Returns undefined for any
   * other document.
   *
   * @throws Error with a description of the problem if the document is invalid
   */
  read(document: unknown): Promise<RegionOffer | undefined>
  /** The command, without flags, that writes such a file for any region. Absent if there is no such command. */
  readonly fileCommand?: string
}

/** Recognizes nodes of a cloud, including nodes that Kerf did not launch. */
export interface NodeRecognition {
  /** Returns whether `spec.providerID` of a Node belongs to this cloud. Some clouds use the same scheme. */
  isProviderId(providerID: string): boolean
  /** A provider ID of this cloud. */
  readonly exampleProviderId: string
  /** Returns the capacity type of a node, or undefined if its labels do not contain it. */
  capacityTypeOf(labels: Readonly<Record<string, string>>): string | undefined
  /** Returns the node group of a node, for example an auto-scaling group, or undefined if no group scales the node. */
  groupOf(labels: Readonly<Record<string, string>>): string | undefined
  /** The labels of this cloud whose value is the name of the node's group. Default: none. */
  readonly groupLabels?: readonly NodeGroupLabel[]
  /** The keys of taints that announce the interruption of a spot instance. Default: none. */
  readonly spotInterruptionTaints?: readonly string[]
}

/** The instance types of a provider, available without its cloud, for plans and simulations. */
export interface OfflineInstanceTypes {
  /** A phrase for help texts with a description of the instance types and the source of their prices. */
  readonly description: string
  /** Returns the types. If there are regions, these are the types of the default region. */
  load(): Promise<readonly InstanceType[]>
  /** The regions. Absent if the instance types are the same in every region and do not depend on a node class. */
  readonly regions?: OfflineRegions
  readonly nodes?: NodeRecognition
  /** Labels whose values are unknown until the node class is resolved in the cloud account. Default: none. */
  readonly untold?: readonly UntoldLabel[]
}

/** The documentation pages of a provider, as paths in the repository. */
export interface ProviderDocumentation {
  readonly specification: string
  /** The page on installing and using Kerf on the cloud. Absent for a provider that only simulates. */
  readonly guide?: string
}

/** The provider-specific kind of Karpenter's old API. */
export interface LegacyKind {
  readonly kind: string
  /** Returns the definition of the kind, and the functions that convert its objects. */
  load(): Promise<LegacyTemplates>
}

/** A provider's additions to the Helm chart and the plain manifests. */
export interface ChartFragment {
  /** Whether the chart installs the CRDs of the node classes. False for a provider that only simulates. */
  readonly hasCrds: boolean
  /** Adds validation rules to the CRDs of the core kinds, for example for labels in the provider's domain. */
  readonly coreRules?: (kind: ResourceKind, schema: StructuralSchema) => StructuralSchema
  /** Environment variables of the controller, as a Helm template in which `$settings` is `.Values.settings`. */
  readonly env?: string
  /** The values for rendering manifests/NAME/karpenter.yaml, in the format of `--set`. */
  readonly manifestValues: readonly string[]
  /**
   * The suffix of Role names, keyed by namespace. Contains all namespaces except Kerf's own. The prefix of the names is the release name.
   */
  readonly roleSuffixes: Readonly<Record<string, string>>
}

/** The resources of the process that a provider can use, in addition to its `ProviderContext`. */
export interface ProviderSurroundings {
  readonly metrics: Metrics
  readonly connection: Connection
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  /** The namespace of Kerf's own objects. */
  readonly namespace: string
  /**
   * Called directly before each request that modifies a cloud, or an API server other than that of `context.client`. Absent without leader
   * election.
   */
  readonly gate?: WriteGate | undefined
  /** The label aliases of all providers. */
  readonly aliases: readonly LabelAlias[]
  /** Returns the offline instance types of the provider with this name, or undefined if it has none. */
  instanceTypes(provider: string): Promise<readonly InstanceType[] | undefined>
}

/** A provider that was created for this process. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Loads the data that the first plan needs. Does not throw temporary failures. */
  readonly start?: (signal: AbortSignal) => Promise<void>
  /** Additional conditions for the readiness of the process. */
  readonly ready?: HealthChecks
}

/**
 * The interface of a provider to the rest of Kerf. Kerf generates the command line, the charts, the manifests, the reference pages and the
 * conformance tests from it (`docs/providers.md`). Every run of `kerf` loads this module, so it must not import an SDK. Large dependencies
 * are loaded only by `create` and `instanceTypes.load`.
 */
export interface ProviderDescriptor<Table extends SettingsTable = SettingsTable> {
  /** The value of `--provider`, and the name of the provider's folder in `providers/`. */
  readonly name: string
  /** The name in texts for users. */
  readonly title: string
  /** The node class kinds. The first one is the default for NodePools that do not specify a kind. */
  readonly nodeClasses: readonly [NodeClassDescriptor, ...NodeClassDescriptor[]]
  /** The kinds that the node classes refer to. Kerf installs and documents them like node classes. Default: none. */
  readonly furtherKinds?: readonly FurtherKind[]
  /** The provider's kind in Karpenter's old API. Absent if there is none. */
  readonly legacy?: LegacyKind
  /** Returns the provider's settings, in addition to those of the core. */
  settings(): Table
  /** The meaning of labels. The aliases apply with every provider, because the volume driver of this cloud may run in any cluster. */
  readonly labels: ProviderVocabulary
  /** The permissions that the provider needs on the API server. */
  readonly permissions: readonly Permission[]
  /**
   * The permissions that the provider needs on the API server of a management cluster, which may be the same cluster. They apply to all
   * namespaces. They have separate roles: in the chart with `managementRole.create`, and in `manifests/NAME/management.yaml`.
   */
  readonly managementPermissions?: readonly Permission[]
  /** The Events that the provider publishes, in addition to those about conditions. */
  readonly events: DeclaredEvents
  /** Returns the metrics that the provider registers, in addition to those of the core and the contract. */
  metrics(): Promise<readonly MetricDefinition[]>
  readonly capabilities: ProviderCapabilities
  readonly instanceTypes?: OfflineInstanceTypes
  readonly chart: ChartFragment
  /**
   * The documentation pages. Required for every provider in `packages/cli/src/provider-list.ts`. `npm run check` verifies that the pages
   * exist.
   */
  readonly documentation?: ProviderDocumentation
  /** The parts of the dashboard that depend on the provider, in addition to the columns of its node classes. Default: none. */
  readonly dashboard?: ProviderDashboard
  /** The commands that the provider adds to `kerf`. `src/verbs/index.ts` exports them. Default: none. */
  readonly verbs?: readonly ProviderVerb[]
  /** The provider's checks for `kerf doctor`. Default: none. */
  readonly doctorChecks?: ProviderChecks
  /** How `kerf migrate cas` reads and replaces the cloud's node groups. If absent, it does not read them. */
  readonly migrationSources?: MigrationSources
  /**
   * The ConfigMap, in the namespace of the controller, in which the provider stores the latest prices. Absent if it does not store prices.
   */
  readonly priceConfigMap?: string
  /**
   * Creates the provider.
   *
   * @throws Error for missing or contradictory settings, and for files that cannot be read.
   */
  create(
    settings: Settings & SettingsOf<Table>,
    context: ProviderContext,
    surroundings: ProviderSurroundings,
  ): Promise<RunningProvider>
}

/** The part of a provider that plans, simulations and reports need. Kerf may be unable to launch nodes with such a provider. */
export type KnownProvider = Pick<
  ProviderDescriptor,
  'name' | 'title' | 'nodeClasses' | 'furtherKinds' | 'labels' | 'instanceTypes'
>
