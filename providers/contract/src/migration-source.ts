import type { KubeObject, NodePool, ResourceList, Taint } from '@kerf/apis'
import type { FieldConversion } from './migration.ts'

/** A document of unknown structure: an export of a cloud, a file of a tool, or an object of the cluster. */
export type SourceDocument = Readonly<Record<string, unknown>>

/** A question for the user about something that the source does not fully describe. */
export interface Question {
  readonly object: string
  readonly message: string
}

export type CapacityType = 'spot' | 'on-demand'

/** A selection of instance types by attributes instead of names. */
export interface InstanceAttributes {
  /** The attributes as requirements of a NodePool. */
  readonly requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']>
  /** A short description of the selection, for questions. */
  readonly text: string
}

/** A node group of Cluster Autoscaler. `Launch` contains the data that only the group's provider reads, for example images and networks. */
export interface SourceGroup<Launch = unknown> {
  readonly name: string
  /** The kind of source that contains the group, as shown in messages, for example `managed node group`. */
  readonly origin: string
  /** The position in the source, as `file:line`. */
  readonly at: string
  readonly min: number
  readonly max: number
  readonly desired: number
  /** The instance types, in order of preference. */
  readonly instanceTypes: readonly string[]
  /** The selection of instance types if the source lists no names. */
  readonly attributes?: InstanceAttributes
  readonly capacityTypes: readonly CapacityType[]
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly startupTaints: readonly Taint[]
  /** The default is Linux. */
  readonly isWindows?: boolean
  /** The allocatable resources of the node group's nodes. Absent if they are unknown, because there is neither a template nor a node. */
  readonly allocatable?: ResourceList
  /** Options of Cluster Autoscaler for this node group, keyed by their names in tags. */
  readonly options: Readonly<Record<string, string>>
  /** How many nodes an update may replace at a time, as a number or a percentage. */
  readonly maxUnavailable?: string
  /** Labels that only the nodes of this node group have. Absent if the source does not contain them. */
  readonly nodeLabels?: Readonly<Record<string, string>>
  /** The names of the node group in Cluster Autoscaler, if they differ from `name`. */
  readonly scalingGroups?: readonly string[]
  /** Why the node group cannot be migrated at all, whatever the user chooses. Absent if it can be migrated. */
  readonly keptBecause?: string
  /**
   * The provider whose source contained the node group. Absent if the information comes only from Cluster Autoscaler's status and the
   * group's nodes.
   */
  readonly provider?: string
  readonly launch?: Launch
}

