import { type CapacityBuffer, karpenterKinds, type Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan } from '@kerf/engine'
import { isConflict, isNotFound } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import type { Deps } from '../../deps.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { Isolation } from '../../state/isolation/isolation.ts'
import type { ReservedPods } from '../in-memory-pods.ts'
import { type BufferCondition, isReadyForProvisioning, withBufferCondition } from './buffer-conditions.ts'
import { type BufferReplicas, withReplicas } from './buffer-replicas.ts'
import { bufferNameFromPod, isVirtualPod } from './virtual-pods.ts'

interface Tally {
  onNodes: number
  elsewhere: number
}

/** Provides the replicas of all buffers to the provisioner, and handles the placements that its passes decide for them. */
export class BufferPods implements ReservedPods {
  readonly #deps: Pick<Deps, 'client' | 'clock' | 'informers' | 'log'>
  readonly #isolation: Isolation
  readonly #state: ClusterState
  readonly #byBuffer = new Map<string, BufferReplicas>()

  constructor(deps: Pick<Deps, 'client' | 'clock' | 'informers' | 'log'>, state: ClusterState) {
    this.#deps = deps
    this.#isolation = state.isolation
    this.#state = state
  }

  put(buffer: string, replicas: BufferReplicas): void {
    this.#byBuffer.set(buffer, replicas)
  }

  /** Removes the replicas of a buffer. Returns whether there were any. */
  drop(buffer: string): boolean {
    return this.#byBuffer.delete(buffer)
  }

  pods(): readonly Pod[] {
    return [...this.#byBuffer.values()].flatMap(({ pods }) => pods)
  }

  within(snapshot: ClusterSnapshot): ClusterSnapshot {
    return withReplicas(snapshot, [...this.#byBuffer.values()])
  }

  isVirtual(pod: Pod): boolean {
    return isVirtualPod(pod)
  }

  /**
   * Writes to every buffer whether its capacity exists. Also stores how many replicas each node has, so that disruption does not remove the
   * node as empty.
   */
  async placed(plan: Plan, snapshot: ClusterSnapshot, signal: AbortSignal): Promise<void> {
    this.#state.replaceBufferPodCounts(countsByNode(plan, snapshot))
    const tallies = tally(plan)
    const buffers = this.#deps.informers.of(karpenterKinds.CapacityBuffer).values()
    const due = this.#isolation.readEach('CapacityBuffer', 'capacity-buffers', buffers, (buffer) => {
      const key = `${buffer.metadata.namespace ?? 'default'}/${buffer.metadata.name}`
      const change = verdict(buffer, tallies.get(key))
      if (change === undefined) return []
      return [{ buffer, key, conditions: withBufferCondition(buffer, change, this.#deps.clock.now()) }]
    })
    for (const { buffer, key, conditions } of due.flat()) {
      try {
        await patchConditions(this.#deps.client, karpenterKinds.CapacityBuffer, buffer, conditions, signal)
      } catch (error) {
        signal.throwIfAborted()
        // The next pass retries this write.
        if (!isConflict(error) && !isNotFound(error))
          this.#deps.log.error('updating a capacity buffer', { CapacityBuffer: key, error })
      }
    }
  }
}

const countsByNode = (plan: Plan, snapshot: ClusterSnapshot): ReadonlyMap<string, number> => {
  const idOf = new Map(snapshot.nodes.map(({ name, providerID }) => [name, providerID]))
  const counts = new Map<string, number>()
  for (const { node, pods } of plan.placements) {
    const id = idOf.get(node)
    const count = pods.filter(isVirtualPod).length
    if (id !== undefined && count > 0) counts.set(id, count)
  }
  return counts
}

const tally = (plan: Plan): ReadonlyMap<string, Tally> => {
  const tallies = new Map<string, Tally>()
  const count = (pods: readonly Pod[], where: keyof Tally): void => {
    for (const pod of pods) {
      const buffer = isVirtualPod(pod) ? bufferNameFromPod(pod) : undefined
      if (buffer === undefined) continue
      const found = tallies.get(buffer) ?? { onNodes: 0, elsewhere: 0 }
      found[where]++
      tallies.set(buffer, found)
    }
  }
  for (const { pods } of plan.placements) count(pods, 'onNodes')
  for (const { pods } of plan.claims) count(pods, 'elsewhere')
  count(
    plan.unschedulable.map(({ pod }) => pod),
    'elsewhere',
  )
  return tallies
}

const verdict = (buffer: CapacityBuffer, found: Tally | undefined): BufferCondition | undefined => {
  const type = 'Provisioning' as const
  const no = (reason: string, message: string): BufferCondition => ({ type, status: 'False', reason, message })
  if (!isReadyForProvisioning(buffer)) return no('NotReadyForProvisioning', 'the buffer is not resolved')
  if ((buffer.status?.replicas ?? 0) === 0) return no('BufferEmpty', 'the buffer has 0 replicas')
  if (found === undefined) return undefined
  if (found.elsewhere > 0) {
    return no('RequiresNewCapacity', `${found.elsewhere} of ${found.elsewhere + found.onNodes} replicas need new nodes`)
  }
  return {
    type,
    status: 'True',
    reason: 'FitsExistingCapacity',
    message: `${found.onNodes} replicas fit on existing nodes`,
  }
}
