import { kinds, type PersistentVolumeClaim } from '@kerf/apis'
import {
  type Controller,
  done,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'
import { namespacedRef } from '../objects/object-key.ts'
import { Announcer } from './announcer.ts'
import { type ClassQueue, firstPod, SchedulingCycle } from './pending-queue.ts'
import { awaitsScheduler, SchedulerCache } from './scheduler-cache.ts'
import type { Reservation } from './volume-reservations.ts'
import { SELECTED_NODE } from './volumes.ts'

/**
 * Binds pods to nodes like the default scheduler, with the same filters, order and messages. Scores nodes by free resources and
 * preferences. Among equal scores, chooses the first node. Reserves resources for nominated pods. Never preempts pods.
 */
export class Scheduler implements Controller {
  readonly name = 'scheduler'
  readonly concurrency = 1
  readonly singleton = true
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #cache: SchedulerCache
  readonly #announcer: Announcer
  #attempts = 0

  constructor(context: ClusterContext) {
    const cache = new SchedulerCache(context)
    this.#context = context
    this.#cache = cache
    this.#announcer = new Announcer(context)
    const whenNeeded = (): Key[] => (cache.wake || cache.isOutdated ? [''] : [])
    this.sources = cache.kinds.map((kind) => ({ informer: context.informers.of(kind), keysOf: whenNeeded }))
  }

  /** The number of pods that wait for a node. */
  get pending(): number {
    return this.#cache.queue.size
  }

  /** The number of attempts to find a node. Used by the load test. */
  get attempts(): number {
    return this.#attempts
  }

  async reconcile(_key: Key, signal: AbortSignal): Promise<Outcome> {
    this.#cache.wake = false
    if (this.#cache.isOutdated) this.#cache.sortAnew()
    await this.#bindReserved(signal)
    let failures = 0
    const failed = new Set<ClassQueue>()
    for (let again = true; again && !signal.aborted; ) {
      again = false
      failed.clear()
      if (this.#cache.isOutdated) this.#cache.sortAnew()
      const round = new SchedulingCycle(this.#cache.queue.queues)
      // While this loop runs, a new pod may invalidate all pod classes. The loop then ends, and another cycle starts.
      for (
        let queue = round.pop();
        queue !== undefined && !this.#cache.isOutdated && !signal.aborted;
        queue = round.pop()
      ) {
        const result = await this.#next(queue, signal)
        if (result === 'bound') again = true
        if (result === 'error') failures++
        if (result === 'bound') round.push(queue)
        if (result === 'nowhere') failed.add(queue)
      }
      // Start another cycle if a pod that was placed may satisfy the affinity of a pod class that failed earlier, or may have changed a
      // skew.
      again =
        this.#cache.isOutdated || (again && failed.values().some((queue) => queue.placement?.isConstrained ?? false))
    }
    const refresh = await this.#announcer.announce(
      failed,
      { message: (queue) => this.#message(queue), state: this.#cache.table.version + this.#cache.changes },
      signal,
    )
    if (failures > 0) return retryAfter(1000)
    return refresh === undefined ? done() : retryAfter(refresh)
  }

  async #next(queue: ClassQueue, signal: AbortSignal): Promise<'bound' | 'nowhere' | 'error' | 'empty'> {
    const pending = firstPod(queue)
    if (pending === undefined) return 'empty'
    const placement = this.#cache.placementOf(queue)
    const volumes = this.#cache.volumesOf(queue.podClass)
    this.#attempts++
    const choice = placement.choose(volumes, pending.pod.status?.nominatedNodeName, pending.uid)
    if (choice.kind === 'nowhere') return 'nowhere'
    const reservation: Reservation = { pending, podClass: queue.podClass, nodeName: choice.row.name }
    this.#cache.queue.remove(pending.uid)
    this.#cache.table.place(choice.row.name, this.#cache.placed(pending.pod, queue.podClass))
    try {
      if (queue.podClass.usesDevices && choice.row.node !== undefined) {
        await this.#cache.devices.reserve(pending.pod, choice.row.node)
      }
      if (volumes.kind === 'per-node' && volumes.unbound.length > 0) {
        this.#cache.reservations.add(reservation)
        for (const claim of volumes.unbound) await this.#selectNode(claim, choice.row.name)
        return 'bound'
      }
      await this.#bind(reservation, signal)
      return 'bound'
    } catch (error) {
      this.#giveBack(reservation)
      this.#context.logger.warn('pod could not be bound', {
        pod: informerKey(pending.pod),
        node: choice.row.name,
        error: error instanceof Error ? error.message : String(error),
      })
      return 'error'
    }
  }

  /**
   * Binds a pod. If the binding fails because the pod is gone or another scheduler has bound it, ignores the error, but only after the
   * informer shows this.
   */
  async #bind({ pending, nodeName }: Reservation, signal: AbortSignal): Promise<void> {
    const ref = namespacedRef(informerKey(pending.pod))
    try {
      await this.#context.client.bind(ref, nodeName, { signal })
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error
      const after = this.#cache.mirrored(pending.pod)
      // The informer does not show yet why the server refused the binding. The error causes another attempt.
      if (after !== undefined && !after.spec.nodeName && awaitsScheduler(after)) throw error
      this.#cache.table.remove(pending.uid)
      if (after !== undefined) this.#cache.onPod({ after })
      return
    }
    this.#announcer.recordEvent(
      pending.pod,
      'Normal',
      'Scheduled',
      `Successfully assigned ${ref.namespace}/${ref.name} to ${nodeName}`,
    )
  }

  async #selectNode(claim: PersistentVolumeClaim, nodeName: string): Promise<void> {
    if (claim.metadata.annotations?.[SELECTED_NODE] === nodeName) return
    const body = { metadata: { annotations: { [SELECTED_NODE]: nodeName } } }
    await this.#context.client.patch(kinds.PersistentVolumeClaim, namespacedRef(informerKey(claim)), {
      type: 'merge',
      body,
    })
  }

  /** Binds the pods whose volumes have been provisioned. If a provisioner rejects the node, the pod returns to the queue. */
  async #bindReserved(signal: AbortSignal): Promise<void> {
    for (const reservation of this.#cache.reservations.values()) {
      const check = this.#cache.volumesOf(reservation.podClass)
      if (check.kind === 'per-node' && check.unbound.length === 0) {
        this.#cache.reservations.drop(reservation.pending.uid)
        try {
          await this.#bind(reservation, signal)
        } catch {
          this.#giveBack(reservation)
        }
        continue
      }
      const kept =
        check.kind === 'per-node' &&
        this.#cache.table.row(reservation.nodeName)?.node !== undefined &&
        check.unbound.every((claim) => this.#cache.reservations.holds(claim, reservation.nodeName))
      if (!kept) {
        this.#cache.reservations.drop(reservation.pending.uid)
        this.#giveBack(reservation)
      }
    }
  }

  #giveBack({ pending, podClass }: Reservation): void {
    this.#cache.table.remove(pending.uid)
    if (this.#cache.mirrored(pending.pod) === undefined) return
    this.#cache.queue.put(pending.uid, pending.pod, podClass)
    this.#cache.wake = true
  }

  #message(queue: ClassQueue): string {
    const total = this.#cache.table.size
    if (total === 0) return 'no nodes available to schedule pods'
    const volumes = this.#cache.volumesOf(queue.podClass)
    if (volumes.kind === 'refused') return `0/${total} nodes are available: ${volumes.message}.`
    const counts = this.#cache.placementOf(queue).reasons(volumes)
    const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort()
    return `0/${total} nodes are available: ${parts.join(', ')}.`
  }
}
