import {
  isActive,
  kinds,
  type LabelSelector,
  type Pod,
  type PodTemplateSpec,
  type ReplicaSet,
  type ReplicaSetStatus,
  type ReplicationController,
  type ResourceKind,
} from '@kerf/apis'
import {
  type Controller,
  done,
  informerKey,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { selecting } from '../../objects/label-selector.ts'
import { againWhenAvailable, isAvailable, isReady } from '../../objects/pod-state.ts'
import { same } from '../../objects/same.ts'
import { OwnedChildren } from '../owned-children.ts'
import { Pace } from '../pace.ts'
import { podFromTemplate } from '../pod-from-template.ts'
import { deletionOrder } from './deletion-order.ts'

/** The maximum number of pods created or deleted in one pass. The controller continues when the informer shows the changes of that pass. */
const BURST = 500
const GAP = 50

type Replicated = ReplicaSet | ReplicationController

interface Variant<T extends Replicated> {
  readonly kind: ResourceKind<T>
  readonly name: string
  readonly selectorOf: (object: T) => LabelSelector | undefined
}

/**
 * Maintains the desired number of pods for a template. Used for ReplicaSets and for ReplicationControllers, which have a different kind of
 * selector.
 */
class ReplicaController<T extends Replicated> implements Controller {
  readonly name: string
  readonly sources: readonly Source[]
  readonly concurrency = 4
  readonly #context: ClusterContext
  readonly #of: Variant<T>
  readonly #owned: OwnedChildren<T, Pod>
  readonly #pace: Pace

  constructor(context: ClusterContext, of: Variant<T>) {
    this.name = of.name
    this.#context = context
    this.#of = of
    this.#owned = new OwnedChildren(context, { owner: of.kind, child: kinds.Pod })
    this.#pace = new Pace(context.clock, GAP)
    this.sources = this.#owned.sources
  }

  async reconcile(key: Key): Promise<Outcome> {
    const object = this.#owned.owners.get(key)
    if (object === undefined) {
      this.#owned.expected.forget(key)
      this.#pace.forget(key)
      return done()
    }
    const wait = this.#pace.take(key)
    if (wait > 0) return retryAfter(wait)
    const selector = this.#of.selectorOf(object)
    const caughtUp = this.#owned.expected.met(key)
    const claimed = await this.#owned.claim(object, selector)
    const active = claimed.filter(isActive)
    try {
      if (caughtUp && object.metadata.deletionTimestamp === undefined) await this.#scale(key, object, active)
    } finally {
      await this.#writeStatus(key, object, active)
    }
    return againWhenAvailable(active, object.spec.minReadySeconds, this.#context.clock)
  }

  async #scale(key: Key, object: T, active: readonly Pod[]): Promise<void> {
    const missing = (object.spec.replicas ?? 1) - active.length
    const template: PodTemplateSpec | undefined = object.spec.template
    if (missing > 0 && template !== undefined) await this.#create(key, object, template, Math.min(missing, BURST))
    if (missing < 0) await this.#delete(key, object, active, Math.min(-missing, BURST))
  }

  async #create(key: Key, object: T, template: PodTemplateSpec, count: number): Promise<void> {
    const wanted = podFromTemplate(template, { kind: this.#of.kind, object })
    for (let index = 0; index < count; index++) {
      try {
        const pod = await this.#context.client.create(kinds.Pod, wanted)
        this.#owned.expected.created(key, informerKey(pod), pod)
        this.#recordEvent(object, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
      } catch (error) {
        this.#recordEvent(
          object,
          'Warning',
          'FailedCreate',
          `Error creating: ${error instanceof Error ? error.message : error}`,
        )
        throw error
      }
    }
  }

  async #delete(key: Key, object: T, active: readonly Pod[], count: number): Promise<void> {
    for (const pod of deletionOrder(active, this.#context.clock.now()).slice(0, count)) {
      if (await this.#owned.delete(key, pod))
        this.#recordEvent(object, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
    }
  }

  async #writeStatus(key: Key, object: T, active: readonly Pod[]): Promise<void> {
    const now = this.#context.clock.now()
    const minReadySeconds = object.spec.minReadySeconds ?? 0
    const isLabeled = selecting({ matchLabels: object.spec.template?.metadata?.labels ?? {} })
    const ready = active.filter(isReady)
    const status: ReplicaSetStatus = {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) => isLabeled(pod.metadata.labels)).length,
      readyReplicas: ready.length,
      availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
      observedGeneration: object.metadata.generation ?? 0,
    }
    const { conditions: _conditions, ...present } = object.status ?? {}
    if (same(status, present)) return
    const patch = { type: 'merge', body: { metadata: { uid: object.metadata.uid }, status } } as const
    try {
      await this.#context.client.patch(this.#of.kind, parseKey(key), patch, { subresource: 'status' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #recordEvent(object: T, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#context.events.publish({
      object,
      type,
      reason,
      message,
      rateLimit: { bucket: this.name, qps: 10, burst: 100 },
    })
  }
}

export const replicaSetController = (context: ClusterContext): Controller =>
  new ReplicaController(context, {
    kind: kinds.ReplicaSet,
    name: 'replicaset',
    selectorOf: (object) => object.spec.selector,
  })

/** The selector of a ReplicationController defaults to the labels of its template. */
export const replicationController = (context: ClusterContext): Controller =>
  new ReplicaController(context, {
    kind: kinds.ReplicationController,
    name: 'replicationcontroller',
    selectorOf: (object) => {
      const matchLabels = object.spec.selector ?? object.spec.template?.metadata?.labels
      return matchLabels === undefined ? undefined : { matchLabels }
    },
  })
