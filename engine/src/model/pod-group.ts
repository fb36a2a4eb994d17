import type { Pod } from '@kerf/apis'
import type { Reason } from '../reason.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { PodDevices } from './device-claims.ts'
import type { HostPort } from './host-port.ts'
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
  /** Domains that the pod's own demands allow; `undefined` for all. */
  readonly allowed: Uint8Array | undefined
  /** Groups whose owners look for this pod in one domain: if one of them is to be placed too, its node must end in one. */
  readonly pins: readonly TopologyGroup[]
}

/** A class of pods with some of its wishes given up. */
export interface Variant {
  readonly id: number
  readonly preferences: PodPreferences
  readonly strict: Requirements
  /** Number of the full requirements among the interned ones. */
  readonly requirements: number
  /** Number of the tolerations among the interned ones. */
  readonly tolerations: number
  readonly hostGroups: readonly TopologyGroup[]
  /** Equal for variants whose host terms refuse the same hosts. */
  readonly hostKey: number
  readonly keyTerms: readonly KeyTerms[]
  /** Equal for variants that any host refuses for good for the same reasons. */
  readonly fitKey: number
  /** Shared by all variants with this key: how many pods may ask with it. */
  readonly expected: { pods: number }
}

/**
 * Pods that ask for the same: whatever is found out about one holds for all. Feasibility is worked out once for a class,
 * placement once for a pod.
 */
export interface PodGroup {
  readonly id: number
  readonly pod: Pod
  /** How many pods of the batch are of it and not placed yet. */
  left: number
  readonly labels: PodLabels
  /** Exact amounts, and the same as a row. */
  readonly requests: ReadonlyMap<string, bigint>
  row: Float64Array
  /** Columns that the requests name, as bits; -1 if one of them has no column. */
  columns: number
  readonly ports: readonly HostPort[]
  readonly volumes: readonly VolumeUse[]
  /** Alternatives that the volumes leave; empty when they restrict nothing. */
  readonly volumeAlternatives: readonly Requirements[]
  readonly nodeAlternatives: readonly Requirements[]
  /** Devices that it claims; `undefined` for none. */
  readonly devices: PodDevices | undefined
  readonly preferences: PodPreferences
  /** Terms of the first variant; later ones have fewer. */
  readonly terms: readonly TopologyTerm[]
  /** Cannot be planned at all. */
  readonly refusal: readonly Reason[] | undefined
  /** May not go to a node that consolidation keeps still (`docs/spec/scheduling.md#existing-nodes`). */
  readonly avoidsSettling: boolean
  /** Regular groups that count it, and inverse ones that its own anti-affinity terms make. */
  counting: readonly TopologyGroup[]
  inverseOwned: readonly TopologyGroup[]
  /** Groups of its terms that it demands, inverse ones included. */
  demanded: readonly TopologyGroup[]
  variants: Variant[]
}
