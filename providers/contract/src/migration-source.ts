import type { KubeObject, NodePool, ResourceList, Taint } from '@kerf/apis'
import type { Fate } from './migration.ts'

/** A document of unchecked shape: an export of a cloud, a file of a tool, or an object of the cluster. */
export type SourceDocument = Readonly<Record<string, unknown>>

/** Something that the user must decide or add, because the source does not describe it completely. */
export interface Question {
  readonly object: string
  readonly message: string
}

export type CapacityType = 'spot' | 'on-demand'

/** Instance types that a group chooses by attributes instead of by name. */
export interface InstanceAttributes {
  /** The attributes that a NodePool can express. */
  readonly requirements: NonNullable<NodePool['spec']['template']['spec']['requirements']>
  /** A short description of the choice, for questions. */
  readonly text: string
}

/** A node group of Cluster Autoscaler. `Launch` is what only its own provider reads, for example images and networks. */
export interface SourceGroup<Launch = unknown> {
  readonly name: string
  /** The kind of source that describes it, for messages, for example `managed node group`. */
  readonly origin: string
  /** Position in the source, `file:line`. */
  readonly at: string
  readonly min: number
  readonly max: number
  readonly desired: number
  /** Instance types in order of preference. */
  readonly instanceTypes: readonly string[]
  /** How types are chosen if no type is named. */
  readonly attributes?: InstanceAttributes
  readonly capacityTypes: readonly CapacityType[]
  readonly zones: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly startupTaints: readonly Taint[]
  /** Default: Linux. */
  readonly isWindows?: boolean
  /** What a node of the group offers to pods, if a template or a node shows it. */
  readonly allocatable?: ResourceList
  /** Options of Cluster Autoscaler for this group, by their names in tags. */
  readonly options: Readonly<Record<string, string>>
  /** How many nodes an update may replace at a time: a number or a percentage. */
  readonly maxUnavailable?: string
  /** Labels that only the nodes of the group have. Absent if the source does not say it. */
  readonly nodeLabels?: Readonly<Record<string, string>>
  /** Names that Cluster Autoscaler has for it, if they are not its own name. */
  readonly scalingGroups?: readonly string[]
  /** Why the group stays, whatever the user chooses. Absent if it can be migrated. */
  readonly keptBecause?: string
  /** The provider that described it. Absent if only the status of Cluster Autoscaler and its nodes do. */
  readonly provider?: string
  readonly launch?: Launch
}

