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

/**
 * The severity of a finding. Critical: something fails or will fail. Warning: it may cause cost or harm. Information: it is worth knowing.
 */
export type Severity = 'critical' | 'warning' | 'information'

/** The sections of a report, in order. */
export const checkGroups = ['coexistence', 'controller', 'pools', 'workloads', 'cloud'] as const
export type CheckGroup = (typeof checkGroups)[number]

/** The result of one check. */
export type Verdict =
  | { readonly kind: 'in-order'; readonly seen: string }
  | {
      readonly kind: 'found'
      /** The affected objects, in the form `Kind name` or `Kind namespace/name`. */
      readonly objects: readonly string[]
      /** What the check found, as a sentence without a full stop. */
      readonly seen: string
      /** What to do, as a command if there is one. */
      readonly remedy: string
      /** The severity of this finding, if it differs from the severity of the check. */
      readonly severity?: Severity
    }
  /** The check has no result, because information that it needs is unknown. */
  | { readonly kind: 'undecided'; readonly why: string }

/** The documents about cloud accounts that the user passed with `--cloud`. */
export interface CloudDocuments {
  /** Returns the content of all documents of the type `name`, which is a name in `reads`. Empty if the user passed none. */
  of(name: string): readonly unknown[]
}

/** The objects of a cluster, prepared for the checks. */
export interface AuditedCluster {
  readonly now: Milliseconds
  readonly objects: { of<T extends KubeObject>(kind: ResourceKind<T>): readonly T[] }
  readonly cloud: CloudDocuments
  readonly nodes: readonly Node[]
  /** Nodes of NodePools. */
  readonly managedNodes: readonly Node[]
  readonly nodePools: readonly NodePool[]
  readonly nodeClaims: readonly NodeClaim[]
  /** All pods except those that have terminated. */
  readonly pods: readonly Pod[]
  readonly daemonSets: readonly DaemonSet[]
  /** The Deployments of Kerf and of Karpenter. */
  readonly controllers: readonly Deployment[]
  /** Cluster Autoscaler, or undefined if there is none. `flags` are the flags of its command line, without dashes. */
  readonly clusterAutoscaler: { readonly runs: boolean; readonly flags: ReadonlyMap<string, string> } | undefined
  /** Returns the instance types of a NodePool, or undefined if they are unknown. */
  typesOf(pool: NodePool): readonly InstanceType[] | undefined
}

/** One check of `kerf doctor`. Its id must never change and must never be reused. */
export interface DoctorCheck<A extends AuditedCluster = AuditedCluster> {
  readonly id: string
  readonly group: CheckGroup
  readonly severity: Severity
  /** What the check looks for, in a few words. */
  readonly title: string
  /** What the check is about and why it matters. `--explain` prints this text. */
  readonly why: string
  /**
   * Resource kinds and account documents that the check needs. If the objects come from files, the check requires at least one object of
   * each kind.
   */
  readonly reads: readonly string[]
  /** Runs the check. The result depends only on the audit. */
  examine(audit: A): Verdict
}

/** The documents of a cloud account that checks can read. They are the JSON output of the cloud's own command-line tool. */
export interface AccountDocuments {
  /** The commands that print the documents, in short form, for the help text of `--cloud`. */
  readonly usage: string
  /** The command that prints each document, keyed by its name in `reads`. */
  readonly commands: Readonly<Record<string, string>>
  /** Returns the content of a document, keyed by its name in `reads`. Empty if no check reads the document. */
  read(document: unknown): ReadonlyMap<string, readonly unknown[]>
}

/** The checks of `kerf doctor` for one cloud. */
export interface ProviderChecks {
  /** Absent if no check reads documents of an account. */
  readonly documents?: AccountDocuments
  /** The required field that the checks need, keyed by kind. Objects in files may lack it. Objects in a cluster always have it. */
  readonly requiredFields?: Readonly<Record<string, string>>
  /** The names of DaemonSets without which nodes of this cloud have no network, volumes or services. Default: none. */
  readonly nodeAgents?: readonly string[]
  /** The cloud service that runs some pods without a node in the cluster. Absent if the cloud has no such service. */
  readonly serverless?: { readonly name: string; readonly runs: (pod: Pod) => boolean }
  /** Loads the checks. The report merges them with the checks for all clouds, in the order of their groups and ids. */
  load(): Promise<readonly DoctorCheck[]>
}
