import type { Milliseconds } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import { NodeClaimNotFoundError, providerErrors } from '@kerf/provider-contract'
import type { Clock, Logger } from '@kerf/runtime'
import { mapWhole } from '@kerf/runtime'
import type { AzureApi } from '../api/azure-api.ts'
import { isAzureNotFound } from '../api/azure-api-error.ts'
import type { Vm } from '../api/compute-shapes.ts'
import { TAG } from '../tags/resource-tags.ts'
import { type AzureInstance, toAzureInstance } from './azure-instance.ts'

export interface InstanceDeps {
  readonly api: Pick<AzureApi, 'compute' | 'network' | 'resourceGraph'>
  readonly clock: Clock
  readonly log: Logger
}

export interface InstanceScope {
  readonly nodeResourceGroup: string
  readonly clusterName: string
  readonly location: string
}

/** How long this process keeps its own record of a VM that it has changed, because Resource Graph lags. The lag is shorter than this. */
const BEHIND: Milliseconds = 5 * 60_000
const CONCURRENCY = 10

/**
 * Returns the query for resources of one type that Kerf tagged, excluding those of AKS (`providers/azure/docs/spec/azure.md#get-list-delete`).
 */
export const ownedQuery = (type: string, nodeResourceGroup: string): string =>
  [
    'Resources',
    `where type == '${type}'`,
    `where resourceGroup == '${nodeResourceGroup.toLowerCase()}'`,
    `where tags has_cs '${TAG.nodePool}'`,
    `where not(tags has_cs '${TAG.machineClaim}')`,
  ].join(' | ')

/**
 * The VMs of this cluster. Lists come from Resource Graph, which may be a minute behind, so Kerf reads VMs that this process created or
 * terminated recently one by one. It always reads a single VM directly.
 */
export class Instances {
  readonly #deps: InstanceDeps
  readonly #scope: InstanceScope
  /** VMs that this process created recently. */
  readonly #made = new Map<string, { readonly instance: AzureInstance; readonly at: Milliseconds }>()
  /** VMs that this process terminated recently. `isGone` is true after Azure has confirmed the deletion. */
  readonly #ended = new Map<string, { readonly at: Milliseconds; readonly isGone: boolean }>()

  constructor(deps: InstanceDeps, scope: InstanceScope) {
    this.#deps = deps
    this.#scope = scope
  }

  /** Returns a VM. @throws NodeClaimNotFoundError if it does not exist, AzureApiError for a failed call. */
  async get(id: string, signal: AbortSignal): Promise<AzureInstance> {
    try {
      return this.#instance(await this.#deps.api.compute.vm(id, signal))
    } catch (error) {
      if (!isAzureNotFound(error)) throw error
      if (this.#ended.has(id)) this.#ended.set(id, { at: this.#deps.clock.monotonic(), isGone: true })
      this.#made.delete(id)
      throw new NodeClaimNotFoundError(`VM ${id} is gone`, { cause: error })
    }
  }

  /**
   * Returns a VM, but only if it belongs to this cluster.
   * @throws like `get`, and KerfError `ForeignInstance` if it belongs to another cluster.
   */
  async own(id: string, signal: AbortSignal): Promise<AzureInstance> {
    const instance = await this.get(id, signal)
    const cluster = ownValue(instance.tags, TAG.cluster)
    if (cluster !== this.#scope.clusterName)
      throw providerErrors.ForeignInstance({
        instance: `VM ${id}`,
        problem: `is tagged ${TAG.cluster}=${cluster ?? ''}, but this is ${this.#scope.clusterName}`,
        remedy: 'the tag is corrected',
      })
    return instance
  }

  /** Lists the VMs that Kerf created for this cluster and that are not gone. A failed page fails the call. */
  async list(signal: AbortSignal): Promise<readonly AzureInstance[]> {
    this.#forgetOld()
    const query = ownedQuery('microsoft.compute/virtualmachines', this.#scope.nodeResourceGroup)
    const rows = await this.#deps.api.resourceGraph.query(query, signal)
    // Each row has the form of a VM in the compute API.
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

  /** Records a VM that Kerf has just requested. */
  made(instance: AzureInstance): void {
    this.#made.set(instance.id, { instance, at: this.#deps.clock.monotonic() })
    this.#ended.delete(instance.id)
  }

  /**
   * Terminates a VM of this cluster. Does nothing if it is already terminating. After the VM is gone, also deletes its network
   * interface, which may remain if the VM had failed.
   *
   * @throws NodeClaimNotFoundError once it is gone.
   */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    try {
      const instance = await this.own(id, signal)
      if (instance.isEnding) return
      await this.#deps.api.compute.beginDeleteVm(id, signal)
      this.#ended.set(id, { at: this.#deps.clock.monotonic(), isGone: false })
    } catch (error) {
      if (error instanceof NodeClaimNotFoundError) await this.removeInterface(id, signal)
      throw error
    }
  }

  /**
   * Deletes the network interface of a VM that does not exist. If Azure still reserves the interface, which takes up to three minutes,
   * garbage collection deletes it later.
   */
  async removeInterface(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.api.network.deleteNetworkInterface(name, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!isAzureNotFound(error))
        this.#deps.log.info('a network interface cannot be deleted yet', { name, error: String(error) })
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
    return toAzureInstance(vm, this.#scope.location)
  }

  #forgetOld(): void {
    const before = this.#deps.clock.monotonic() - BEHIND
    for (const [id, { at }] of this.#made) if (at < before) this.#made.delete(id)
    for (const [id, { at }] of this.#ended) if (at < before) this.#ended.delete(id)
  }
}
