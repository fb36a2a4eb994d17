import { type KubeObject, type Milliseconds, parseTime } from '@kerf/apis'
import type { Clock, KubeClient, ServerTimeObserver } from '@kerf/runtime'

/** Returns the time rounded down to a second, as in the HTTP header `Date`. */
const wholeSecond = (at: Milliseconds): Milliseconds => Math.floor(at / 1_000) * 1_000

/** Returns a client that passes the server time of each response to the observer, as an HTTP client does. */
export const datedClient = (
  client: KubeClient,
  observer: ServerTimeObserver,
  server: Clock,
  headerAhead: () => Milliseconds,
): KubeClient => {
  const answered = async <T>(call: () => Promise<T>): Promise<T> => {
    const sentAt = server.monotonic()
    try {
      return await call()
    } finally {
      observer.observeHeader(wholeSecond(server.now() + headerAhead()), sentAt)
    }
  }
  return {
    get: (...args) => answered(() => client.get(...args)),
    list: (...args) => answered(() => client.list(...args)),
    watch: (...args) => client.watch(...args),
    create: async <T extends KubeObject>(...args: Parameters<typeof client.create<T>>) => {
      const sentAt = server.monotonic()
      const made = await answered(() => client.create<T>(...args))
      const createdAt = parseTime(made.metadata?.creationTimestamp)
      if (createdAt !== undefined && args[2]?.subresource === undefined) observer.observeCreation(createdAt, sentAt)
      return made
    },
    update: (...args) => answered(() => client.update(...args)),
    patch: (...args) => answered(() => client.patch(...args)),
    delete: (...args) => answered(() => client.delete(...args)),
    evict: (...args) => answered(() => client.evict(...args)),
    bind: (...args) => answered(() => client.bind(...args)),
    raw: (...args) => answered(() => client.raw(...args)),
  }
}
