import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { evictionPasses, webPod as web } from '../../testing/by-hand/eviction-passes.ts'
import { apiError } from '../../testing/harness/index.ts'

const minute = 60_000

describe('a pod in the queue', () => {
  test('is evicted by its UID, gets an Event, and leaves the queue', async () => {
    const evicted: unknown[] = []
    const w = evictionPasses({ evict: async (ref, options) => void evicted.push([ref, options?.preconditions]) })
    w.put(web)
    w.queue.add([web], undefined)
    expect(w.keys).toEqual(['default/web'])
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(evicted).toEqual([[{ name: 'web', namespace: 'default' }, { uid: 'uid-web' }]])
    // The node has no claim, so the message has no reason.
    expect(w.events.events.map(({ message }) => message)).toEqual(['Evicted pod: '])
    expect(w.queue.size).toBe(0)
  })

  test('is evicted once, even if the drain adds it several times before the informer shows the deletion', async () => {
    let evictions = 0
    const w = evictionPasses({ evict: async () => void evictions++ })
    w.put(web)
    for (let pass = 0; pass < 3; pass++) {
      w.queue.add([web], undefined)
      await w.work()
    }
    expect(evictions).toBe(1)
    expect(await w.metrics.text()).toContain('karpenter_pods_drained_total{reason=""} 1')
    // Five seconds later, the pod is still not terminating, so the queue retries the eviction.
    await w.clock.advance(5_000)
    w.queue.add([web], undefined)
    await w.work()
    expect(evictions).toBe(2)
  })

  test('gets its own Events, even if a pod in another namespace has the same name', async () => {
    const w = evictionPasses({ evict: async () => {} })
    const namesake = { ...web, metadata: { ...web.metadata, namespace: 'shop', uid: 'uid-shop' } }
    w.put(web, namesake)
    w.queue.add([web, namesake], undefined)
    const { reconcile } = w.queue.controller()
    for (const key of w.keys) await reconcile(key, new AbortController().signal)
    expect(w.keys).toEqual(['default/web', 'shop/web'])
    expect(w.events.events.map(({ dedupeValues }) => dedupeValues)).toEqual([['uid-web'], ['uid-shop']])
  })

  test('is dropped without an Event if it was deleted or replaced', async () => {
    const w = evictionPasses()
    w.queue.add([web], undefined)
    expect(await w.work()).toEqual({ kind: 'done' })
    w.queue.add([web], undefined)
    w.put({ ...web, metadata: { ...web.metadata, uid: 'another' } })
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.queue.size).toBe(0)
    expect(w.events.events).toEqual([])
  })

  test('is dropped if it is already terminating', async () => {
    const w = evictionPasses()
    w.put({ ...web, metadata: { ...web.metadata, deletionTimestamp: '2026-01-01T00:00:30Z' } })
    w.queue.add([web], undefined)
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.queue.size).toBe(0)
  })

  test.each([
    [404, 'done', 0],
    [409, 'done', 0],
    [429, 'retry', 1],
  ])('after response %i: %s', async (code, kind, size) => {
    const w = evictionPasses({ evict: () => Promise.reject(apiError(code)) })
    w.put(web)
    w.queue.add([web], undefined)
    expect(await w.work()).toMatchObject({ kind })
    expect(w.queue.size).toBe(size)
    expect(w.events.reasons()).toEqual(code === 429 ? ['FailedDraining'] : [])
    expect(await w.metrics.text()).toContain(`karpenter_pods_eviction_requests_total{code="${code}"} 1`)
  })

  test('stays in the queue after any other response, which is an error', async () => {
    const w = evictionPasses({ evict: () => Promise.reject(apiError(500)) })
    w.put(web)
    w.queue.add([web], undefined)
    await expect(w.work()).rejects.toThrow('simulated 500')
    expect(w.queue.has(web)).toBe(true)
  })
})

