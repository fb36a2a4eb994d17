import { isActive, kinds, type PersistentVolumeClaim, type Pod } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isAlreadyExists,
  type Key,
  type Outcome,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { controllerReference } from '../../objects/ownership.ts'

/** Creates the claims for pods' ephemeral volumes. Each pod owns its claims, so they are deleted together with the pod. */
export class EphemeralVolumes implements Controller {
  readonly name = 'ephemeral-volume'
  readonly concurrency = 1
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #pods: Informer<Pod>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#pods = context.informers.of(kinds.Pod)
    this.sources = [
      source(this.#pods, ({ before, after }) =>
        before === undefined && after?.spec.volumes?.some((volume) => volume.ephemeral !== undefined)
          ? [informerKey(after)]
          : [],
      ),
    ]
  }

  async reconcile(key: Key): Promise<Outcome> {
    const pod = this.#pods.get(key)
    if (pod === undefined || !isActive(pod)) return done()
    for (const volume of pod.spec.volumes ?? []) {
      const template = volume.ephemeral?.volumeClaimTemplate
      if (template === undefined) continue
      const claim: PersistentVolumeClaim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: `${pod.metadata.name}-${volume.name}`,
          namespace: pod.metadata.namespace ?? '',
          ownerReferences: [controllerReference(kinds.Pod, pod)],
        },
        spec: template.spec,
      }
      try {
        await this.#context.client.create(kinds.PersistentVolumeClaim, claim)
      } catch (error) {
        if (!isAlreadyExists(error)) throw error
      }
    }
    return done()
  }
}
