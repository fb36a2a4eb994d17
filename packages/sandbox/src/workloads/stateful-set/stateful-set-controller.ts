import {
  isTerminal,
  isTerminating,
  kinds,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
  type StatefulSetStatus,
} from '@kerf/apis'
import {
  type Controller,
  done,
  informerKey,
  isAlreadyExists,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { intOrPercent } from '../../objects/int-or-percent.ts'
import { againWhenAvailable, isAvailable, isReady } from '../../objects/pod-state.ts'
import { same } from '../../objects/same.ts'
import { templateHash } from '../../objects/template-hash.ts'
import { OwnedChildren } from '../owned-children.ts'
import { podFromTemplate } from '../pod-from-template.ts'

const REVISION = 'controller-revision-hash'
const ORDINAL = 'apps.kubernetes.io/pod-index'
const POD_NAME = 'statefulset.kubernetes.io/pod-name'

/** Returns the ordinal at the end of a pod's name, or `undefined` if the rest of the name is not the name of the set. */
const ordinalOf = (set: StatefulSet, pod: Pod): number | undefined => {
  const prefix = `${set.metadata.name}-`
  const name = pod.metadata.name
  const rest = name.slice(prefix.length)
  return name.startsWith(prefix) && /^\d+$/.test(rest) ? Number(rest) : undefined
}

/** Returns the template with one volume for each claim template. Each volume uses the claim for the pod's ordinal. */
const withClaims = (set: StatefulSet, name: string): StatefulSet['spec']['template'] => {
  const templates = set.spec.volumeClaimTemplates ?? []
  if (templates.length === 0) return set.spec.template
  const claims = new Set(templates.map((template) => template.metadata.name))
  const volumes = (set.spec.template.spec.volumes ?? []).filter((volume) => !claims.has(volume.name))
  const mounted = [...claims].map((claim) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${name}` },
  }))
  return { ...set.spec.template, spec: { ...set.spec.template.spec, volumes: [...volumes, ...mounted] } }
}

/** Runs numbered pods, each with its own volumes. Creates pods in ascending order, and deletes and updates them in descending order. */
export class StatefulSetController implements Controller {
  readonly name = 'statefulset'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #owned: OwnedChildren<StatefulSet, Pod>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#owned = new OwnedChildren(context, { owner: kinds.StatefulSet, child: kinds.Pod })
    this.sources = this.#owned.sources
  }

  async reconcile(key: Key): Promise<Outcome> {
    const set = this.#owned.owners.get(key)
    if (set === undefined) {
      this.#owned.expected.forget(key)
      return done()
    }
    const caughtUp = this.#owned.expected.met(key)
    const claimed = await this.#owned.claim(set, set.spec.selector)
    const pods = new Map<number, Pod>()
    for (const pod of claimed) {
      const ordinal = ordinalOf(set, pod)
      if (ordinal !== undefined) pods.set(ordinal, pod)
    }
    const revision = `${set.metadata.name}-${templateHash(set.spec.template)}`
    try {
      if (caughtUp && set.metadata.deletionTimestamp === undefined) await this.#step(key, set, pods, revision)
    } finally {
      await this.#writeStatus(key, set, [...pods.values()], revision)
    }
    return againWhenAvailable(pods.values(), set.spec.minReadySeconds, this.#context.clock)
  }

  async #step(key: Key, set: StatefulSet, pods: ReadonlyMap<number, Pod>, revision: string): Promise<void> {
    const start = set.spec.ordinals?.start ?? 0
    const end = start + (set.spec.replicas ?? 1)
    const parallel = set.spec.podManagementPolicy === 'Parallel'
    const healthy = (pod: Pod): boolean =>
      !isTerminating(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, this.#context.clock.now())
    for (let ordinal = start; ordinal < end; ordinal++) {
      const pod = pods.get(ordinal)
      if (pod === undefined) {
        await this.#create(key, set, ordinal, revision)
        if (!parallel) return
      } else if (isTerminal(pod) && !isTerminating(pod)) {
        await this.#delete(key, set, pod)
        if (!parallel) return
      } else if (!parallel && !healthy(pod)) {
        // An old pod that never becomes ready must not block the update that would repair it.
        if (pod.metadata.labels?.[REVISION] === revision || isTerminating(pod)) return
        break
      }
    }
    const surplus = [...pods]
      .filter(([ordinal]) => ordinal < start || ordinal >= end)
      .toSorted(([a], [b]) => b - a)
      .map(([, pod]) => pod)
    for (const pod of surplus) {
      if (!isTerminating(pod)) await this.#delete(key, set, pod)
      if (!parallel) return
    }
    await this.#update(key, set, pods, { start, end, revision, healthy })
  }

  async #update(
    key: Key,
    set: StatefulSet,
    pods: ReadonlyMap<number, Pod>,
    of: {
      readonly start: number
      readonly end: number
      readonly revision: string
      readonly healthy: (pod: Pod) => boolean
    },
  ): Promise<void> {
    if (set.spec.updateStrategy?.type === 'OnDelete') return
    const rolling = set.spec.updateStrategy?.rollingUpdate
    const allowed = Math.max(1, intOrPercent(rolling?.maxUnavailable, of.end - of.start, 'up', 1))
    let unavailable = 0
    for (let ordinal = of.start; ordinal < of.end; ordinal++) {
      const pod = pods.get(ordinal)
      if (pod === undefined || !of.healthy(pod)) unavailable++
    }
    for (let ordinal = of.end - 1; ordinal >= of.start + (rolling?.partition ?? 0); ordinal--) {
      const pod = pods.get(ordinal)
      if (pod === undefined || isTerminating(pod)) return
      const current = pod.metadata.labels?.[REVISION] === of.revision
      if (current && !of.healthy(pod)) return
      if (current) continue
      if (of.healthy(pod)) {
        if (unavailable >= allowed) return
        unavailable++
      }
      await this.#delete(key, set, pod)
    }
  }

  async #create(key: Key, set: StatefulSet, ordinal: number, revision: string): Promise<void> {
    const name = `${set.metadata.name}-${ordinal}`
    for (const template of set.spec.volumeClaimTemplates ?? []) await this.#createClaim(set, template, name)
    const pod = podFromTemplate(
      withClaims(set, name),
      { kind: kinds.StatefulSet, object: set },
      { name, labels: { [REVISION]: revision, [ORDINAL]: String(ordinal), [POD_NAME]: name } },
    )
    try {
      const created = await this.#context.client.create(kinds.Pod, pod)
      this.#owned.expected.created(key, informerKey(created), created)
      this.#recordEvent(set, 'SuccessfulCreate', `create Pod ${name} in StatefulSet ${set.metadata.name} successful`)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }

  async #createClaim(
    set: StatefulSet,
    template: NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number],
    podName: string,
  ): Promise<void> {
    const namespace = set.metadata.namespace ?? ''
    const name = `${template.metadata.name}-${podName}`
    if (this.#context.informers.of(kinds.PersistentVolumeClaim).get(`${namespace}/${name}`) !== undefined) return
    const labels = { ...set.spec.selector.matchLabels, ...template.metadata.labels }
    const claim: PersistentVolumeClaim = {
      spec: {},
      ...template,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, namespace, labels, annotations: { ...template.metadata.annotations } },
    }
    const { status: _status, ...wanted } = claim
    try {
      await this.#context.client.create(kinds.PersistentVolumeClaim, wanted)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }

  async #delete(key: Key, set: StatefulSet, pod: Pod): Promise<void> {
    if (!(await this.#owned.delete(key, pod))) return
    const name = pod.metadata.name
    this.#recordEvent(set, 'SuccessfulDelete', `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`)
  }

  async #writeStatus(key: Key, set: StatefulSet, pods: readonly Pod[], revision: string): Promise<void> {
    const now = this.#context.clock.now()
    const living = pods.filter((pod) => !isTerminating(pod) && !isTerminal(pod))
    const updated = living.filter((pod) => pod.metadata.labels?.[REVISION] === revision).length
    const wanted = set.spec.replicas ?? 1
    const complete = updated === wanted && pods.length === wanted && living.every(isReady)
    const currentRevision = complete ? revision : (set.status?.currentRevision ?? revision)
    const status: StatefulSetStatus = {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      readyReplicas: living.filter(isReady).length,
      availableReplicas: living.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length,
      currentReplicas: living.filter((pod) => pod.metadata.labels?.[REVISION] === currentRevision).length,
      updatedReplicas: updated,
      currentRevision,
      updateRevision: revision,
      collisionCount: 0,
    }
    if (same(status, set.status)) return
    try {
      const body = { metadata: { uid: set.metadata.uid }, status }
      await this.#context.client.patch(
        kinds.StatefulSet,
        parseKey(key),
        { type: 'merge', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  #recordEvent(object: StatefulSet, reason: string, message: string): void {
    const rateLimit = { bucket: this.name, qps: 10, burst: 100 }
    this.#context.events.publish({ object, type: 'Normal', reason, message, rateLimit })
  }
}
