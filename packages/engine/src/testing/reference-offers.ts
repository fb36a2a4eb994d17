import { type Pod, podRequests } from '@kerf/apis'
import type { InstanceType } from '../instance-type.ts'
import { allocatableGroups } from '../instance-types/allocatable.ts'
import { labels } from '../requirements/label-rules.ts'
import type { Requirements } from '../requirements/requirements.ts'
import type { Amounts } from '../resources/amounts.ts'
import type { PoolOption } from '../snapshot.ts'
import { type ReferencePlacement, type ReferenceTopology, rules } from './reference-topology.ts'

/** A new node of the reference (`reference-schedule.ts`). */
export interface ReferenceClaim {
  readonly id: number
  readonly option: PoolOption
  requirements: Requirements
  readonly allowed: ReadonlySet<string>
  pods: ReferencePlacement[]
}

/** Returns the total requests of the pods. */
export const total = (pods: readonly Pod[]): Map<string, bigint> => {
  const sum = new Map<string, bigint>()
  for (const pod of pods) for (const [name, value] of podRequests(pod)) sum.set(name, (sum.get(name) ?? 0n) + value)
  return sum
}

/** Returns whether the requests fit into the free capacity and no resource is overcommitted. */
export const fits = (requests: Amounts, free: Amounts): boolean =>
  [...free.values()].every((value) => value >= 0n) &&
  [...requests].every(([name, value]) => value <= (free.get(name) ?? 0n))

/** Returns the offerings of an instance type that the requirements allow. */
export const referenceOfferings = (claim: ReferenceClaim, type: InstanceType, requirements: Requirements) => {
  const own = rules.requirements(type.requirements)
  if (!claim.allowed.has(type.name) || !own.intersects(requirements)) return []
  return allocatableGroups(type).flatMap((group) =>
    group.offerings
      .filter((offering) => {
        const wanted = rules.requirements(offering.requirements)
        return own.accepts(wanted, rules.isWellKnown) && requirements.accepts(wanted, rules.isWellKnown)
      })
      .map((offering) => ({ offering, free: group.allocatable })),
  )
}

/** Returns the names of these instance types, ordered by their cheapest offering that is large enough. */
export const byCheapest = (
  claim: ReferenceClaim,
  types: readonly InstanceType[],
  requirements: Requirements,
  pods: readonly Pod[],
): readonly string[] => {
  const offers = types.flatMap((type) =>
    referenceOfferings(claim, type, requirements)
      .filter(({ free }) => fits(total(pods), free))
      .map(({ offering }) => ({ type, price: offering.price ?? Number.POSITIVE_INFINITY })),
  )
  return offers.sort((a, b) => a.price - b.price || (a.type.name < b.type.name ? -1 : 1)).map(({ type }) => type.name)
}

/**
 * Returns the domains of a label that the claim can still have: at least one remaining offering of the claim has the domain, and the
 * cluster has it too.
 */
export const openDomains = (
  claim: ReferenceClaim,
  requirements: Requirements,
  key: string,
  topology: ReferenceTopology,
): readonly string[] => {
  const wanted = requirements.get(key)
  const found = new Set<string>()
  for (const type of claim.option.instanceTypes) {
    for (const { offering } of referenceOfferings(claim, type, requirements)) {
      const byOffering = rules.requirements(offering.requirements).byKey.get(key)
      const byType = rules.requirements(type.requirements).byKey.get(key)
      const values =
        byOffering?.values ??
        byType?.values ??
        (!wanted.complement
          ? wanted.values
          : requirements.has(key) || rules.isWellKnown(key)
            ? topology.universe(key)
            : [])
      for (const value of values) if (wanted.has(value) && topology.universe(key).has(value)) found.add(value)
    }
  }
  return [...found].sort()
}

/** Returns these domains, ordered by their cheapest offering. */
export const byPrice = (
  claim: ReferenceClaim,
  requirements: Requirements,
  key: string,
  left: readonly string[],
): string[] => {
  const offers = claim.option.instanceTypes
    .flatMap((type) => referenceOfferings(claim, type, requirements).map(({ offering }) => ({ type, offering })))
    .sort((a, b) => {
      const text = ({ type, offering }: typeof a) =>
        [
          type.name,
          ...[labels.zone, labels.capacityType].map((each) =>
            rules.requirements(offering.requirements).get(each).any(),
          ),
        ].join(' ')
      const priceOf = ({ offering }: typeof a): number => offering.price ?? Number.POSITIVE_INFINITY
      return priceOf(a) - priceOf(b) || (text(a) < text(b) ? -1 : 1)
    })
  const order: string[] = []
  for (const { type, offering } of offers) {
    const values =
      rules.requirements(offering.requirements).byKey.get(key)?.values ??
      rules.requirements(type.requirements).byKey.get(key)?.values ??
      []
    for (const value of values) if (left.includes(value) && !order.includes(value)) order.push(value)
  }
  return order
}
