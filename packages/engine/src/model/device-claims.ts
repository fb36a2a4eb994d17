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
  /** The node selector terms of the nodes that can use the devices; `undefined` if every node can. */
  readonly terms: readonly NodeTerm[] | undefined
  /**
   * UIDs of the pods that the claim is reserved for. `undefined` if it is not reserved, or if it is reserved for something other than a
   * pod.
   */
  readonly pods: ReadonlySet<string> | undefined
}

/** A pod's ResourceClaim before the decision places any pod. */
export interface ClaimView {
  /**
   * `namespace/name`. If the claim's template has not created the claim yet, the key consists of the pod's name and the name of the claim
   * in the pod.
   */
  readonly key: string
  readonly demand: DeviceDemand
  /** Claims with equal shapes can be satisfied by the same devices. */
  readonly shape: string
  readonly allocated: AllocatedClaim | undefined
}

/** The devices that a pod needs. */
export interface PodDevices {
  readonly claims: readonly ClaimView[]
  /** Pods with equal shapes need the same devices. `undefined` if a claim is already allocated or may be shared with other pods. */
  readonly shape: string | undefined
}

/** One way to satisfy a device request. */
export interface DeviceAlternative {
  /** `request`, or `request/sub-request` for an entry of a prioritized list. */
  readonly name: string
  readonly deviceClass: string
  readonly selectors: readonly DeviceExpression[]
  /** Alternatives with equal keys match the same devices. The key is the text of the selectors. */
  readonly selectorKey: string
  /** `All` requests every matching device. At least one must match. */
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
