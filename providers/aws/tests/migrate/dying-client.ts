import type { KubeClient } from '@kerf/runtime'

const WRITES = new Set<PropertyKey>(['create', 'update', 'patch', 'delete', 'evict', 'bind'])

/** The kind of the last write before the process died. */
export type LastWrite = 'record' | 'cluster'

/** Returns a client whose process dies right after `writes` writes: the last write succeeds, and no other call does. */
export const dyingClient = (
  client: KubeClient,
  writes: number,
  kill: AbortController,
  onDeath: (last: LastWrite) => void,
): KubeClient => {
  let left = writes
  return new Proxy(client, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key)
      if (typeof method !== 'function') return method
      return (...args: readonly unknown[]): unknown => {
        kill.signal.throwIfAborted()
        const result: unknown = Reflect.apply(method, target, args)
        if (!WRITES.has(key)) return result
        return Promise.resolve(result).then((value) => {
          if (--left > 0) return value
          onDeath(JSON.stringify(args[1] ?? '').includes('kerf-migration') ? 'record' : 'cluster')
          kill.abort(new Error('killed'))
          throw new Error('killed')
        })
      }
    },
  })
}
