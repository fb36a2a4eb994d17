import type {
  CSINode,
  DaemonSet,
  DeviceClass,
  KubeObject,
  LabelSelector,
  Namespace,
  NodePool,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
  Service,
  StorageClass,
  Taint,
} from '@kerf/apis'
import type { InstanceType, Resources } from './instance-type.ts'
import type { Amounts } from './resources/amounts.ts'

/**
 * A NodePool that may launch nodes, with the instance types that its provider offers it. Price and capacity overlays are already applied.
 */
export interface PoolOption {
  readonly nodePool: NodePool
  readonly instanceTypes: readonly InstanceType[]
  /** The time until which the NodePool sleeps and launches nothing, as text (`docs/spec/policies.md#sleep`). Absent if it is awake. */
  readonly sleepsUntil?: string
}

/**
 * A running node, a node that is starting, or a NodeClaim without a node (`docs/spec/scheduling.md`, `docs/spec/cluster-state.md`). Labels
 * and taints are the effective ones: ephemeral and startup taints are omitted until the node is initialized.
 */
export interface NodeState {
  /** The name of the NodeClaim until the node is registered, then the name of the node. */
  readonly name: string
  readonly hostName: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly capacity: Resources
  readonly allocatable: Resources
  readonly initialized: boolean
  /** Whether the node has a NodeClaim. */
  readonly managed: boolean
  /** Whether a Node object exists. A NodeClaim that is still launching has none. */
  readonly hasNode: boolean
  readonly nodePool?: string
  readonly nodeClaim?: string
  readonly nodeName?: string
  readonly providerID?: string
  /** Whether the node is being removed. No pods are placed on it, and its reschedulable pods are in the batch. */
  readonly markedForDeletion: boolean
  /**
   * Whether no further pods may be placed on the node. Its running pods are still taken into account. True for nodes of another autoscaler
   * in a disruption simulation.
   */
  readonly takesNoPods?: boolean
  /** Whether the node is still within its pool's `consolidateAfter`, so that pods do not move to it in consolidation simulations. */
  readonly underConsolidateAfter?: boolean
  /** Pods that are bound to the node and not terminal, including daemon pods. */
  readonly pods: readonly Pod[]
}

/** The name of the ceiling on the number of nodes. */
export const NODES = 'nodes'
/** The name of the ceiling on the prices of all nodes, in US dollars an hour. */
export const HOURLY_COST = 'usdPerHour'

/** The capacity that new nodes may use before they reach the ceilings of the ClusterPolicy (`docs/spec/policies.md#ceilings`). */
export interface CeilingHeadroom {
  /** The ceilings, in billionths, by name. */
  readonly most: Amounts
  /** The amounts that are left, in billionths, by the name of the ceiling. Negative if more is in use than the ceiling allows. */
  readonly free: Amounts
  /** How many replacement nodes may exceed the ceilings while the nodes that they replace still exist. */
  readonly surge: number
  /** The price of each node in billionths of US dollars, by `NodeState.name`. Only set if there is a ceiling in US dollars. */
  readonly prices?: Amounts
}

/** The part of a commitment that one node uses. */
export interface CommitmentPart {
  /** The used amount, in billionths of the commitment's unit. */
  readonly units: bigint
  /** The share of the instance that these units pay for, above 0 and up to 1. Below 1, other commitments pay for the rest. */
  readonly share: number
}

/**
 * Prepaid capacity. It is paid for even if no instance runs, so a node that it covers costs nothing more
 * (`docs/spec/policies.md#commitments`).
 */
export interface Commitment {
  readonly name: string
  /** The amount of the commitment that one instance of each covered type uses, in billionths, by the name of the type. */
  readonly units: Amounts
  /** The region of the covered instances. If absent, the region of the instance types. */
  readonly region?: string
  /** The zone of the covered instances. If absent, every zone. */
  readonly zone?: string
  /**
   * The amount of the commitment that further instances may use, in billionths. Negative if more instances run than the commitment covers.
   */
  readonly free: bigint
  /**
   * The amount that each node uses, by `NodeState.name`. Nodes that are being removed are left out. Names that the snapshot does not
   * contain are ignored.
   */
  readonly uses: ReadonlyMap<string, CommitmentPart>
}

/** Determines which pods may use the nodes of a NodePool (`docs/spec/policies.md#access`). */
export interface PoolAccess {
  /** Selects the namespaces whose pods may use the nodes. If absent, every namespace. */
  readonly namespaceSelector?: LabelSelector
  /** The scheduler names of the pods that may use the nodes. If absent, every scheduler name. */
  readonly schedulerNames?: readonly string[]
}

/**
 * Everything that a decision depends on, except the pods to place. It is plain data. The engine never changes it and keeps no reference to
 * it.
 */
export interface ClusterSnapshot {
  readonly pools: readonly PoolOption[]
  readonly nodes: readonly NodeState[]
  /**
   * The nodes on which an earlier decision placed pods that are still pending. The key is the pod's UID. The value is the name of a
   * NodeClaim, or of a node without a NodeClaim. If the pod still fits there, it is placed there before any other pod. Otherwise a second
   * decision might pack the pods differently and launch more nodes. Nodes and pods that do not exist are ignored.
   */
  readonly plannedFor?: ReadonlyMap<string, string>
  /** For each DaemonSet, the pod that it would run (`docs/spec/pending-pods.md#daemonset-pods`). */
  readonly daemonPods: readonly Pod[]
  readonly namespaces: readonly Namespace[]
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[]
  readonly persistentVolumes: readonly PersistentVolume[]
  readonly storageClasses: readonly StorageClass[]
  readonly csiNodes: readonly CSINode[]
  /** Needed only for the selectors of default spread constraints. */
  readonly services?: readonly Service[]
  readonly podOwners?: readonly (KubeObject & {
    readonly spec: { readonly selector?: LabelSelector | Readonly<Record<string, string>> }
  })[]
  readonly daemonSets?: readonly DaemonSet[]
  readonly resourceSlices?: readonly ResourceSlice[]
  readonly resourceClaims?: readonly ResourceClaim[]
  /** Needed for pods whose ResourceClaims do not exist yet. If the template is unknown, the pod requests no devices for that claim. */
  readonly resourceClaimTemplates?: readonly ResourceClaimTemplate[]
  readonly deviceClasses?: readonly DeviceClass[]
  /** Absent if no ceiling is set. */
  readonly ceilings?: CeilingHeadroom
  /** The commitments, in the order in which nodes use them. Absent if there are none. */
  readonly commitments?: readonly Commitment[]
  /** The NodePools that only some pods may use, by name. Absent if no NodePool restricts its pods. */
  readonly access?: ReadonlyMap<string, PoolAccess>
}
