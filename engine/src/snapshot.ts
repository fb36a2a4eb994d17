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

/** A NodePool that may launch nodes, with the types its provider offers it (prices and capacity overlaid already). */
export interface PoolOption {
  readonly nodePool: NodePool
  readonly instanceTypes: readonly InstanceType[]
}

/**
 * A node that runs, is coming up, or is a claim without a node yet (`docs/spec/scheduling.md`,
 * `docs/spec/cluster-state.md`). Labels and taints are the effective ones: ephemeral and startup taints are hidden
 * until the node is initialised.
 */
export interface NodeState {
  /** The claim's name until the node is registered, then the node's. */
  readonly name: string
  readonly hostName: string
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly capacity: Resources
  readonly allocatable: Resources
  readonly initialized: boolean
  /** Has a NodeClaim. */
  readonly managed: boolean
  /** A Node object exists (a claim in flight has none). */
  readonly hasNode: boolean
  readonly nodePool?: string
  readonly nodeClaim?: string
  readonly nodeName?: string
  readonly providerID?: string
  /** Excluded from scheduling; its reschedulable pods are among the pods to place. */
  readonly markedForDeletion: boolean
  /** Its pods count where they run, and it takes no more: a node of another autoscaler in a simulation of disruption. */
  readonly takesNoPods?: boolean
  /** Inside the pool's consolidateAfter: not a destination in consolidation simulations. */
  readonly underConsolidateAfter?: boolean
  /** Pods bound here that are not terminal, daemon pods included. */
  readonly pods: readonly Pod[]
}

/** Everything a decision depends on besides the pods to place. Plain data; the engine never mutates or keeps it. */
export interface ClusterSnapshot {
  readonly pools: readonly PoolOption[]
  readonly nodes: readonly NodeState[]
  /**
   * Where an earlier decision placed pods that still wait: the name of a NodeClaim, or of a node that has none, by the
   * pod's uid. Such a pod goes there again while it fits, before any other pod is placed; so nothing is bought twice
   * because a second decision packs otherwise than the first. Nodes and pods that are gone are passed over.
   */
  readonly plannedFor?: ReadonlyMap<string, string>
  /** The pod each DaemonSet would run (`docs/spec/pending-pods.md#daemonset-pods`). */
  readonly daemonPods: readonly Pod[]
  readonly namespaces: readonly Namespace[]
  readonly persistentVolumeClaims: readonly PersistentVolumeClaim[]
  readonly persistentVolumes: readonly PersistentVolume[]
  readonly storageClasses: readonly StorageClass[]
  readonly csiNodes: readonly CSINode[]
  /** For the selectors of default spread constraints only. */
  readonly services?: readonly Service[]
  readonly podOwners?: readonly (KubeObject & {
    readonly spec: { readonly selector?: LabelSelector | Readonly<Record<string, string>> }
  })[]
  readonly daemonSets?: readonly DaemonSet[]
  readonly resourceSlices?: readonly ResourceSlice[]
  readonly resourceClaims?: readonly ResourceClaim[]
  /** For pods whose claims are still to be made; where they are not known such a pod asks for nothing. */
  readonly resourceClaimTemplates?: readonly ResourceClaimTemplate[]
  readonly deviceClasses?: readonly DeviceClass[]
}
