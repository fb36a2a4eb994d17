import {
  compileDeviceExpression,
  type DeviceAllocationResult,
  type DeviceAttribute,
  type DeviceClass,
  type DeviceConstraint,
  type DeviceExpression,
  type DeviceSubRequest,
  type DeviceValue,
  ownValue,
  type ResourceClaim,
} from '@kerf/apis'

/** A device that a node can use. */
export interface OfferedDevice {
  /** `driver/pool/device` */
  readonly key: string
  readonly driver: string
  readonly pool: string
  readonly device: string
  readonly attributes: Readonly<Record<string, DeviceAttribute>>
  readonly value: DeviceValue
}

/** The devices found for each claim, in the order of the claims. */
export type FoundDevices = readonly (readonly DeviceAllocationResult[])[]

const expressions = new Map<string, DeviceExpression>()

const matches = (device: OfferedDevice, selectors: DeviceSubRequest['selectors'] = []): boolean =>
  selectors.every(({ cel }) => {
    if (cel === undefined) return false
    let expression = expressions.get(cel.expression)
    if (expression === undefined) {
      expression = compileDeviceExpression(cel.expression)
      expressions.set(cel.expression, expression)
    }
    return expression.evaluate(device.value) === true
  })

const attributeOf = ({ driver, attributes }: OfferedDevice, name: string): string | undefined => {
  const own = name.startsWith(`${driver}/`) ? ownValue(attributes, name.slice(driver.length + 1)) : undefined
  const found = ownValue(attributes, name) ?? own
  return found === undefined ? undefined : JSON.stringify(found)
}

interface Grant {
  readonly claim: number
  /** The name of a request, or `request/sub-request`. */
  readonly request: string
  readonly device: OfferedDevice
}

const holds = (
  { matchAttribute, distinctAttribute, requests = [] }: DeviceConstraint,
  grants: readonly Grant[],
): boolean => {
  if (matchAttribute === undefined || distinctAttribute !== undefined) return false
  const values = grants
    .filter(
      ({ request }) =>
        requests.length === 0 || requests.some((name) => name === request || name === request.split('/')[0]),
    )
    .map(({ device }) => attributeOf(device, matchAttribute))
  return values.every((value) => value !== undefined && value === values[0])
}

/**
 * Finds free devices for claims by backtracking. Returns `undefined` if there are not enough free devices. Supports only whole devices, not
 * partitions or shared counters.
 *
 * @throws RuleError if a selector does not compile
 */
export const findDevices = (
  claims: readonly ResourceClaim[],
  classes: (name: string) => DeviceClass | undefined,
  offered: readonly OfferedDevice[],
): FoundDevices | undefined => {
  const requests = claims.flatMap(({ spec }, claim) =>
    (spec.devices?.requests ?? []).map(({ name, exactly, firstAvailable = [] }) => ({
      claim,
      ways:
        exactly === undefined
          ? firstAvailable.map((way) => ({ ...way, name: `${name}/${way.name}` }))
          : [{ ...exactly, name }],
    })),
  )
  const isAllowed = (grants: readonly Grant[]): boolean =>
    claims.every(({ spec }, claim) => {
      const own = grants.filter((grant) => grant.claim === claim)
      return (spec.devices?.constraints ?? []).every((constraint) => holds(constraint, own))
    })
  const search = (place: number, grants: readonly Grant[]): readonly Grant[] | undefined => {
    const request = requests[place]
    if (request === undefined) return grants
    const taken = new Set(grants.map(({ device }) => device.key))
    for (const way of request.ways) {
      const deviceClass = classes(way.deviceClassName)
      if (deviceClass === undefined) continue
      const fitting = offered.filter(
        (device) => matches(device, deviceClass.spec?.selectors) && matches(device, way.selectors),
      )
      const free = fitting.filter(({ key }) => !taken.has(key))
      const isAll = way.allocationMode === 'All'
      if (isAll && (fitting.length === 0 || free.length < fitting.length)) continue
      const count = isAll ? fitting.length : (way.count ?? 1)
      const choose = (from: number, chosen: readonly Grant[]): readonly Grant[] | undefined => {
        if (chosen.length === count) return search(place + 1, [...grants, ...chosen])
        for (let next = from; next < free.length; next++) {
          const device = free[next]
          if (device === undefined) continue
          const more = [...chosen, { claim: request.claim, request: way.name, device }]
          const found = isAllowed([...grants, ...more]) ? choose(next + 1, more) : undefined
          if (found !== undefined) return found
        }
        return undefined
      }
      const found = choose(0, [])
      if (found !== undefined) return found
    }
    return undefined
  }
  const found = search(0, [])
  return found === undefined
    ? undefined
    : claims.map((_, claim) =>
        found
          .filter((grant) => grant.claim === claim)
          .map(({ request, device: { driver, pool, device } }) => ({ request, driver, pool, device })),
      )
}
