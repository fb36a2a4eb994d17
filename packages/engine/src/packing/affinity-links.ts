import type { BatchPod, PodGroup } from '../model/pod-group.ts'
import type { TopologyGroup } from '../model/topology-group.ts'

/** Pods that are tied together by required affinity over topology keys: the pods that follow others, and the pods that they follow. */
export class AffinityLinks {
  readonly #pods: readonly BatchPod[]
  readonly #groups: readonly PodGroup[]
  /** The pod groups that a topology group counts or that require it. */
  readonly #members = new Map<TopologyGroup, PodGroup[]>()
  readonly #known = new Map<string, ReadonlySet<PodGroup>>()

  constructor(pods: readonly BatchPod[]) {
    this.#pods = pods
    this.#groups = [...new Set(pods.map(({ podGroup }) => podGroup))]
    const required = new Set(this.#groups.flatMap(({ affinity }) => affinity))
    for (const podGroup of this.#groups) {
      for (const group of new Set([...podGroup.affinity, ...podGroup.counting])) {
        if (!required.has(group)) continue
        const members = this.#members.get(group)
        if (members === undefined) this.#members.set(group, [podGroup])
        else members.push(podGroup)
      }
    }
  }

  /** Returns the pods that any chain of terms over `keys` ties to these pods, in the order of the queue. */
  tiedTo(podGroup: PodGroup, keys: ReadonlySet<string>): readonly BatchPod[] {
    const tied = this.#tied(podGroup, keys)
    return this.#pods.filter((pod) => tied.has(pod.podGroup))
  }

  #tied(podGroup: PodGroup, keys: ReadonlySet<string>): ReadonlySet<PodGroup> {
    const text = `${podGroup.id} ${[...keys].join()}`
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const tied = new Set([podGroup])
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
    return this.#pods.filter(({ podGroup }) => podGroup.counting.includes(group))
  }
}
