import { findCondition, isActive, karpenterKinds, kinds, type Milliseconds, type Node, type Pod } from '@kerf/apis'
import {
  ApiError,
  type Controller,
  defineMetrics,
  done,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  rateForConcurrency,
  retry,
} from '@kerf/runtime'
import { concurrency, type Deps } from '../../deps.ts'
import type { ClaimNodes } from '../../nodeclaim/claim-nodes.ts'
import { doNotDisruptEvent } from '../../pod/do-not-disrupt-event.ts'
import { isEvictable, podKey } from '../../pod/pod-predicates.ts'
import { readOnlySource } from '../../read-only-source.ts'
import { disrupted, evicted, failedDraining } from './events.ts'
import { grantedSeconds, mustBeDeleted } from './forced-deletion.ts'

interface Entry {
  readonly uid: string
  readonly deadline: Milliseconds
}

interface Going {
  readonly until: Milliseconds
  /** Whether the pod was deleted instead of evicted. */
  readonly isForced: boolean
}

/** If the informer does not show the pod as terminating after this time, the queue evicts it again. */
const SEEN_WITHIN: Milliseconds = 5_000
const NEVER = Number.POSITIVE_INFINITY
const SEVERAL_BUDGETS =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

export const evictionMetrics = defineMetrics({
  requests: {
    name: 'karpenter_pods_eviction_requests_total',
    type: 'counter',
    help: 'Eviction requests, by status code.',
    labels: ['code'],
  },
  drained: {
    name: 'karpenter_pods_drained_total',
    type: 'counter',
    help: 'Pods evicted or deleted from draining nodes, by the reason for the disruption.',
    labels: ['reason'],
  },
})

/**
 * The queue of pods that must leave their node. The queue evicts each pod and retries refused evictions until the pod is deleted
 * (`docs/spec/termination.md#eviction-queue`). The queue exists only in memory. Every second, the drain of a node adds its pods again,
 * except for pods that were just evicted. Each entry belongs to one pod UID, so that a new pod of the same name is not evicted by mistake.
 * Entries of deleted pods are removed.
 */
export class EvictionQueue {
  readonly #deps: Deps
  readonly #links: ClaimNodes
  readonly #entries = new Map<Key, Entry>()
  /**
   * Pods whose eviction or deletion the API server has just accepted, keyed by UID, oldest first. The informer might not show yet that they
   * are terminating.
   */
  readonly #going = new Map<string, Going>()
  readonly #requests
  readonly #drained
  #enqueue: (key: Key) => void = () => {}

  constructor(deps: Deps, links: ClaimNodes) {
    this.#deps = deps
    this.#links = links
    const registered = evictionMetrics.register(deps.metrics)
    this.#requests = registered.requests
    this.#drained = registered.drained
  }

  /** The number of pods in the queue. */
  get size(): number {
    return this.#entries.size
  }

  has(pod: Pod): boolean {
    return this.#entries.get(podKey(pod))?.uid === pod.metadata.uid
  }

