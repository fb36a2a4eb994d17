import type { NodeSpec, PodSpec, Toleration } from '@kerf/apis'

/** A small cluster that Cluster Autoscaler is let loose on: no scheduler, no controllers, no kubelets but those of the test. */
export interface Situation {
  readonly name: string
  readonly flags?: Readonly<Record<string, string>>
  readonly groups: readonly SituationGroup[]
  readonly pods: readonly SituationPods[]
  readonly budgets?: readonly { readonly app: string; readonly allowed: number }[]
  /** Ready nodes of nobody, or of Karpenter. */
  readonly foreign?: readonly {
    readonly name: string
    readonly cpu: string
    readonly memory: string
    readonly isReady?: boolean
    readonly annotations?: Readonly<Record<string, string>>
  }[]
  /** How long it is watched, in seconds. */
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
  /** Nodes at the beginning, `NAME-0` and so on. */
  readonly nodes?: number
  readonly annotations?: Readonly<Record<string, string>>
}

export interface SituationPods {
  readonly app: string
  readonly count: number
  readonly cpu: string
  readonly memory: string
  readonly namespace?: string
  /** The node that they run on; absent: they are unschedulable. */
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

/** What Cluster Autoscaler made of it. */
export interface SituationFacts {
  /** Messages of `ScaledUpGroup`, in order. */
  readonly scaledUp: readonly string[]
  /** Nodes of each group at the end. */
  readonly nodes: Readonly<Record<string, number>>
  /** Pods with the event `TriggeredScaleUp`, by app. */
  readonly triggered: Readonly<Record<string, number>>
  /** Messages of `NotTriggerScaleUp` by app, their parts in order. */
  readonly notTriggered: Readonly<Record<string, readonly string[]>>
  /** Pods that are gone, by app. */
  readonly evicted: Readonly<Record<string, number>>
  /** Keys of its taints on the nodes at the end, with how many nodes have them. */
  readonly taints: Readonly<Record<string, number>>
  /** Seconds from the beginning to the first scale-up. */
  readonly firstScaleUp?: number
  /** Seconds from the beginning to the first node that was gone. */
  readonly firstRemoval?: number
  /** Reasons of its other events on the status. */
  readonly reasons: readonly string[]
}
