import { ownValue, tryParseQuantity } from '@kerf/apis'
import type { DetailValue, ReasonParameters } from './reason-row.ts'

/** Returns a detail as text; `otherwise` if the reason does not have this detail. */
export const text = <Name extends string>(
  { detail }: ReasonParameters<Name>,
  name: NoInfer<Name>,
  otherwise = '',
): string => {
  const value = ownValue<DetailValue | undefined>(detail, name)
  if (value === undefined) return otherwise
  return typeof value === 'object' ? value.join(', ') : String(value)
}

/** Returns the subject as a prefix, if there is one. */
export const prefix = ({ subject }: Pick<ReasonParameters, 'subject'>): string => (subject === '' ? '' : `${subject}: `)

/** Returns the detail `problem` as a suffix, if there is one. */
export const suffix = (reason: ReasonParameters<'problem'>): string => {
  const problem = text(reason, 'problem')
  return problem === '' ? '' : `: ${problem}`
}

/** Returns the end of a sentence about constraints that exclude one another. */
export const together = (reason: ReasonParameters<'with' | 'key'>): string =>
  `${text(reason, 'with')} allow no ${text(reason, 'key', 'domain')} that satisfies both: what one allows the other refuses`

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** Returns an amount in a form that is easy to read: cpu with at most three decimals, memory in a single unit. Rounds up. */
const amount = (resource: string, quantity: string): string => {
  const nano = tryParseQuantity(quantity)
  if (nano === undefined) return quantity
  const value = Number(nano) / 1e9
  if (resource === 'cpu') return String(Math.ceil(value * 1000) / 1000)
  if (resource !== 'memory' && resource !== 'ephemeral-storage') return quantity
  return value >= GIB ? `${Math.ceil((value / GIB) * 10) / 10}Gi` : `${Math.ceil(value / MIB)}Mi`
}

type ShortageReason = ReasonParameters<'resource' | 'short' | 'largest' | 'isAbsent' | 'offered' | 'left'>

/** The values for the sentence about a missing resource. */
export interface Shortage {
  readonly resource: string
  /** How much is missing, in a form that is easy to read. */
  readonly short: string
  /** The instance type that comes closest to the request. */
  readonly largest: string
  /** Whether no instance type has the resource at all. */
  readonly isAbsent: boolean
  /** Whether the sentence is about all instance types of the NodePool. Otherwise, other constraints have already excluded some of them. */
  readonly isOfPool: boolean
}

/** Returns the values for the sentence about a missing resource. */
export const shortage = (reason: ShortageReason): Shortage => {
  const resource = text(reason, 'resource', 'a resource')
  return {
    resource,
    short: amount(resource, text(reason, 'short')),
    largest: text(reason, 'largest', 'the largest'),
    isAbsent: reason.detail['isAbsent'] === true,
    isOfPool: reason.detail['offered'] === reason.detail['left'],
  }
}

/** Returns the text for a missing resource: either how much is missing, or that no instance type has the resource. */
export const exceeded = (reason: ShortageReason): string => {
  const { resource, short, largest, isAbsent, isOfPool } = shortage(reason)
  if (!isAbsent) return `${resource} is short by ${short} on ${largest}`
  return `${isOfPool ? 'no instance type of this NodePool' : 'no instance type that is left'} offers ${resource}`
}

/**
 * Returns the text for the cheapest instance type. A claim may be launched in any zone with the same price, so the text does not name a
 * zone.
 */
export const cheapest = (
  reason: ReasonParameters<'instanceType' | 'capacityType' | 'types' | 'pods' | 'zone'>,
): string => {
  const [type, capacity] = [text(reason, 'instanceType'), text(reason, 'capacityType')]
  const [types, pods] = [text(reason, 'types'), text(reason, 'pods')]
  if (types === '') return `${type} in ${text(reason, 'zone')} (${capacity}) is the cheapest that fits`
  const fits = `${pods} ${pods === '1' ? 'pod' : 'pods'}`
  if (types === '1') return `${type} (${capacity}) is the only instance type that fits ${fits}`
  return `${type} (${capacity}) is the cheapest of ${types} instance types that fit ${fits}`
}
