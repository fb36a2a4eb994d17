import { type Milliseconds, ownValue, parseTime } from '@kerf/apis'
import { DeleteError, NodeClaimNotFoundError, NotKnownYetError } from '@kerf/provider-contract'
import { ListCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import { alibabaErrors } from '../alibaba-errors.ts'
import type { AlibabaApi } from '../api/actions.ts'
import { AlibabaApiError } from '../api/alibaba-api-error.ts'
import { allInstances } from '../api/pages.ts'
import { isInstanceGone } from '../failures/failure-kind.ts'
import { clusterTag, TAG } from '../names.ts'
import { type EcsInstance, ecsInstance } from './ecs-instance.ts'
import { confirmEmptyList } from './empty-list.ts'

/** For how long the API's responses may omit a new instance. */
const SETTLED_AFTER: Milliseconds = 120_000

export interface InstancesOptions {
  readonly api: AlibabaApi
  readonly clock: Clock
  readonly region: string
  readonly clusterId: string
  /** Returns the time at which an instance was launched, according to its NodeClaim. */
  readonly launchTime: (instanceId: string) => Milliseconds | undefined
}

/** How long an instance may take to start. After that, the error tells the user to intervene. */
const STARTS_WITHIN: Milliseconds = 600_000

/** The error code for the deletion of an instance that is still starting. */
const WRONG_STATUS = 'IncorrectInstanceStatus'

/** The error codes for the deletion of an instance that a user has protected. */
const PROTECTED: ReadonlySet<string> = new Set([
  'InvalidOperation.DeletionProtection',
  'OperationDenied.DeletionProtection',
])

/** The instances of this cluster (`providers/alibaba/docs/spec/alibaba.md#list-get-delete`). */
export class Instances {
  readonly #options: InstancesOptions
  readonly #cache: ListCache<EcsInstance>
  /** Instances whose deletion the API has accepted. */
  readonly #deleted = new Set<string>()

  constructor(options: InstancesOptions) {
    this.#options = options
    this.#cache = new ListCache<EcsInstance>({
      clock: options.clock,
      list: (signal) => this.#list([], signal),
      idOf: ({ id }) => id,
      createdAt: (id, instance) => options.launchTime(id) ?? parseTime(instance?.createdAt),
      settledAfter: SETTLED_AFTER,
    })
  }

  /** Lists all instances of this cluster, including new ones that the API does not list yet. */
  async list(signal: AbortSignal): Promise<readonly EcsInstance[]> {
    return this.#cache.list(signal)
  }

  /** Lists the instances that Kerf launched for a NodeClaim. */
  launchedFor(claimUid: string, signal: AbortSignal): Promise<readonly EcsInstance[]> {
    return this.#list([{ Key: TAG.nodeClaimUid, Value: claimUid }], signal)
  }

  /** Returns the last known state of an instance, without an API call. */
  known(id: string): EcsInstance | undefined {
    return this.#cache.get(id)
  }

  /**
   * Returns the last known state of an instance. The state is recent, because garbage collection lists all instances every minute. The
   * first call after a restart lists all instances, because reading them one by one would take one call per instance.
   *
   * @throws the errors of `get` if Kerf has never seen the instance
   */
  async seen(id: string, signal: AbortSignal): Promise<EcsInstance> {
    await this.#cache.ensureListed(signal)
    return this.#cache.get(id) ?? this.get(id, signal)
  }

  /** Adds tags to an instance. @throws NodeClaimNotFoundError if the instance is gone. */
  async tag(id: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const { api, region } = this.#options
    const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
    const request = { RegionId: region, ResourceType: 'instance', ResourceId: id, Tag: list } as const
    try {
      await api.call('AddTags', request, signal)
    } catch (error) {
      if (isInstanceGone(error)) throw this.#gone(id, error)
      throw error
    }
  }

  /** Adds an instance that Kerf has just launched to the cache. */
  remember(instance: EcsInstance): void {
    this.#cache.set(instance)
  }

  /**
   * Returns one instance.
   *
   * @throws NodeClaimNotFoundError if it is gone or does not belong to this cluster; NotKnownYetError if it is so new that the API may not
   * return it yet
   */
  async get(id: string, signal: AbortSignal): Promise<EcsInstance> {
    const { api, region } = this.#options
    const query = { RegionId: region, InstanceIds: JSON.stringify([id]), MaxResults: 100 }
    const answer = await api.call('DescribeInstances', query, signal)
    const [found] = (answer.Instances?.Instance ?? []).map(ecsInstance)
    if (found === undefined) {
      await confirmEmptyList(api, region, signal)
      return this.#missing(id)
    }
    if (!this.#isOwn(found)) throw new NodeClaimNotFoundError(`instance ${id} does not belong to this cluster`)
    this.#cache.set(found)
    return found
  }

  /**
   * Starts the release of an instance.
   *
   * @throws NodeClaimNotFoundError if it is gone; DeleteError if it is protected against deletion, or cannot start
   */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    const { status, createdAt } = await this.get(id, signal)
    if (status === 'Stopping' || this.#deleted.has(id)) return
    try {
      const request = { InstanceId: id, Force: true, TerminateSubscription: true }
      await this.#options.api.call('DeleteInstance', request, signal)
      this.#deleted.add(id)
    } catch (error) {
      if (isInstanceGone(error)) throw this.#gone(id, error)
      if (error instanceof AlibabaApiError && error.code.startsWith(WRONG_STATUS))
        throw this.#notStarted({ id, status, createdAt }, error)
      if (error instanceof AlibabaApiError && PROTECTED.has(error.code))
        throw new DeleteError(
          'DeletionProtected',
          `instance ${id} is protected against deletion; turn its deletion protection off`,
          { cause: error },
        )
      throw error
    }
  }

  /** Returns the error for an instance that cannot be released because it has not started. Usually it starts within two minutes. */
  #notStarted({ id, status, createdAt }: Pick<EcsInstance, 'id' | 'status' | 'createdAt'>, cause: Error): Error {
    const age = this.#options.clock.now() - (parseTime(createdAt) ?? this.#options.clock.now())
    return age < STARTS_WITHIN
      ? alibabaErrors.InstanceStarting({ id, status }, { cause })
      : new DeleteError(
          'InstanceNotStarted',
          `instance ${id} is ${status} since ${createdAt}, and ECS does not release it in this state; Kerf tries again every minute. If it stays so, ask the support of Alibaba Cloud`,
          { cause },
        )
  }

  async #list(
    more: readonly { readonly Key: string; readonly Value: string }[],
    signal: AbortSignal,
  ): Promise<readonly EcsInstance[]> {
    const { api, region, clusterId } = this.#options
    const tags = [{ Key: clusterTag(clusterId), Value: 'owned' }, { Key: TAG.clusterId, Value: clusterId }, ...more]
    const found = await allInstances(api, { RegionId: region, Tag: tags }, signal)
    if (found.length === 0) await confirmEmptyList(api, region, signal)
    return found.map(ecsInstance).filter((instance) => this.#isOwn(instance))
  }

  /** Returns true if the instance has all three tags of Kerf. Other tools may set one of them. */
  #isOwn({ tags }: EcsInstance): boolean {
    const { clusterId } = this.#options
    return (
      ownValue(tags, clusterTag(clusterId)) === 'owned' &&
      ownValue(tags, TAG.clusterId) === clusterId &&
      ownValue(tags, TAG.nodePool) !== undefined
    )
  }

  #missing(id: string): EcsInstance {
    if (!this.#deleted.has(id) && this.#cache.isYoung(id)) {
      const known = this.#cache.get(id)
      // The API reported earlier that this instance was stopping, so it is gone and not new. The response to its deletion may have been
      // lost.
      if (known?.status === 'Stopping') throw this.#gone(id)
      if (known !== undefined) return known
      throw new NotKnownYetError(`instance ${id} is new, and the API does not list it yet`)
    }
    throw this.#gone(id)
  }

  #gone(id: string, cause?: unknown): NodeClaimNotFoundError {
    this.#cache.forget(id)
    return new NodeClaimNotFoundError(`instance ${id} is gone`, cause === undefined ? {} : { cause })
  }
}
