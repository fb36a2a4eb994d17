import { type Pod, parseQuantity, podRequests, type ResourceList, type ResourceQuota } from '@kerf/apis'

/** How much one pod uses of each resource. The keys are the resource names in a ResourceQuota. */
type Charge = ReadonlyMap<string, bigint>

const ONE = 1_000_000_000n

/**
 * Limits the number of expected pods to what the ResourceQuotas of a namespace allow. Each call of `admit` subtracts the admitted pods from
 * the quotas, so that several owners in a namespace share them. If the status of a quota does not include the newest pods yet, too many
 * expected pods may be admitted for a moment. The places of the surplus pods then expire unused.
 */
export class QuotaLimit {
  readonly #left: { readonly quota: ResourceQuota; readonly left: Map<string, bigint> }[]

  constructor(quotas: readonly ResourceQuota[]) {
    this.#left = quotas.map((quota) => ({ quota, left: remainingQuota(quota) }))
  }

  /** Returns how many of `count` copies of `pod` the quotas allow. */
  admit(pod: Pod, count: number): number {
    const charge = podCharge(pod)
    const concerned = this.#left.filter(({ quota }) => isConcerned(quota, pod))
    let admitted = count
    for (const { left } of concerned) {
      for (const [name, amount] of charge) {
        const free = left.get(name)
        if (free === undefined || amount <= 0n) continue
        admitted = Math.min(admitted, free <= 0n ? 0 : Number(free / amount))
      }
    }
    for (const { left } of concerned) {
      for (const [name, amount] of charge) {
        const free = left.get(name)
        if (free !== undefined) left.set(name, free - amount * BigInt(admitted))
      }
    }
    return admitted
  }
}

const amounts = (list: ResourceList | undefined): Map<string, bigint> =>
  new Map(Object.entries(list ?? {}).map(([name, value]) => [name, parseQuantity(value)]))

const remainingQuota = ({ spec, status }: ResourceQuota): Map<string, bigint> => {
  const used = amounts(status?.used)
  return new Map([...amounts(status?.hard ?? spec.hard)].map(([name, hard]) => [name, hard - (used.get(name) ?? 0n)]))
}

/** Returns how much one pod uses of a quota, by resource. A resource that has several names in quotas appears under each of them. */
const podCharge = (pod: Pod): Charge => {
  const charge = new Map<string, bigint>([
    ['pods', ONE],
    ['count/pods', ONE],
  ])
  for (const [name, amount] of podRequests(pod)) {
    if (name === 'pods') continue
    charge.set(`requests.${name}`, amount)
    if (COMPUTE.has(name)) charge.set(name, amount)
  }
  for (const [name, amount] of podLimits(pod)) charge.set(`limits.${name}`, amount)
  return charge
}

/** The resources that a quota may also contain without the prefix `requests.`. */
const COMPUTE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

const podLimits = ({ spec }: Pod): ReadonlyMap<string, bigint> => {
  const sum = new Map<string, bigint>()
  for (const { resources } of spec.containers) {
    for (const [name, amount] of amounts(resources?.limits)) sum.set(name, (sum.get(name) ?? 0n) + amount)
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, amount] of amounts(resources?.limits)) {
      if (amount > (sum.get(name) ?? 0n)) sum.set(name, amount)
    }
  }
  return sum
}

/**
 * Returns whether the quota applies to the pod: all of its scopes must match
 * (https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-scopes).
 */
const isConcerned = ({ spec }: ResourceQuota, pod: Pod): boolean =>
  (spec.scopes ?? []).every((scope) => inScope(scope, pod)) &&
  (spec.scopeSelector?.matchExpressions ?? []).every((term) => isSelected(term, pod))

type ScopeTerm = NonNullable<NonNullable<ResourceQuota['spec']['scopeSelector']>['matchExpressions']>[number]

const isSelected = ({ scopeName, operator, values = [] }: ScopeTerm, pod: Pod): boolean => {
  if (scopeName !== 'PriorityClass') return inScope(scopeName, pod)
  const name = pod.spec.priorityClassName ?? ''
  switch (operator) {
    case 'In':
      return values.includes(name)
    case 'NotIn':
      return !values.includes(name)
    case 'Exists':
      return name !== ''
    case 'DoesNotExist':
      return name === ''
  }
}

const inScope = (scope: string, pod: Pod): boolean => {
  switch (scope) {
    case 'Terminating':
      return pod.spec.activeDeadlineSeconds !== undefined
    case 'NotTerminating':
      return pod.spec.activeDeadlineSeconds === undefined
    case 'BestEffort':
      return isBestEffort(pod)
    case 'NotBestEffort':
      return !isBestEffort(pod)
    case 'PriorityClass':
      return (pod.spec.priorityClassName ?? '') !== ''
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some(
        ({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0 || namespaceSelector !== undefined,
      )
    default:
      // The scope comes from a newer Kubernetes version. Kerf assumes that it matches, because planning too few pods ahead is better than
      // planning too many.
      return true
  }
}

const isBestEffort = (pod: Pod): boolean => {
  const requests = [...podRequests(pod)].filter(([name, amount]) => COMPUTE.has(name) && amount > 0n)
  return requests.length === 0 && podLimits(pod).size === 0
}

const affinityTerms = ({ spec: { affinity } }: Pod) =>
  [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ])
