import {
  addQuantities,
  formatQuantity,
  type Quantity,
  type QuantityFormat,
  toQuantity,
  tryParseQuantity,
} from '@kerf/apis'
import {
  ensureObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  objectsAt,
  setDefault,
  stringAt,
} from '../store/json.ts'

/** The amounts of a container or pod by resource, with the suffix family for messages. */
type Amounts = Map<string, { readonly amount: Quantity; readonly format: QuantityFormat }>

const textOf = ({ amount, format }: { readonly amount: Quantity; readonly format: QuantityFormat }): string =>
  formatQuantity(amount, format)

const amountsAt = (resources: JsonObject | undefined, key: 'requests' | 'limits'): Amounts =>
  new Map(
    Object.entries(objectAt(resources, key) ?? {}).flatMap(([resource, text]) => {
      const amount = tryParseQuantity(text)
      const format = String(text).endsWith('i') ? 'BinarySI' : 'DecimalSI'
      return amount === undefined ? [] : [[resource, { amount, format }] as const]
    }),
  )

const sumOf = (...all: readonly Amounts[]): Amounts => {
  const sum: Amounts = new Map()
  for (const amounts of all)
    for (const [resource, { amount, format }] of amounts) {
      const known = sum.get(resource)
      sum.set(
        resource,
        known === undefined ? { amount, format } : { ...known, amount: addQuantities(known.amount, amount) },
      )
    }
  return sum
}

const largestOf = (a: Amounts, b: Amounts): Amounts => {
  const largest = new Map(a)
  for (const [resource, each] of b) if (each.amount > (a.get(resource)?.amount ?? -1n)) largest.set(resource, each)
  return largest
}

const isOfPodLevel = (resource: string): boolean =>
  ['cpu', 'memory'].includes(resource) || resource.startsWith('hugepages-')

/**
 * Returns the total amounts of a pod's containers. Init containers run one after another. Sidecars run together with all containers that
 * start later. Pod-level resources replace the sum of the containers.
 */
const amountsOfPod = (spec: JsonObject, key: 'requests' | 'limits'): Amounts => {
  const amountsIn = (container: JsonObject): Amounts => amountsAt(objectAt(container, 'resources'), key)
  let sidecars: Amounts = new Map()
  let atStart: Amounts = new Map()
  for (const container of objectsAt(spec, 'initContainers')) {
    const isSidecar = container['restartPolicy'] === 'Always'
    const running = sumOf(sidecars, amountsIn(container))
    if (isSidecar) sidecars = running
    atStart = largestOf(atStart, running)
  }
  const whole = largestOf(sumOf(...objectsAt(spec, 'containers').map(amountsIn), sidecars), atStart)
  for (const [resource, each] of amountsAt(objectAt(spec, 'resources'), key))
    if (isOfPodLevel(resource)) whole.set(resource, each)
  return whole
}

const LEAST = 'min'
const MOST = 'max'
const RATIO = 'maxLimitRequestRatio'
const ONE = toQuantity(1)

