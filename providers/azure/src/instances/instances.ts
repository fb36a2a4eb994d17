import type { Milliseconds } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import type { Clock, Logger } from '@kerf/runtime'
import { mapWhole } from '@kerf/runtime'
import type { AzureApi } from '../api/azure-api.ts'
import { isAzureNotFound } from '../api/azure-api-error.ts'
import type { Vm } from '../api/compute-shapes.ts'
import { TAG } from '../tags/resource-tags.ts'
import { type AzureInstance, azureInstanceOf } from './azure-instance.ts'

export interface InstanceParts {
  readonly api: Pick<AzureApi, 'compute' | 'network' | 'resourceGraph'>
  readonly clock: Clock
  readonly log: Logger
}

export interface InstanceScope {
  readonly nodeResourceGroup: string
  readonly clusterName: string
  readonly location: string
}

/** Longer than Resource Graph is behind. What changed within it is known better here. */
const BEHIND: Milliseconds = 5 * 60_000
const CONCURRENCY = 10

/** Of all that Kerf tagged, what is of one kind and not AKS's (`docs/spec/azure.md#get-list-delete`). */
export const ownedQuery = (type: string, nodeResourceGroup: string): string =>
  [
    'Resources',
    `where type == '${type}'`,
    `where resourceGroup == '${nodeResourceGroup.toLowerCase()}'`,
    `where tags has_cs '${TAG.nodePool}'`,
    `where not(tags has_cs '${TAG.machineClaim}')`,
  ].join(' | ')

/**
 * The VMs of this cluster. All of them are found through Resource Graph, which is up to a minute or so behind: what this process has
 * made or ended meanwhile is asked for one by one. A single one is always asked of Azure.
 */
export class Instances {
  readonly #parts: InstanceParts
  readonly #scope: InstanceScope
  /** Made by this process lately. */
  readonly #made = new Map<string, { readonly instance: AzureInstance; readonly at: Milliseconds }>()
  /** Ended by this process lately; `isGone` once Azure said so. */
  readonly #ended = new Map<string, { readonly at: Milliseconds; readonly isGone: boolean }>()

  constructor(parts: InstanceParts, scope: InstanceScope) {
    this.#parts = parts
    this.#scope = scope
  }

  /** @throws NodeClaimNotFoundError for one that is not there, AzureApiError for a call that failed. */
  async get(id: string, signal: AbortSignal): Promise<AzureInstance> {
    try {
      return this.#instance(await this.#parts.api.compute.vm(id, signal))
    } catch (error) {
      if (!isAzureNotFound(error)) throw error
      if (this.#ended.has(id)) this.#ended.set(id, { at: this.#parts.clock.monotonic(), isGone: true })
      this.#made.delete(id)
      throw new NodeClaimNotFoundError(`VM ${id} is gone`, { cause: error })
    }
  }

  /** One of ours. Others are never answered, whoever asks. @throws as `get`, and Error for one of another cluster. */
  async own(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const instance = await this.get(id, signal)
    const cluster = ownValue(instance.tags, TAG.cluster)
    if (cluster !== this.#scope.clusterName)
      throw new Error(
        `VM ${id} is tagged ${TAG.cluster}=${cluster ?? ''}, and this is ${this.#scope.clusterName}; it is left alone until the tag is put right`,
      )
    return instance
  }

  /** Every VM that was made for this cluster and is not gone. A page that fails fails the call. */
  async list(signal: AbortSignal): Promise<readonly AzureInstance[]> {
    this.#forgetOld()
    const query = ownedQuery('microsoft.compute/virtualmachines', this.#scope.nodeResourceGroup)
    const rows = await this.#parts.api.resourceGraph.query(query, signal)
    // Rows have the form of the resource.
    const listed = rows
      .map((row) => this.#instance(row as unknown as Vm))
      .filter(({ tags }) => ownValue(tags, TAG.cluster) === this.#scope.clusterName)
    const byId = new Map(listed.map((instance) => [instance.id, instance]))
    for (const [id, { instance }] of this.#made) if (!byId.has(id)) byId.set(id, instance)
    const asked = [...byId.keys()].filter((id) => this.#ended.has(id))
    for (const id of asked) byId.delete(id)
    const ending = asked.filter((id) => this.#ended.get(id)?.isGone === false)
    const found = await mapWhole(ending, CONCURRENCY, (id, inner) => this.#ifThere(id, inner), signal)
    return [...byId.values(), ...found.flatMap((instance) => instance ?? [])]
  }

  /** Takes a VM up that was just asked for. */
  made(instance: AzureInstance): void {
    this.#made.set(instance.id, { instance, at: this.#parts.clock.monotonic() })
    this.#ended.delete(instance.id)
  }

  /**
   * Orders the end of one of ours; nothing to do for one that is ending. Once the VM is gone, so is what may have stayed of it: the
   * network interface of a VM that failed.
   *
   * @throws NodeClaimNotFoundError once it is gone.
   */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    try {
      const instance = await this.own(id, signal)
      if (instance.isEnding) return
      await this.#parts.api.compute.beginDeleteVm(id, signal)
      this.#ended.set(id, { at: this.#parts.clock.monotonic(), isGone: false })
    } catch (error) {
      if (error instanceof NodeClaimNotFoundError) await this.removeInterface(id, signal)
      throw error
    }
  }

  /** Frees the network interface of a VM that is not there. Azure may keep it for three minutes; then the collection does it. */
  async removeInterface(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.api.network.deleteNetworkInterface(name, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isAzureNotFound(error))
        this.#parts.log.info('a network interface cannot be deleted yet', { name, error: String(error) })
    }
  }

  async #ifThere(id: string, signal: AbortSignal): Promise<AzureInstance | undefined> {
    try {
      return await this.get(id, signal)
    } catch (error) {
      if (error instanceof NodeClaimNotFoundError) return undefined
      throw error
    }
  }

  #instance(vm: Vm): AzureInstance {
    return azureInstanceOf(vm, this.#scope.location)
  }

  #forgetOld(): void {
    const before = this.#parts.clock.monotonic() - BEHIND
    for (const [id, { at }] of this.#made) if (at < before) this.#made.delete(id)
    for (const [id, { at }] of this.#ended) if (at < before) this.#ended.delete(id)
  }
}
