import type {
  DaemonSet,
  Deployment,
  KubeObject,
  Milliseconds,
  Node,
  NodeClaim,
  NodePool,
  Pod,
  ResourceKind,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'

/** Severity of a finding. Critical: something breaks or will break. Warning: it may cost something. Information: it is good to know. */
export type Severity = 'critical' | 'warning' | 'information'

/** The sections of a report, in order. */
export const checkGroups = ['coexistence', 'controller', 'pools', 'workloads', 'cloud'] as const
export type CheckGroup = (typeof checkGroups)[number]

/** The result of one check. */
export type Verdict =
  | { readonly kind: 'in-order'; readonly seen: string }
  | {
      readonly kind: 'found'
      /** The affected objects, as `Kind name` or `Kind namespace/name`. */
      readonly objects: readonly string[]
      /** What the check found, as a sentence without a full stop. */
      readonly seen: string
      /** What to do, as a command if there is one. */
      readonly remedy: string
      /** Set if it differs from the severity of the check. */
      readonly severity?: Severity
    }
  /** The check cannot be decided, because something is unknown. */
  | { readonly kind: 'undecided'; readonly why: string }

/** The documents of cloud accounts that the user gave with `--cloud`. */
export interface CloudDocuments {
  /** Returns everything in the documents with this name in `reads`. Empty if the user gave none. */
  of(name: string): readonly unknown[]
}

/** A cluster in the form that the checks use. */
export interface AuditedCluster {
  readonly now: Milliseconds
  readonly objects: { of<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] }
  readonly cloud: CloudDocuments
  readonly nodes: readonly Node[]
  /** Nodes of NodePools. */
  readonly managedNodes: readonly Node[]
  readonly nodePools: readonly NodePool[]
  readonly nodeClaims: readonly NodeClaim[]
  /** Pods that have not ended. */
  readonly pods: readonly Pod[]
  readonly daemonSets: readonly DaemonSet[]
  /** The Deployments of Kerf and of Karpenter. */
  readonly controllers: readonly Deployment[]
  /** Undefined if there is no Cluster Autoscaler. `flags` are those of its command line, without dashes. */
  readonly clusterAutoscaler: { readonly runs: boolean; readonly flags: ReadonlyMap<string, string> } | undefined
  /** Returns the instance types of a NodePool, or undefined if they are unknown. */
  typesOf(pool: NodePool): readonly InstanceType[] | undefined
}

/** One check of `kerf doctor`. Its id never changes and is never reused. */
export interface DoctorCheck<A extends AuditedCluster = AuditedCluster> {
  readonly id: string
  readonly group: CheckGroup
  readonly severity: Severity
  /** What the check looks for, in a few words. */
  readonly title: string
  /** What the check is about and why it matters. `--explain` prints this text. */
  readonly why: string
  /** Kinds and documents of the account that the check needs. In files, there must be at least one object of each kind. */
  readonly reads: readonly string[]
  /** Runs the check. It is a pure function of the audit. */
  examine(audit: A): Verdict
}

/** The documents of a cloud account that checks read: what the cloud's own command line prints as JSON. */
export interface AccountDocuments {
  /** The form of the commands, for the help of `--cloud`. */
  readonly usage: string
  /** The command that prints each document, by the name in `reads`. */
  readonly commands: Readonly<Record<string, string>>
  /** Returns the content of a document, by the name in `reads`. Empty for a document that no check reads. */
  read(document: unknown): ReadonlyMap<string, readonly unknown[]>
}

/** The checks of `kerf doctor` that know one cloud. */
export interface ProviderChecks {
  /** Absent if no check reads documents of an account. */
  readonly documents?: AccountDocuments
  /** The field without which the checks cannot use an object of a file, by kind. Every object in a cluster has it. */
  readonly requiredFields?: Readonly<Record<string, string>>
  /** The names of DaemonSets without which nodes of this cloud have no network, no volumes or no services. Default: none. */
  readonly nodeAgents?: readonly string[]
  /** The service of the cloud that runs some pods without a node of the cluster. Absent if there is none. */
  readonly serverless?: { readonly name: string; readonly runs: (pod: Pod) => boolean }
  /** Loads the checks. They are reported in the order of their groups and ids, among those that know no cloud. */
  load(): Promise<readonly DoctorCheck[]>
}
