import type { Condition, IntOrString, KubeObject, LabelSelector, ResourceList } from './object.ts'
import type { PodTemplateSpec } from './pod.ts'

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly paused?: boolean
    readonly strategy?: {
      readonly type?: 'RollingUpdate' | 'Recreate'
      readonly rollingUpdate?: { readonly maxSurge?: IntOrString; readonly maxUnavailable?: IntOrString }
    }
    readonly minReadySeconds?: number
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: number
  }
  readonly status?: Readonly<Record<string, unknown>>
}

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template?: PodTemplateSpec
    readonly minReadySeconds?: number
  }
  readonly status?: Readonly<Record<string, unknown>>
}

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly serviceName?: string
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel'
    readonly volumeClaimTemplates?: readonly KubeObject[]
  }
  readonly status?: Readonly<Record<string, unknown>>
}

export interface DaemonSet extends KubeObject {
  readonly spec: { readonly selector: LabelSelector; readonly template: PodTemplateSpec }
  readonly status?: Readonly<Record<string, unknown>>
}

export interface ReplicationController extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector?: Readonly<Record<string, string>>
    readonly template?: PodTemplateSpec
  }
}

export interface Service extends KubeObject {
  readonly spec: {
    readonly selector?: Readonly<Record<string, string>>
    readonly clusterIP?: string
    readonly ports?: readonly unknown[]
    readonly type?: string
  }
}

export interface PodDisruptionBudget extends KubeObject {
  readonly spec: {
    readonly selector?: LabelSelector
    readonly minAvailable?: IntOrString
    readonly maxUnavailable?: IntOrString
    readonly unhealthyPodEvictionPolicy?: 'IfHealthyBudget' | 'AlwaysAllow'
  }
  readonly status?: {
    readonly disruptionsAllowed?: number
    readonly currentHealthy?: number
    readonly desiredHealthy?: number
    readonly expectedPods?: number
    readonly observedGeneration?: number
    readonly conditions?: readonly Condition[]
  }
}

export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: 'Active' | 'Terminating' }
}

export interface PriorityClass extends KubeObject {
  readonly value: number
  readonly globalDefault?: boolean
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
}

export interface RuntimeClass extends KubeObject {
  readonly handler: string
  readonly overhead?: { readonly podFixed?: ResourceList }
}

export interface Lease extends KubeObject {
  readonly spec: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly acquireTime?: string
    readonly renewTime?: string
    readonly leaseTransitions?: number
  }
}

export interface Event extends KubeObject {
  readonly involvedObject: {
    readonly apiVersion?: string
    readonly kind?: string
    readonly namespace?: string
    readonly name?: string
    readonly uid?: string
  }
  readonly reason?: string
  readonly message?: string
  readonly type?: 'Normal' | 'Warning'
  readonly count?: number
  readonly firstTimestamp?: string
  readonly lastTimestamp?: string
  readonly eventTime?: string | null
  readonly source?: { readonly component?: string; readonly host?: string }
  readonly reportingComponent?: string
  readonly reportingInstance?: string
}
