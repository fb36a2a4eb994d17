import { formatTime, isTerminal, kinds, type Milliseconds, type Node, type Pod } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { namespacedRef } from '../../objects/object-key.ts'
import { indexByNode, podsOn } from '../../objects/pods-on-node.ts'
import { unlessGone } from '../../objects/unless-gone.ts'

/** How long a node must be missing before its pods are deleted. */
const QUARANTINE: Milliseconds = 40_000

/** Deletes pods that no kubelet will remove: pods on missing nodes, and deleted pods that never had a node. */
export class PodGarbage implements Controller {
  readonly name = 'pod-garbage'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #nodes: Informer<Node>
  readonly #pods: Informer<Pod>
  readonly #goneSince = new Map<string, Milliseconds>()

  constructor(context: ClusterContext) {
    this.#context = context
    this.#nodes = context.informers.of(kinds.Node)
    this.#pods = context.informers.of(kinds.Pod)
    indexByNode(this.#pods)
    this.sources = [
      source(this.#pods, ({ after }) => (after !== undefined && this.#isSuspect(after) ? [informerKey(after)] : [])),
      source(this.#nodes, ({ before, after }) => {
        if (after !== undefined) {
          this.#goneSince.delete(after.metadata.name)
          return []
        }
        return podsOn(this.#pods, before?.metadata.name ?? '').map(informerKey)
      }),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const pod = this.#pods.get(key)
    if (pod === undefined || !this.#isSuspect(pod)) return done()
    const nodeName = pod.spec.nodeName
    if (nodeName) {
      const now = this.#context.clock.now()
      const since = this.#goneSince.get(nodeName) ?? now
      this.#goneSince.set(nodeName, since)
      if (now < since + QUARANTINE) return retryAfter(since + QUARANTINE - now)
    }
    await unlessGone(this.#remove(key, pod))
    return done()
  }

  #isSuspect(pod: Pod): boolean {
    const nodeName = pod.spec.nodeName
    if (nodeName) return this.#nodes.get(nodeName) === undefined
    return pod.metadata.deletionTimestamp !== undefined
  }

  async #remove(key: Key, pod: Pod): Promise<void> {
    const ref = namespacedRef(key)
    const uid = pod.metadata.uid ?? ''
    if (!isTerminal(pod)) {
      const condition = {
        type: 'DisruptionTarget',
        status: 'True',
        reason: 'DeletionByPodGC',
        message: 'PodGC: node no longer exists',
        lastTransitionTime: formatTime(this.#context.clock.now()),
      }
      const body = { metadata: { uid }, status: { phase: 'Failed', conditions: [condition] } }
      await this.#context.client.patch(kinds.Pod, ref, { type: 'strategic', body }, { subresource: 'status' })
    }
    await this.#context.client.delete(kinds.Pod, ref, { gracePeriodSeconds: 0, preconditions: { uid } })
  }
}
