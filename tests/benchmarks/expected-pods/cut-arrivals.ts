import { controllerOwner, type Pod } from '@kerf/apis'
import { type ClusterSnapshot, type Plan, type PlannedClaim, type ScheduleOptions, schedule } from '@kerf/engine'
import {
  expectedPod,
  expectedUid,
  isExpectedPod,
} from '../../../packages/controllers/src/provisioning/expected-pods/expected-pod.ts'
import { limitPurchases } from '../../../packages/controllers/src/provisioning/expected-pods/purchase-limit.ts'
import { inFlight } from '../../../packages/engine/src/testing/in-flight.ts'

/** The nodes that were launched, and what they cost together. */
export interface Purchase {
  readonly nodes: number
  readonly hourlyCost: number
  readonly unschedulable: number
}

const uid = ({ metadata }: Pod): string => metadata.uid ?? ''
const ownerUid = (pod: Pod): string | undefined => controllerOwner(pod)?.uid

/**
 * Plans pods that arrive in several parts, as the provisioner does: a pass after each part, with the nodes of earlier passes. With
 * `expects`, each pass also plans the later pods of the owners whose pods have arrived, and launches what `limitPurchases` allows.
 */
export class CutArrivals {
  readonly #options: ScheduleOptions
  readonly #expects: boolean
  readonly #all: readonly Pod[]
  readonly #claims: PlannedClaim[] = []
  readonly #arrived: Pod[] = []
  /** For each pod, arrived or expected, the node that is planned for it, by the pod's UID. */
  readonly #targets = new Map<string, string>()
  #snapshot: ClusterSnapshot
  #unschedulable = 0

  constructor(
    { snapshot, options }: { readonly snapshot: ClusterSnapshot; readonly options: ScheduleOptions },
    all: readonly Pod[],
    expects: boolean,
  ) {
    this.#snapshot = snapshot
    this.#options = options
    this.#all = all
    this.#expects = expects
  }

  /** Adds a part, and makes a pass. */
  arrive(part: readonly Pod[]): void {
    for (const pod of part) {
      this.#takePlace(pod)
      this.#arrived.push(pod)
    }
    const expected = this.#expects ? this.#expected() : []
    const plan = this.#plan(expected)
    this.#unschedulable = plan.unschedulable.filter(({ pod }) => !isExpectedPod(pod)).length
    const owners = ({ pods }: PlannedClaim): readonly string[] => [
      ...new Set(pods.filter(isExpectedPod).map((pod) => ownerUid(pod) ?? '')),
    ]
    const claims = limitPurchases(plan.claims, owners, (owner) => this.#hasUnused(owner))
    this.#targets.clear()
    for (const { node, pods } of plan.placements) for (const pod of pods) this.#targets.set(uid(pod), node)
    for (const claim of claims) {
      const name = `claim-${this.#claims.length}`
      this.#claims.push(claim)
      for (const pod of claim.pods) this.#targets.set(uid(pod), name)
      this.#snapshot = { ...this.#snapshot, nodes: [...this.#snapshot.nodes, inFlight(this.#snapshot, claim, name)] }
    }
  }

  /** Returns what all passes launched. */
  get purchase(): Purchase {
    const hourlyCost = this.#claims.reduce((sum, { cheapest }) => sum + (cheapest.price ?? Number.NaN), 0)
    return { nodes: this.#claims.length, hourlyCost, unschedulable: this.#unschedulable }
  }

  #plan(expected: readonly Pod[]): Plan {
    const snapshot = {
      ...this.#snapshot,
      plannedFor: new Map([...(this.#snapshot.plannedFor ?? []), ...this.#targets]),
    }
    const plan = schedule(snapshot, [...this.#arrived, ...expected], this.#options)
    if (expected.length === 0 || plan.unschedulable.every(({ pod }) => isExpectedPod(pod))) return plan
    const without = schedule(snapshot, this.#arrived, this.#options)
    const count = ({ unschedulable }: Plan): number => unschedulable.filter(({ pod }) => !isExpectedPod(pod)).length
    return count(without) < count(plan) ? without : plan
  }

  /** Returns the pods that have not arrived although another pod of their owner has. */
  #expected(): readonly Pod[] {
    const arrived = new Set(this.#arrived.map(uid))
    const owners = new Set(this.#arrived.flatMap((pod) => ownerUid(pod) ?? []))
    return this.#all.flatMap((pod) => {
      const owner = ownerUid(pod)
      if (owner === undefined || !owners.has(owner) || arrived.has(uid(pod))) return []
      return [expectedPod(pod, { uid: expectedUid(owner, pod.metadata.name), name: pod.metadata.name }, [])]
    })
  }

  /**
   * Gives the pod the place that was planned for an expected pod of its owner. Prefers a place on a node that pods which have arrived need
   * too.
   */
  #takePlace(pod: Pod): void {
    const owner = ownerUid(pod)
    if (owner === undefined) return
    const used = this.#usedTargets()
    const places = [...this.#targets].filter(([key]) => key.startsWith(expectedUid(owner, '')))
    const [key, target] = places.find(([, each]) => used.has(each)) ?? places[0] ?? []
    if (key === undefined || target === undefined) return
    this.#targets.delete(key)
    this.#targets.set(uid(pod), target)
  }

  #usedTargets(): ReadonlySet<string> {
    return new Set(this.#arrived.flatMap((pod) => this.#targets.get(uid(pod)) ?? []))
  }

  #hasUnused(owner: string): boolean {
    const used = this.#usedTargets()
    return this.#claims.some(
      ({ pods }, number) => !used.has(`claim-${number}`) && pods.some((pod) => ownerUid(pod) === owner),
    )
  }
}
