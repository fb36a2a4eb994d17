import {
  addQuantities,
  formatQuantity,
  ownValue,
  type Quantity,
  quantityFormat,
  subtractQuantities,
  toNumber,
  tryParseQuantity,
  zero,
} from '@kerf/apis'
import { at, fieldsAt, listAt } from './read.ts'

/**
 * Returns a quantity, or `undefined` if the value is invalid. Invalid text is shown unchanged and never takes part in
 * a computation.
 */
export const parseAmount = (value: unknown): Quantity | undefined =>
  typeof value === 'string' || typeof value === 'number' ? tryParseQuantity(value) : undefined

/** A used amount and its limit. */
export interface Usage {
  readonly resource: string
  readonly used: Quantity
  readonly limit: Quantity | undefined
  /** The used fraction of the limit, which may exceed 1. Undefined if there is no limit. */
  readonly share: number | undefined
}

export const toUsage = (resource: string, used: unknown, limit: unknown): Usage => {
  const amount = parseAmount(used) ?? zero
  const most = parseAmount(limit)
  const share =
    most === undefined
      ? undefined
      : most === zero
      ? amount === zero
        ? 0
        : Number.POSITIVE_INFINITY
      : toNumber(amount) / toNumber(most)
  return { resource, used: amount, limit: most, share }
}

/**
 * Compares the resources of a pool's nodes with its limits: first every limited resource, then CPU and memory if they
 * have no limit.
 */
export const poolUsage = (pool: unknown): readonly Usage[] => {
  const used = fieldsAt(pool, 'status', 'resources')
  const limits = fieldsAt(pool, 'spec', 'limits')
  const names = new Set(['cpu', 'memory', ...Object.keys(limits)])
  return [...names].map((name) => toUsage(name, ownValue(used, name), ownValue(limits, name)))
}

const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const

/** Shows numbers with separators between thousands. Made once, because `toLocaleString` looks the format up on each call. */
export const grouped = new Intl.NumberFormat('en')

/** Returns a readable amount, for example `3.5` CPUs, `1,980` pods or `14.2 Gi` of memory. */
export const showAmount = (resource: string, amount: Quantity): string => {
  const value = toNumber(amount)
  if (resource !== 'memory' && resource !== 'ephemeral-storage' && quantityFormat(resource) !== 'BinarySI') {
    return Math.abs(value) < 1e6 ? grouped.format(Math.round(value * 1000) / 1000) : formatQuantity(amount)
  }
  let power = 0
  let scaled = value
  while (Math.abs(scaled) >= 1024 && power < BINARY.length - 1) {
    scaled /= 1024
    power += 1
  }
  return `${Math.round(scaled * 10) / 10}${power === 0 ? '' : ` ${BINARY[power]}`}`
}

/** Returns a readable amount, or the value unchanged if it is not a quantity. */
export const showValue = (resource: string, value: unknown): string => {
  const amount = parseAmount(value)
  return amount === undefined
    ? value === undefined || value === null
      ? ''
      : String(value)
    : showAmount(resource, amount)
}

/**
 * Returns the amount of a resource that a pod requests: the sum of its containers or its largest init container, whichever is greater, plus
 * overhead. Sidecars (`restartPolicy: Always`) count as containers.
 */
export const podRequest = (pod: unknown, resource: string): Quantity => {
  const containerRequest = (container: unknown): Quantity =>
    parseAmount(at(container, 'resources', 'requests', resource)) ?? zero
  const larger = (a: Quantity, b: Quantity): Quantity => (a > b ? a : b)
  let sidecars = zero
  let peak = zero
  for (const init of listAt(pod, 'spec', 'initContainers')) {
    if (at(init, 'restartPolicy') === 'Always') {
      sidecars = addQuantities(sidecars, containerRequest(init))
      peak = larger(peak, sidecars)
    } else peak = larger(peak, addQuantities(sidecars, containerRequest(init)))
  }
  const together = listAt(pod, 'spec', 'containers').map(containerRequest)
  const containers = addQuantities(sidecars, ...together)
  const whole = parseAmount(at(pod, 'spec', 'resources', 'requests', resource))
  return addQuantities(whole ?? larger(containers, peak), parseAmount(at(pod, 'spec', 'overhead', resource)) ?? zero)
}

/** Returns the difference, or zero if it is negative. */
export const remaining = (total: Quantity, used: Quantity): Quantity =>
  used >= total ? zero : subtractQuantities(total, used)
