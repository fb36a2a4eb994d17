import type { Condition, KubeObject, ResourceList } from './object.ts'

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: TaintEffect
  readonly timeAdded?: string
}

/** The operators of node selectors, and `Gte` and `Lte`, which Karpenter adds. */
export type NodeSelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte'

export interface NodeSelectorRequirement {
  readonly key: string
  readonly operator: NodeSelectorOperator
  readonly values?: readonly string[]
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[]
  readonly matchFields?: readonly NodeSelectorRequirement[]
}

export interface NodeSelector {
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[]
}

export interface NodeSpec {
  readonly providerID?: string
  readonly unschedulable?: boolean
  readonly taints?: readonly Taint[]
  readonly podCIDR?: string
}

export interface NodeStatus {
  readonly capacity?: ResourceList
  readonly allocatable?: ResourceList
  readonly conditions?: readonly Condition[]
  readonly phase?: string
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly nodeInfo?: Readonly<Record<string, string>>
  readonly volumesAttached?: readonly { readonly name: string; readonly devicePath: string }[]
}

export interface Node extends KubeObject {
  readonly spec: NodeSpec
  readonly status?: NodeStatus
}
