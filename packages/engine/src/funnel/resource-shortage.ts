import { formatQuantity, type Quantity, quantityFormat } from '@kerf/apis'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import type { ClaimConstraints } from '../model/claim-constraints.ts'
import type { EquivalenceGroup } from '../model/equivalence-group.ts'
import type { Template } from '../model/template.ts'
import { detailTexts } from '../reasons/detail-texts.ts'
import type { Reason } from '../reasons/reason.ts'
import { HOURLY_COST } from '../snapshot.ts'

export const amountText = (name: string, amount: bigint): string =>
  name === HOURLY_COST
    ? `$${Math.round(Number(amount) / 1e5) / 1e4}`
    : formatQuantity(amount as Quantity, quantityFormat(name))

/** Returns whether this is an extended resource, such as `nvidia.com/gpu`, which only some nodes have. Its name has a domain. */
const isExtended = (name: string): boolean => name.includes('/')

/**
 * Returns the requests with extended resources first. Extended resources decide which nodes are possible; the others decide how large the
 * node must be.
 */
const inOrder = ({ requests }: Pick<EquivalenceGroup, 'requests'>): readonly (readonly [string, bigint])[] =>
  [...requests].sort(([a], [b]) => Number(isExtended(b)) - Number(isExtended(a)))

/**
 * Returns the amount of a resource that an offering leaves for pods after daemons, whether the offering has the resource at all, and the
 * name of its instance type.
 */
const freeIn = (
  template: Template,
  offering: number,
  name: string,
): { readonly free: bigint; readonly hasAny: boolean; readonly type: string } => {
  const entry = template.offerings[offering]
  const type = template.types[entry?.type ?? 0]
  const overhead = template.daemonGroups[type?.daemonGroup ?? 0]?.overhead.get(name) ?? 0n
  const allocatable = entry?.allocatable.get(name) ?? 0n
  return { free: allocatable - overhead, hasAny: allocatable > 0n, type: type?.type.name ?? '' }
}

/** Returns whether no instance type of the pool has any of the resource. */
export const isAbsent = (template: Template, resource: string): boolean =>
  !template.offerings.some(({ allocatable }) => (allocatable.get(resource) ?? 0n) > 0n)

/** Returns the extended resource that the pod requests and no instance type of the pool has, as the detail of a reason. */
export const absentResource = (
  template: Template,
  group: Pick<EquivalenceGroup, 'requests'>,
): Reason<'resources.exceeded'>['detail'] | undefined => {
  if (template.offerings.length === 0) return undefined
  for (const [name, asked] of group.requests) {
    if (!isExtended(name) || asked === 0n || !isAbsent(template, name)) continue
    const requested = amountText(name, asked)
    const largest = template.types[0]?.type.name ?? ''
    return { resource: name, requested, available: '0', short: requested, largest, isAbsent: true }
  }
  return undefined
}

/**
 * Returns the resource that no remaining offering has enough of, and how much is missing in the largest offering. An offering without
 * enough of an extended resource is left out for all later resources. So for a pod with GPUs, the largest cpu is that of a node with GPUs.
 */
export const resourceShortage = (
  constraints: ClaimConstraints,
  group: Pick<EquivalenceGroup, 'requests'>,
): Reason<'resources.exceeded'>['detail'] => {
  const { template } = constraints.index
  let left: number[] = []
  forEachBit(constraints.offerings, (offering) => left.push(offering))
  for (const [name, asked] of inOrder(group)) {
    let most: bigint | undefined
    let largest = ''
    let isAbsentHere = true
    const enough: number[] = []
    for (const offering of left) {
      const { free, hasAny, type } = freeIn(template, offering, name)
      if (hasAny) isAbsentHere = false
      if (free >= asked) enough.push(offering)
      if (most !== undefined && free <= most) continue
      most = free
      largest = type
    }
    if (most !== undefined && asked > most) {
      const available = most < 0n ? 0n : most
      return {
        resource: name,
        requested: amountText(name, asked),
        available: amountText(name, available),
        short: amountText(name, asked - most),
        largest,
        ...(isAbsentHere ? { isAbsent: true } : {}),
        ...(name === 'cpu' && asked >= 1_000_000_000_000_000n ? { hint: detailTexts.millionCpu } : {}),
      }
    }
    if (isExtended(name)) left = enough
  }
  return detailTexts.allResources
}
