import type { NodeSelector } from './node.ts'
import type { KubeObject } from './object.ts'
import type { Toleration } from './pod.ts'

/** This file defines the resource kinds of `resource.k8s.io/v1`: devices that drivers publish, and claims for them. */

/** The value of an attribute. Exactly one of the fields is set. */
export interface DeviceAttribute {
  readonly string?: string
  readonly int?: number
  readonly bool?: boolean
  /** A semantic version. */
  readonly version?: string
}

/** Determines how much of a shared device one request consumes: the requested amount, rounded up by one of the two rules. */
export interface CapacityRequestPolicy {
  readonly default?: string | number
  readonly validValues?: readonly (string | number)[]
  readonly validRange?: {
    readonly min?: string | number
    readonly max?: string | number
    readonly step?: string | number
  }
}

export interface DeviceCapacity {
  readonly value: string | number
  readonly requestPolicy?: CapacityRequestPolicy
}

export interface DeviceCounters {
  readonly [name: string]: { readonly value: string | number }
}

export interface DeviceCounterConsumption {
  readonly counterSet: string
  readonly counters: DeviceCounters
}

export interface DeviceTaint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

export interface Device {
  readonly name: string
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>
  readonly capacity?: Readonly<Record<string, DeviceCapacity>>
  readonly consumesCounters?: readonly DeviceCounterConsumption[]
  readonly allowMultipleAllocations?: boolean
  readonly taints?: readonly DeviceTaint[]
  /** Set only if the slice has `perDeviceNodeSelection`. */
  readonly nodeName?: string
  /** Set only if the slice has `perDeviceNodeSelection`. */
  readonly nodeSelector?: NodeSelector
  /** Set only if the slice has `perDeviceNodeSelection`. */
  readonly allNodes?: boolean
}

export interface CounterSet {
  readonly name: string
  readonly counters: DeviceCounters
}

export interface ResourceSlice extends KubeObject {
  readonly spec: {
    readonly driver: string
    readonly pool: { readonly name: string; readonly generation?: number; readonly resourceSliceCount?: number }
    readonly nodeName?: string
    readonly nodeSelector?: NodeSelector
    readonly allNodes?: boolean
    readonly perDeviceNodeSelection?: boolean
    readonly devices?: readonly Device[]
    readonly sharedCounters?: readonly CounterSet[]
  }
}

export interface DeviceSelector {
  readonly cel?: { readonly expression: string }
}

/** The devices that a request needs. A request contains either exactly one of these objects, or a list of alternatives. */
export interface DeviceSubRequest {
  readonly deviceClassName: string
  readonly selectors?: readonly DeviceSelector[]
  /** The allocation mode. Default `ExactCount`. */
  readonly allocationMode?: string
  /** The number of devices. Default 1. */
  readonly count?: number
  readonly tolerations?: readonly Toleration[]
  readonly capacity?: { readonly requests?: Readonly<Record<string, string | number>> }
}

export interface ExactDeviceRequest extends DeviceSubRequest {
  readonly adminAccess?: boolean
}

export interface DeviceRequest {
  readonly name: string
  readonly exactly?: ExactDeviceRequest
  readonly firstAvailable?: readonly (DeviceSubRequest & { readonly name: string })[]
}

export interface DeviceConstraint {
  /** The names of the constrained requests, or `request/sub-request`. If absent, the constraint applies to all requests. */
  readonly requests?: readonly string[]
  readonly matchAttribute?: string
  readonly distinctAttribute?: string
}

export interface ResourceClaimSpec {
  readonly devices?: {
    readonly requests?: readonly DeviceRequest[]
    readonly constraints?: readonly DeviceConstraint[]
  }
}

export interface DeviceAllocationResult {
  readonly request: string
  readonly driver: string
  readonly pool: string
  readonly device: string
  readonly adminAccess?: boolean
  readonly shareID?: string
  readonly consumedCapacity?: Readonly<Record<string, string | number>>
}

export interface ResourceClaimConsumer {
  readonly apiGroup?: string
  /** The API resource of the consumer, which is always `pods`. */
  readonly resource: string
  readonly name: string
  readonly uid: string
}

export interface ResourceClaim extends KubeObject {
  readonly spec: ResourceClaimSpec
  readonly status?: {
    readonly allocation?: {
      readonly devices?: { readonly results?: readonly DeviceAllocationResult[] }
      /** The nodes that can use the devices. If absent, all nodes can. */
      readonly nodeSelector?: NodeSelector
    }
    readonly reservedFor?: readonly ResourceClaimConsumer[]
  }
}

export interface ResourceClaimTemplate extends KubeObject {
  readonly spec: { readonly metadata?: Partial<KubeObject['metadata']>; readonly spec: ResourceClaimSpec }
}

export interface DeviceClass extends KubeObject {
  readonly spec: { readonly selectors?: readonly DeviceSelector[] }
}
