import type { NodePool, Pod } from '@kerf/apis'
import { type Amounts, lacking, parseAmounts, podRequests, sum } from './amounts.ts'
import type { ClaimDocument, Problem } from './documents.ts'
import type { Harness } from './harness.ts'
import { type InstanceTypeRow, type Offering, offeringLabels } from './instance-types.ts'
import { type Labels, podSelects, presentName } from './label-sets.ts'
import { nodeLabels } from './new-node.ts'
import { untolerated } from './taint-check.ts'

const MAX_LISTED = 60

/** The tolerations that the DaemonSet controller adds to every daemon pod. */
const daemonTolerations = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
  'network-unavailable',
].map((name) => ({ key: `node.kubernetes.io/${name}`, operator: 'Exists' as const }))

export const asDaemon = (pod: Pod): Pod => ({
  ...pod,
  spec: { ...pod.spec, tolerations: [...(pod.spec.tolerations ?? []), ...daemonTolerations] },
})

/** Returns the topology keys that hard constraints of these pods use. */
const hardKeys = (pods: readonly Pod[]): ReadonlySet<string> => {
  const keys = new Set<string>()
  for (const { spec } of pods) {
    for (const { topologyKey, whenUnsatisfiable } of spec.topologySpreadConstraints ?? [])
      if (whenUnsatisfiable === 'DoNotSchedule') keys.add(presentName(topologyKey))
    for (const side of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
      for (const { topologyKey } of side?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
        keys.add(presentName(topologyKey))
    }
  }
  return keys
}

const hasPreference = ({ spec }: Pod): boolean =>
  (spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).length > 0 ||
  (spec.topologySpreadConstraints ?? []).some(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway')

const byPrice = (a: Offering, b: Offering): number =>
  a.price - b.price || compare(a.zone, b.zone) || compare(a.capacityType, b.capacityType)
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface CheckedClaim {
  readonly problems: readonly Problem[]
  /** The labels that the node would have if launched as the cheapest offering. */
  readonly labels: Labels
  /** For each resource, the largest amount that any of the instance types provides. */
  readonly largest: Amounts
  readonly daemons: readonly Pod[]
}

/**
 * Checks a new node without considering other nodes. Each listed instance type must be available to the pods and have enough capacity for
 * them and the daemons. The NodePool's terms must hold, and the cheapest offering must be correct.
 * @param pods the pods of the NodeClaim, in any order
 */
export const checkClaim = (
  harness: Harness,
  name: string,
  claim: ClaimDocument,
  pool: NodePool,
  pods: readonly Pod[],
): CheckedClaim => new ClaimCheck(harness, name, claim, pool, pods).result()

class ClaimCheck {
  readonly #problems: Problem[] = []
  readonly #harness: Harness
  readonly #name: string
  readonly #claim: ClaimDocument
  readonly #pool: NodePool
  readonly #pods: readonly Pod[]
  /** Topology keys that must have the same value for all instance types of the NodeClaim. */
  readonly #keys: ReadonlySet<string>
  /** The listed instance types that the pool offers, in the order of the NodeClaim. */
  readonly #types: readonly InstanceTypeRow[]
  /** Returns the labels that a node may have for an instance type and an offering. */
  readonly #labelsOf: ReturnType<typeof nodeLabels>
  /** The offerings of each instance type that the NodePool and the pods accept. */
  readonly #usable: ReadonlyMap<InstanceTypeRow, readonly Offering[]>

  constructor(harness: Harness, name: string, claim: ClaimDocument, pool: NodePool, pods: readonly Pod[]) {
    this.#harness = harness
    this.#name = name
    this.#claim = claim
    this.#pool = pool
    this.#pods = pods
    this.#keys = hardKeys(pods)
    const known = harness.typesOf(pool)
    this.#types = claim.instanceTypes.flatMap((typeName) => known.get(typeName) ?? [])
    this.#labelsOf = nodeLabels(harness, pool, pods, name)
    this.#usable = new Map(
      this.#types.map((type) => [
        type,
        type.offerings.filter((offering) => this.#isPinned(offering) && this.#labelsOf(type, offering).length > 0),
      ]),
    )
  }

  result(): CheckedClaim {
    const { cheapest } = this.#claim
    const chosen = this.#types.find((type) => type.name === cheapest.instanceType)
    const offering = (chosen === undefined ? [] : this.#usableOf(chosen)).find(
      (each) => each.zone === cheapest.zone && each.capacityType === cheapest.capacityType,
    )
    const daemons = chosen === undefined ? [] : this.#daemonsOf(chosen)
    this.#checkListedTypes()
    this.#checkTaints()
    this.#checkResources()
    this.#checkMinValues()
    this.#checkCheapest(offering)
    this.#checkRequests(daemons)
    const labels = chosen === undefined || offering === undefined ? {} : (this.#labelsOf(chosen, offering)[0] ?? {})
    return { problems: this.#problems, labels, largest: this.#largest(), daemons }
  }

  #report(code: Problem['code'], text: string): void {
    this.#problems.push({ code, subject: this.#name, text })
  }

  #isPinned(offering: Offering): boolean {
    const { cheapest } = this.#claim
    return (
      (!this.#keys.has('topology.kubernetes.io/zone') || offering.zone === cheapest.zone) &&
      (!this.#keys.has('karpenter.sh/capacity-type') || offering.capacityType === cheapest.capacityType)
    )
  }

  #usableOf(type: InstanceTypeRow): readonly Offering[] {
    return this.#usable.get(type) ?? []
  }

  #daemonsOf(type: InstanceTypeRow): readonly Pod[] {
    const { taints = [] } = this.#pool.spec.template.spec
    return this.#harness.daemons.filter((daemon) => {
      if (untolerated(asDaemon(daemon), taints).length > 0) return false
      return this.#usableOf(type).some((offering) =>
        this.#labelsOf(type, offering).some((labels) => podSelects(daemon, labels)),
      )
    })
  }

  #checkListedTypes(): void {
    const { instanceTypes } = this.#claim
    if (this.#types.length < instanceTypes.length)
      this.#report('claim.types', 'lists a type that the catalogue does not have')
    if (new Set(instanceTypes).size < instanceTypes.length) this.#report('claim.types', 'lists a type twice')
    if (instanceTypes.length > MAX_LISTED) this.#report('claim.types', `lists more than ${MAX_LISTED} types`)
    if (this.#types.length === 0) this.#report('claim.types', 'lists no type')
  }

  #checkTaints(): void {
    const { taints = [] } = this.#pool.spec.template.spec
    for (const pod of this.#pods) {
      for (const { key } of untolerated(pod, taints))
        this.#report('taint', `${pod.metadata.name} does not tolerate ${key} of the pool`)
    }
  }

  #checkResources(): void {
    const first = this.#types[0]
    const podTotal = sum(...this.#pods.map(podRequests))
    for (const [type, offerings] of this.#usable) {
      if (offerings.length === 0) this.#report('selector', `${type.name} has no offering that pool and pods accept`)
      const short = lacking(sum(podTotal, ...this.#daemonsOf(type).map(podRequests)), type.allocatable)
      if (short.length > 0) this.#report('resources', `${type.name} has too little ${short.join(', ')}`)
      for (const key of this.#keys) {
        if (first !== undefined && type.labels[key] !== first.labels[key])
          this.#report('claim.types', `${type.name} differs in ${key}, which pods are spread or tied by`)
      }
    }
  }

  #checkMinValues(): void {
    for (const { key, minValues } of this.#pool.spec.template.spec.requirements) {
      if (minValues === undefined) continue
      const present = presentName(key)
      const values = new Set(
        this.#types.flatMap(
          (type) => type.labels[present] ?? this.#usableOf(type).map((offering) => offeringLabels(offering)[present]),
        ),
      )
      if (values.size < minValues)
        this.#report('pool.min-values', `${values.size} values of ${key}, the pool wants ${minValues}`)
    }
  }

  #checkCheapest(offering: Offering | undefined): void {
    const { cheapest } = this.#claim
    if (offering === undefined) {
      this.#report('claim.cheapest', 'names an offering that is not among the usable ones')
      return
    }
    if (Math.abs(offering.price - cheapest.price) > 1e-6)
      this.#report('claim.cheapest', `says ${cheapest.price}, the catalogue ${offering.price}`)
    if (this.#isOrderExact()) this.#checkOrder()
  }

  /**
   * Returns whether the order of instance types can be checked. Preferences, and other pods' constraints, may narrow a NodeClaim in ways
   * that the plan document does not show.
   */
  #isOrderExact(): boolean {
    const { pending, standing } = this.#harness
    const others = [...pending.values(), ...[...standing.values()].flatMap((node) => node.pods)]
    return !this.#pods.some(hasPreference) && !others.some((pod) => hardKeys([pod]).size > 0)
  }

  #checkOrder(): void {
    const { cheapest, instanceTypes } = this.#claim
    const ranked = this.#types
      .map((type) => ({ type: type.name, best: [...this.#usableOf(type)].sort(byPrice)[0] }))
      .sort(
        (a, b) =>
          (a.best?.price ?? Number.POSITIVE_INFINITY) - (b.best?.price ?? Number.POSITIVE_INFINITY) ||
          compare(a.type, b.type),
      )
    if (ranked.map(({ type }) => type).join() !== instanceTypes.join())
      this.#report('claim.order', 'types are not ordered by their cheapest usable offering')
    const best = ranked[0]
    if (
      best?.type !== cheapest.instanceType ||
      best.best?.zone !== cheapest.zone ||
      best.best.capacityType !== cheapest.capacityType
    ) {
      this.#report('claim.cheapest', `${best?.type} in ${best?.best?.zone} as ${best?.best?.capacityType} comes first`)
    }
  }

  /**
   * Checks the requests. They must be at least those of the pods plus the daemons of the chosen instance type, and at most those of the
   * pods plus all daemons.
   */
  #checkRequests(daemons: readonly Pod[]): void {
    const podTotal = sum(...this.#pods.map(podRequests))
    const stated = parseAmounts(this.#claim.requests)
    const least = sum(podTotal, ...daemons.map(podRequests))
    const most = sum(podTotal, ...this.#harness.daemons.map(podRequests))
    for (const resource of new Set([...Object.keys(stated), ...Object.keys(least)])) {
      const amount = stated[resource] ?? 0n
      if (amount < (least[resource] ?? 0n) || amount > (most[resource] ?? 0n))
        this.#report('claim.requests', `states another amount of ${resource} than its pods and daemons ask for`)
    }
  }

  #largest(): Amounts {
    const largest: Record<string, bigint> = {}
    for (const { capacity } of this.#types) {
      for (const [resource, amount] of Object.entries(capacity))
        if (amount > (largest[resource] ?? 0n)) largest[resource] = amount
    }
    return largest
  }
}
