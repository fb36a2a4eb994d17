import {
  isTerminal,
  kinds,
  type Milliseconds,
  type PersistentVolumeClaim,
  type Pod,
  parseTime,
  type VolumeAttachment,
} from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  informerKey,
  isAlreadyExists,
  isNotFound,
  type Key,
  type Outcome,
  retryAfter,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { attachmentName, volumeClaimNames } from './pod-volumes.ts'

const NODE_INDEX = 'sandbox.volumes.node'
const CLAIM_INDEX = 'sandbox.volumes.claim'
const byNode = (pod: Pod): string[] =>
  pod.spec.nodeName && (pod.spec.volumes?.length ?? 0) > 0 && volumeClaimNames(pod).length > 0
    ? [pod.spec.nodeName]
    : []
const byClaim = (pod: Pod): string[] =>
  (pod.spec.volumes?.length ?? 0) === 0
    ? []
    : volumeClaimNames(pod).map((name) => `${pod.metadata.namespace ?? ''}/${name}`)

const ATTACHMENT_INDEX = 'sandbox.attachments.node'
const VOLUME_INDEX = 'sandbox.attachments.volume'
const attachmentNode = (attachment: VolumeAttachment): string[] => [attachment.spec.nodeName]
const attachmentVolume = (attachment: VolumeAttachment): string[] => [attachment.spec.source.persistentVolumeName ?? '']

/**
 * Attaches the volumes that a node's pods use. A volume is attached to only one node at a time, and is detached when its last pod
 * is gone.
 */
export class AttachDetach implements Controller {
  readonly name = 'attach-detach'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #delay: Milliseconds
  readonly #pods: Informer<Pod>
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #attachments: Informer<VolumeAttachment>

  constructor(context: ClusterContext, delay: Milliseconds) {
    this.#context = context
    this.#delay = delay
    this.#pods = context.informers.of(kinds.Pod)
    this.#pods.index(NODE_INDEX, byNode)
    this.#pods.index(CLAIM_INDEX, byClaim)
    this.#claims = context.informers.of(kinds.PersistentVolumeClaim)
    this.#attachments = context.informers.of(kinds.VolumeAttachment)
    this.#attachments.index(ATTACHMENT_INDEX, attachmentNode)
    this.#attachments.index(VOLUME_INDEX, attachmentVolume)
    const podNodes = (pods: readonly Pod[]): Key[] => pods.flatMap(byNode)
    this.sources = [
      source(
        this.#pods,
        ({ before, after }) =>
          new Set([...(before === undefined ? [] : byNode(before)), ...(after === undefined ? [] : byNode(after))]),
      ),
      source(this.#claims, ({ after }) =>
        after === undefined ? [] : podNodes(this.#pods.by(CLAIM_INDEX, informerKey(after))),
      ),
      // Other nodes may be waiting for the volume that was just detached.
      source(this.#attachments, ({ before, after }) => {
        const name = (after ?? before)?.spec.nodeName
        const own = name === undefined ? [] : [name]
        return after === undefined ? [...own, ...this.#waitingFor(before)] : own
      }),
    ]
  }

  async reconcile(node: Key): Promise<Outcome> {
    const wanted = new Set<string>()
    for (const pod of this.#pods.by(NODE_INDEX, node)) {
      if (isTerminal(pod)) continue
      for (const name of volumeClaimNames(pod)) {
        const volume = this.#volumeOf(`${pod.metadata.namespace ?? ''}/${name}`)
        if (volume !== undefined) wanted.add(volume)
      }
    }
    const present = [...this.#attachments.by(ATTACHMENT_INDEX, node)]
    const now = this.#context.clock.now()
    let next = Number.POSITIVE_INFINITY
    for (const attachment of present) {
      const name = attachment.metadata.name
      const volume = attachment.spec.source.persistentVolumeName ?? ''
      // A deleted attachment remains until other controllers have removed their finalizers. Its removal then triggers the nodes that wait
      // for the volume.
      if (attachment.metadata.deletionTimestamp !== undefined) wanted.delete(volume)
      else if (!wanted.delete(volume)) await this.#detach(name)
      else if (attachment.status?.attached !== true) {
        const readyAt = (parseTime(attachment.metadata.creationTimestamp) ?? now) + this.#delay
        if (now >= readyAt) await this.#markAttached(name)
        else next = Math.min(next, readyAt - now)
      }
    }
    for (const volume of [...wanted].sort()) {
      if (this.#isElsewhere(volume, node)) continue
      await this.#attach(volume, node)
      next = Math.min(next, this.#delay)
    }
    return Number.isFinite(next) ? retryAfter(next) : done()
  }

  /** Returns the CSI volume of a bound claim. */
  #volumeOf(claimKey: Key): string | undefined {
    const claim = this.#claims.get(claimKey)
    const name = claim?.status?.phase === 'Bound' ? claim.spec.volumeName : undefined
    if (!name) return undefined
    return this.#context.informers.of(kinds.PersistentVolume).get(name)?.spec.csi === undefined ? undefined : name
  }

  #isElsewhere(volume: string, node: string): boolean {
    const modes = this.#context.informers.of(kinds.PersistentVolume).get(volume)?.spec.accessModes ?? []
    if (modes.includes('ReadWriteMany') || modes.includes('ReadOnlyMany')) return false
    return this.#attachments.by(VOLUME_INDEX, volume).some((one) => one.spec.nodeName !== node)
  }

  #waitingFor(freed: VolumeAttachment | undefined): Key[] {
    const volume = freed?.spec.source.persistentVolumeName
    const holder =
      volume === undefined ? undefined : this.#context.informers.of(kinds.PersistentVolume).get(volume)?.spec.claimRef
    if (holder === undefined) return []
    return this.#pods.by(CLAIM_INDEX, `${holder.namespace ?? ''}/${holder.name ?? ''}`).flatMap(byNode)
  }

  async #attach(volume: string, node: string): Promise<void> {
    const driver = this.#context.informers.of(kinds.PersistentVolume).get(volume)?.spec.csi?.driver ?? ''
    const attachment: VolumeAttachment = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: attachmentName(volume, node) },
      spec: { attacher: driver, nodeName: node, source: { persistentVolumeName: volume } },
    }
    try {
      await this.#context.client.create(kinds.VolumeAttachment, attachment)
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
    }
  }

  async #markAttached(name: string): Promise<void> {
    const body = { status: { attached: true } }
    try {
      await this.#context.client.patch(
        kinds.VolumeAttachment,
        { name },
        { type: 'merge', body },
        { subresource: 'status' },
      )
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async #detach(name: string): Promise<void> {
    try {
      await this.#context.client.delete(kinds.VolumeAttachment, { name })
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }
}
