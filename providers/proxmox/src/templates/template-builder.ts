import { textOfThrown } from '@kerf/runtime'
import type { GuestConfig, Upid } from '../api/proxmox-api.ts'
import { isSuccess } from '../api/upid.ts'
import { isGuestGone, kindOfError } from '../failures/failure-kind.ts'
import { freeGuestId } from '../hypervisors/guest-ids.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import type { Guest } from '../hypervisors/region-state.ts'
import type { ProxmoxTemplate, ProxmoxTemplateSpec } from '../node-class/proxmox-template.ts'
import { templateHash } from '../node-class/template-hash.ts'
import type { SelectedZone } from './selected-zone.ts'
import { imageFile } from './template-image.ts'
import { changedOptions, creationOptions, parseTemplateDescription } from './template-options.ts'
import type { TemplatePlace } from './template-places.ts'

/** The first ID of templates. Karpenter's provider uses the same one. */
const FIRST_ID = 1_000

/** The progress of creating a template on one hypervisor. */
export type TemplateProgress =
  | { readonly kind: 'ready'; readonly zone: SelectedZone }
  | { readonly kind: 'pending'; readonly what: string }
  | { readonly kind: 'failed'; readonly problem: string }

interface Found {
  readonly guest: Guest
  readonly config: GuestConfig
}

interface Task {
  readonly upid: Upid
  readonly step: string
}

const pending = (what: string): TemplateProgress => ({ kind: 'pending', what })
const failed = (problem: string): TemplateProgress => ({ kind: 'failed', problem })

/**
 * Creates the templates of ProxmoxTemplates (`providers/proxmox/docs/spec/proxmox.md#proxmoxtemplate`). Each step depends only on the state
 * in Proxmox, so another process can continue the work.
 */
export class TemplateBuilder {
  readonly #inventory: Inventory
  /** The name of the Kubernetes cluster. */
  readonly #cluster: string
  /** The running tasks, by object and hypervisor. */
  readonly #tasks = new Map<string, Task>()

  constructor(inventory: Inventory, cluster: string) {
    this.#inventory = inventory
    this.#cluster = cluster
  }

