import type { NodeSpec, PodSpec, Toleration } from '@kerf/apis'

/** A small cluster for Cluster Autoscaler. It has no scheduler and no controllers, and the test simulates the kubelets. */
export interface Situation {
  readonly name: string
  readonly flags?: Readonly<Record<string, string>>
  readonly groups: readonly SituationGroup[]
  readonly pods: readonly SituationPods[]
  readonly budgets?: readonly { readonly app: string; readonly allowed: number }[]
  /** Ready nodes that belong to no node group or to Karpenter. */
  readonly foreign?: readonly {
    readonly name: string
    readonly cpu: string
    readonly memory: string
    readonly isReady?: boolean
    readonly annotations?: Readonly<Record<string, string>>
  }[]
  /** How long the situation lasts, in seconds. */
  readonly seconds: number
}

export interface SituationGroup {
  readonly name: string
  readonly cpu: string
  readonly memory: string
  readonly min?: number
  readonly max: number
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: NonNullable<NodeSpec['taints']>
  /** The initial number of nodes, `NAME-0` and so on. */
  readonly nodes?: number
  readonly annotations?: Readonly<Record<string, string>>
}

export interface SituationPods {
  readonly app: string
  readonly count: number
  readonly cpu: string
  readonly memory: string
  readonly namespace?: string
  /** The node on which the pods run. If absent, the pods are unschedulable. */
  readonly node?: string
  readonly owner?: 'ReplicaSet' | 'none'
  readonly annotations?: Readonly<Record<string, string>>
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
  readonly alone?: boolean
  readonly local?: boolean
  readonly priority?: number
  readonly spec?: Partial<PodSpec>
}

/** How Cluster Autoscaler behaved. */
export interface SituationFacts {
  /** The messages of Cluster Autoscaler's `ScaledUpGroup` events, in order. */
  readonly scaledUp: readonly string[]
  /** The final number of nodes in each node group. */
  readonly nodes: Readonly<Record<string, number>>
  /** The number of pods with the event `TriggeredScaleUp`, by app. */
  readonly triggered: Readonly<Record<string, number>>
  /** The messages of the event `NotTriggerScaleUp`, by app. The reasons within a message are sorted. */
  readonly notTriggered: Readonly<Record<string, readonly string[]>>
  /** The number of evicted pods, by app. */
  readonly evicted: Readonly<Record<string, number>>
  /** The number of nodes that have a taint of Cluster Autoscaler at the end, by taint key. */
  readonly taints: Readonly<Record<string, number>>
  /** Seconds from the start until the first scale-up. */
  readonly firstScaleUp?: number
  /** Seconds from the start until the first node was removed. */
  readonly firstRemoval?: number
  /** The reasons of Cluster Autoscaler's other events about the status ConfigMap. */
  readonly reasons: readonly string[]
}
