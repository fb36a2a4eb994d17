import { type DaemonSet, type DaemonSetStatus, isTerminal, isTerminating, kinds, type Node, type Pod } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { intOrPercent } from '../../objects/int-or-percent.ts'
import { againWhenAvailable, isAvailable, isReady } from '../../objects/pod-state.ts'
import { same } from '../../objects/same.ts'
import { templateHash } from '../../objects/template-hash.ts'
import { OwnedChildren } from '../owned-children.ts'
import { Pace } from '../pace.ts'
import { podFromTemplate } from '../pod-from-template.ts'
import { pinnedTemplate, targetNodeName, verdict } from './daemon-placement.ts'

const REVISION = 'controller-revision-hash'
const GENERATION = 'pod-template-generation'
const GAP = 50

/** Runs one pod on every node that the template's selectors and tolerations allow. */
export class DaemonSetController implements Controller {
  readonly name = 'daemonset'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #owned: OwnedChildren<DaemonSet, Pod>
  readonly #nodes: Informer<Node>
  readonly #pace: Pace

  constructor(context: ClusterContext) {
    this.#context = context
    this.#owned = new OwnedChildren(context, { owner: kinds.DaemonSet, child: kinds.Pod })
    this.#nodes = context.informers.of(kinds.Node)
    this.#pace = new Pace(context.clock, GAP)
    this.sources = [
      ...this.#owned.sources,
      source(this.#nodes, ({ before, after }) => {
        const matters =
          before === undefined ||
          after === undefined ||
          !same(before.metadata.labels, after.metadata.labels) ||
          !same(before.spec, after.spec)
        return matters ? [...this.#owned.owners.values()].map(informerKey) : []
      }),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const set = this.#owned.owners.get(key)
    if (set === undefined) {
      this.#owned.expected.forget(key)
      this.#pace.forget(key)
      return done()
    }
    const wait = this.#pace.take(key)
    if (wait > 0) return retryAfter(wait)
    const caughtUp = this.#owned.expected.met(key)
    const pods = await this.#owned.claim(set, set.spec.selector)
    const byNode = Map.groupBy(pods, (pod) => targetNodeName(pod) ?? '')
    const revision = templateHash(set.spec.template)
    try {
      if (caughtUp && set.metadata.deletionTimestamp === undefined) {
        const changed = await this.#place(key, set, byNode, revision)
        if (!changed) await this.#roll(key, set, byNode, revision)
      }
    } finally {
      await this.#writeStatus(key, set, byNode, revision)
    }
    return againWhenAvailable(pods, set.spec.minReadySeconds, this.#context.clock)
  }

  async #place(
    key: Key,
    set: DaemonSet,
    byNode: ReadonlyMap<string, readonly Pod[]>,
    revision: string,
  ): Promise<boolean> {
    let changed = false
    for (const node of [...this.#nodes.values()]) {
      const name = node.metadata.name
      const { run, stay } = verdict(set, node)
      const present = byNode.get(name) ?? []
      const living = present.filter((pod) => !isTerminating(pod))
      for (const pod of living.filter(isTerminal)) {
        changed = true
        await this.#delete(key, set, pod)
      }
      const active = living.filter((pod) => !isTerminal(pod))
      if (run && present.length === 0) {
        changed = true
        await this.#create(key, set, name, revision)
      }
      // If a node has several pods, only the oldest stays. The two pods of a surge are an exception, which `roll` handles.
      const surplus = stay ? this.#surplus(set, active, revision) : active
      for (const pod of surplus) {
        changed = true
        await this.#delete(key, set, pod)
      }
    }
    return changed
  }

  #surplus(set: DaemonSet, active: readonly Pod[], revision: string): readonly Pod[] {
    if (active.length < 2) return []
    const order = active.toSorted((a, b) =>
      (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1,
    )
    const fresh = order.find((pod) => pod.metadata.labels?.[REVISION] === revision)
    if (this.#surge(set) === 0 || fresh === undefined) return order.slice(1)
    const now = this.#context.clock.now()
    const old = order.filter((pod) => pod.metadata.labels?.[REVISION] !== revision)
    return isAvailable(fresh, set.spec.minReadySeconds ?? 0, now) ? old : []
  }

  #surge(set: DaemonSet): number {
    return intOrPercent(set.spec.updateStrategy?.rollingUpdate?.maxSurge, this.#nodes.size, 'up', 0)
  }

  async #roll(key: Key, set: DaemonSet, byNode: ReadonlyMap<string, readonly Pod[]>, revision: string): Promise<void> {
    if (set.spec.updateStrategy?.type === 'OnDelete') return
    const now = this.#context.clock.now()
    const wanted = [...this.#nodes.values()].filter((node) => verdict(set, node).run)
    const surge = this.#surge(set)
    const rolling = set.spec.updateStrategy?.rollingUpdate
    const unavailableAllowed = intOrPercent(rolling?.maxUnavailable, wanted.length, 'up', 1)
    let room = surge > 0 ? surge : Math.max(1, unavailableAllowed)
    const stale: Pod[] = []
    for (const node of wanted) {
      const pods = (byNode.get(node.metadata.name) ?? []).filter((pod) => !isTerminating(pod))
      const old = pods.find((pod) => pod.metadata.labels?.[REVISION] !== revision)
      const available = pods.some((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now))
      if (surge > 0 ? pods.length > 1 : !available) room--
      if (old !== undefined && (surge === 0 || pods.length === 1)) {
        // An old pod that is already unavailable does not count against the limit when it is replaced.
        if (!available && surge === 0) room++
        stale.push(old)
      }
    }
    const order = stale.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)))
    for (const pod of order.slice(0, Math.max(0, room))) {
      if (surge > 0) await this.#create(key, set, targetNodeName(pod) ?? '', revision)
      else await this.#delete(key, set, pod)
    }
  }

