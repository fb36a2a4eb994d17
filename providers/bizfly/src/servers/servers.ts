import { type Milliseconds, ownValue, parseTime } from '@kerf/apis'
import { NodeClaimNotFoundError, NotKnownYetError } from '@kerf/provider-contract'
import { ListCache } from '@kerf/provider-kit'
import { type Clock, type Logger, textOfThrown } from '@kerf/runtime'
import type { BizflyApi, Server } from '../api/bizfly-api.ts'
import { isGone } from '../failures.ts'
import { METADATA } from '../names.ts'

/** For how long the API's responses may omit a new server. */
const SETTLED_AFTER: Milliseconds = 120_000

export interface ServersOptions {
  readonly api: BizflyApi
  readonly clock: Clock
  readonly log: Logger
  readonly clusterId: string
  /** Returns the time at which a server was launched, according to its claim. */
  readonly launchTime: (serverId: string) => Milliseconds | undefined
}

/** Returns whether the server failed, during or after its creation. Such a server never becomes a node. */
export const isBroken = ({ status }: Server): boolean => status === 'ERROR'

/** The servers of this cluster that Kerf or Bizfly's own provider launched (`providers/bizfly/docs/spec/bizfly.md#list-get-delete`). */
export class Servers {
  readonly #options: ServersOptions
  readonly #cache: ListCache<Server>
  /** Servers whose deletion the API has accepted. */
  readonly #deleted = new Set<string>()

  constructor(options: ServersOptions) {
    this.#options = options
    this.#cache = new ListCache<Server>({
      clock: options.clock,
      list: async (signal) => (await options.api.servers(undefined, signal)).filter((server) => this.#isOwn(server)),
      idOf: ({ id }) => id,
      createdAt: (id, server) => options.launchTime(id) ?? parseTime(server?.created),
      settledAfter: SETTLED_AFTER,
    })
  }

  /** Lists all servers of this cluster. */
  list(signal: AbortSignal): Promise<readonly Server[]> {
    return this.#cache.list(signal)
  }

  /** Lists the servers that Kerf launched for a claim. They have the claim's name. */
  async launchedFor(name: string, uid: string, signal: AbortSignal): Promise<readonly Server[]> {
    const found = await this.#options.api.servers(name, signal)
    return found.filter(
      (server) => this.#isOwn(server) && ownValue(server.metadata ?? {}, METADATA.nodeClaimUid) === uid,
    )
  }

  /** Adds a server that Kerf has just launched to the cache. */
  remember(server: Server): void {
    this.#cache.set(server)
  }

  /** Returns true if the API has accepted the deletion of the server, or reports it as deleted. */
  isEnding(server: Server): boolean {
    return this.#deleted.has(server.id) || server.status === 'DELETED'
  }

  /**
   * Returns one server.
   *
   * @throws NodeClaimNotFoundError if it is gone or does not belong to this cluster; NotKnownYetError if it is so new that the API may not
   * return it yet
   */
  async get(id: string, signal: AbortSignal): Promise<Server> {
    try {
      const server = await this.#options.api.server(id, signal)
      if (!this.#isOwn(server)) throw new NodeClaimNotFoundError(`server ${id} does not belong to this cluster`)
      this.#cache.set(server)
      return server
    } catch (error) {
      if (!isGone(error)) throw error
      if (!this.#deleted.has(id) && this.#cache.isYoung(id)) {
        const known = this.#cache.get(id)
        if (known !== undefined) return known
        throw new NotKnownYetError(`server ${id} is new, and the API does not know it yet`)
      }
      this.#cache.forget(id)
      throw new NodeClaimNotFoundError(`server ${id} is gone`, { cause: error })
    }
  }

  /**
   * Starts the deletion of a server and its root disk. Keeps the volumes of pods.
   *
   * @throws NodeClaimNotFoundError if it is gone.
   */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    const server = await this.get(id, signal)
    if (this.isEnding(server)) return
    const disks = (server['os-extended-volumes:volumes_attached'] ?? [])
      .filter(({ attached_type }) => attached_type === 'rootdisk')
      .map((volume) => volume.id)
    const { api, log } = this.#options
    try {
      await api.deleteServer(id, disks, signal)
    } catch (error) {
      if (!isGone(error)) throw error
      this.#cache.forget(id)
      throw new NodeClaimNotFoundError(`server ${id} is gone`, { cause: error })
    }
    this.#deleted.add(id)
    try {
      await api.leaveCluster(server.name, signal)
    } catch (error) {
      signal.throwIfAborted()
      // The server is being deleted, even if Bizfly Kubernetes Engine still lists its node.
      log.warn('the node stays in the list of Bizfly Kubernetes Engine', {
        node: server.name,
        error: textOfThrown(error),
      })
    }
  }

  #isOwn({ metadata }: Server): boolean {
    const own = metadata ?? {}
    return ownValue(own, METADATA.managed) === 'true' && ownValue(own, METADATA.cluster) === this.#options.clusterId
  }
}
