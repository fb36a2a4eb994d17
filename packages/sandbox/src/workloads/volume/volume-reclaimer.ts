import type { PersistentVolume, PersistentVolumeClaim, VolumeAttachment } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import {
  type Controller,
  done,
  type Informer,
  isNotFound,
  type Key,
  type Outcome,
  type Source,
  source,
} from '@kerf/runtime'
import type { ClusterContext } from '../../objects/cluster-context.ts'
import { ownSource } from '../../objects/sources.ts'

/** Reclaims volumes whose claim is gone. Depending on the reclaim policy, deletes them after they are detached, or marks them Released. */
export class VolumeReclaimer implements Controller {
  readonly name = 'volume-reclaimer'
  readonly concurrency = 4
  readonly sources: readonly Source[]
  readonly #context: ClusterContext
  readonly #volumes: Informer<PersistentVolume>
  readonly #claims: Informer<PersistentVolumeClaim>
  readonly #attachments: Informer<VolumeAttachment>

  constructor(context: ClusterContext) {
    this.#context = context
    this.#volumes = context.informers.of(kinds.PersistentVolume)
    this.#claims = context.informers.of(kinds.PersistentVolumeClaim)
    this.#attachments = context.informers.of(kinds.VolumeAttachment)
    this.sources = [
      ownSource(context, kinds.PersistentVolume),
      source(this.#claims, ({ before, after }) =>
        after === undefined && before?.spec.volumeName !== undefined ? [before.spec.volumeName] : [],
      ),
      source(this.#attachments, ({ before, after }) => {
        const name = before?.spec.source.persistentVolumeName
        return after === undefined && name !== undefined ? [name] : []
      }),
    ]
  }

  async reconcile(name: Key): Promise<Outcome> {
    const volume = this.#volumes.get(name)
    if (volume === undefined) return done()
    const holder = volume.spec.claimRef
    const { client } = this.#context
    const phase = (value: string): Promise<unknown> =>
      client.patch(
        kinds.PersistentVolume,
        { name },
        { type: 'merge', body: { status: { phase: value } } },
        { subresource: 'status' },
      )
    try {
      if (holder === undefined) {
        if (volume.status?.phase !== 'Available') await phase('Available')
        return done()
      }
      // A reference without a uid reserves the volume for a future claim.
      if (holder.uid === undefined) return done()
      const claimKey = `${holder.namespace ?? ''}/${holder.name ?? ''}`
      if (this.#claims.get(claimKey)?.metadata.uid === holder.uid) return done()
      // The informer might not show the claim yet, although the claim was created before the volume.
      if (await this.#exists(holder.namespace ?? '', holder.name ?? '', holder.uid)) return done()
      // `volume-protection.ts` removes the finalizer of a deleted volume that is not Bound, so a Released one can be
      // deleted.
      if (volume.status?.phase !== 'Released') await phase('Released')
      if (volume.spec.persistentVolumeReclaimPolicy !== 'Delete') return done()
      const attached = [...this.#attachments.values()].some((one) => one.spec.source.persistentVolumeName === name)
      if (!attached && volume.metadata.deletionTimestamp === undefined) {
        await client.delete(kinds.PersistentVolume, { name })
      }
      return done()
    } catch (error) {
      if (isNotFound(error)) return done()
      throw error
    }
  }

  async #exists(namespace: string, name: string, uid: string): Promise<boolean> {
    try {
      const claim = await this.#context.client.get(kinds.PersistentVolumeClaim, { namespace, name })
      return claim.metadata.uid === uid
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }
}
