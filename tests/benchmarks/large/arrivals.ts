import { findCondition, karpenterKinds, kinds, labels, type Pod } from '@kerf/apis'
import { sleep } from '@kerf/runtime'
import type { FilledCluster } from './filled-cluster.ts'
import { ARRIVALS_PER_NODE, arrival, GROUP } from './objects.ts'

/** The reaction to a group of pods that arrived at once. Times are in milliseconds since the epoch, by this machine's clock. */
export interface Reaction {
  /** The time at which kube-scheduler reported the group's last pod as unschedulable. */
  readonly pendingAt: number
  /** The time at which the batch window closed. It is some time after the last unschedulable pod of any workload. */
  readonly windowClosedAt: number
  /** When the group's NodeClaim existed. */
  readonly decidedAt: number
}

/** How long Kerf and upstream wait for further pods by default. */
const IDLE = 1_000
const LONGEST_WINDOW = 10_000

const wallTime = (): number => performance.timeOrigin + performance.now()

const isUnschedulable = (pod: Pod | undefined): boolean => {
  const condition = pod && findCondition(pod, 'PodScheduled')
  return condition?.status === 'False' && condition.reason === 'Unschedulable'
}

/** Creates groups of pods that need one node per group, and records when each group's NodeClaim exists. */
export class Arrivals {
  readonly #cluster: FilledCluster
  readonly #pendingAt = new Map<string, number>()
  readonly #decidedAt = new Map<string, number>()
  /** The times at which pods of any workload became pending, in order. */
  readonly #pods: number[] = []
  readonly #groups: string[] = []

  constructor(cluster: FilledCluster) {
    this.#cluster = cluster
    const { informers } = cluster.sandbox
    informers.of(kinds.Pod).onChange(({ before, after }) => {
      if (isUnschedulable(before) || !isUnschedulable(after)) return
      const now = wallTime()
      this.#pods.push(now)
      const group = after?.metadata.labels?.[GROUP]
      if (group !== undefined) this.#pendingAt.set(group, now)
    })
    informers.of(karpenterKinds.NodeClaim).onChange(({ after }) => {
      const group = after?.metadata.labels?.[GROUP] ?? groupIn(after?.spec.requirements)
      if (after?.metadata.labels?.[labels.nodePool] !== 'arrivals' || group === undefined) return
      if (!this.#decidedAt.has(group)) this.#decidedAt.set(group, wallTime())
    })
  }

  /** Creates another group. Resolves when the group's pods exist. */
  async group(): Promise<void> {
    const group = `group-${this.#groups.length}`
    this.#groups.push(group)
    for (let each = 0; each < ARRIVALS_PER_NODE; each++) {
      await this.#cluster.sandbox.client.create(kinds.Pod, arrival(`${group}-${each}`, group))
    }
  }

  /**
   * Waits until every group has its NodeClaim, or until the limit in milliseconds. Returns the reactions so far, in the order of arrival.
   */
  async reactions(limit: number): Promise<readonly Reaction[]> {
    const { clock } = this.#cluster
    for (const end = clock.monotonic() + limit; this.#decidedAt.size < this.#groups.length; ) {
      if (clock.monotonic() > end) break
      await sleep(clock, 100)
    }
    return this.#groups.flatMap((group) => {
      const pendingAt = this.#pendingAt.get(group)
      const decidedAt = this.#decidedAt.get(group)
      if (pendingAt === undefined || decidedAt === undefined) return []
      return [{ pendingAt, windowClosedAt: this.#windowAfter(pendingAt), decidedAt }]
    })
  }

  #windowAfter(pendingAt: number): number {
    let last = pendingAt
    for (const at of this.#pods) if (at > last && at < last + IDLE) last = at
    return Math.min(last + IDLE, pendingAt + LONGEST_WINDOW)
  }
}

const groupIn = (
  requirements: readonly { readonly key: string; readonly values?: readonly string[] }[] = [],
): string | undefined => requirements.find(({ key }) => key === GROUP)?.values?.[0]
