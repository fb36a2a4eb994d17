import type { DeviceAllocationResult, DeviceExpression, Toleration } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'

/** One alternative of a node selector. `nodes` is set if the alternative selects nodes by name instead of by label only. */
export interface NodeTerm {
  readonly requirements: Requirements
  readonly nodes: ReadonlySet<string> | undefined
}

/** A ResourceClaim with allocated devices. */
export interface AllocatedClaim {
  readonly key: string
  readonly results: readonly DeviceAllocationResult[]
  /** The alternatives for where its devices can be used; `undefined` if they can be used everywhere. */
  readonly terms: readonly NodeTerm[] | undefined
  /** Uids of the pods that the claim is reserved for; `undefined` if it is reserved for another consumer too, or for none. */
  readonly pods: ReadonlySet<string> | undefined
}

/** A ResourceClaim of a pod, as it is known before any pod is placed. */
export interface ClaimView {
  /** `namespace/name`. If the claim has not been created from its template yet: the name of the pod and the name of the claim in it. */
  readonly key: string
  readonly demand: DeviceDemand
  /** Equal for claims that the same devices satisfy. */
  readonly shape: string
  readonly allocated: AllocatedClaim | undefined
}

/** The devices that a pod needs. */
export interface PodDevices {
  readonly claims: readonly ClaimView[]
  /**
   * A text that is equal for pods that need the same devices. `undefined` if a claim is already allocated or may be shared with
   * other pods.
   */
  readonly shape: string | undefined
}

/** One way to satisfy a device request. */
export interface DeviceAlternative {
  /** `request`, or `request/sub-request` for an entry of a prioritized list. */
  readonly name: string
  readonly deviceClass: string
  readonly selectors: readonly DeviceExpression[]
  /** The text of the selectors: equal for alternatives that the same devices match. */
  readonly selectorKey: string
  /** `All` means every matching device, and at least one. */
  readonly count: number | 'All'
  /** Whether the request has admin access, so that it can use devices that other claims use. */
  readonly isAdmin: boolean
  readonly tolerations: readonly Toleration[]
  readonly capacity: Amounts
}

export interface DemandedRequest {
  readonly name: string
  /** In order of preference. */
  readonly alternatives: readonly DeviceAlternative[]
}

/** The requests and constraints of a ResourceClaim, validated and compiled. */
export interface DeviceDemand {
  readonly requests: readonly DemandedRequest[]
  readonly constraints: readonly { readonly attribute: string; readonly requests: readonly string[] }[]
}
