import type { NodeSpec, PodSpec, Toleration } from '@kerf/apis'

/** A small cluster for Cluster Autoscaler, without a scheduler or controllers, and with the kubelets of the test. */
export interface Situation {
  readonly name: string
  readonly flags?: Readonly<Record<string, string>>
  readonly groups: readonly SituationGroup[]
  readonly pods: readonly SituationPods[]
  readonly budgets?: readonly { readonly app: string; readonly allowed: number }[]
  /** Ready nodes without an owner, or of Karpenter. */
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
  /** The node of the pods; if absent, they are unschedulable. */
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

/** The observed behavior of Cluster Autoscaler. */
export interface SituationFacts {
  /** Messages of `ScaledUpGroup`, in order. */
  readonly scaledUp: readonly string[]
  /** The final number of nodes in each group. */
  readonly nodes: Readonly<Record<string, number>>
  /** Pods with the event `TriggeredScaleUp`, by app. */
  readonly triggered: Readonly<Record<string, number>>
  /** Messages of `NotTriggerScaleUp` by app, with sorted parts. */
  readonly notTriggered: Readonly<Record<string, readonly string[]>>
  /** Evicted pods, by app. */
  readonly evicted: Readonly<Record<string, number>>
  /** The keys of its taints on nodes at the end, with the number of nodes. */
  readonly taints: Readonly<Record<string, number>>
  /** Seconds from the start to the first scale-up. */
  readonly firstScaleUp?: number
  /** Seconds from the start to the first removed node. */
  readonly firstRemoval?: number
  /** The reasons of its other events on the status ConfigMap. */
  readonly reasons: readonly string[]
}