  /** Executes the next step on one hypervisor. Does not wait for tasks. */
  async advance(template: ProxmoxTemplate, place: TemplatePlace, signal: AbortSignal): Promise<TemplateProgress> {
    const { region } = place
    try {
      const ended = await this.#task(template, place, signal)
      return ended ?? (await this.#next(template, place, signal))
    } catch (error) {
      signal.throwIfAborted()
      const kind = kindOfError(error)
      if (kind === 'locked') return pending('another task holds the guest')
      // Another controller took the ID. The next step uses another one.
      if (kind === 'id-taken') return pending('looking for a free ID')
      if (kind === 'credentials' || kind === 'privilege') throw error
      return failed(textOfThrown(error))
    } finally {
      this.#inventory.forget(region)
    }
  }

  /** Updates the options that can be changed in an existing template. */
  async change(template: ProxmoxTemplate, { region, zone, template: vmid }: SelectedZone, signal: AbortSignal) {
    const api = this.#inventory.api(region)
    const guest = { node: zone, vmid }
    await api.configure(guest, changedOptions(template, this.#cluster, await api.config(guest, signal)), signal)
    this.#inventory.forget(region)
  }

  /** Starts to destroy the templates of an object in a Proxmox cluster. Returns the number of templates that are left. */
  async remove(template: ProxmoxTemplate, region: string, signal: AbortSignal): Promise<number> {
    const { guests, hypervisors } = await this.#inventory.read(region, signal)
    const own: Found[] = []
    for (const { name } of hypervisors)
      own.push(...(await this.#found(template, region, name, guests, signal)).filter((each) => this.#isOwn(each)))
    for (const { guest, config } of own)
      if (config['lock'] === undefined) await this.#inventory.api(region).destroy(guest, signal)
    this.#inventory.forget(region)
    return own.length
  }

  /** Deletes a downloaded image from a storage, if it exists. */
  async removeImage(file: string, { region, zone, imageStorage }: TemplatePlace, signal: AbortSignal): Promise<void> {
    const volume = `${imageStorage}:import/${file}`
    const api = this.#inventory.api(region)
    const present = await api.volumes(zone, imageStorage, 'import', signal)
    if (present.some(({ volid }) => volid === volume)) await api.deleteVolume(zone, imageStorage, volume, signal)
  }

  #key({ metadata }: ProxmoxTemplate, { region, zone }: TemplatePlace): string {
    return `${metadata.uid}/${region}/${zone}`
  }

  /** Returns the progress of the current task, or undefined if no task is running and none has failed. */
  async #task(
    template: ProxmoxTemplate,
    place: TemplatePlace,
    signal: AbortSignal,
  ): Promise<TemplateProgress | undefined> {
    const key = this.#key(template, place)
    const task = this.#tasks.get(key)
    if (task === undefined) return undefined
    const { status, exitstatus = '' } = await this.#inventory.api(place.region).task(task.upid, signal)
    if (status === 'running') return pending(task.step)
    this.#tasks.delete(key)
    return isSuccess(exitstatus) ? undefined : failed(`${task.step} failed: ${exitstatus}`)
  }

  async #next(template: ProxmoxTemplate, place: TemplatePlace, signal: AbortSignal): Promise<TemplateProgress> {
    const { spec } = template
    const { region, zone } = place
    if (spec === undefined) return failed('the object has no spec')
    const { guests } = await this.#inventory.read(region, signal)
    const found = await this.#found(template, region, zone, guests, signal)
    const foreign = found.find((each) => !this.#isOwn(each))
    if (foreign !== undefined)
      return failed(
        `guest ${foreign.guest.vmid} has the name ${template.metadata.name} and Kerf did not create it; rename the guest or the ProxmoxTemplate`,
      )
    if (found.some(({ config }) => config['lock'] !== undefined)) return pending('another task holds the guest')
    const current = found.find(({ config }) => hashIn(config) === templateHash(template))
    if (current !== undefined) return this.#completed(template, place, current, signal)
    const image = await this.#image(template, spec, place, signal)
    if (image !== undefined) return image
    const [old] = found
    if (old !== undefined) {
      const upid = await this.#inventory.api(region).destroy(old.guest, signal)
      return this.#begin(template, place, { upid, step: 'the removal of the old template' })
    }
    const used = new Set(guests.map(({ vmid }) => vmid))
    const vmid = freeGuestId(region, FIRST_ID, (id) => used.has(id))
    const imageVolume = `${place.imageStorage}:import/${imageFile(spec.sourceImage)}`
    const options = creationOptions(template, { ...place, cluster: this.#cluster, vmid, imageVolume })
    const upid = await this.#inventory.api(region).createGuest(zone, options, signal)
    return this.#begin(template, place, { upid, step: 'the creation' })
  }

  #begin(template: ProxmoxTemplate, place: TemplatePlace, task: Task): TemplateProgress {
    this.#tasks.set(this.#key(template, place), task)
    return pending(task.step)
  }

  /** Converts the created guest into a template. */
  async #completed(
    template: ProxmoxTemplate,
    place: TemplatePlace,
    { guest, config }: Found,
    signal: AbortSignal,
  ): Promise<TemplateProgress> {
    const { region, zone } = place
    if (config['template'] === 1) return { kind: 'ready', zone: { region, zone, template: guest.vmid } }
    const upid = await this.#inventory.api(region).convertToTemplate(guest, signal)
    return upid === undefined
      ? pending('the conversion')
      : this.#begin(template, place, { upid, step: 'the conversion' })
  }

  /** Downloads the image if it is missing from the storage. */
  async #image(
    template: ProxmoxTemplate,
    { sourceImage }: ProxmoxTemplateSpec,
    place: TemplatePlace,
    signal: AbortSignal,
  ): Promise<TemplateProgress | undefined> {
    const { region, zone, imageStorage } = place
    const api = this.#inventory.api(region)
    const filename = imageFile(sourceImage)
    const present = await api.volumes(zone, imageStorage, 'import', signal)
    if (present.some(({ volid }) => volid === `${imageStorage}:import/${filename}`)) return undefined
    const { url, checksum, checksumType } = sourceImage
    const request = { url, filename, checksum, 'checksum-algorithm': checksumType }
    const upid = await api.downloadImage(zone, imageStorage, request, signal)
    return this.#begin(template, place, { upid, step: 'the download' })
  }

  /**
   * Returns the guests of a hypervisor with the name of the object. The list contains no name for a new guest, so Kerf reads the name from
   * its configuration.
   */
  async #found(
    { metadata }: ProxmoxTemplate,
    region: string,
    zone: string,
    guests: readonly Guest[],
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const found: Found[] = []
    for (const guest of guests) {
      const { node, name = metadata.name, isVirtualMachine } = guest
      if (node !== zone || !isVirtualMachine || name !== metadata.name) continue
      try {
        const config = await this.#inventory.api(region).config(guest, signal)
        if (config['name'] === metadata.name) found.push({ guest, config })
      } catch (error) {
        if (!isGuestGone(error)) throw error
      }
    }
    return found
  }

  /**
   * Returns true if Kerf may change the template. Templates of Karpenter's provider contain no cluster, so they belong to the cluster that
   * switches to Kerf.
   */
  #isOwn({ config }: Found): boolean {
    const { hash, cluster } = parseTemplateDescription(String(config['description'] ?? ''))
    return hash !== undefined && (cluster === undefined || cluster === this.#cluster)
  }
}

const hashIn = (config: GuestConfig): string | undefined =>
  parseTemplateDescription(String(config['description'] ?? '')).hash
