import type { DeviceAllocationResult, DeviceExpression, Toleration } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'

/** One alternative of a node selector. `nodes` is set when it names nodes instead of asking for labels only. */
export interface NodeTerm {
  readonly requirements: Requirements
  readonly nodes: ReadonlySet<string> | undefined
}

/** A claim that holds devices. */
export interface AllocatedClaim {
  readonly key: string
  readonly results: readonly DeviceAllocationResult[]
  /** Where its devices can be used, alternatives; `undefined` for everywhere. */
  readonly terms: readonly NodeTerm[] | undefined
  /** Uids of the pods it is kept for; `undefined` if it is kept for somebody else too, or for nobody. */
  readonly pods: ReadonlySet<string> | undefined
}

/** A claim of a pod, as far as it is known before anything is placed. */
export interface ClaimView {
  /** `namespace/name`; of a claim that is still to be made from a template, the pod's name and the claim's. */
  readonly key: string
  readonly demand: DeviceDemand
  /** Text of what it asks for: equal for claims that the same devices satisfy. */
  readonly shape: string
  readonly allocated: AllocatedClaim | undefined
}

/** What a pod has to be given besides a place. */
export interface PodDevices {
  readonly claims: readonly ClaimView[]
  /** Equal for pods that want the same; `undefined` if a claim may be others' too or is allocated already. */
  readonly shape: string | undefined
}

/** One way to satisfy a device request. */
export interface DeviceAlternative {
  /** `request`, or `request/sub-request` for one of a list by preference. */
  readonly name: string
  readonly deviceClass: string
  readonly selectors: readonly DeviceExpression[]
  /** Text of the selectors: equal for ways that the same devices match. */
  readonly selectorKey: string
  /** `All`: every device that matches, and at least one. */
  readonly count: number | 'All'
  /** Uses devices beside whoever else does. */
  readonly isAdmin: boolean
  readonly tolerations: readonly Toleration[]
  readonly capacity: Amounts
}

export interface DemandedRequest {
  readonly name: string
  /** Best first. */
  readonly alternatives: readonly DeviceAlternative[]
}

/** What a ResourceClaim asks for, checked and compiled. */
export interface DeviceDemand {
  readonly requests: readonly DemandedRequest[]
  readonly constraints: readonly { readonly attribute: string; readonly requests: readonly string[] }[]
}
