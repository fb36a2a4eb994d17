import type { DeviceAllocationResult, DeviceExpression, Toleration } from '@kerf/apis'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'

/** One alternative of a node selector. `nodes` is set if the alternative selects nodes by name, and not only by label. */
export interface NodeTerm {
  readonly requirements: Requirements
  readonly nodes: ReadonlySet<string> | undefined
}

/** A ResourceClaim with allocated devices. */
export interface AllocatedClaim {
  readonly key: string
  readonly results: readonly DeviceAllocationResult[]
  /** The node selector terms of the nodes on which its devices can be used; `undefined` if they can be used everywhere. */
  readonly terms: readonly NodeTerm[] | undefined
  /** UIDs of the pods for which the claim is reserved; `undefined` if it is reserved for another consumer as well, or for none. */
  readonly pods: ReadonlySet<string> | undefined
}

/** A pod's ResourceClaim as it is before any pod is placed. */
export interface ClaimView {
  /** `namespace/name`. If the claim has not been created from its template yet, the pod's name and the name of the claim in the pod. */
  readonly key: string
  readonly demand: DeviceDemand
  /** A text that is equal for claims that the same devices satisfy. */
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
  /** The text of the selectors. It is equal for alternatives that match the same devices. */
  readonly selectorKey: string
  /** `All` requests every matching device, and there must be at least one. */
  readonly count: number | 'All'
  /** Whether the request has admin access, which allows it to use devices that other claims use. */
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
