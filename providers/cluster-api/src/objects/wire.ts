import type { Condition, KubeObject } from '@kerf/apis'

/** The fields of Cluster API's objects in JSON that Kerf uses, for v1beta2 and v1beta1 together. */

/** v1beta2 has `apiGroup`. v1beta1 has `apiVersion` and `namespace`. */
export interface ReferenceOnWire {
  readonly apiGroup?: string
  readonly apiVersion?: string
  readonly kind?: string
  readonly name?: string
  readonly namespace?: string
}

export interface MachineSpecOnWire {
  readonly clusterName?: string
  readonly providerID?: string
  readonly version?: string
  readonly infrastructureRef?: ReferenceOnWire
  readonly bootstrap?: { readonly configRef?: ReferenceOnWire }
}

export interface StatusOnWire {
  readonly phase?: string
  readonly replicas?: number
  readonly nodeRef?: { readonly name?: string }
  readonly conditions?: readonly Condition[]
  /** Only in v1beta1: the conditions that v1beta2 has at the top level of the status. */
  readonly v1beta2?: { readonly conditions?: readonly Condition[] }
}

interface TemplateOnWire {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> }
  readonly spec?: MachineSpecOnWire
}

interface StrategyOnWire {
  readonly type?: string
}

export interface MachineOnWire extends KubeObject {
  readonly spec?: MachineSpecOnWire
  readonly status?: StatusOnWire
}

export interface MachineSetOnWire extends KubeObject {
  readonly spec?: { readonly clusterName?: string; readonly replicas?: number }
  readonly status?: StatusOnWire
}

export interface MachineDeploymentOnWire extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string
    readonly replicas?: number
    readonly paused?: boolean
    /** In v1beta2. */
    readonly rollout?: { readonly strategy?: StrategyOnWire }
    /** In v1beta1. */
    readonly strategy?: StrategyOnWire
    readonly template?: TemplateOnWire
  }
  readonly status?: StatusOnWire
}

export interface ClusterOnWire extends KubeObject {
  readonly spec?: { readonly paused?: boolean; readonly infrastructureRef?: ReferenceOnWire }
  readonly status?: StatusOnWire
}
