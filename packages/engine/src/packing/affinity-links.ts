import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import type { TopologyGroup } from '../model/topology-group.ts'

/** Finds the pods that required affinity ties together: pods that must be near others, and those other pods. */
export class AffinityLinks {
  readonly #pods: readonly BatchPod[]
  readonly #groups: readonly EquivalenceGroup[]
  /** For each topology group, the equivalence groups that it counts and those that require it. */
  readonly #members = new Map<TopologyGroup, EquivalenceGroup[]>()
  readonly #known = new Map<string, ReadonlySet<EquivalenceGroup>>()

  constructor(pods: readonly BatchPod[]) {
    this.#pods = pods
    this.#groups = [...new Set(pods.map(({ equivalenceGroup }) => equivalenceGroup))]
    const required = new Set(this.#groups.flatMap(({ affinity }) => affinity))
    for (const equivalenceGroup of this.#groups) {
      for (const group of new Set([...equivalenceGroup.affinity, ...equivalenceGroup.counting])) {
        if (!required.has(group)) continue
        const members = this.#members.get(group)
        if (members === undefined) this.#members.set(group, [equivalenceGroup])
        else members.push(equivalenceGroup)
      }
    }
  }

  /** Returns the pods that a chain of affinity terms over `keys` ties to the pods of an equivalence group, in the order of the queue. */
  tiedTo(equivalenceGroup: EquivalenceGroup, keys: ReadonlySet<string>): readonly BatchPod[] {
    const tied = this.#tied(equivalenceGroup, keys)
    return this.#pods.filter((pod) => tied.has(pod.equivalenceGroup))
  }

  #tied(equivalenceGroup: EquivalenceGroup, keys: ReadonlySet<string>): ReadonlySet<EquivalenceGroup> {
    const text = `${equivalenceGroup.id} ${[...keys].join()}`
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const tied = new Set([equivalenceGroup])
    for (const each of tied) {
      for (const group of new Set([...each.affinity, ...each.counting])) {
        if (!keys.has(group.key)) continue
        for (const member of this.#members.get(group) ?? []) tied.add(member)
      }
    }
    this.#known.set(text, tied)
    return tied
  }

  /** Returns the pods that a topology group counts, in the order of the queue. */
  countedBy(group: TopologyGroup): readonly BatchPod[] {
    return this.#pods.filter(({ equivalenceGroup }) => equivalenceGroup.counting.includes(group))
  }
}
