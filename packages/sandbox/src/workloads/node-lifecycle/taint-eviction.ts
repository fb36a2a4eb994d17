import { kinds, type Milliseconds, type Node, type Pod, parseTime, type Taint, tolerationMatches } from '@kerf/apis'
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
import { same } from '../../objects/same.ts'
import { unlessGone } from '../../objects/unless-gone.ts'

const evicting = (node: Node | undefined): readonly Taint[] =>
  (node?.spec?.taints ?? []).filter((taint) => taint.effect === 'NoExecute')

/** Returns when the pod must leave its node: immediately, when the shortest toleration expires, or never (infinity). */
const evictionTime = (pod: Pod, taints: readonly Taint[], now: Milliseconds): Milliseconds => {
  let at = Number.POSITIVE_INFINITY
  for (const taint of taints) {
    const tolerations = (pod.spec.tolerations ?? []).filter((toleration) => tolerationMatches(toleration, taint))
    if (tolerations.length === 0) return now
    for (const { tolerationSeconds } of tolerations) {
      if (tolerationSeconds === undefined) continue
      at = Math.min(at, (parseTime(taint.timeAdded) ?? now) + Math.max(0, tolerationSeconds) * 1000)
    }
  }
  return at
}

/**
 * Deletes pods from nodes with `NoExecute` taints that they do not tolerate. If a toleration has a time limit, deletes the pod when that
 * time has passed.
 */
export class TaintEviction implements Controller {
  readonly name = 'taint-eviction'
  readonly concurrency = 8
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #nodes: Informer<Node>
  readonly #pods: Informer<Pod>
  /** The time since which the node of a pod has had taints, keyed by pod. Used for taints without `timeAdded`. */
  readonly #since = new Map<string, Milliseconds>()

  constructor(context: ClusterContext) {
    this.#context = context
    this.#nodes = context.informers.of(kinds.Node)
    this.#pods = context.informers.of(kinds.Pod)
    indexByNode(this.#pods)
    this.#pods.onChange(({ before, after }) => {
      if (before !== undefined && after === undefined) this.#since.delete(before.metadata.uid ?? '')
    })
    this.sources = [
      source(this.#pods, ({ before, after }) => {
        if (after === undefined || before?.spec.nodeName === after.spec.nodeName) return []
        return evicting(this.#nodes.get(after.spec.nodeName ?? '')).length > 0 ? [informerKey(after)] : []
      }),
      source(this.#nodes, ({ before, after }) => {
        const [old, taints] = [evicting(before), evicting(after)]
        if ((old.length === 0 && taints.length === 0) || same(old, taints)) return []
        return podsOn(this.#pods, after?.metadata.name ?? '').map(informerKey)
      }),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const pod = this.#pods.get(key)
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return done()
    const taints = evicting(this.#nodes.get(pod.spec.nodeName ?? ''))
    const uid = pod.metadata.uid ?? ''
    if (taints.length === 0) {
      this.#since.delete(uid)
      return done()
    }
    const now = this.#context.clock.now()
    const since = this.#since.get(uid) ?? now
    this.#since.set(uid, since)
    const at = evictionTime(pod, taints, since)
    if (at > now) return Number.isFinite(at) ? retryAfter(at - now) : done()
    this.#context.events.publish({
      object: pod,
      type: 'Normal',
      reason: 'TaintManagerEviction',
      message: `Marking for deletion Pod ${key}`,
    })
    await unlessGone(this.#context.client.delete(kinds.Pod, namespacedRef(key), { preconditions: { uid } }))
    return done()
  }
}
