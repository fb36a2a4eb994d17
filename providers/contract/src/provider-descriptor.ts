import type {
  ConditionSet,
  CustomResource,
  KubeObject,
  LabelAlias,
  ProviderVocabulary,
  ResourceKind,
  StructuralSchema,
  UntoldLabel,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type {
  Connection,
  HealthChecks,
  Metrics,
  Permission,
  Settings,
  SettingsOf,
  SettingsTable,
  WriteGate,
} from '@kerf/runtime'
import type { CloudProvider, ProviderContext } from './cloud-provider.ts'
import type { CAPACITY_TYPES } from './offerings.ts'

/** A hash of what instances are launched with. A claim is drifted when its class has another hash since. */
export interface NodeClassHash<T extends KubeObject = KubeObject> {
  /** Changes when the same class gets another hash. Hashes of different versions are not compared. */
  readonly version: string
  of(nodeClass: T): string
}

/** A column of the dashboard's list of node classes, besides name, cluster, status and age. */
export interface NodeClassColumn {
  /** Names the column in the user's stored choice of columns. */
  readonly id: string
  /** The key of its title in the dashboard's locales. */
  readonly title: string
  /** Paths to the value, as field names. The first path with a value counts. */
  readonly paths: readonly (readonly [field: 'spec' | 'status', ...fields: string[]])[]
  /** For lists: the fields of an item. The first field with a value is shown for each item. */
  readonly itemFields?: readonly string[]
  /** The value is a label selector with `matchLabels` and `matchExpressions`, shown in the form of `kubectl --selector`. */
  readonly isLabelSelector?: boolean
}

/** A hashed value that a field of the class gives, or else the alias of a selected image: its family. */
export interface ImageFamilyRule {
  /** The field of the spec that names it. */
  readonly field: string
  /** The field whose items have an `alias`, as `family@version`. */
  readonly terms: string
  /** Families by the alias's part before `@`, in small letters. */
  readonly aliases: Readonly<Record<string, string>>
  /** Without field and alias. */
  readonly otherwise: string
}

/**
 * How the hash reads the spec, for those who predict drift without the hash itself. Paths are names of fields with dots between them; the
 * items of a list are not in them. Lists are sets unless they are `ordered`.
 */
export interface HashReading {
  /** Where `false`, `0` and an empty text are hashed as if nothing stood there. */
  readonly zeroIsNone?: readonly string[]
  /** Where a list or an object without content is hashed as if nothing stood there. */
  readonly emptyIsNone?: readonly string[]
  readonly ordered?: readonly string[]
  /** Hashed as the canonical text of the amount. */
  readonly quantities?: readonly string[]
  /** Hashed by their length, whatever their unit. */
  readonly durations?: readonly string[]
}

/** A kind of node class that a provider serves. */
export interface NodeClassDescriptor<T extends KubeObject = KubeObject> {
  /** Names, schema and printer columns: the CRD, its admission and its reference page are made of it. */
  readonly resource: CustomResource<T>
  readonly conditions: ConditionSet
  /** Absent where an edit of the class never makes a claim drift. */
  readonly hash?: NodeClassHash<T>
  /**
   * The fields of the spec that select something in the cloud, such as images or networks. An edit of one of them makes
   * claims drift only where something else is selected.
   */
  readonly selectors: readonly string[]
  /** The fields of the spec that are neither hashed nor select: their edit makes no claim drift. None unless given. */
  readonly unhashed?: readonly string[]
  /** Absent where every field is hashed as it stands. */
  readonly hashReading?: HashReading
  /** Absent where no hashed value follows from another field. */
  readonly imageFamily?: ImageFamilyRule
  /** What the dashboard's list of node classes shows of this kind. Nothing more than of every kind when absent. */
  readonly columns?: readonly NodeClassColumn[]
  /** A small class that the CRD admits, as documentation and tests use it. */
  readonly example: T
}

/** What a cloud can do. Kerf does not use what it cannot do; no controller checks a provider's name. */
export interface ProviderCapabilities {
  /** The capacity types of its offerings. */
  readonly capacityTypes: readonly (typeof CAPACITY_TYPES)[number][]
  /** It says beforehand that an instance will be interrupted. */
  readonly interruptionNotices: boolean
  /**
   * Where prices come from: `current`, from the cloud while Kerf runs; `declared`, from tables or from what users write down, as
   * they were then; `none`, only NodeOverlays can tell one.
   */
  readonly prices: 'current' | 'declared' | 'none'
  /** Instance types may promise devices (dynamic resource allocation). */
  readonly devices: boolean
  /** An instance carries the tags of its owner from the call on that launches it. Otherwise it is bound to its claim afterwards. */
  readonly tagsAtLaunch: boolean
}

/** The offline instance types of a provider as NodePools of one node class are offered them. */
export interface OfflineClassTypes {
  readonly types: readonly InstanceType[]
  /** What the class selects in the cloud and nobody can know without it, as parts of a sentence. */
  readonly notLookedAt: readonly string[]
  /** Why the controller would launch nothing by the class; there are no types then. */
  readonly problems: readonly string[]
}

/** What one region of a provider offers, and for how much, without asking the cloud. */
export interface RegionOffer {
  readonly region: string
  /** The region that prices on demand are of: another one where nobody knows those of this region. */
  readonly pricesOf: string
  /** What a person should know who reads the prices. */
  readonly priceNote: string
  /** For a node class of defaults. */
  types(): readonly InstanceType[]
  /** For one node class, as it was written or as a cluster reported it. */
  forNodeClass(nodeClass: KubeObject): OfflineClassTypes
}

/** Where objects say that they are. */
export interface RegionEvidence {
  readonly region: string
  /** The first object that says so, as kind and name. */
  readonly saidBy: string
  /** Regions that other objects of the same weight say. */
  readonly others: readonly string[]
}

/** The regions of a provider whose offline instance types differ by region. */
export interface OfflineRegions {
  /** Those that come with Kerf, in order. */
  readonly names: readonly string[]
  /** The region where nothing names another. */
  readonly usual: string
  /** The region that objects are in; undefined where none of them says. It may be one that does not come with Kerf. */
  of(objects: readonly KubeObject[]): RegionEvidence | undefined
  /** @throws Error for a region that is not in `names` */
  open(region: string): Promise<RegionOffer>
  /**
   * The offer in a file that a verb of the provider wrote, parsed from JSON; undefined for any other document.
   *
   * @throws Error whose message says what is wrong with the document
   */
  read(document: unknown): Promise<RegionOffer | undefined>
}

/** How to tell nodes of a cloud that Kerf did not launch. */
export interface NodeRecognition {
  /** What `spec.providerID` begins with. */
  readonly providerIdPrefix: string
  /** How a node was bought, where its labels say so. */
  capacityTypeOf(labels: Readonly<Record<string, string>>): string | undefined
  /** The group of machines that a node belongs to, such as an auto-scaling group; undefined for one that nobody scales. */
  groupOf(labels: Readonly<Record<string, string>>): string | undefined
}

/** The instance types of a provider without its cloud: for plans, simulations and rehearsals. */
export interface OfflineInstanceTypes {
  /** Half a sentence for help texts: what they are and where their prices come from. */
  readonly description: string
  /** Of the usual region, where there are regions. */
  load(): Promise<readonly InstanceType[]>
  /** Absent where the types are the same everywhere, and no node class changes anything of them. */
  readonly regions?: OfflineRegions
  readonly nodes?: NodeRecognition
  /** Labels whose values the account alone tells, where no node class was resolved in it. None when absent. */
  readonly untold?: readonly UntoldLabel[]
}

/** What a provider adds to the Helm chart and to the plain manifests. */
export interface ChartFragment {
  /** Whether the chart installs the CRDs of its node classes. Not for a provider that only rehearses. */
  readonly hasCrds: boolean
  /** Rules that the CRDs of the core kinds get besides, such as for labels of the provider's domain. */
  readonly coreRules?: (kind: ResourceKind, schema: StructuralSchema) => StructuralSchema
  /** Environment variables of the controller, as the text of a Helm template in which `$settings` is `.Values.settings`. */
  readonly env?: string
  /** What manifests/NAME/karpenter.yaml is rendered with, as `--set` takes it. */
  readonly manifestValues: readonly string[]
  /** What the Roles in other namespaces than Kerf's own are called after the release's name, by namespace. */
  readonly roleSuffixes: Readonly<Record<string, string>>
}

/** What a provider may need of the process besides its `ProviderContext`. */
export interface ProviderSurroundings {
  readonly metrics: Metrics
  readonly connection: Connection
  readonly env: Readonly<Record<string, string | undefined>>
  /** Kerf's version. */
  readonly version: string
  /** The namespace in which Kerf keeps its own objects. */
  readonly namespace: string
  /**
   * Asked right before each request that changes something in a cloud, or at another API server than that of `context.client`.
   * Absent without leader election.
   */
  readonly gate?: WriteGate | undefined
  /** The other names that the providers in the list have for labels. */
  readonly aliases: readonly LabelAlias[]
  /** The offline instance types of the provider with that name; nothing where there is none. */
  instanceTypes(provider: string): Promise<readonly InstanceType[] | undefined>
}

/** A provider as the process runs it. */
export interface RunningProvider {
  readonly provider: CloudProvider
  /** Reads what the first plan needs. It never throws for what may come right later. */
  readonly start?: (signal: AbortSignal) => Promise<void>
  /** What must hold besides for the process to be ready. */
  readonly ready?: HealthChecks
}

/**
 * Everything that Kerf knows of a provider outside its package: the command line, the charts, the manifests, the reference
 * pages and the conformance tests are made from it (`docs/providers.md`). The module that holds it is loaded by every run of
 * `kerf`, so it imports no SDK: what is heavy comes with `create` and `instanceTypes.load`.
 */
export interface ProviderDescriptor<Table extends SettingsTable = SettingsTable> {
  /** As `--provider` takes it and as its folder below `providers/` is called. */
  readonly name: string
  /** As texts for people name it. */
  readonly title: string
  /** The first one is the default of a pool that names none. */
  readonly nodeClasses: readonly [NodeClassDescriptor, ...NodeClassDescriptor[]]
  /** Its settings besides those of the core. `offline` names the providers that have offline instance types. */
  settings(offline: readonly string[]): Table
  /** What labels mean with it. The aliases hold with every provider: the driver of a volume may run wherever its cloud is. */
  readonly labels: ProviderVocabulary
  /** What it asks of the API server. */
  readonly permissions: readonly Permission[]
  /**
   * What it asks of a second API server, that of a management cluster, which may be the same one. In all namespaces; the roles
   * for it are of their own: in the chart behind `managementRole.create`, and in `manifests/NAME/management.yaml`.
   */
  readonly managementPermissions?: readonly Permission[]
  readonly capabilities: ProviderCapabilities
  readonly instanceTypes?: OfflineInstanceTypes
  readonly chart: ChartFragment
  /** @throws Error for settings that are missing or contradict each other, and for files that cannot be read. */
  create(
    settings: Settings & SettingsOf<Table>,
    context: ProviderContext,
    surroundings: ProviderSurroundings,
  ): Promise<RunningProvider>
}

/** What plans, simulations and reports need of a provider. Kerf may know that of one that it does not launch with. */
export type KnownProvider = Pick<ProviderDescriptor, 'name' | 'title' | 'nodeClasses' | 'labels' | 'instanceTypes'>
