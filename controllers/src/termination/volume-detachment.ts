import type { Milliseconds, PersistentVolumeClaim } from '@kerf/apis'
import { kinds, type Node, type Pod, type VolumeAttachment } from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { isDrainable } from '../pods/pod-predicates.ts'

const BY_NODE_NAME = 'termination.nodeName'
const nodeOf = (attachment: VolumeAttachment): readonly string[] => [attachment.spec.nodeName]

/** The names of the PersistentVolumeClaims that a pod's volumes use, generic ephemeral ones included. */
const claimNamesOf = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName]
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`]
  })

/** Which volumes are still attached to a node and will come off it (`docs/spec/termination.md#node-finalizer`). */
export class VolumeDetachment {
  readonly #attachments: Informer<VolumeAttachment>
  readonly #claims: Informer<PersistentVolumeClaim>

  constructor(informers: InformerFactory) {
    this.#attachments = informers.of(kinds.VolumeAttachment)
    this.#claims = informers.of(kinds.PersistentVolumeClaim)
    this.#attachments.index(BY_NODE_NAME, nodeOf)
  }

  /**
   * Names of the attachments to wait for. Volumes of pods that stay to the end (static, tolerating or stuck ones) would
   * never come off and do not count.
   */
  pending(node: Node, pods: readonly Pod[], now: Milliseconds): readonly string[] {
    const staying = new Set(
      pods
        .filter((pod) => !isDrainable(pod, now))
        .flatMap((pod) =>
          claimNamesOf(pod).map(
            (name) => this.#claims.get(`${pod.metadata.namespace ?? 'default'}/${name}`)?.spec.volumeName,
          ),
        ),
    )
    return this.#attachments
      .by(BY_NODE_NAME, node.metadata.name)
      .filter(({ spec }) => {
        const volume = spec.source.persistentVolumeName
        return volume !== undefined && !staying.has(volume)
      })
      .flatMap(({ metadata }) => metadata.name ?? [])
  }
}
