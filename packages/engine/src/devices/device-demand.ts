import {
  compileDeviceExpression,
  type DeviceClass,
  type DeviceConstraint,
  type DeviceExpression,
  type DeviceRequest,
  type DeviceSelector,
  type DeviceSubRequest,
  type DeviceVerdict,
  parseQuantity,
  QuantityError,
  type ResourceClaimSpec,
  RuleError,
} from '@kerf/apis'
import type { DemandedRequest, DeviceAlternative, DeviceDemand } from '../model/device-claims.ts'
import type { PooledDevice } from './device.ts'

/** The maximum number of devices that Kubernetes allocates to one claim. */
export const MOST_DEVICES = 32

/** A claim that no devices can satisfy. The message is for the author of the claim. */
export class DemandError extends Error {
  override readonly name = 'DemandError'
}

const expressions = new Map<string, DeviceExpression | DemandError>()
const MOST_EXPRESSIONS = 10_000

const compiled = (source: string): DeviceExpression => {
  let known = expressions.get(source)
  if (known === undefined) {
    try {
      known = compileDeviceExpression(source)
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
      known = new DemandError(`selector ${JSON.stringify(source)}: ${error.problem}`)
    }
    if (expressions.size >= MOST_EXPRESSIONS) expressions.clear()
    expressions.set(source, known)
  }
  if (known instanceof DemandError) throw known
  return known
}

const compileSelector = ({ cel }: DeviceSelector): DeviceExpression => {
  if (cel === undefined) throw new DemandError('a selector is not a CEL expression; only those are understood')
  return compiled(cel.expression)
}

const readAlternative = (
  name: string,
  request: DeviceSubRequest & { readonly adminAccess?: boolean },
  classes: ReadonlyMap<string, DeviceClass>,
): DeviceAlternative => {
  const deviceClass = classes.get(request.deviceClassName)
  if (deviceClass === undefined) throw new DemandError(`DeviceClass ${request.deviceClassName} does not exist`)
  const selectors = [...(deviceClass.spec?.selectors ?? []), ...(request.selectors ?? [])].map(compileSelector)
  const { allocationMode = 'ExactCount', count = 1 } = request
  if (allocationMode !== 'ExactCount' && allocationMode !== 'All') {
    throw new DemandError(`allocationMode ${allocationMode} is not known`)
  }
  return {
    name,
    deviceClass: request.deviceClassName,
    selectors,
    selectorKey: selectors.map(({ source }) => source).join('\n'),
    count: allocationMode === 'All' ? 'All' : count,
    isAdmin: request.adminAccess === true,
    tolerations: request.tolerations ?? [],
    capacity: new Map(
      Object.entries(request.capacity?.requests ?? {}).map(([dimension, amount]) => [dimension, parseQuantity(amount)]),
    ),
  }
}

const readRequest = (
  { name, exactly, firstAvailable }: DeviceRequest,
  classes: ReadonlyMap<string, DeviceClass>,
): DemandedRequest => {
  if (exactly !== undefined) return { name, alternatives: [readAlternative(name, exactly, classes)] }
  if (firstAvailable !== undefined && firstAvailable.length > 0) {
    return { name, alternatives: firstAvailable.map((each) => readAlternative(`${name}/${each.name}`, each, classes)) }
  }
  throw new DemandError('it has neither exactly nor firstAvailable')
}

const readConstraint = ({ matchAttribute, distinctAttribute, requests = [] }: DeviceConstraint) => {
  if (distinctAttribute !== undefined) throw new DemandError('constraint distinctAttribute is not understood')
  if (matchAttribute === undefined) throw new DemandError('a constraint is of a kind that is not understood')
  return { attribute: matchAttribute, requests }
}

const leastCount = ({ alternatives }: DemandedRequest): number =>
  Math.min(...alternatives.map(({ count }) => (count === 'All' ? 1 : count)))

/** Reads the spec of a claim. @throws DemandError if it is invalid */
export const readDeviceDemand = (spec: ResourceClaimSpec, classes: ReadonlyMap<string, DeviceClass>): DeviceDemand => {
  const constraints = (spec.devices?.constraints ?? []).map(readConstraint)
  const requests = (spec.devices?.requests ?? []).map((request) => {
    try {
      return readRequest(request, classes)
    } catch (error) {
      if (error instanceof DemandError || error instanceof QuantityError) {
        throw new DemandError(`request ${request.name}: ${error.message}`, { cause: error })
      }
      throw error
    }
  })
  const least = requests.reduce((sum, request) => sum + leastCount(request), 0)
  if (least > MOST_DEVICES) {
    throw new DemandError(`it asks for ${least} devices, and a claim can have at most ${MOST_DEVICES}`)
  }
  return { requests, constraints }
}

/**
 * A device that matches the selectors of an alternative. If the selectors cannot be evaluated for a device, the entry has the problem
 * instead.
 */
export interface MatchedDevice {
  readonly device: PooledDevice
  readonly problem: string | undefined
}

const matches = new WeakMap<readonly PooledDevice[], Map<string, readonly MatchedDevice[]>>()

const judgeDevice = ({ selectors }: DeviceAlternative, device: PooledDevice): DeviceVerdict => {
  for (const selector of selectors) {
    const verdict = selector.evaluate(device.value)
    if (verdict === true) continue
    return verdict === false
      ? false
      : { problem: `selector ${JSON.stringify(selector.source)} on device ${device.key}: ${verdict.problem}` }
  }
  return true
}

/** Returns those devices of a list that match the selectors of an alternative, in order. Cached per list and selectors. */
export const matching = (
  alternative: DeviceAlternative,
  devices: readonly PooledDevice[],
): readonly MatchedDevice[] => {
  let bySelectors = matches.get(devices)
  if (bySelectors === undefined) {
    bySelectors = new Map()
    matches.set(devices, bySelectors)
  }
  let known = bySelectors.get(alternative.selectorKey)
  if (known === undefined) {
    known = devices.flatMap((device): readonly MatchedDevice[] => {
      const verdict = judgeDevice(alternative, device)
      if (verdict === false) return []
      return [{ device, problem: verdict === true ? undefined : verdict.problem }]
    })
    bySelectors.set(alternative.selectorKey, known)
  }
  return known
}
