import type { Pod, Quantity } from '@kerf/apis'
import {
  type ClusterSnapshot,
  type InstanceType,
  type NodeState,
  type Plan,
  type PlannedClaim,
  type RequirementSpec,
  type Resources,
  reasonSentence,
} from '@kerf/engine'
import { key } from './keys.ts'
import { running } from './objects.ts'
import { brokenConstraints } from './validity.ts'

/** Where a plan places a pod: the name of a node, or the number of a NodeClaim. */
type Place = string

const podName = ({ metadata }: Pod): string => metadata.name

/** The result of a plan, with the queries that the facts use. */
export class Outcome {
  readonly plan: Plan
  readonly #snapshot: ClusterSnapshot
  readonly #asked: readonly Pod[]
  readonly #improved: Outcome | undefined

  constructor(snapshot: ClusterSnapshot, asked: readonly Pod[], plan: Plan, improved?: Outcome) {
    this.#snapshot = snapshot
    this.#asked = asked
    this.plan = plan
    this.#improved = improved
  }

  /** The outcome after the improvement pass. */
  get improved(): Outcome {
    return this.#improved ?? this
  }

  get claims(): readonly PlannedClaim[] {
    return this.plan.claims
  }

  /** The only NodeClaim of the plan. */
  get claim(): PlannedClaim {
    const [claim] = this.plan.claims
    if (claim === undefined || this.plan.claims.length > 1) throw new Error(`${this.plan.claims.length} claims`)
    return claim
  }

  /** The names of the unplaced pods, sorted. */
  get left(): readonly string[] {
    return this.plan.unschedulable.map(({ pod }) => podName(pod)).sort()
  }

  get unscheduled(): readonly Pod[] {
    return this.plan.unschedulable.map(({ pod }) => pod)
  }

  /** The number of pods that the plan placed. */
  get placed(): number {
    return this.#asked.length - this.plan.unschedulable.length
  }

  podsOn(node: string): readonly Pod[] {
    return this.plan.placements.find((placement) => placement.node === node)?.pods ?? []
  }

  /** For each NodeClaim, the names of its pods, sorted. */
  get groups(): readonly (readonly string[])[] {
    return this.plan.claims.map(({ pods }) => pods.map(podName).sort()).sort((a, b) => (`${a}` < `${b}` ? -1 : 1))
  }

  /** For each NodeClaim, the number of its pods. The largest number comes first. */
  get sizes(): readonly number[] {
    return this.plan.claims.map(({ pods }) => pods.length).sort((a, b) => b - a)
  }

  placeOf(pod: string): Place | undefined {
    for (const { node, pods } of this.plan.placements) if (pods.some((each) => podName(each) === pod)) return node
    const index = this.plan.claims.findIndex(({ pods }) => pods.some((each) => podName(each) === pod))
    return index < 0 ? undefined : `claim ${index}`
  }

  /** Returns the NodeClaim planned for a pod. */
  claimOf(pod: string): PlannedClaim {
    const claim = this.plan.claims.find(({ pods }) => pods.some((each) => podName(each) === pod))
    if (claim === undefined) throw new Error(`${pod} is on no claim`)
    return claim
  }

  /** Returns the instance type, zone and capacity type of the cheapest offering of a pod's NodeClaim. */
  typeOf(pod: string): string {
    return this.claimOf(pod).cheapest.instanceType
  }

  zoneOf(pod: string): string | undefined {
    return this.domainOf(pod, key.zone)
  }

  domainOf(pod: string, label: string): string | undefined {
    return this.#after().find(({ pods }) => pods.some((each) => podName(each) === pod))?.labels[label]
  }

  /** Returns the reason why a pod was not placed. */
  whyNot(pod: string): string {
    const found = this.plan.unschedulable.find((each) => podName(each.pod) === pod)
    return (found?.reasons ?? []).map(reasonSentence).join('; ')
  }

  /**
   * Returns the number of pods with these labels in each domain, the largest first, including pods that were already running. Assumes that
   * each NodeClaim is launched as its cheapest offering.
   */
  skew(label: string, labels: Readonly<Record<string, string>> = { app: 'web' }): readonly number[] {
    return [...this.counts(label, labels).values()].sort((a, b) => b - a)
  }