/** Returns the violated rules of a LimitRange item, in LimitRanger's words. */
const violations = (item: JsonObject, requests: Amounts, limits: Amounts): readonly string[] => {
  const type = stringAt(item, 'type') ?? ''
  const bounds = (key: string) =>
    Object.entries(objectAt(item, key) ?? {}).flatMap(([resource, text]) => {
      const bound = tryParseQuantity(text)
      return bound === undefined
        ? []
        : [{ resource, bound, text: String(text), request: requests.get(resource), limit: limits.get(resource) }]
    })
  const least = bounds(LEAST).flatMap(({ resource, bound, text, request, limit }) => {
    const rule = `minimum ${resource} usage per ${type} is ${text}`
    if (request === undefined) return [`${rule}.  No request is specified`]
    if (request.amount < bound) return [`${rule}, but request is ${textOf(request)}`]
    return limit !== undefined && limit.amount < bound ? [`${rule}, but limit is ${textOf(limit)}`] : []
  })
  const most = bounds(MOST).flatMap(({ resource, bound, text, request, limit }) => {
    const rule = `maximum ${resource} usage per ${type} is ${text}`
    // A PersistentVolumeClaim has no limits, so only its request is checked.
    if (limit === undefined && type !== 'PersistentVolumeClaim') return [`${rule}.  No limit is specified`]
    if (limit === undefined && request === undefined) return [`${rule}.  No request is specified`]
    if (limit !== undefined && limit.amount > bound) return [`${rule}, but limit is ${textOf(limit)}`]
    return request !== undefined && request.amount > bound ? [`${rule}, but request is ${textOf(request)}`] : []
  })
  const ratio = bounds(RATIO).flatMap(({ resource, bound, text, request, limit }) => {
    const rule = `${resource} max limit to request ratio per ${type} is ${text}`
    if (request === undefined || request.amount === 0n) return [`${rule}, but no request is specified or request is 0`]
    if (limit === undefined || limit.amount === 0n) return [`${rule}, but no limit is specified or limit is 0`]
    if (limit.amount * ONE <= bound * request.amount) return []
    return [`${rule}, but provided ratio is ${(Number(limit.amount) / Number(request.amount)).toFixed(6)}`]
  })
  return [...least, ...most, ...ratio]
}

const itemsOf = (range: JsonObject): readonly JsonObject[] => objectsAt(objectAt(range, 'spec'), 'limits')

/** Returns the errors of the first LimitRange that refuses the object, formatted as Go prints several errors. */
const firstRefusal = (
  ranges: Iterable<JsonObject>,
  refusalsOf: (item: JsonObject) => readonly string[],
): string | undefined => {
  for (const range of ranges) {
    const refusals = itemsOf(range).flatMap(refusalsOf)
    if (refusals.length > 0) return refusals.length === 1 ? refusals[0] : `[${refusals.join(', ')}]`
  }
  return undefined
}

/** Applies the defaults of the LimitRanges to containers without requests or limits. */
export const applyLimitRanges = (ranges: Iterable<JsonObject>, spec: JsonObject): void => {
  for (const range of ranges) {
    for (const limit of itemsOf(range)) {
      if (limit['type'] !== 'Container') continue
      for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
        const resources = ensureObject(container, 'resources')
        const ownLimits = Object.keys(objectAt(resources, 'limits') ?? {})
        for (const [from, to] of [
          ['default', 'limits'],
          ['defaultRequest', 'requests'],
        ] as const) {
          for (const [resource, amount] of Object.entries(objectAt(limit, from) ?? {})) {
            // A container with a limit and no request gets the limit as its request.
            if (to === 'requests' && ownLimits.includes(resource)) continue
            setDefault(ensureObject(resources, to), resource, amount as JsonValue)
          }
        }
      }
    }
  }
}

/**
 * Returns why LimitRanger refuses a pod, or `undefined` if it admits the pod. Checks `min`, `max` and `maxLimitRequestRatio` for
 * each container and for the pod's total (https://kubernetes.io/docs/concepts/policy/limit-range/).
 */
export const podLimitRefusal = (ranges: Iterable<JsonObject>, spec: JsonObject): string | undefined =>
  firstRefusal(ranges, (item) => {
    if (item['type'] === 'Pod') return violations(item, amountsOfPod(spec, 'requests'), amountsOfPod(spec, 'limits'))
    if (item['type'] !== 'Container') return []
    return [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].flatMap((container) => {
      const resources = objectAt(container, 'resources')
      return violations(item, amountsAt(resources, 'requests'), amountsAt(resources, 'limits'))
    })
  })

/** Returns why LimitRanger refuses a PersistentVolumeClaim, or `undefined` if it admits the claim. */
export const claimLimitRefusal = (ranges: Iterable<JsonObject>, spec: JsonObject): string | undefined =>
  firstRefusal(ranges, (item) =>
    item['type'] === 'PersistentVolumeClaim'
      ? violations(item, amountsAt(objectAt(spec, 'resources'), 'requests'), new Map())
      : [],
  )
