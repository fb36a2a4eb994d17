import type { Pod } from '@kerf/apis'
import type { Reason } from '../reason.ts'
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

/** Groups of one topology label that have a say in where a pod may go. */
export interface KeyTerms {
  /** Number of the label. */
  readonly key: number
  readonly groups: readonly TopologyGroup[]
  /** Whether the groups only keep the pod away from others: a node without the label has no domain to stay away from. */
  readonly onlyAvoids: boolean
  /** Domains that the pod's own requirements allow; `undefined` for all. */
  readonly allowed: Uint8Array | undefined
  /** Groups whose owners look for this pod in one domain: if one of them is to be placed too, its node must end in one. */
  readonly pins: readonly TopologyGroup[]
}

/** A pod group with one alternative of its required node affinity, and with some of its preferences given up. */
export interface Variant {
  readonly id: number
  /** Its number among the variants of the group: those with as many preferences are numbered one after the other. */
  readonly level: number
  readonly preferences: PodPreferences
  /** What the node must be like, preferences aside. */
  readonly strict: Requirements
  /** Number of the full requirements, preferences included, among the interned ones. */
  readonly requirements: RequirementsId
  /** Number of the tolerations among the interned ones. */
  readonly tolerations: TolerationsId
  readonly hostGroups: readonly TopologyGroup[]
  /** Equal for variants whose host terms refuse the same hosts. */
  readonly hostKey: number
  readonly keyTerms: readonly KeyTerms[]
  /** Equal for variants that any host refuses for good for the same reasons. */
  readonly fitKey: number
}

/** What pods demand besides amounts. Pod groups that differ in amounts alone share one object. */
export interface PodDemand {
  readonly labels: PodLabels
  readonly ports: readonly HostPort[]
  readonly volumes: readonly VolumeUse[]
  /** Alternatives that the volumes leave; empty when they restrict nothing. */
  readonly volumeAlternatives: readonly Requirements[]
  /** Alternatives of what the pods demand of their node, preferences aside. */
  readonly nodeAlternatives: readonly Requirements[]
  /** Devices that a pod claims; `undefined` for none. */
  readonly devices: PodDevices | undefined
  readonly preferences: PodPreferences
  /** Terms of the first variant; later ones have fewer. */
  readonly terms: readonly TopologyTerm[]
}

/** A pod group as it is read from its pods, before anything is known of the other pods and of the nodes. */
export interface PodGroupRead extends PodDemand {
  readonly id: number
  /** One of them: what is read of it holds for all. */
  readonly pod: Pod
  readonly demand: PodDemand
  readonly requests: Amounts
  /** Why its pods cannot be planned at all. */
  readonly refusal: readonly Reason[] | undefined
  /** May not go to a node that consolidation keeps still (`docs/spec/scheduling.md#existing-nodes`). */
  readonly avoidsSettling: boolean
}

/** The topology groups that pods with one demand have to do with. */
export interface PodGroupTopology {
  /** Groups, inverse ones aside, that count the pods. */
  readonly counting: readonly TopologyGroup[]
  /** Inverse groups of their own anti-affinity terms. */
  readonly inverseOwned: readonly TopologyGroup[]
  /** Groups of the terms that they demand, inverse ones included. */
  readonly demanded: readonly TopologyGroup[]
  /** Groups of their required affinity: a pod may be the first of one only while all of them are empty. */
  readonly affinity: readonly TopologyGroup[]
}

/**
 * Pods of the batch that ask for the same: whatever is found out about one holds for all. Feasibility is worked out once
 * for a group, placement once for a pod.
 */
export interface PodGroup extends PodGroupRead, PodGroupTopology {
  /** The requests in the columns and units of the decision's `ResourceTable`. */
  readonly row: Float64Array
  /** Columns that the requests name, as bits; -1 if one of them has no column. */
  readonly columns: number
}

/** A pod of the batch with its group. */
export interface BatchPod {
  readonly pod: Pod
  readonly podGroup: PodGroup
}
