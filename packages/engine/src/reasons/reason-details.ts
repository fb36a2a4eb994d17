import { ownValue, tryParseQuantity } from '@kerf/apis'
import type { Reason } from '../reason.ts'

const text = (reason: Reason, name: string, otherwise = ''): string => {
  const value = ownValue(reason.detail, name)
  if (value === undefined) return otherwise
  return typeof value === 'object' ? value.join(', ') : String(value)
}

/** Returns the subject as a prefix, if there is one. */
const of = (reason: Reason): string => (reason.subject === '' ? '' : `${reason.subject}: `)

/** Returns the second half of the sentence about constraints that exclude one another. */
const together = (reason: Reason): string =>
  `${text(reason, 'with')} allow no ${text(reason, 'key', 'domain')} that satisfies both: what one allows the other refuses`

/**
 * Returns one reason as a sentence, for events, tables and the dashboard. No other code turns reason codes into text:
 * `describe-reasons.ts` joins the sentences of several reasons and adds counts.
 */
export const sentenceOf = (reason: Reason): string => {
  const problem = text(reason, 'problem')
  const suffix = problem === '' ? '' : `: ${problem}`
  switch (reason.code) {
    case 'pod.invalid':
    case 'pod.device-claim':
      return `the pod cannot be planned${suffix}`
    case 'pod.host-port-conflict':
      return `${of(reason)}host port ${text(reason, 'port')} is taken`
    case 'device.unavailable':
      return `${of(reason)}devices for ${text(reason, 'request')} are not to be had${suffix}`
    case 'requirement.unsatisfied':
      return `${of(reason)}${text(reason, 'key', 'a label')} does not match: wanted ${text(reason, 'wanted')}, there is ${text(reason, 'found', 'nothing')}`
    case 'requirement.label-unknown':
      return `${of(reason)}label ${text(reason, 'key')} has no known values${text(reason, 'hint')}`
    case 'taint.not-tolerated':
      return `${of(reason)}taint ${text(reason, 'taint')} is not tolerated`
    case 'resources.exceeded':
      return `${of(reason)}${exceeded(reason)}`
    case 'offering.unavailable':
      return `${of(reason)}no offering is available${suffix}`
    case 'instance-type.none':
      return `${of(reason)}no instance type meets requirements, resources and offering at once${suffix}`
    case 'min-values.unmet':
      return `${of(reason)}minValues of ${text(reason, 'keys')} is not reached with ${text(reason, 'types', 'the')} instance types`
    case 'topology.spread':
      if (text(reason, 'with') !== '')
        return `${of(reason)}topology spread (maxSkew ${text(reason, 'maxSkew')}) and ${together(reason)}`
      return `${of(reason)}spread over ${text(reason, 'key')} would exceed a skew of ${text(reason, 'maxSkew')}`
    case 'topology.affinity':
      if (text(reason, 'with') !== '') return `${of(reason)}pod affinity and ${together(reason)}`
      return `${of(reason)}no pod to be together with in any ${text(reason, 'key')} within reach${
        text(reason, 'elsewhere') === '' ? '' : '; such pods are elsewhere, so the pod may not be the first of them'
      }`
    case 'topology.anti-affinity':
      if (text(reason, 'with') !== '') return `${of(reason)}pod anti-affinity and ${together(reason)}`
      return `${of(reason)}every ${text(reason, 'key')} within reach has a pod to keep away from`
    case 'volume.topology':
      return `${of(reason)}the volumes are elsewhere${suffix}`
    case 'volume.limit':
      return `${of(reason)}no more volumes of ${text(reason, 'driver')} can be attached`
    case 'volume.invalid':
      return `a volume of the pod is not usable${suffix}`
    case 'nodepool.none':
      return `no NodePool can launch nodes${suffix}`
    case 'nodepool.limit':
      return `${of(reason)}all instance types would exceed the limit${text(reason, 'resource') === '' ? '' : ` on ${text(reason, 'resource')}`}`
    case 'nodepool.node-limit':
      return `${of(reason)}the limit on nodes is reached`
    case 'nodepool.not-ready':
      return `${of(reason)}not ready${suffix}`
    case 'nodepool.catalogue-empty':
      return `${of(reason)}no instance type is left${suffix}`
    case 'reservation.exhausted':
      return `${of(reason)}the reserved capacity is taken by other nodes; the pod waits for the next round`
    case 'price.cheapest':
      return cheapest(reason)
    case 'price.flexibility':
      return `a cheaper choice would leave fewer than ${text(reason, 'types')} instance types to launch from`
    case 'node.has-room':
      return `${of(reason)}has room and was the first in order`
  }
}

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** Returns an amount in a form that is easy to read: cpu with at most three decimals, memory in one unit. Rounded up. */
const amount = (resource: string, quantity: string): string => {
  const nano = tryParseQuantity(quantity)
  if (nano === undefined) return quantity
  const value = Number(nano) / 1e9
  if (resource === 'cpu') return String(Math.ceil(value * 1000) / 1000)
  if (resource !== 'memory' && resource !== 'ephemeral-storage') return quantity
  return value >= GIB ? `${Math.ceil((value / GIB) * 10) / 10}Gi` : `${Math.ceil(value / MIB)}Mi`
}

/** Returns the sentence for a missing resource. If no type has the resource, it says so instead of giving the missing amount. */
const exceeded = (reason: Reason): string => {
  const resource = text(reason, 'resource', 'a resource')
  const [short, requested, available] = [text(reason, 'short'), text(reason, 'requested'), text(reason, 'available')]
  if (available === '0' && short === requested) {
    const { offered, left } = reason.detail
    const types = offered === left ? 'no instance type of this NodePool' : 'no instance type that is left'
    return `${types} offers ${resource}`
  }
  return `${resource} is short by ${amount(resource, short)} on ${text(reason, 'largest', 'the largest')}`
}

/** Returns the sentence for the cheapest type. A claim may be launched in any zone with the same price, so its zone is not named. */
const cheapest = (reason: Reason): string => {
  const [type, capacity] = [text(reason, 'instanceType'), text(reason, 'capacityType')]
  const [types, pods] = [text(reason, 'types'), text(reason, 'pods')]
  if (types === '') return `${type} in ${text(reason, 'zone')} (${capacity}) is the cheapest that fits`
  const fits = `${pods} ${pods === '1' ? 'pod' : 'pods'}`
  if (types === '1') return `${type} (${capacity}) is the only instance type that fits ${fits}`
  return `${type} (${capacity}) is the cheapest of ${types} instance types that fit ${fits}`
}
