import { controllerOwner, type Deployment, kinds, ownValue, type ReplicaSet } from '@kerf/apis'
import {
  type Controller,
  done,
  informerKey,
  isAlreadyExists,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retryAfter,
  type Source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { controllerReference, indexByController, ownedObjects } from '../../objects/ownership.ts'
import { same } from '../../objects/same.ts'
import { templateHash } from '../../objects/template-hash.ts'
import { OwnedChildren } from '../owned-children.ts'
import { deploymentStatus, isComplete, progressDeadline } from './deployment-status.ts'
import {
  byAge,
  currentReplicaSet,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  POD_TEMPLATE_HASH,
  REVISION,
  replicaSetRevision,
} from './revision.ts'
import { type Resize, replicaCount, rollingStep, rolloutLeeway, scalingStep, wantedReplicas } from './rollout.ts'

/** Rolls out a pod template through ReplicaSets, one per revision of the template. */
export class DeploymentController implements Controller {
  readonly name = 'deployment'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #owned: OwnedChildren<Deployment, ReplicaSet>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#owned = new OwnedChildren(context, { owner: kinds.Deployment, child: kinds.ReplicaSet })
    indexByController(context.informers.of(kinds.Pod))
    this.sources = [...this.#owned.sources, this.#recreateSource()]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const deployment = this.#owned.owners.get(key)
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) {
      this.#owned.expected.forget(key)
      return done()
    }
    if (!this.#owned.expected.met(key)) return done()
    const sets = await this.#owned.claim(deployment, deployment.spec.selector)
    sets.sort(byAge)
    const current = currentReplicaSet(deployment, sets)
    if (current === undefined && deployment.spec.paused !== true && this.#mayCreate(deployment, sets)) {
      const created = await this.#createReplicaSet(key, deployment, sets)
      await this.#writeStatus(key, deployment, created, created === undefined ? sets : [...sets, created])
      return done()
    }
    const old = sets.filter((set) => set !== current)
    for (const step of this.#steps(deployment, current, old)) await this.#resize(deployment, step)
    if (current !== undefined && deployment.spec.paused !== true) await this.#number(key, deployment, current, old)
    await this.#writeStatus(key, deployment, current, sets)
    await this.#forgetHistory(deployment, current, old)
    const deadline = progressDeadline(deployment)
    const wait = deadline === undefined ? undefined : deadline - this.#context.clock.now()
    return wait === undefined || wait <= 0 || !Number.isFinite(wait) ? done() : retryAfter(wait)
  }

  /**
   * Triggers Deployments with the strategy Recreate when pods change. Such a Deployment waits until the last old pod is deleted, which a
   * ReplicaSet's status does not show.
   */
  #recreateSource(): Source {
    return {
      informer: this.#context.informers.of(kinds.Pod),
      keysOf: ({ before, after }) => {
        if (after !== undefined || before === undefined) return []
        const owner = controllerOwner(before)
        if (owner?.kind !== 'ReplicaSet') return []
        const set = this.#owned.children.get(`${before.metadata.namespace ?? ''}/${owner.name}`)
        const parent = set === undefined ? undefined : controllerOwner(set)
        if (parent?.kind !== 'Deployment') return []
        const key = `${before.metadata.namespace ?? ''}/${parent.name}`
        return this.#owned.owners.get(key)?.spec.strategy?.type === 'Recreate' ? [key] : []
      },
    }
  }

  #podsOf(sets: readonly ReplicaSet[]): number {
    const pods = this.#context.informers.of(kinds.Pod)
    const alive = (set: ReplicaSet): number =>
      ownedObjects(pods, set).filter((pod) => pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed')
        .length
    return sets.reduce((count, set) => count + alive(set), 0)
  }

  #mayCreate(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
    if (deployment.spec.strategy?.type !== 'Recreate') return true
    return sets.every((set) => replicaCount(set) === 0) && this.#podsOf(sets) === 0
  }

  #steps(deployment: Deployment, current: ReplicaSet | undefined, old: readonly ReplicaSet[]): Resize[] {
    if (deployment.spec.paused === true || this.#wasScaled(deployment, current, old)) {
      const scaled = scalingStep(deployment, current, old)
      if (scaled.length > 0 || deployment.spec.paused === true) return scaled
    }
    if (deployment.spec.strategy?.type === 'Recreate') {
      const shrink = old.filter((set) => replicaCount(set) > 0).map((replicaSet) => ({ replicaSet, replicas: 0 }))
      if (shrink.length > 0 || this.#podsOf(old) > 0) return shrink
      const wanted = wantedReplicas(deployment)
      return current === undefined || replicaCount(current) === wanted
        ? []
        : [{ replicaSet: current, replicas: wanted }]
    }
    return current === undefined ? [] : rollingStep(deployment, current, old)
  }

  #wasScaled(deployment: Deployment, current: ReplicaSet | undefined, old: readonly ReplicaSet[]): boolean {
    const active = [...old, ...(current === undefined ? [] : [current])].filter((set) => replicaCount(set) > 0)
    return active.some((set) => {
      const desired = set.metadata.annotations?.[DESIRED_REPLICAS]
      return desired !== undefined && Number(desired) !== wantedReplicas(deployment)
    })
  }

  #sizeAnnotations(deployment: Deployment): Readonly<Record<string, string>> {
    const wanted = wantedReplicas(deployment)
    return { [DESIRED_REPLICAS]: String(wanted), [MAX_REPLICAS]: String(wanted + rolloutLeeway(deployment).surge) }
  }

  async #createReplicaSet(
    key: Key,
    deployment: Deployment,
    sets: readonly ReplicaSet[],
  ): Promise<ReplicaSet | undefined> {
    const collisions = deployment.status?.collisionCount ?? 0
    const hash = templateHash(deployment.spec.template, collisions)
    const total = sets.reduce((sum, set) => sum + replicaCount(set), 0)
    const wanted = wantedReplicas(deployment)
    const room = Math.max(0, wanted + rolloutLeeway(deployment).surge - total)
    const template = deployment.spec.template
    const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash }
    const revision = Math.max(0, ...sets.map(replicaSetRevision)) + 1
    const replicaSet: ReplicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace ?? '',
        labels,
        annotations: { ...this.#sizeAnnotations(deployment), [REVISION]: String(revision) },
        ownerReferences: [controllerReference(kinds.Deployment, deployment)],
      },
      spec: {
        replicas: deployment.spec.strategy?.type === 'Recreate' ? wanted : Math.min(wanted, room),
        minReadySeconds: deployment.spec.minReadySeconds ?? 0,
        selector: {
          ...deployment.spec.selector,
          matchLabels: { ...deployment.spec.selector.matchLabels, [POD_TEMPLATE_HASH]: hash },
        },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    }
    try {
      const created = await this.#context.client.create(kinds.ReplicaSet, replicaSet)
      this.#owned.expected.created(key, informerKey(created), created)
      await this.#annotateRevision(key, deployment, String(revision))
      this.#saySize(deployment, created, 0, replicaCount(created))
      return created
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      // The name belongs to another template or another owner, so the next pass tries a different name.
      const body = { status: { collisionCount: collisions + 1 } }
      await this.#context.client.patch(
        kinds.Deployment,
        parseKey(key),
        { type: 'merge', body },
        { subresource: 'status' },
      )
      return undefined
    }
  }

  async #resize(deployment: Deployment, step: Resize): Promise<void> {
    const from = replicaCount(step.replicaSet)
    const annotations = this.#sizeAnnotations(deployment)
    const body = { metadata: { uid: step.replicaSet.metadata.uid, annotations }, spec: { replicas: step.replicas } }
    await this.#context.client.patch(kinds.ReplicaSet, parseKey(informerKey(step.replicaSet)), { type: 'merge', body })
    this.#saySize(deployment, step.replicaSet, from, step.replicas)
  }

  #saySize(deployment: Deployment, set: ReplicaSet, from: number, to: number): void {
    const direction = to >= from ? 'up' : 'down'
    const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${to}`
    this.#context.events.publish({ object: deployment, type: 'Normal', reason: 'ScalingReplicaSet', message })
  }

  /**
   * Sets the highest revision and the desired sizes on the current ReplicaSet. After a rollback, the old ReplicaSet gets a new revision.
   */
  async #number(key: Key, deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): Promise<void> {
    const revision = String(Math.max(replicaSetRevision(current), Math.max(0, ...old.map(replicaSetRevision)) + 1))
    const annotations: Record<string, string> = { ...this.#sizeAnnotations(deployment), [REVISION]: revision }
    const present = current.metadata.annotations ?? {}
    const minReadySeconds = deployment.spec.minReadySeconds ?? 0
    const drifted = Object.entries(annotations).some(([name, value]) => ownValue(present, name) !== value)
    if (drifted || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      const body = { metadata: { annotations }, spec: { minReadySeconds } }
      await this.#context.client.patch(kinds.ReplicaSet, parseKey(informerKey(current)), { type: 'merge', body })
    }
    await this.#annotateRevision(key, deployment, revision)
  }

  async #annotateRevision(key: Key, deployment: Deployment, revision: string): Promise<void> {
    if (deployment.metadata.annotations?.[REVISION] === revision) return
    const body = { metadata: { annotations: { [REVISION]: revision } } }
    await this.#context.client.patch(kinds.Deployment, parseKey(key), { type: 'merge', body })
  }

  async #writeStatus(
    key: Key,
    deployment: Deployment,
    current: ReplicaSet | undefined,
    sets: readonly ReplicaSet[],
  ): Promise<void> {
    const status = deploymentStatus(deployment, current, sets, this.#context.clock.now())
    const { collisionCount: _collisions, ...present } = deployment.status ?? {}
    if (same(status, present)) return
    const patch = { type: 'merge', body: { metadata: { uid: deployment.metadata.uid }, status } } as const
    try {
      await this.#context.client.patch(kinds.Deployment, parseKey(key), patch, { subresource: 'status' })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #forgetHistory(
    deployment: Deployment,
    current: ReplicaSet | undefined,
    old: readonly ReplicaSet[],
  ): Promise<void> {
    if (deployment.status === undefined || !isComplete(deployment, deployment.status) || current === undefined) return
    const idle = old.filter(
      (set) =>
        replicaCount(set) === 0 && (set.status?.replicas ?? 0) === 0 && set.metadata.deletionTimestamp === undefined,
    )
    const surplus = idle.length - (deployment.spec.revisionHistoryLimit ?? 10)
    if (surplus <= 0) return
    for (const set of idle.toSorted((a, b) => replicaSetRevision(a) - replicaSetRevision(b)).slice(0, surplus)) {
      await this.#context.client.delete(kinds.ReplicaSet, parseKey(informerKey(set)), {
        propagationPolicy: 'Background',
      })
    }
  }
}
