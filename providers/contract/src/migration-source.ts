import type { KubeObject, NodePool, ResourceList, Taint } from '@kerf/apis'
import type { Fate } from './migration.ts'

/** A document whose form is not checked: an export of a cloud, a file of a tool, or an object of the cluster. */
export type SourceDocument = Readonly<Record<string, unknown>>

/** Something that the user must decide or add, because the source does not describe it completely. */
export interface Question {
  readonly object: string
  readonly message: string
}

export type CapacityType = 'spot' | 'on-demand'

/** Instance types that a node group selects by attributes instead of by name. */
export interface InstanceAttributes {
  /** The attributes, expressed as requirements of a NodePool. */
  readonly requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']>
  /** A short description of the selection, for questions. */
  readonly text: string
}

/** A node group of Cluster Autoscaler. `Launch` contains what only the group's own provider reads, for example images and networks. */
export interface SourceGroup<Launch = unknown> {
  readonly name: string
  /** The kind of source that describes the group, for messages, for example `managed node group`. */
  readonly origin: string
  /** The position in the source, as `file:line`. */
  readonly at: string
  readonly min: number
  readonly max: number
  readonly desired: number
  /** The instance types, in order of preference. */
  readonly instanceTypes: readonly string[]
  /** How instance types are selected if none is named. */
  readonly attributes?: InstanceAttributes
  readonly capacityTypes: readonly CapacityType[]
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly startupTaints: readonly Taint[]
  /** The default is Linux. */
  readonly isWindows?: boolean
  /** The allocatable resources of the node group's nodes, if a template or a node shows them. */
  readonly allocatable?: ResourceList
  /** Options of Cluster Autoscaler for this node group, keyed by their names in tags. */
  readonly options: Readonly<Record<string, string>>
  /** How many nodes an update may replace at the same time, as a number or a percentage. */
  readonly maxUnavailable?: string
  /** Labels that only the nodes of this node group have. Absent if the source does not contain them. */
  readonly nodeLabels?: Readonly<Record<string, string>>
  /** The names that Cluster Autoscaler uses for the node group, if they differ from its own name. */
  readonly scalingGroups?: readonly string[]
  /** Why the node group cannot be migrated, regardless of what the user chooses. Absent if it can be. */
  readonly keptBecause?: string
  /** The provider whose source described the node group. Absent if only Cluster Autoscaler's status and the group's nodes describe it. */
  readonly provider?: string
  readonly launch?: Launch
}