  async #create(key: Key, set: DaemonSet, nodeName: string, revision: string): Promise<void> {
    const pod = podFromTemplate(
      pinnedTemplate(set.spec.template, nodeName),
      { kind: kinds.DaemonSet, object: set },
      { labels: { [REVISION]: revision, [GENERATION]: String(set.metadata.generation ?? 0) } },
    )
    const created = await this.#context.client.create(kinds.Pod, pod)
    this.#owned.expected.created(key, informerKey(created), created)
    this.#recordEvent(set, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`)
  }

  async #delete(key: Key, set: DaemonSet, pod: Pod): Promise<void> {
    if (await this.#owned.delete(key, pod))
      this.#recordEvent(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
  }

  async #writeStatus(
    key: Key,
    set: DaemonSet,
    byNode: ReadonlyMap<string, readonly Pod[]>,
    revision: string,
  ): Promise<void> {
    const now = this.#context.clock.now()
    const counts = { desired: 0, current: 0, wrong: 0, ready: 0, available: 0, updated: 0 }
    for (const node of this.#nodes.values()) {
      const pods = (byNode.get(node.metadata.name) ?? []).filter((pod) => !isTerminating(pod))
      if (!verdict(set, node).run) {
        if (pods.length > 0) counts.wrong++
        continue
      }
      counts.desired++
      if (pods.length === 0) continue
      counts.current++
      if (pods.some(isReady)) counts.ready++
      if (pods.some((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now))) counts.available++
      if (pods.some((pod) => pod.metadata.labels?.[REVISION] === revision)) counts.updated++
    }
    const status: DaemonSetStatus = {
      observedGeneration: set.metadata.generation ?? 0,
      desiredNumberScheduled: counts.desired,
      currentNumberScheduled: counts.current,
      numberMisscheduled: counts.wrong,
      numberReady: counts.ready,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: counts.desired - counts.available,
    }
    if (same(status, set.status)) return
    try {
      const body = { metadata: { uid: set.metadata.uid }, status }
      await this.#context.client.patch(
        kinds.DaemonSet,
        parseKey(key),
        { type: 'merge', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #recordEvent(object: DaemonSet, reason: string, message: string): void {
    const rateLimit = { bucket: this.name, qps: 10, burst: 100 }
    this.#context.events.publish({ object, type: 'Normal', reason, message, rateLimit })
  }
}
