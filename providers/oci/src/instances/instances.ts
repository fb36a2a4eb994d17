import { type Milliseconds, type NodeClaim, parseTime } from '@kerf/apis'
import { NodeClaimNotFoundError, NotKnownYetError } from '@kerf/provider-contract'
import { CLOCK_SKEW, ListCache } from '@kerf/provider-kit'
import { type Clock, mapWhole } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import { isOciNotFound } from '../api/oci-api-error.ts'
import type { OciInstance } from '../api/oci-shapes.ts'
import { isEnding } from './instance-ids.ts'
import { type Ownership, readOwner, type TaggedOwner } from './tags.ts'

/** For how long lists may omit a new instance. */
const SETTLED_AFTER: Milliseconds = 120_000
const CONCURRENCY = 4

export interface InstancesOptions {
  readonly api: Pick<OciApi, 'instance' | 'instances' | 'terminate'>
  readonly clock: Clock
  readonly ownership: Ownership
  /** Returns the compartments that may contain instances of this cluster. */
  readonly compartments: () => readonly string[]
  /**
   * Returns the time at which an instance was launched, according to its NodeClaim. Returns undefined if no NodeClaim of this cluster
   * refers to the instance.
   */
  readonly launchTime: (instanceId: string) => Milliseconds | undefined
}

/** The instances of this cluster (`providers/oci/docs/spec/oci.md#get-list-delete`), except terminated ones. */
export class Instances {
  readonly #options: InstancesOptions
  readonly #cache: ListCache<OciInstance>

  constructor(options: InstancesOptions) {
    this.#options = options
    this.#cache = new ListCache<OciInstance>({
      clock: options.clock,
      list: (signal) => this.#list(signal),
      idOf: ({ id }) => id,
      createdAt: (id, instance) => options.launchTime(id) ?? parseTime(instance?.timeCreated),
      settledAfter: SETTLED_AFTER,
    })
  }

  /** Lists the instances of this cluster in all of its compartments. Throws if the list of any compartment fails. */
  list(signal: AbortSignal): Promise<readonly OciInstance[]> {
    return this.#cache.list(signal)
  }

  /** Lists the instances that Kerf launched for a NodeClaim. */
  async launchedFor({ metadata }: NodeClaim, signal: AbortSignal): Promise<readonly OciInstance[]> {
    const born = parseTime(metadata.creationTimestamp) ?? 0
    return (await this.#list(signal)).filter((instance) => {
      const owner = this.owner(instance)
      if (owner?.nodeClaimUid !== undefined) return owner.nodeClaimUid === metadata.uid
      // The tags of an OciNodeClass contain no uid, and an earlier NodeClaim may have had the same name.
      const created = parseTime(instance.timeCreated) ?? 0
      return owner?.nodeClaim === metadata.name && created >= born - CLOCK_SKEW
    })
  }

  /** Returns the owner in the tags of the instance, or undefined if Karpenter did not launch it. */
  owner(instance: OciInstance): TaggedOwner | undefined {
    return readOwner(instance, this.#options.ownership.tagNamespace)
  }

  /** Adds an instance that Kerf has just launched to the cache. */
  remember(instance: OciInstance): void {
    this.#cache.set(instance)
  }

  /** Returns the last known state of an instance. The first call after a restart lists all instances. */
  async seen(id: string, signal: AbortSignal): Promise<OciInstance> {
    await this.#cache.ensureListed(signal)
    return this.#cache.get(id) ?? this.get(id, signal)
  }

  /**
   * Returns one instance.
   *
   * @throws NodeClaimNotFoundError if it is terminated or does not belong to this cluster; NotKnownYetError while it is unclear whether it
   * exists
   */
  async get(id: string, signal: AbortSignal): Promise<OciInstance> {
    let instance: OciInstance
    try {
      instance = await this.#options.api.instance(id, signal)
    } catch (error) {
      if (isOciNotFound(error)) return this.#missing(id, error, signal)
      throw error
    }
    if (instance.lifecycleState === 'TERMINATED') throw this.#gone(id)
    if (!this.#isOwn(instance)) throw new NodeClaimNotFoundError(`instance ${id} does not belong to this cluster`)
    this.#cache.set(instance)
    return instance
  }

  /** Starts the termination of an instance and its volumes. */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    const instance = await this.get(id, signal)
    if (isEnding(instance.lifecycleState)) return
    try {
      await this.#options.api.terminate(id, signal)
    } catch (error) {
      // Another call may have terminated the instance in the meantime.
      if (isOciNotFound(error)) await this.get(id, signal)
      throw error
    }
    this.#cache.set({ ...instance, lifecycleState: 'TERMINATING' })
  }

  async #list(signal: AbortSignal): Promise<readonly OciInstance[]> {
    const { api, compartments } = this.#options
    const lists = await mapWhole(
      compartments(),
      CONCURRENCY,
      (compartment, inner) => api.instances(compartment, inner),
      signal,
    )
    return lists.flat().filter((instance) => instance.lifecycleState !== 'TERMINATED' && this.#isOwn(instance))
  }

  /**
   * Returns true if the instance belongs to this cluster. Oracle's provider does not tag instances with their cluster. An instance without
   * this tag belongs to this cluster only if one of its NodeClaims has the instance's id, because another cluster in the compartment may
   * have NodePools with the same names.
   */
  #isOwn(instance: OciInstance): boolean {
    const owner = this.owner(instance)
    if (owner === undefined) return false
    return owner.cluster === undefined
      ? this.#options.launchTime(instance.id) !== undefined
      : owner.cluster === this.#options.ownership.clusterName
  }

  /**
   * Handles a 404 for an instance. Oracle Cloud also returns 404 if a policy is missing. If Kerf can list the compartment's instances and
   * this one is not among them, it is gone.
   */
  async #missing(id: string, cause: unknown, signal: AbortSignal): Promise<OciInstance> {
    const known = this.#cache.get(id)
    const isListed = (await this.#list(signal)).find((instance) => instance.id === id)
    if (isListed !== undefined) return isListed
    if (this.#cache.isYoung(id)) {
      if (known !== undefined && !isEnding(known.lifecycleState)) return known
      if (known === undefined)
        throw new NotKnownYetError(`instance ${id} is new, and Oracle Cloud does not know it yet`)
    }
    throw this.#gone(id, cause)
  }

  #gone(id: string, cause?: unknown): NodeClaimNotFoundError {
    this.#cache.forget(id)
    return new NodeClaimNotFoundError(`instance ${id} is gone`, cause === undefined ? {} : { cause })
  }
}
