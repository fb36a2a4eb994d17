import type { Milliseconds } from '@kerf/apis'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { GuestRef } from '../api/proxmox-api.ts'
import type { Inventory } from '../hypervisors/inventory.ts'
import { type TemplateFacts, templateFacts } from './template-facts.ts'

const KEPT_FOR: Milliseconds = 60_000

/** The templates in all Proxmox clusters, read from their configurations. */
export class TemplateCatalog {
  readonly #inventory: Pick<Inventory, 'api'>
  readonly #facts: ReadCache<TemplateFacts | string>

  constructor(inventory: Pick<Inventory, 'api'>, clock: Clock) {
    this.#inventory = inventory
    this.#facts = new ReadCache(clock, { ttl: KEPT_FOR })
  }

  /**
   * Returns the facts of a template, or a phrase with the reason why it cannot be used.
   *
   * @throws ProxmoxApiError of the kind `not-found` if the template does not exist
   */
  read(region: string, { node, vmid }: GuestRef, signal: AbortSignal): Promise<TemplateFacts | string> {
    const ask = async (inner: AbortSignal) =>
      templateFacts(region, { node, vmid }, await this.#inventory.api(region).config({ node, vmid }, inner))
    return this.#facts.read(`${region}/${node}/${vmid}`, ask, signal)
  }
}
