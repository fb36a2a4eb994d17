import type { Pod } from '@kerf/apis'
import type { Reason } from '../reasons/reason.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { PodDevices } from './device-claims.ts'
import type { HostPort } from './host-port.ts'
import type { RequirementsId, TolerationsId } from './ids.ts'
import type { PodLabels } from './pod-labels.ts'
import type { PodPreferences } from './preferences.ts'
import type { TopologyGroup } from './topology-group.ts'
import type { TopologyTerm } from './topology-term.ts'
import type { VolumeUse } from './volume-use.ts'

/** The topology groups for one label that restrict where a pod may run. */
export interface KeyTerms {
  /** The number of the label. */
  readonly key: number
  readonly groups: readonly TopologyGroup[]
  /**
   * Whether all groups are anti-affinity. If they are, the pod may run on a node without the label, because there is no domain to avoid.
   */
  readonly onlyAvoids: boolean
  /** The domains that the pod's own requirements allow; `undefined` for all. */
  readonly allowed: Uint8Array | undefined
  /**
   * Affinity and anti-affinity groups that count this pod by domain. If a pod that owns one of these groups must also be placed, this pod's
   * node must be restricted to one domain.
   */
  readonly pins: readonly TopologyGroup[]
}

/** An equivalence group with one alternative of its required node affinity and with some of its preferences relaxed. */
export interface Variant {
  readonly id: number
  /** The number of this variant among the variants of the group. Variants with the same preferences have consecutive numbers. */
  readonly level: number
  readonly preferences: PodPreferences
  /** The requirements on the node without preferences. */
  readonly strict: Requirements
  /** The interned number of the full requirements, including preferences. */
  readonly requirements: RequirementsId
  /** The interned number of the tolerations. */
  readonly tolerations: TolerationsId
  readonly hostGroups: readonly TopologyGroup[]
  /** Variants with equal keys exclude the same hosts by their hostname terms. */
  readonly hostKey: number
  readonly keyTerms: readonly KeyTerms[]
  /** Variants with equal keys are permanently refused by the same hosts, for the same reasons. */
  readonly fitKey: number
}

/** Everything that pods demand except resource amounts. Equivalence groups that differ only in amounts share one object. */
export interface PodDemand {
  readonly labels: PodLabels
  readonly ports: readonly HostPort[]
  readonly volumes: readonly VolumeUse[]
  /** The alternative requirements that the volumes of the pods allow; empty if the volumes do not restrict the node. */
  readonly volumeAlternatives: readonly Requirements[]
  /** The alternative requirements of the pods on their node, without preferences. */
  readonly nodeAlternatives: readonly Requirements[]
  /** The devices that a pod claims; `undefined` if it claims none. */
  readonly devices: PodDevices | undefined
  /** The names of the NodePools with restricted access that the pods may use, separated by commas. */
  readonly usablePools: string
  readonly preferences: PodPreferences
  /** The topology terms of the first variant. Later variants relax some of them. */
  readonly terms: readonly TopologyTerm[]
}

/** An equivalence group as read from its pods, before the other pods and the nodes are considered. */
export interface EquivalenceGroupRead extends PodDemand {
  readonly id: number
  /** One of the group's pods. Everything that is read from it is the same for all pods of the group. */
  readonly pod: Pod
  readonly demand: PodDemand
  readonly requests: Amounts
  /** The reasons why the pods cannot be planned; `undefined` if they can. */
  readonly refusal: readonly Reason[] | undefined
  /**
   * Whether the pods must not move to a node that is still within its pool's `consolidateAfter` (`docs/spec/scheduling.md#existing-nodes`).
   */
  readonly avoidsSettling: boolean
}

/** The topology groups that are relevant for pods with the same demand. */
export interface EquivalenceGroupTopology {
  /** The groups that count the pods, without inverse groups. */
  readonly counting: readonly TopologyGroup[]
  /** The inverse groups of the pods' own anti-affinity terms. */
  readonly inverseOwned: readonly TopologyGroup[]
  /** The groups of the pods' required terms, and the inverse groups of these terms. */
  readonly demanded: readonly TopologyGroup[]
  /** The groups of the pods' required affinity. A pod may be the first of a group only if all of these groups are still empty. */
  readonly affinity: readonly TopologyGroup[]
}

/**
 * Pods of the batch with the same demand and requests. Feasibility on a node is computed once per group. Placement is decided for each pod.
 */
export interface EquivalenceGroup extends EquivalenceGroupRead, EquivalenceGroupTopology {
  /** The requests, in the columns and units of the decision's `ResourceTable`. */
  readonly row: Float64Array
  /** The columns of the requested resources, as bits; -1 if one of them has no column. */
  readonly columns: number
}

/** A pod of the batch and its group. */
export interface BatchPod {
  readonly pod: Pod
  readonly equivalenceGroup: EquivalenceGroup
}