/** A node group, and what happens to its fields. */
export interface ReadGroup<Launch = unknown> {
  readonly group: SourceGroup<Launch>
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

/** The settings of a Cluster Autoscaler that the cloud runs. No object of the cluster contains them. */
export interface ManagedAutoscaler {
  /** The object that contains the settings, for reports, for example the name of the cluster. */
  readonly object: string
  /** The flags without dashes, each with the field of the object that sets it. */
  readonly flags: readonly {
    readonly name: string
    readonly value: string
    readonly source: { readonly object: string; readonly field: string }
  }[]
}

/** What the documents of one run contain about the node groups of one provider. */
export interface ReadGroups<Launch = unknown> {
  readonly groups: readonly SourceGroup<Launch>[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
  readonly clusterName?: string
  readonly autoscaler?: ManagedAutoscaler
  /** Labels of nodes whose value identifies the node group, in addition to the well-known labels. */
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
  report(fate: Fate): void
  /** Returns the documents in a YAML text. Returns none if the text is not YAML. */
  yaml(text: string): readonly unknown[]
  /** Returns the node group, described by one of its nodes. The node can be a template or a running node. */
  groupOfNode(
    node: SourceDocument,
    group: Pick<SourceGroup, 'name' | 'origin' | 'at' | 'min' | 'max' | 'desired'>,
  ): SourceGroup<never>
}

/** Collects the node groups of one provider from the documents of one run. */
export interface GroupReader<Launch = unknown> {
  /** Reads a document. Returns false if the document does not belong to this provider. */
  read(document: SourceDocument, at: string): boolean
  /** Reads the resources of a Terraform state, and returns the resources that it used. The default uses none. */
  readResources?(resources: readonly TerraformResource[], at: string): ReadonlySet<TerraformResource>
  /** Returns everything that was read. Called once, after all documents, with the objects of the cluster. */
  finish(objects: readonly KubeObject[]): ReadGroups<Launch>
}

/** The spec of a node class that replaces the launch settings of one node group. */
export interface NodeClassDraft {
  readonly spec: object
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

/** Values that the user must supply, because the files do not contain them. */
export interface KnownByUser {
  readonly clusterName?: string
  /** The cloud role of the nodes. */
  readonly role?: string
}

/** Commands that the user must run, and the commands that revert them. */
export interface HandWork {
  readonly commands: readonly string[]
  readonly back: readonly string[]
}

/** What must exist in the cloud account before Kerf can launch nodes. */
export interface AccountNeeds {
  /** Files to write to the folder of the migration, keyed by name. */
  readonly files: ReadonlyMap<string, string>
  readonly work: HandWork
  readonly questions: readonly Question[]
}

/** What the flags of Cluster Autoscaler say about the node groups that it scales. */
export interface ScalingFlags {
  /** Whether a flag names a node group. */
  readonly namesGroups: boolean
  /** The values of `--node-group-auto-discovery`. */
  readonly discovery: readonly string[]
}

/**
 * How `kerf migrate cas` reads the node groups of one provider, and what it writes for them. Functions with a `SourceGroup<Launch>`
 * receive only groups of this provider. `draftNodeClass` and `accountNeeds` also receive other groups, without `launch`.
 */
export interface MigrationSource<Launch = unknown> {
  /** The values of Cluster Autoscaler's flag `--cloud-provider` that mean this provider. */
  readonly cloudProviders: readonly string[]
  /**
   * When this provider's node classes are used. `one group`: if at least one node group is its own, regardless of Cluster Autoscaler's
   * flag. `all groups`: if the flag names no provider and all groups are its own. `nothing else`: if no other source applies.
   */
  readonly decidedBy: 'one group' | 'all groups' | 'nothing else'
  /** Flags of Cluster Autoscaler that only configure how it finds the node groups of this provider. The default is none. */
  readonly discoveryFlags?: readonly string[]
  /** Labels that the cloud sets only on nodes of node groups. Each of their values maps to a capacity type. */
  readonly capacityLabels: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Types of Terraform resources that affect node groups but have no equivalent in a NodePool, with the reason. The default is none. */
  readonly unreadResources?: Readonly<Record<string, string>>
  reader(tools: ReaderTools): GroupReader<Launch>
  /** Returns the name of a node group without the prefixes and suffixes that the cloud adds, or undefined if there are none. */
  plainName?(name: string): string | undefined
  /** Returns the names that Cluster Autoscaler may use for a node group. The default is the name of the group. */
  autoscalerNames?(group: SourceGroup<Launch>, clusterName: string): readonly string[]
  /** Returns why Cluster Autoscaler does not scale a node group that no flag names, or undefined if it does. By default, it does. */
  whyNotScaled?(group: SourceGroup<Launch>, flags: ScalingFlags): string | undefined
  /** Returns why a NodePool may not have a label of a node group, or undefined if it may. By default, it may. */
  whyNoLabel?(key: string): string | undefined
  draftNodeClass(group: SourceGroup<Launch>, known: KnownByUser): NodeClassDraft
  /** Returns the command that changes the minimum and maximum size of a node group. By default, there is no such command. */
  resize?(
    group: SourceGroup<Launch>,
    sizes: { readonly min: number; readonly max?: number },
    clusterName: string,
  ): HandWork | undefined
  /** Returns the node group and its new minimum size from a command that `resize` returned, or undefined for any other command. */
  readResize?(command: string): { readonly group: string; readonly min: number } | undefined
  /** Returns the command that deletes a node group. By default, there is no such command. */
  deletion?(group: SourceGroup<Launch>, clusterName: string): string | undefined
  /** Returns what must exist in the account. By default, nothing is needed. */
  accountNeeds?(groups: readonly SourceGroup<Launch>[], known: KnownByUser): AccountNeeds
}

/**
 * The texts about a provider's migration source, and a function that loads it. Every run of `kerf` loads this module, so it imports
 * nothing.
 */
export interface MigrationSources {
  /** The exports of the cloud that the source reads. Absent if there are none. */
  readonly exports?: {
    /** What the exports contain, as a phrase. */
    readonly name: string
    /** The commands that write the exports, for the help text. */
    readonly commands: readonly string[]
    /** A complete command, as an example. */
    readonly example: string
  }
  /** Other documents that the source reads: a phrase for the help text, and the name of the tool if they are files of a tool. */
  readonly documents: readonly { readonly help: string; readonly tool?: string }[]
  load(): Promise<MigrationSource>
}
