import { type KubeObject, kinds, type Milliseconds, parseTime } from '@kerf/apis'
import { type Controller, isNotFound, type Outcome, retryAfter } from '@kerf/runtime'
import type { ClusterContext } from '../objects/cluster-context.ts'

/** How long an API server keeps Events by default. */
const TTL: Milliseconds = 60 * 60_000
const EVERY: Milliseconds = 10 * 60_000

/** Deletes Events older than an hour, as etcd leases do in a real cluster. Otherwise, memory use would grow without limit. */
export class EventExpiry implements Controller {
  readonly name = 'event-expiry'
  readonly concurrency = 1
  readonly singleton = true
  readonly sources = []
  readonly #context: ClusterContext

  constructor(context: ClusterContext) {
    this.#context = context
  }

  async reconcile(): Promise<Outcome> {
    const { client, clock } = this.#context
    const { items } = await client.list(kinds.Event)
    for (const event of items) {
      const last = parseTime(event.lastTimestamp) ?? parseTime(event.eventTime) ?? createdAt(event)
      if (clock.now() - last < TTL) continue
      try {
        const ref = { namespace: event.metadata.namespace ?? '', name: event.metadata.name }
        await client.delete(kinds.Event, ref)
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    return retryAfter(EVERY)
  }
}

const createdAt = (object: KubeObject): Milliseconds => parseTime(object.metadata.creationTimestamp) ?? 0
