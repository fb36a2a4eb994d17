import type { Seconds } from '../units.ts'
import type { NodeSelector, NodeSelectorTerm } from './node.ts'
import type { Condition, KubeObject, LabelSelector, ResourceList } from './object.ts'

export interface Toleration {
  readonly key?: string
  readonly operator?: 'Exists' | 'Equal' | 'Lt' | 'Gt' | ''
  readonly value?: string
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' | ''
  readonly tolerationSeconds?: Seconds
}

export interface ResourceClaimUse {
  readonly name: string
  readonly request?: string
}

export interface ResourceRequirements {
  readonly requests?: ResourceList
  readonly limits?: ResourceList
  readonly claims?: readonly ResourceClaimUse[]
}

export interface ContainerPort {
  readonly containerPort: number
  readonly hostPort?: number
  readonly hostIP?: string
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP'
  readonly name?: string
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly ports?: readonly ContainerPort[]
  readonly resources?: ResourceRequirements
  /** The restart policy of an init container. With `Always` it is a sidecar. */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
}

export interface PreferredSchedulingTerm {
  readonly weight: number
  readonly preference: NodeSelectorTerm
}

export interface PodAffinityTerm {
  readonly topologyKey: string
  readonly labelSelector?: LabelSelector
  readonly namespaces?: readonly string[]
  readonly namespaceSelector?: LabelSelector
  readonly matchLabelKeys?: readonly string[]
  readonly mismatchLabelKeys?: readonly string[]
}

export interface WeightedPodAffinityTerm {
  readonly weight: number
  readonly podAffinityTerm: PodAffinityTerm
}

export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[]
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[]
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[]
  }
  readonly podAffinity?: PodAffinity
  readonly podAntiAffinity?: PodAffinity
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number
  readonly topologyKey: string
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'
  readonly labelSelector?: LabelSelector
  readonly minDomains?: number
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore'
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore'
  readonly matchLabelKeys?: readonly string[]
}

export interface Volume {
  readonly name: string
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean }
  readonly ephemeral?: { readonly volumeClaimTemplate?: { readonly spec: Readonly<Record<string, unknown>> } }
  readonly [source: string]: unknown
}

export interface PodResourceClaim {
  readonly name: string
  readonly resourceClaimName?: string
  readonly resourceClaimTemplateName?: string
}

export interface PodSpec {
  readonly nodeName?: string
  readonly schedulerName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly affinity?: Affinity
  readonly tolerations?: readonly Toleration[]
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[]
  readonly containers: readonly Container[]
  readonly initContainers?: readonly Container[]
  /** The resources of the pod as a whole (cpu, memory, hugepages-*). */
  readonly resources?: ResourceRequirements
  readonly overhead?: ResourceList
  readonly runtimeClassName?: string
  readonly volumes?: readonly Volume[]
  readonly resourceClaims?: readonly PodResourceClaim[]
  readonly priority?: number
  readonly priorityClassName?: string
  readonly preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  readonly terminationGracePeriodSeconds?: Seconds
  readonly activeDeadlineSeconds?: Seconds
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
  readonly serviceAccountName?: string
  readonly hostNetwork?: boolean
  readonly schedulingGates?: readonly { readonly name: string }[]
  /** The PodGroup with which the pod is scheduled, in Kubernetes 1.36 and later. */
  readonly schedulingGroup?: { readonly podGroupName: string }
  /** The Workload with which the pod is scheduled. Used before Kubernetes 1.36. */
  readonly workloadRef?: { readonly name: string }
}

export interface ContainerStatus {
  readonly name: string
  readonly ready?: boolean
  readonly started?: boolean
  readonly restartCount?: number
  readonly image?: string
  readonly imageID?: string
  readonly containerID?: string
  readonly state?: Readonly<Record<string, unknown>>
  readonly resources?: ResourceRequirements
  readonly allocatedResources?: ResourceList
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  readonly reason?: string
  readonly message?: string
  readonly conditions?: readonly Condition[]
  readonly nominatedNodeName?: string
  readonly startTime?: string
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly hostIP?: string
  readonly qosClass?: 'Guaranteed' | 'Burstable' | 'BestEffort'
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[]
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec
  readonly status?: PodStatus
}

export interface PodTemplateSpec {
  readonly metadata?: Partial<KubeObject['metadata']>
  readonly spec: PodSpec
}