describe('a deadline', () => {
  const deletions = () => {
    const granted: (number | undefined)[] = []
    const w = evictionPasses({
      delete: async (_kind, _ref, options) => void granted.push(options?.gracePeriodSeconds),
      evict: () => Promise.reject(apiError(429)),
    })
    w.put(web)
    return { ...w, granted }
  }

  test('turns evictions into deletions, despite all PDBs, with one Event', async () => {
    const w = deletions()
    w.queue.add([web], w.clock.now() + 20_000)
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.granted).toEqual([20])
    expect(w.events.reasons()).toEqual(['Disrupted'])
    expect(w.queue.size).toBe(0)
  })

  test('is replaced by an earlier deadline, and kept if a later one or none is given', async () => {
    const w = deletions()
    w.queue.add([web], undefined)
    expect(await w.work()).toMatchObject({ kind: 'retry' })
    w.queue.add([web], w.clock.now() + 10 * minute)
    expect(await w.work()).toMatchObject({ kind: 'retry' })
    w.queue.add([web], w.clock.now() + 25_000)
    w.queue.add([web], w.clock.now() + 20 * minute)
    w.queue.add([web], undefined)
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.granted).toEqual([25])
  })

  test('of a deleted pod does not apply to a new pod with the same name', async () => {
    const w = deletions()
    w.queue.add([web], w.clock.now() + 20_000)
    const successor = { ...web, metadata: { ...web.metadata, uid: 'uid-successor' } }
    w.put(successor)
    w.queue.add([successor], w.clock.now() + 25_000)
    await w.work()
    expect(w.granted).toEqual([25])
  })

  test('deletes a pod once, even if the drain adds it several times before the informer shows the deletion', async () => {
    const w = deletions()
    for (let pass = 0; pass < 3; pass++) {
      w.queue.add([web], w.clock.now() + 20_000)
      await w.work()
    }
    expect(w.granted).toEqual([20])
  })

  test('takes effect even if the pod was just evicted', async () => {
    const granted: (number | undefined)[] = []
    const w = evictionPasses({
      evict: async () => {},
      delete: async (_kind, _ref, options) => void granted.push(options?.gracePeriodSeconds),
    })
    w.put(web)
    w.queue.add([web], w.clock.now() + 31_000)
    await w.work()
    await w.clock.advance(2_000)
    w.queue.add([web], w.clock.now() + 29_000)
    await w.work()
    expect(granted).toEqual([29])
  })

  test('in the past leaves the pod one second; a pod that was deleted meanwhile is dropped', async () => {
    const w = deletions()
    w.queue.add([web], w.clock.now() - minute)
    await w.work()
    expect(w.granted).toEqual([1])
    const lost = evictionPasses({ delete: () => Promise.reject(apiError(404)) })
    lost.put(web)
    lost.queue.add([web], lost.clock.now() - minute)
    expect(await lost.work()).toEqual({ kind: 'done' })
    expect(lost.events.events).toEqual([])
  })

  test('is retried after a conflict during the deletion, which is an error', async () => {
    const w = evictionPasses({ delete: () => Promise.reject(apiError(409)) })
    w.put(web)
    w.queue.add([web], w.clock.now())
    await expect(w.work()).rejects.toThrow('simulated 409')
    expect(w.queue.has(web)).toBe(true)
  })

  test('does not delete a pod by force if the pod has no grace period', async () => {
    const w = deletions()
    w.put(pod('web', { nodeName: 'n' }))
    w.queue.add([pod('web', { nodeName: 'n' })], w.clock.now() - minute)
    expect(await w.work()).toMatchObject({ kind: 'retry' })
    expect(w.granted).toEqual([])
  })

  test('pods added while the queue works on them are not lost', async () => {
    const w = deletions()
    const attempt = (async () => {
      w.queue.add([web], undefined)
      const outcome = w.work()
      w.queue.add([web], w.clock.now() + 5_000)
      return await outcome
    })()
    expect(await attempt).toMatchObject({ kind: 'retry' })
    expect(await w.work()).toEqual({ kind: 'done' })
    expect(w.granted).toEqual([5])
  })
})