/** A node group, and what happens to its fields. */
export interface ReadGroup<Launch = unknown> {
  readonly group: SourceGroup<Launch>
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

/** The settings of a Cluster Autoscaler that the cloud runs. No object in the cluster contains them. */
export interface ManagedAutoscaler {
  /** The name of the object with the settings, as shown in reports, for example the name of the cluster. */
  readonly object: string
  /** The flags without dashes. Each flag has the name of the field that sets it. */
  readonly flags: readonly {
    readonly name: string
    readonly value: string
    readonly source: { readonly object: string; readonly field: string }
  }[]
}

/** The node groups of one provider in the documents of one run. */
export interface ReadGroups<Launch = unknown> {
  readonly groups: readonly SourceGroup<Launch>[]
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
  readonly clusterName?: string
  readonly autoscaler?: ManagedAutoscaler
  /** Node labels whose value identifies the node group, in addition to the well-known labels. */
  readonly groupLabels?: readonly string[]
}

/** A resource in a Terraform state. */
export interface TerraformResource {
  readonly type: string
  readonly address: string
  readonly values: SourceDocument
}

/** The functions that the command line passes to a reader. */
export interface ReaderTools {
  /** Reports that a document, or a part of it, cannot be used. */
  report(conversion: FieldConversion): void
  /** Returns the documents in a YAML text. Empty if the text is not YAML. */
  yaml(text: string): readonly unknown[]
  /** Returns the node group that a node belongs to. The node can be a template or a running node. */
  groupOfNode(
    node: SourceDocument,
    group: Pick<SourceGroup, 'name' | 'origin' | 'at' | 'min' | 'max' | 'desired'>,
  ): SourceGroup<never>
}

/** Collects the node groups of one provider from the documents of one run. */
export interface GroupReader<Launch = unknown> {
  /** Reads a document. Returns false if the document does not belong to this provider. */
  read(document: SourceDocument, at: string): boolean
  /** Reads the resources of a Terraform state, and returns those that it used. If absent, none are used. */
  readResources?(resources: readonly TerraformResource[], at: string): ReadonlySet<TerraformResource>
  /** Returns everything that was read. Called once after all documents, with the objects of the cluster. */
  finish(objects: readonly KubeObject[]): ReadGroups<Launch>
}

/** The spec of a node class that has the launch settings of one node group. */
export interface NodeClassDraft {
  readonly spec: object
  readonly conversions: readonly FieldConversion[]
  readonly questions: readonly Question[]
}

/** Values that the user must supply because the files do not contain them. */
export interface KnownByUser {
  readonly clusterName?: string
  /** The cloud role of the nodes. */
  readonly role?: string
}

/** Commands that the user must run, with the commands that revert them. */
export interface HandWork {
  readonly commands: readonly string[]
  readonly back: readonly string[]
}

/** The resources that must exist in the cloud account before Kerf can launch nodes. */
export interface AccountNeeds {
  /** Files to write to the folder of the migration, keyed by name. */
  readonly files: ReadonlyMap<string, string>
  readonly work: HandWork
  readonly questions: readonly Question[]
}

/** The flags of Cluster Autoscaler that determine which node groups it scales. */
export interface ScalingFlags {
  /** Whether a flag contains the name of a node group. */
  readonly namesGroups: boolean
  /** The values of `--node-group-auto-discovery`. */
  readonly discovery: readonly string[]
}

/**
 * How `kerf migrate cas` reads the node groups of one provider, and what it writes for them. Functions with a `SourceGroup<Launch>`
 * parameter receive only groups of this provider. The exceptions are `draftNodeClass` and `accountNeeds`, which also receive other groups,
 * without `launch`.
 */
export interface MigrationSource<Launch = unknown> {
  /** The values of Cluster Autoscaler's flag `--cloud-provider` for this provider. */
  readonly cloudProviders: readonly string[]
  /**
   * When this provider's node classes are used. `one group`: if at least one node group belongs to this provider, whatever Cluster
   * Autoscaler's flag is. `all groups`: if the flag contains no known provider and all groups belong to this provider. `nothing else`: if
   * no other source applies.
   */
  readonly decidedBy: 'one group' | 'all groups' | 'nothing else'
  /** Flags of Cluster Autoscaler that only configure how it discovers the node groups of this provider. Default: none. */
  readonly discoveryFlags?: readonly string[]
  /** Labels that the cloud sets only on nodes of node groups, with the capacity type for each value. */
  readonly capacityLabels: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Types of Terraform resources that affect node groups but have no equivalent in a NodePool, with the reason. Default: none. */
  readonly unreadResources?: Readonly<Record<string, string>>
  reader(tools: ReaderTools): GroupReader<Launch>
  /** Returns the name of a node group without the prefixes and suffixes that the cloud adds, or undefined if there are none. */
  plainName?(name: string): string | undefined
  /** Returns the names that Cluster Autoscaler may use for a node group. The default is the name of the group. */
  autoscalerNames?(group: SourceGroup<Launch>, clusterName: string): readonly string[]
  /**
   * Returns why Cluster Autoscaler does not scale a node group that no flag names, or undefined if it does scale it. If absent, it does.
   */
  whyNotScaled?(group: SourceGroup<Launch>, flags: ScalingFlags): string | undefined
  /** Returns why a NodePool must not have a certain label of a node group, or undefined if it may. If absent, all labels are allowed. */
  whyNoLabel?(key: string): string | undefined
  draftNodeClass(group: SourceGroup<Launch>, known: KnownByUser): NodeClassDraft
  /** Returns the command that changes the minimum and maximum size of a node group. A source without this method has no such command. */
  resize?(
    group: SourceGroup<Launch>,
    sizes: { readonly min: number; readonly max?: number },
    clusterName: string,
  ): HandWork | undefined
  /** Parses a command that `resize` returned. Returns the node group and its new minimum size, or undefined for any other command. */
  readResize?(command: string): { readonly group: string; readonly min: number } | undefined
  /** Returns the command that deletes a node group. If absent, there is no such command. */
  deletion?(group: SourceGroup<Launch>, clusterName: string): string | undefined
  /** Returns what must exist in the account. A source without this method needs nothing. */
  accountNeeds?(groups: readonly SourceGroup<Launch>[], known: KnownByUser): AccountNeeds
}

/**
 * Descriptions of a provider's migration source, and a function that loads the source. Every run of `kerf` loads this module, so it must
 * not import anything.
 */
export interface MigrationSources {
  /** The exports of the cloud that the source can read. Absent if there are none. */
  readonly exports?: {
    /** What the exports contain, as a phrase. */
    readonly name: string
    /** The commands that write the exports, for the help text. */
    readonly commands: readonly string[]
    /** A complete command, as an example. */
    readonly example: string
  }
  /** Other documents that the source can read: a phrase for the help text and, if they are files of a tool, the name of the tool. */
  readonly documents: readonly { readonly help: string; readonly tool?: string }[]
  load(): Promise<MigrationSource>
}
