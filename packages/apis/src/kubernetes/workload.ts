import type { Seconds } from '../units.ts'
import type { Condition, IntOrString, KubeObject, LabelSelector, ObjectReference, ResourceList } from './object.ts'
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
    readonly minReadySeconds?: Seconds
    readonly revisionHistoryLimit?: number
    readonly progressDeadlineSeconds?: Seconds
  }
  readonly status?: DeploymentStatus
}

export interface DeploymentStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly updatedReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly unavailableReplicas?: number
  readonly collisionCount?: number
  readonly conditions?: readonly (Condition & { readonly lastUpdateTime?: string })[]
}

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template?: PodTemplateSpec
    readonly minReadySeconds?: Seconds
  }
  readonly status?: ReplicaSetStatus
}

export interface ReplicaSetStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly fullyLabeledReplicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly conditions?: readonly Condition[]
}

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly serviceName?: string
    readonly podManagementPolicy?: 'OrderedReady' | 'Parallel'
    readonly volumeClaimTemplates?: readonly KubeObject[]
    readonly minReadySeconds?: Seconds
    readonly ordinals?: { readonly start?: number }
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete'
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrString }
    }
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: 'Retain' | 'Delete'
      readonly whenScaled?: 'Retain' | 'Delete'
    }
  }
  readonly status?: StatefulSetStatus
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
  readonly currentReplicas?: number
  readonly updatedReplicas?: number
  readonly currentRevision?: string
  readonly updateRevision?: string
  readonly collisionCount?: number
}

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector
    readonly template: PodTemplateSpec
    readonly minReadySeconds?: Seconds
    readonly updateStrategy?: {
      readonly type?: 'RollingUpdate' | 'OnDelete'
      readonly rollingUpdate?: { readonly maxSurge?: IntOrString; readonly maxUnavailable?: IntOrString }
    }
  }
  readonly status?: DaemonSetStatus
}

export interface DaemonSetStatus {
  readonly observedGeneration?: number
  readonly currentNumberScheduled?: number
  readonly desiredNumberScheduled?: number
  readonly numberMisscheduled?: number
  readonly numberReady?: number
  readonly updatedNumberScheduled?: number
  readonly numberAvailable?: number
  readonly numberUnavailable?: number
}

export interface JobSpec {
  readonly parallelism?: number
  readonly completions?: number
  readonly completionMode?: 'NonIndexed' | 'Indexed'
  readonly backoffLimit?: number
  /** The number of failures that are allowed for each index. Set only with `completionMode: Indexed`. */
  readonly backoffLimitPerIndex?: number
  /** The controller that creates the pods, if it is not the Job controller of Kubernetes. */
  readonly managedBy?: string
  readonly activeDeadlineSeconds?: Seconds
  readonly ttlSecondsAfterFinished?: number
  readonly suspend?: boolean
  readonly selector?: LabelSelector
  readonly manualSelector?: boolean
  readonly podReplacementPolicy?: 'TerminatingOrFailed' | 'Failed'
  readonly template: PodTemplateSpec
}

export interface JobStatus {
  readonly active?: number
  readonly ready?: number
  readonly terminating?: number
  readonly succeeded?: number
  readonly failed?: number
  readonly completedIndexes?: string
  /** The indexes that are not tried again, for example `1,3-5`. Set only with `backoffLimitPerIndex`. */
  readonly failedIndexes?: string
  readonly startTime?: string
  readonly completionTime?: string
  readonly conditions?: readonly Condition[]
  readonly uncountedTerminatedPods?: { readonly succeeded?: readonly string[]; readonly failed?: readonly string[] }
}

export interface Job extends KubeObject {
  readonly spec: JobSpec
  readonly status?: JobStatus
}

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string
    readonly timeZone?: string
    readonly concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
    readonly suspend?: boolean
    readonly startingDeadlineSeconds?: Seconds
    readonly successfulJobsHistoryLimit?: number
    readonly failedJobsHistoryLimit?: number
    readonly jobTemplate: { readonly metadata?: Partial<KubeObject['metadata']>; readonly spec: JobSpec }
  }
  readonly status?: {
    readonly active?: readonly ObjectReference[]
    readonly lastScheduleTime?: string
    readonly lastSuccessfulTime?: string
  }
}

export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean
}

export interface ReplicationController extends KubeObject {
  readonly spec: {
    readonly replicas?: number
    readonly selector?: Readonly<Record<string, string>>
    readonly template?: PodTemplateSpec
    readonly minReadySeconds?: Seconds
  }
  readonly status?: ReplicaSetStatus
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
    /** The pods whose eviction was accepted, with the time of each eviction. For two minutes, these pods are assumed to be gone. */
    readonly disruptedPods?: Readonly<Record<string, string>>
  }
}

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] }
  readonly status?: { readonly phase?: 'Active' | 'Terminating' }
}

export interface ResourceQuota extends KubeObject {
  readonly spec: {
    readonly hard?: ResourceList
    readonly scopes?: readonly string[]
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName: string
        readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'
        readonly values?: readonly string[]
      }[]
    }
  }
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList }
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
    readonly leaseDurationSeconds?: Seconds
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
