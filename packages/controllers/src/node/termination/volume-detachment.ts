import type { Milliseconds, PersistentVolumeClaim } from '@kerf/apis'
import { kinds, type Node, type Pod, type VolumeAttachment } from '@kerf/apis'
import type { Informer, InformerFactory } from '@kerf/runtime'
import { isDrainable } from '../../pod/pod-predicates.ts'
import { ifReadable } from '../../state/isolation/if-readable.ts'
import type { Isolation } from '../../state/isolation/isolation.ts'
import { unreported } from '../../state/isolation/unreported.ts'

const BY_NODE_NAME = 'termination.nodeName'
const attachmentNode = (attachment: VolumeAttachment): readonly string[] => [attachment.spec.nodeName]

/** Returns the names of the PersistentVolumeClaims that a pod uses, including those of generic ephemeral volumes. */
const podClaimNames = (pod: Pod): readonly string[] =>
  (pod.spec.volumes ?? []).flatMap((volume) => {
    if (volume.persistentVolumeClaim !== undefined) return [volume.persistentVolumeClaim.claimName]
    return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${volume.name}`]
  })

/**
 * Determines which volumes a drain must wait for because they are still attached to the node (`docs/spec/termination.md#node-finalizer`).
 */
export class VolumeDetachment {
  readonly #attachments: Informer<VolumeAttachment>
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #isolation: Pick<Isolation, 'guard'>

  constructor(informers: InformerFactory, isolation: Pick<Isolation, 'guard'> = unreported) {
    this.#isolation = isolation
    this.#attachments = informers.of(kinds.VolumeAttachment)
    this.#claims = informers.of(kinds.PersistentVolumeClaim)
    this.#attachments.index(BY_NODE_NAME, attachmentNode)
  }

  /**
   * Returns the names of the VolumeAttachments to wait for. Omits the volumes of pods that stay on the node (static, tolerating or stuck
   * pods), because they are never detached. Includes a VolumeAttachment that cannot be read, because its volume may be in use.
   */
  pending(node: Node, pods: readonly Pod[], now: Milliseconds): readonly string[] {
    const apart = <Value>(kind: string, object: object, read: () => Value): Value | undefined =>
      this.#isolation.guard(kind, 'termination', object, read, undefined)
    const claimVolume = (claim: PersistentVolumeClaim | undefined): string | undefined =>
      claim && apart('PersistentVolumeClaim', claim, () => claim.spec.volumeName)
    const podVolumes = (pod: Pod): readonly (string | undefined)[] =>
      isDrainable(pod, now)
        ? []
        : podClaimNames(pod).map((name) =>
            claimVolume(this.#claims.get(`${pod.metadata.namespace ?? 'default'}/${name}`)),
          )
    const staying = new Set(pods.flatMap((pod) => apart('Pod', pod, () => podVolumes(pod)) ?? []))
    const isPending = ({ spec }: VolumeAttachment): boolean => {
      const volume = spec.source.persistentVolumeName
      return volume !== undefined && !staying.has(volume)
    }
    return this.#attachments
      .by(BY_NODE_NAME, node.metadata.name)
      .filter((each) => apart('VolumeAttachment', each, () => isPending(each)) ?? true)
      .map((each) => ifReadable(() => each.metadata.name) ?? 'VolumeAttachment')
  }
}
