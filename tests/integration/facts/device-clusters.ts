import type { Device, DeviceRequest, ResourceClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { claim, claiming, devices, deviceType, GPU } from './devices.ts'
import { type Harness, harness } from './harness.ts'
import { type } from './instance-types.ts'

/** Instance types with no devices, two devices and eight devices. */
export const plain = type('plain', { price: 0.1 })
export const two = deviceType('two', devices(2), { price: 1 })
export const eight = deviceType('eight', devices(8), { price: 3 })

/** Returns a cluster with these ResourceClaims and a NodePool of these instance types. */
export const cluster = (types: readonly InstanceType[], ...resourceClaims: readonly ResourceClaim[]): Harness =>
  harness()
    .only({ types })
    .devices({ deviceClasses: [GPU], resourceClaims })

/** Returns the instance types that the pod's NodeClaim may have. If the pod has no NodeClaim, returns the reason. */
export const plannedTypes = (of: Harness, name = 'a'): readonly string[] | string => {
  const plan = of.plan()
  return plan.left.includes(name) ? plan.whyNot(name) : [...plan.claimOf(name).instanceTypes].sort()
}

/** Reports whether a pod with a ResourceClaim for these requests can be placed on an instance type with these devices. */
export const isServed = (listed: readonly Device[], ...requests: readonly DeviceRequest[]): boolean =>
  cluster([deviceType('m', listed)], claim('a', requests))
    .pod('a', claiming('a'))
    .plan().left.length === 0