  /** Adds pods to evict, or to delete in time for the deadline. If a pod already has an earlier deadline, keeps the earlier one. */
  add(pods: readonly Pod[], deadline: Milliseconds | undefined): void {
    for (const pod of pods) {
      const key = podKey(pod)
      const uid = pod.metadata.uid ?? ''
      if (this.#isGoing(pod, uid, deadline)) continue
      const before = this.#entries.get(key)
      const isSame = before?.uid === uid
      const earliest = Math.min(deadline ?? NEVER, isSame ? before.deadline : NEVER)
      if (isSame && before.deadline === earliest) continue
      this.#entries.set(key, { uid, deadline: earliest })
      this.#enqueue(key)
    }
  }

  /** The controller `eviction-queue`. */
  controller(): Controller {
    const { informers, settings } = this.#deps
    const workers = concurrency(settings, 100, 5000)
    return {
      name: 'eviction-queue',
      sources: [
        readOnlySource(informers, kinds.Pod),
        readOnlySource(informers, kinds.Node),
        readOnlySource(informers, karpenterKinds.NodeClaim),
      ],
      concurrency: workers,
      backoff: { base: 100, max: 10_000 },
      rate: rateForConcurrency(100, 100, workers),
      subscribe: (enqueue) => {
        this.#enqueue = enqueue
        for (const key of this.#entries.keys()) enqueue(key)
        return () => {
          this.#enqueue = () => {}
        }
      },
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #reconcile(key: Key, signal: AbortSignal): Promise<Outcome> {
    const entry = this.#entries.get(key)
    if (entry === undefined) return done()
    const pod = this.#links.pods.get(key)
    if (pod === undefined || pod.metadata.uid !== entry.uid) return this.#drop(key)
    const now = this.#deps.clock.now()
    const isTimed = entry.deadline !== NEVER && this.#deps.clock.problem === undefined
    const deadline = isTimed ? entry.deadline : undefined
    if (deadline !== undefined && mustBeDeleted(pod, deadline, now)) {
      return await this.#forceDelete(key, pod, deadline, signal)
    }
    if (!isActive(pod)) return this.#drop(key)
    if (!isEvictable(pod, now)) {
      const event = doNotDisruptEvent(pod, now)
      if (event !== undefined) this.#deps.events.publish(event)
      return retry()
    }
    return await this.#evict(key, pod, signal)
  }

  async #evict(key: Key, pod: Pod, signal: AbortSignal): Promise<Outcome> {
    const reason = this.#reasonFor(pod)
    const ref = parseKey(key)
    try {
      await this.#deps.client.evict(
        { name: ref.name, namespace: ref.namespace ?? 'default' },
        { signal, preconditions: { uid: pod.metadata.uid ?? '' } },
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#requests.inc({ code: String(error.code) })
      if (isNotFound(error) || isConflict(error)) return this.#drop(key)
      const problem = budgetProblem(error, key)
      if (problem === undefined) throw error
      const node = this.#nodeOf(pod)
      if (node !== undefined) this.#deps.events.publish(failedDraining(node, problem, 'budget'))
      return retry()
    }
    this.#goes(pod, false)
    this.#requests.inc({ code: '200' })
    this.#deps.events.publish(evicted(pod, reason))
    this.#drained.inc({ reason })
    return this.#drop(key)
  }

  async #forceDelete(key: Key, pod: Pod, deadline: Milliseconds, signal: AbortSignal): Promise<Outcome> {
    const { client, clock, events, log } = this.#deps
    const granted = grantedSeconds(deadline, clock.now())
    const reason = this.#reasonFor(pod)
    log.debug('deleting pod', {
      Pod: parseKey(key),
      'pod.terminationGracePeriodSeconds': pod.spec.terminationGracePeriodSeconds,
      'delete.gracePeriodSeconds': granted,
      'nodeclaim.terminationTime': new Date(deadline).toISOString(),
    })
    try {
      await client.delete(kinds.Pod, parseKey(key), {
        signal,
        gracePeriodSeconds: granted,
        preconditions: { uid: pod.metadata.uid ?? '' },
      })
    } catch (error) {
      if (isNotFound(error)) return this.#drop(key)
      throw error
    }
    this.#goes(pod, true)
    events.publish(disrupted(pod, deadline, granted))
    this.#drained.inc({ reason })
    return this.#drop(key)
  }

  #goes(pod: Pod, isForced: boolean): void {
    const now = this.#deps.clock.now()
    for (const [uid, { until }] of this.#going) {
      if (until > now) break
      this.#going.delete(uid)
    }
    const uid = pod.metadata.uid ?? ''
    this.#going.delete(uid)
    this.#going.set(uid, { until: now + SEEN_WITHIN, isForced })
  }

  /** Returns whether the pod was just evicted or deleted, so that it needs no further request at present. */
  #isGoing(pod: Pod, uid: string, deadline: Milliseconds | undefined): boolean {
    const now = this.#deps.clock.now()
    const going = this.#going.get(uid)
    if (going === undefined || going.until <= now) return false
    return going.isForced || !mustBeDeleted(pod, deadline, now)
  }

  #drop(key: Key): Outcome {
    this.#entries.delete(key)
    return done()
  }

  #nodeOf(pod: Pod): Node | undefined {
    return this.#links.nodes.get(pod.spec.nodeName ?? '')
  }

  /** Returns the reason for the disruption of the pod's node. Empty if the node's claim is unknown. */
  #reasonFor(pod: Pod): string {
    const node = this.#nodeOf(pod)
    const claim = node === undefined ? undefined : this.#links.claimOf(node)
    if (claim === undefined) return ''
    const condition = findCondition(claim, 'DisruptionReason')
    return condition?.status === 'True' ? (condition.reason ?? '') : 'Forceful Termination'
  }
}

/** Returns a message if the API server refused the eviction because of PodDisruptionBudgets. */
const budgetProblem = (error: ApiError, key: Key): string | undefined => {
  if (error.code === 429) return `evicting pod violates a PDB (Pod=${key})`
  if (error.message === SEVERAL_BUDGETS) return `eviction does not support multiple PDBs (Pod=${key})`
  return undefined
}