  counts(label: string, labels: Readonly<Record<string, string>> = { app: 'web' }): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const node of this.#after()) {
      const domain = node.labels[label]
      if (domain === undefined) continue
      const matching = node.pods.filter(({ metadata }) =>
        Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value),
      )
      if (matching.length > 0) counts.set(domain, (counts.get(domain) ?? 0) + matching.length)
    }
    return counts
  }

  /** The constraints that the plan violates. See `brokenConstraints`. */
  get broken(): readonly string[] {
    const launched = this.plan.claims.map((claim, index) => this.launch(claim, `claim-${index}`))
    const coming = new Map([
      ...this.plan.placements.map(({ node, pods }) => [node, pods] as const),
      ...this.plan.claims.map(({ pods }, index) => [`claim-${index}`, pods] as const),
    ])
    const nodes = [...this.#snapshot.nodes, ...launched.map((node) => ({ ...node, pods: [] }))]
    return brokenConstraints(this.#snapshot, nodes, coming)
  }

  #after(): readonly NodeState[] {
    return [
      ...this.#snapshot.nodes.map((node) => ({ ...node, pods: [...node.pods, ...this.podsOn(node.name)] })),
      ...this.plan.claims.map((claim, index) => this.launch(claim, `claim-${index}`)),
    ]
  }

  /** Returns the node that results if a NodeClaim is launched as its cheapest offering. */
  launch(claim: PlannedClaim, name: string): NodeState {
    const option = this.#snapshot.pools.find(({ nodePool }) => nodePool.metadata.name === claim.nodePool)
    const type = option?.instanceTypes.find((each) => each.name === claim.cheapest.instanceType)
    if (option === undefined || type === undefined) throw new Error(`nobody offers ${claim.cheapest.instanceType}`)
    const { taints } = option.nodePool.spec.template.spec
    return {
      name,
      hostName: name,
      labels: {
        ...Object.fromEntries(claim.requirements.flatMap((each) => labelOf(each, claim))),
        ...Object.fromEntries(type.requirements.flatMap((each) => labelOf(each, claim))),
        ...claim.labels,
        [key.pool]: claim.nodePool,
        [key.zone]: claim.cheapest.zone,
        [key.capacityType]: claim.cheapest.capacityType,
        [key.instanceType]: claim.cheapest.instanceType,
        [key.host]: name,
      },
      taints: taints ?? [],
      capacity: type.capacity,
      allocatable: instanceTypeAllocatable(type, claim),
      initialized: true,
      managed: true,
      hasNode: true,
      nodePool: claim.nodePool,
      nodeClaim: name,
      nodeName: name,
      markedForDeletion: false,
      pods: claim.pods.map((each) => running(each, name)),
    }
  }
}

/**
 * Returns the label that a launched node gets for a requirement of its instance type: the value that the NodeClaim requires, or else the
 * first value.
 */
const labelOf = (of: RequirementSpec, claim: PlannedClaim): readonly (readonly [string, string])[] => {
  if (of.operator !== 'In') return []
  const wanted = claim.requirements.find((each) => each.key === of.key && each.operator === 'In')
  const value = of.values?.find((each) => wanted === undefined || wanted.values?.includes(each)) ?? of.values?.[0]
  return value === undefined ? [] : [[of.key, value]]
}

/** Returns the allocatable capacity of the NodeClaim's cheapest offering. */
const instanceTypeAllocatable = (
  { capacity, overhead, offerings }: InstanceType,
  { cheapest }: PlannedClaim,
): Resources => {
  const offering = offerings.find(
    ({ price, requirements }) =>
      price === cheapest.price &&
      requirements.some(({ key: label, values }) => label === key.zone && values?.includes(cheapest.zone)),
  )
  const whole = { ...capacity, ...offering?.capacityOverride }
  const taken = { ...overhead, ...offering?.overheadOverride }
  return Object.fromEntries(
    Object.entries(whole).map(([name, amount]) => [
      name,
      [taken.kubeReserved, taken.systemReserved, taken.evictionThreshold].reduce<bigint>(
        (left, part) => left - (part?.[name] ?? 0n),
        amount,
      ) as Quantity,
    ]),
  )
}

/** Returns a NodeClaim's requirement on a label as text, for example `In [a b]`. Returns an empty string if it has none. */
export const asks = (claim: PlannedClaim, label: string): string =>
  claim.requirements
    .filter((each) => each.key === label)
    .map(({ operator, values }) => (values === undefined ? operator : `${operator} [${values.join(' ')}]`))
    .join(', ')
