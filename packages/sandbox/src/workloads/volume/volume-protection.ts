import {
  isTerminal,
  type KubeObject,
  kinds,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isConflict,
  isNotFound,
  type Key,
  type Outcome,
  parseKey,
  retry,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { ownSource } from '../../objects/sources.ts'
import { volumeClaimNames } from './pod-volumes.ts'

const CLAIM_FINALIZER = 'kubernetes.io/pvc-protection'
const VOLUME_FINALIZER = 'kubernetes.io/pv-protection'

const CLAIM_INDEX = 'sandbox.protection.claim'
const byClaim = (pod: Pod): string[] =>
  (pod.spec.volumes?.length ?? 0) === 0
    ? []
    : volumeClaimNames(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`)

const isProtected = (object: KubeObject | undefined, finalizer: string): boolean =>
  object?.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).includes(finalizer)

const release = async <T extends KubeObject>(
  context: ClusterContext,
  kind: ResourceKind<T>,
  object: T,
  finalizer: string,
): Promise<Outcome> => {
  const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== finalizer)
  const body = { metadata: { resourceVersion: object.metadata.resourceVersion, finalizers } }
  try {
    await context.client.patch(kind, parseKey(informerKey(object)), { type: 'merge', body })
  } catch (error) {
    if (isConflict(error)) return retry()
    if (!isNotFound(error)) throw error
  }
  return done()
}

/** Removes the finalizer of a deleted claim when no pod mounts it. */
export class ClaimProtection implements Controller {
  readonly name = 'pvc-protection'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #pods: Informer<Pod>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#claims = context.informers.of(kinds.PersistentVolumeClaim)
    this.#pods = context.informers.of(kinds.Pod)
    this.#pods.index(CLAIM_INDEX, byClaim)
    this.sources = [
      ownSource(context, kinds.PersistentVolumeClaim),
      source(this.#pods, ({ before, after }) => {
        const pod = after === undefined || isTerminal(after) ? before : undefined
        return pod === undefined ? [] : byClaim(pod)
      }),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const claim = this.#claims.get(key)
    if (claim === undefined || !isProtected(claim, CLAIM_FINALIZER)) return done()
    if (this.#pods.by(CLAIM_INDEX, key).some((pod) => !isTerminal(pod))) return done()
    return await release(this.#context, kinds.PersistentVolumeClaim, claim, CLAIM_FINALIZER)
  }
}

/** Removes the finalizer of a deleted volume when no claim is bound to it. */
export class VolumeProtection implements Controller {
  readonly name = 'pv-protection'
  readonly concurrency = 2
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #volumes: Informer<PersistentVolume>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#volumes = context.informers.of(kinds.PersistentVolume)
    this.sources = [ownSource(context, kinds.PersistentVolume)]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const volume = this.#volumes.get(key)
    if (volume === undefined || !isProtected(volume, VOLUME_FINALIZER)) return done()
    if (volume.status?.phase === 'Bound') return done()
    return await release(this.#context, kinds.PersistentVolume, volume, VOLUME_FINALIZER)
  }
}
