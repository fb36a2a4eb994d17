import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { BootVolumeAttachment, OciBootVolume, OciInstance, OciVnic, VnicAttachment } from '../api/oci-shapes.ts'

const MINUTE: Milliseconds = 60_000
/** How long Kerf caches the attachments of a compartment. One list call returns the attachments of all instances. */
const LISTED_FOR: Milliseconds = 10 * MINUTE
/** How long Kerf caches the data of a VNIC or a boot volume. Only users change this data. */
const KEPT_FOR: Milliseconds = 60 * MINUTE

export type PartsApi = Pick<OciApi, 'vnicAttachments' | 'vnic' | 'bootVolumeAttachments' | 'bootVolume'>

const byInstance = <T extends { readonly instanceId: string }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> => Map.groupBy(items, ({ instanceId }) => instanceId)

/** The network interfaces and boot volumes of instances, for the comparison with node classes. */
export class AttachedParts {
  readonly #api: PartsApi
  readonly #vnicLists: ReadCache<ReadonlyMap<string, readonly VnicAttachment[]>>
  readonly #vnics: ReadCache<OciVnic>
  readonly #volumeLists: ReadCache<ReadonlyMap<string, readonly BootVolumeAttachment[]>>
  readonly #volumes: ReadCache<OciBootVolume>

  constructor(api: PartsApi, clock: Clock) {
    this.#api = api
    this.#vnicLists = new ReadCache(clock, { ttl: LISTED_FOR })
    this.#vnics = new ReadCache(clock, { ttl: KEPT_FOR })
    this.#volumeLists = new ReadCache(clock, { ttl: LISTED_FOR })
    this.#volumes = new ReadCache(clock, { ttl: KEPT_FOR })
  }

  /** Returns the primary VNIC, or undefined while it is not attached. */
  async primaryVnic({ id, compartmentId }: OciInstance, signal: AbortSignal): Promise<OciVnic | undefined> {
    const attached = await this.#vnicLists.read(
      compartmentId,
      async (inner) => byInstance(await this.#api.vnicAttachments(compartmentId, undefined, inner)),
      signal,
    )
    for (const { vnicId, lifecycleState } of attached.get(id) ?? []) {
      if (vnicId === undefined || lifecycleState !== 'ATTACHED') continue
      const vnic = await this.#vnics.read(vnicId, (inner) => this.#api.vnic(vnicId, inner), signal)
      if (vnic.isPrimary) return vnic
    }
    return undefined
  }

  /** Returns the attachment of the boot volume, or undefined while there is none. */
  async bootAttachment(instance: OciInstance, signal: AbortSignal): Promise<BootVolumeAttachment | undefined> {
    const { id, compartmentId, availabilityDomain } = instance
    const attached = await this.#volumeLists.read(
      `${compartmentId} ${availabilityDomain}`,
      async (inner) => byInstance(await this.#api.bootVolumeAttachments(compartmentId, availabilityDomain, inner)),
      signal,
    )
    return attached.get(id)?.[0]
  }

  bootVolume({ bootVolumeId }: BootVolumeAttachment, signal: AbortSignal): Promise<OciBootVolume> {
    return this.#volumes.read(bootVolumeId, (inner) => this.#api.bootVolume(bootVolumeId, inner), signal)
  }
}
