import { annotations, karpenterKinds, kinds, type NodeClaim } from '@kerf/apis'
import { node, nodeClaim, type PodOptions, pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { staticCapacityPasses } from '../../testing/by-hand/static-capacity-passes.ts'
import { apiError } from '../../testing/harness/index.ts'

const MINUTE = { kind: 'retry-after', after: 60_000 }
const hour = 3_600_000

const staticClaim = (name: string, expireAfter?: string): NodeClaim =>
  nodeClaim(name, {
    pool: 'still',
    providerID: `kwok://${name}`,
    ...(expireAfter === undefined ? {} : { spec: { expireAfter } }),
  })

/** Creates nodes of the pool, each with these pods. */
const withNodes = (nodes: Readonly<Record<string, { life?: string; pods?: readonly PodOptions[] }>>) => {
  const w = staticCapacityPasses()
  for (const [name, { life, pods = [] }] of Object.entries(nodes)) {
    w.claims(staticClaim(name, life))
    w.informers.put(kinds.Node, node(name, { pool: 'still', providerID: `kwok://${name}` }))
    for (const [index, traits] of pods.entries())
      w.informers.put(kinds.Pod, pod(`${name}-${index}`, { nodeName: name, ...traits }))
  }
  return w
}
type StaticCapacityPasses = ReturnType<typeof staticCapacityPasses>

/** Returns the order in which Kerf deletes the nodes if the replicas are reduced one by one. */
const deletionOrder = async (w: StaticCapacityPasses): Promise<readonly string[]> => {
  for (let replicas = w.state.claims.counts('still').active - 1; replicas >= 0; replicas--) {
    w.pool(replicas)
    expect(await w.deprovision()).toEqual(MINUTE)
  }
  return w.deleted
}
const agent = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent' }
const shy = { annotations: { [annotations.doNotDisrupt]: 'true' } }

describe('the order in which nodes are deleted', () => {
  test('is: claims that never launched, empty nodes, nodes with pods, nodes with protected pods', async () => {
    const w = withNodes({
      a: { pods: [{ metadata: shy }] },
      b: { pods: [{}] },
      c: { pods: [{ owner: agent }] },
      e: {},
    })
    w.claims(nodeClaim('d', { pool: 'still' }))
    expect(await deletionOrder(w)).toEqual(['d', 'c', 'e', 'b', 'a'])
  })

  test('takes into account that a daemon pod with do-not-disrupt protects its node, but a finished pod does not', async () => {
    const w = withNodes({
      a: { pods: [{ owner: agent, metadata: shy }] },
      b: { pods: [{}, {}] },
      c: { pods: [{ metadata: shy, phase: 'Succeeded' }] },
    })
    expect(await deletionOrder(w)).toEqual(['c', 'b', 'a'])
  })

  test('starts with the lowest cost, summed over the pods without daemon pods', async () => {
    const w = withNodes({
      a: { pods: [{}, {}, {}] },
      b: { pods: [{ spec: { priority: 2 ** 25 * 3 } }] },
      c: { pods: [{}, {}, { owner: agent }, { owner: agent }] },
      d: { pods: [{}] },
    })
    expect(await deletionOrder(w)).toEqual(['d', 'c', 'a', 'b'])
  })

  test('starts with nodes that expire soon', async () => {
    const w = withNodes({
      a: { life: 'Never', pods: [{}] },
      b: { life: '10h', pods: [{}] },
      c: { life: '4h', pods: [{}] },
      d: { life: '10h', pods: [{}, {}] },
    })
    await w.clock.advance(2 * hour)
    // The costs of the nodes are 1 (a), 0.8 (b), 0.5 (c), and 1.6, twice 0.8 (d).
    expect(await deletionOrder(w)).toEqual(['c', 'b', 'a', 'd'])
  })

  test('is by name if the costs are equal', async () => {
    expect(await deletionOrder(withNodes({ c: {}, a: {}, b: {} }))).toEqual(['a', 'b', 'c'])
  })
})

describe('a pass over a static pool with too many replicas', () => {
  test('deletes only the surplus claims, which do not count any more immediately afterwards', async () => {
    const w = withNodes({ a: {}, b: {}, c: {}, d: {} })
    w.pool(1)
    expect(await w.deprovision()).toEqual(MINUTE)
    expect(w.deleted).toEqual(['a', 'b', 'c'])
    expect(await w.deprovision()).toEqual(MINUTE)
    expect(w.deleted).toHaveLength(3)
    expect(w.state.claims.counts('still')).toEqual({ active: 1, deleting: 3, pendingDisruption: 0 })
  })

  test('does not delete nodes that wait for their replacement, or nodes of other pools', async () => {
    const w = withNodes({ a: {}, b: {}, c: {} })
    w.claims(nodeClaim('0', { pool: 'other', providerID: 'kwok://0' }))
    w.state.claims.markPendingDisruption('a')
    w.pool(1)
    await w.deprovision()
    expect(w.deleted).toEqual(['b'])
  })

  test('treats a missing claim as deleted, and any other response as an error', async () => {
    const answering = (code: number) => {
      const w = staticCapacityPasses({ delete: () => Promise.reject(apiError(code)) })
      w.claims(staticClaim('a'))
      w.pool(0)
      return w
    }
    const gone = answering(404)
    expect(await gone.deprovision()).toEqual(MINUTE)
    expect(gone.state.claims.counts('still').active).toBe(0)
    const down = answering(503)
    await expect(down.deprovision()).rejects.toThrow('simulated 503')
    expect(down.state.claims.counts('still').active).toBe(1)
  })

  test('deletes no more than twenty at a time', async () => {
    let open = 0
    let most = 0
    const w = staticCapacityPasses({
      delete: async () => {
        most = Math.max(most, ++open)
        await Promise.resolve()
        open--
      },
    })
    w.claims(...Array.from({ length: 50 }, (_, index) => staticClaim(`c${index}`)))
    w.pool(0)
    await w.deprovision()
    expect(most).toBe(20)
    expect(w.state.claims.counts('still')).toEqual({ active: 0, deleting: 50, pendingDisruption: 0 })
  })

  test('is triggered by a new pool, a changed number of replicas, and a new claim', () => {
    const w = staticCapacityPasses()
    const pool = w.pool(2)
    expect(w.asked().deprovisioning).toEqual(['still'])
    w.informers.put(karpenterKinds.NodePool, { ...pool, metadata: { ...pool.metadata, generation: 2 } })
    expect(w.asked().deprovisioning).toEqual([])
    w.pool(1)
    expect(w.asked().deprovisioning).toEqual(['still'])
    w.informers.delete(karpenterKinds.NodePool, 'still')
    expect(w.asked().deprovisioning).toEqual([])
    w.claims(staticClaim('a'))
    expect(w.asked().deprovisioning).toEqual(['still'])
    w.claims(staticClaim('a', '1h'))
    w.informers.delete(karpenterKinds.NodeClaim, 'a')
    const { labels: _, ...metadata } = staticClaim('b').metadata
    w.claims({ ...staticClaim('b'), metadata })
    expect(w.asked().deprovisioning).toEqual([])
  })
})
