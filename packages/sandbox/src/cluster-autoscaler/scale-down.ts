import type { Milliseconds, Node, Pod, PodDisruptionBudget } from '@kerf/apis'
import { BudgetAllowance, isDaemonPod, podsToMove } from './drain-rules.ts'
import type { AutoscalerOptions } from './options.ts'
import { cpuAndMemory, cpuAndMemoryIn, type Packing } from './packing.ts'
import type { ScaledGroup } from './scaled-group.ts'

const NO_SCALE_DOWN = 'cluster-autoscaler.kubernetes.io/scale-down-disabled'

/** A node that is unneeded because all its pods fit on other nodes. */
export interface UnneededNode {
  readonly node: Node
  readonly group: ScaledGroup
  readonly moving: readonly Pod[]
}

export interface ScaleDownInput {
  readonly candidates: readonly { readonly node: Node; readonly group: ScaledGroup }[]
  /** Names of the nodes to which pods may move. */
  readonly destinations: ReadonlySet<string>
  readonly budgets: readonly PodDisruptionBudget[]
  readonly now: Milliseconds
}

/** Returns a node's utilization: the requested share of CPU or of memory, whichever is larger. */
const nodeUtilization = (node: Node, pods: readonly Pod[], ignoreDaemonSets: boolean): number => {
  const [cpu, memory] = cpuAndMemoryIn(node.status?.allocatable)
  let [usedCpu, usedMemory] = [0, 0]
  let [daemonCpu, daemonMemory] = [0, 0]
  for (const pod of pods) {
    const [one, other] = cpuAndMemory(pod)
    if (ignoreDaemonSets && isDaemonPod(pod)) {
      daemonCpu += one
      daemonMemory += other
      continue
    }
    usedCpu += one
    usedMemory += other
  }
  return Math.max(usedCpu / (cpu - daemonCpu), usedMemory / (memory - daemonMemory))
}

/** Tracks which nodes are unneeded and since when. After a node turns out not to be removable, it is not checked again for a while. */
export class ScaleDownPlanner {
  readonly #options: AutoscalerOptions
  readonly #since = new Map<string, Milliseconds>()
  readonly #unremovableUntil = new Map<string, Milliseconds>()
  #unneeded: readonly UnneededNode[] = []

  constructor(options: AutoscalerOptions) {
    this.#options = options
  }

  get unneeded(): readonly UnneededNode[] {
    return this.#unneeded
  }

  forget(): void {
    this.#since.clear()
    this.#unneeded = []
  }

  /** Checks the candidates again. Afterwards, the packing has the pods of unneeded nodes on their destination nodes. */
  update(packing: Packing, { candidates, destinations, budgets, now }: ScaleDownInput): void {
    const { utilizationThreshold, ignoreDaemonSetsUtilization, unremovableRecheck, maxScaleDownParallelism } =
      this.#options
    const free = new BudgetAllowance(budgets)
    const open = new Set(destinations)
    const unneeded: UnneededNode[] = []
    const limit = this.#since.size + 2 * maxScaleDownParallelism
    // Nodes that were already unneeded come first. The other nodes keep their order.
    const ordered = candidates.toSorted(
      (a, b) => Number(this.#since.has(b.node.metadata.name)) - Number(this.#since.has(a.node.metadata.name)),
    )
    for (const { node, group } of ordered) {
      const { name, annotations } = node.metadata
      const until = this.#unremovableUntil.get(name)
      if (until !== undefined && now < until) continue
      this.#unremovableUntil.delete(name)
      if (annotations?.[NO_SCALE_DOWN] === 'true') continue
      const pods = packing.podsOn(name)
      if (nodeUtilization(node, pods, ignoreDaemonSetsUtilization) > utilizationThreshold) continue
      if (unneeded.length >= limit) break
      const { moving, blocked, hasWaiting } = podsToMove(pods, free, this.#options)
      if (blocked !== undefined || hasWaiting || !this.#place(packing, name, moving, open)) {
        this.#unremovableUntil.set(name, now + unremovableRecheck)
        continue
      }
      open.delete(name)
      for (const pod of moving) free.use(pod)
      unneeded.push({ node, group, moving })
    }
    const names = new Set(unneeded.map(({ node }) => node.metadata.name))
    for (const name of this.#since.keys()) if (!names.has(name)) this.#since.delete(name)
    for (const name of names) if (!this.#since.has(name)) this.#since.set(name, now)
    this.#unneeded = unneeded
  }

  /**
   * Returns the nodes to remove now: all empty nodes at once, but other nodes only one at a time. Never goes below a group's minimum size.
   */
  removable(
    now: Milliseconds,
    inProgress: {
      readonly empty: number
      readonly drained: number
      readonly byGroup: ReadonlyMap<ScaledGroup, number>
    },
  ): {
    readonly empty: readonly UnneededNode[]
    readonly drain: readonly UnneededNode[]
  } {
    const { unneededTime, maxScaleDownParallelism, maxDrainParallelism } = this.#options
    const sizes = new Map<ScaledGroup, number>()
    const old = this.#unneeded.filter(({ node }) => now - (this.#since.get(node.metadata.name) ?? now) > unneededTime)
    const isAllowed = ({ group }: UnneededNode): boolean => {
      const size = sizes.get(group) ?? group.size - (inProgress.byGroup.get(group) ?? 0)
      if (size <= group.min) return false
      sizes.set(group, size - 1)
      return true
    }
    let total = Math.max(0, maxScaleDownParallelism - inProgress.empty - inProgress.drained)
    const empty = old
      .filter(({ moving }) => moving.length === 0)
      .filter(isAllowed)
      .slice(0, total)
    total -= empty.length
    const drains = Math.max(0, Math.min(total, maxDrainParallelism - inProgress.drained))
    // Nodes that need a drain wait until all removable empty nodes are gone.
    const drain =
      empty.length > 0
        ? []
        : old
            .filter(({ moving }) => moving.length > 0)
            .filter(isAllowed)
            .slice(0, drains)
    return { empty, drain }
  }

  #place(packing: Packing, from: string, moving: readonly Pod[], open: ReadonlySet<string>): boolean {
    const placed: [Pod, string][] = []
    for (const pod of moving) packing.take(pod, from)
    for (const pod of moving) {
      const to = packing.placeOnAny(pod, (name) => name !== from && open.has(name))
      if (to !== undefined) {
        placed.push([pod, to])
        continue
      }
      for (const [other, node] of placed) packing.take(other, node)
      for (const each of moving) packing.place(each, from)
      return false
    }
    return true
  }
}
