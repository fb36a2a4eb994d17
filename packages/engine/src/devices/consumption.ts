import { type CapacityRequestPolicy, parseQuantity } from '@kerf/apis'
import { capacityResource, type PooledDevice, type ResourceUse } from './device.ts'

/** Returns the smallest amount that a policy allows for one request and that is at least `wanted`. Returns `undefined` if there is none. */
const roundedUp = (wanted: bigint, { validValues, validRange }: CapacityRequestPolicy): bigint | undefined => {
  if (validValues !== undefined && validValues.length > 0) {
    let least: bigint | undefined
    for (const text of validValues) {
      const value = parseQuantity(text)
      if (value >= wanted && (least === undefined || value < least)) least = value
    }
    return least
  }
  if (validRange === undefined) return wanted
  const min = validRange.min === undefined ? 0n : parseQuantity(validRange.min)
  let amount = wanted < min ? min : wanted
  if (validRange.step !== undefined) {
    const step = parseQuantity(validRange.step)
    const over = step === 0n ? 0n : (amount - min) % step
    if (over !== 0n) amount += step - over
  }
  return validRange.max !== undefined && amount > parseQuantity(validRange.max) ? undefined : amount
}

/**
 * Returns the capacity of a device that a request consumes (`docs/spec/scheduling.md#devices`). For a shared device, this is the requested
 * amount, rounded up according to the policy. If the request has no amount, the policy's default applies, and without a default, the whole
 * capacity. A device that is not shared is allocated as a whole, so the result is empty. Returns `undefined` if the device does not have
 * the requested amount.
 * @throws QuantityError if a policy has an invalid quantity
 */
export const deviceConsumption = (
  device: PooledDevice,
  requested: ReadonlyMap<string, bigint>,
): readonly ResourceUse[] | undefined => {
  for (const [name, amount] of requested) {
    const dimension = device.capacity.get(name)
    if (dimension === undefined || amount > dimension.value) return undefined
  }
  if (!device.isShared) return []
  const uses: ResourceUse[] = []
  for (const [name, { value: total, policy }] of device.capacity) {
    const wanted = requested.get(name)
    const amount =
      wanted !== undefined
        ? policy === undefined
          ? wanted
          : roundedUp(wanted, policy)
        : policy?.default !== undefined
          ? parseQuantity(policy.default)
          : total
    if (amount === undefined || amount > total) return undefined
    uses.push({ resource: capacityResource(device.id, name), amount, total })
  }
  return uses
}
