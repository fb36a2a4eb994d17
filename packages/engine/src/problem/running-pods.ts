import type { Pod } from '@kerf/apis'
import { outOfRange } from '../column.ts'
import type { BatchPod, EquivalenceGroup } from '../model/equivalence-group.ts'
import type { NodeId } from '../model/ids.ts'
import type { NodePods } from './read-pods.ts'

/** Pods that may leave their node, with their groups. The list of a node is created on first use. */
export class RunningPods {
  readonly #read: ReadonlyMap<NodeId, NodePods>
  readonly #equivalenceGroups: readonly EquivalenceGroup[]
  readonly #made = new Map<NodeId, readonly BatchPod[]>()
  readonly #counted = new Map<NodeId, readonly BatchPod[]>()

  constructor(read: ReadonlyMap<NodeId, NodePods>, equivalenceGroups: readonly EquivalenceGroup[]) {
    this.#read = read
    this.#equivalenceGroups = equivalenceGroups
  }

  on(node: NodeId): readonly BatchPod[] {
    let made = this.#made.get(node)
    if (made === undefined) {
      const { pods = [], groups = [] } = this.#read.get(node) ?? {}
      made = pods.map((pod, place) => this.#entry(pod, groups[place] ?? -1))
      this.#made.set(node, made)
    }
    return made
  }

  /** Returns the pods of a node that topology groups count. Terminating pods are never counted. */
  countedOn(node: NodeId): readonly BatchPod[] {
    let counted = this.#counted.get(node)
    if (counted === undefined) {
      counted = this.on(node).filter(
        ({ pod, equivalenceGroup: { counting, inverseOwned } }) =>
          counting.length + inverseOwned.length > 0 && pod.metadata.deletionTimestamp === undefined,
      )
      this.#counted.set(node, counted)
    }
    return counted
  }

  #entry(pod: Pod, group: number): BatchPod {
    return { pod, equivalenceGroup: this.#equivalenceGroups[group] ?? outOfRange('equivalence groups', group) }
  }
}