/** A group, and what happens to its fields. */
export interface ReadGroup<Launch = unknown> {
  readonly group: SourceGroup<Launch>
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

/** The settings of a Cluster Autoscaler that the cloud runs, so that no object of the cluster shows them. */
export interface ManagedAutoscaler {
  /** What has the settings, for reports, for example the name of the cluster. */
  readonly object: string
  /** Its flags without dashes, each with the field of the object that sets it. */
  readonly flags: readonly {
    readonly name: string
    readonly value: string
    readonly source: { readonly object: string; readonly field: string }
  }[]
}

/** Everything that the documents of one run say about the groups of one provider. */
export interface ReadGroups<Launch = unknown> {
  readonly groups: readonly SourceGroup<Launch>[]
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
  readonly clusterName?: string
  readonly autoscaler?: ManagedAutoscaler
  /** Labels of nodes whose value names the group, in addition to the well-known ones. */
  readonly groupLabels?: readonly string[]
}

/** A resource of Terraform's state. */
export interface TerraformResource {
  readonly type: string
  readonly address: string
  readonly values: SourceDocument
}

/** What the command line gives to a reader. */
export interface ReaderTools {
  /** Reports a document, or a part of it, that cannot be used. */
  report(fate: Fate): void
  /** Returns the documents of a YAML text. Returns none if it is not YAML. */
  yaml(text: string): readonly unknown[]
  /** Returns the group that a node of it describes. The node is a template or a running node. */
  groupOfNode(
    node: SourceDocument,
    group: Pick<SourceGroup, 'name' | 'origin' | 'at' | 'min' | 'max' | 'desired'>,
  ): SourceGroup<never>
}

/** Collects what the documents of one run say about the groups of one provider. */
export interface GroupReader<Launch = unknown> {
  /** Reads a document. Returns false if it is not one of this provider. */
  read(document: SourceDocument, at: string): boolean
  /** Reads the resources of a Terraform state, and returns those that it used. Default: none. */
  readResources?(resources: readonly TerraformResource[], at: string): ReadonlySet<TerraformResource>
  /** Returns what was read. Called once, after all documents, with the objects of the cluster. */
  finish(objects: readonly KubeObject[]): ReadGroups<Launch>
}

/** The spec of a node class for one group. */
export interface NodeClassDraft {
  readonly spec: object
  readonly fates: readonly Fate[]
  readonly questions: readonly Question[]
}

/** Values that only the user knows, because the files do not contain them. */
export interface KnownByUser {
  readonly clusterName?: string
  /** The role of the nodes. */
  readonly role?: string
}

/** Commands for the user, and the commands that revert them. */
export interface HandWork {
  readonly commands: readonly string[]
  readonly back: readonly string[]
}

/** What must exist in the account before Kerf can launch nodes. */
export interface AccountNeeds {
  /** Files for the folder of the migration, by name. */
  readonly files: ReadonlyMap<string, string>
  readonly work: HandWork
  readonly questions: readonly Question[]
}

/** What the flags of Cluster Autoscaler say about which groups it scales. */
export interface ScalingFlags {
  /** Whether a flag names a group. */
  readonly namesGroups: boolean
  /** The values of `--node-group-auto-discovery`. */
  readonly discovery: readonly string[]
}

/**
 * How `kerf migrate cas` reads the node groups of one provider, and what it writes for them. Functions with a `SourceGroup<Launch>` get
 * groups of this provider; `draftNodeClass` and `accountNeeds` also get others, without `launch`.
 */
export interface MigrationSource<Launch = unknown> {
  /** Its values of Cluster Autoscaler's flag `--cloud-provider`. */
  readonly cloudProviders: readonly string[]
  /**
   * When its node classes are drafted: for one group of its own, whatever Cluster Autoscaler's flag says; if the flag names no provider and
   * all groups are its own; or if nothing else decides.
   */
  readonly decidedBy: 'one group' | 'all groups' | 'nothing else'
  /** Flags of Cluster Autoscaler that only say how it finds the groups of this provider. Default: none. */
  readonly discoveryFlags?: readonly string[]
  /** Labels that the cloud sets only on nodes of groups, with the capacity type for each value. */
  readonly capacityLabels: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Types of Terraform resources that affect groups but have no counterpart in a NodePool, with the reason. Default: none. */
  readonly unreadResources?: Readonly<Record<string, string>>
  reader(tools: ReaderTools): GroupReader<Launch>
  /** Returns the name of a group without what the cloud adds, or undefined if there is no such addition. */
  plainName?(name: string): string | undefined
  /** Returns the names that Cluster Autoscaler may have for a group. Default: the name of the group. */
  autoscalerNames?(group: SourceGroup<Launch>, clusterName: string): readonly string[]
  /** Returns why Cluster Autoscaler does not scale a group that no flag names, or undefined if it does. Default: it does. */
  whyNotScaled?(group: SourceGroup<Launch>, flags: ScalingFlags): string | undefined
  /** Returns why a NodePool does not get a label of a group, or undefined if it may. Default: it may. */
  whyNoLabel?(key: string): string | undefined
  draftNodeClass(group: SourceGroup<Launch>, known: KnownByUser): NodeClassDraft
  /** Returns the command that changes the bounds of a group. Default: there is none. */
  resize?(
    group: SourceGroup<Launch>,
    sizes: { readonly min: number; readonly max?: number },
    clusterName: string,
  ): HandWork | undefined
  /** Returns the group and its new minimum from a command of `resize`, or undefined for every other command. */
  readResize?(command: string): { readonly group: string; readonly min: number } | undefined
  /** Returns the command that deletes a group. Default: there is none. */
  deletion?(group: SourceGroup<Launch>, clusterName: string): string | undefined
  /** Default: nothing is needed. */
  accountNeeds?(groups: readonly SourceGroup<Launch>[], known: KnownByUser): AccountNeeds
}

/** The migration source of a provider, and its texts. Every run of `kerf` loads it, so it imports nothing. */
export interface MigrationSources {
  /** The groups that it reads, as a phrase: `node groups of EC2 and EKS`. */
  readonly groups: string
  /** The exports of the cloud. Absent if there are none. */
  readonly exports?: {
    /** What they are exports of. */
    readonly name: string
    /** The commands that write them, for help. */
    readonly commands: readonly string[]
    /** A whole command, as an example. */
    readonly example: string
  }
  /** Other documents: a phrase for help, and the name of the tool if they are its files. */
  readonly documents: readonly { readonly help: string; readonly tool?: string }[]
  load(): Promise<MigrationSource>
}
