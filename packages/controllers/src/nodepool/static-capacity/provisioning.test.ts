import { annotations, karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { condition, nodeClaim, nodeClassRef, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { emptyList } from '../../testing/by-hand/refusing-client.ts'
import { staticCapacityPasses } from '../../testing/by-hand/static-capacity-passes.ts'
import { apiError, sumOfMetric } from '../../testing/harness/index.ts'

const seconds = (count: number) => ({ kind: 'retry-after', after: count * 1_000 })
const going = '2026-01-01T00:00:01Z'
const unlaunched = (name: string, traits: { deletionTimestamp?: string } = {}): NodeClaim =>
  nodeClaim(name, { pool: 'still', ...traits })
const launched = (name: string, traits: { deletionTimestamp?: string } = {}): NodeClaim =>
  nodeClaim(name, { pool: 'still', providerID: `kwok://${name}`, ...traits })

describe('a pass over a static pool', () => {
  test('creates missing replicas, and runs again in a minute', async () => {
    const w = staticCapacityPasses()
    w.pool(3)
    w.claims(launched('a'))
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(2)
    const series = { reason: 'provisioned', nodepool: 'still' }
    expect(await sumOfMetric(w.metrics, 'karpenter_nodeclaims_created_total', series)).toBe(2)
    // Cluster state contains the new claims at once, so the next pass does not create them again.
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(2)
    expect(w.state.claims.counts('still').active).toBe(3)
  })

  test('creates claims from the current template', async () => {
    const w = staticCapacityPasses()
    const requirements = [{ key: labels.zone, operator: 'In' as const, values: ['a'] }]
    const metadata = { labels: { team: 'web' }, annotations: { note: 'kept' } }
    const pool = w.pool(1, { template: { metadata, spec: { requirements, nodeClassRef, expireAfter: '24h' } } })
    await w.provision()
    const [claim] = w.created
    expect(claim?.metadata.labels).toEqual({
      team: 'web',
      [labels.nodePool]: 'still',
      'karpenter.kwok.sh/kwoknodeclass': 'default',
    })
    expect(claim?.metadata.annotations).toMatchObject({ note: 'kept', [annotations.minValuesRelaxed]: 'false' })
    expect(claim?.metadata.annotations?.[annotations.nodePoolHash]).toMatch(/^\d+$/)
    expect(claim?.spec).toEqual({ requirements, nodeClassRef, expireAfter: '24h' })
    expect(claim?.metadata.ownerReferences).toMatchObject([{ name: 'still', uid: pool.metadata.uid }])
  })

  test('does not count a node that waits for its replacement as a replica, but counts it against the node limit', async () => {
    const w = staticCapacityPasses()
    w.claims(launched('a'), launched('b'), launched('c'), launched('d'))
    w.state.claims.markPendingDisruption('d')
    w.pool(4)
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(0)
    w.pool(5)
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(2)
  })

  test('runs again in half a minute if the node limit is reached, and continues when the limit allows it', async () => {
    const w = staticCapacityPasses()
    w.claims(launched('a'), launched('b'))
    w.pool(5, { limits: { nodes: '2' } })
    expect(await w.provision()).toEqual(seconds(30))
    expect(w.created).toHaveLength(0)
    w.pool(5, { limits: { nodes: '3' } })
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(1)
    w.pool(5, { limits: { cpu: '1' } })
    await w.provision()
    expect(w.created).toHaveLength(3)
  })

  test('does nothing for a pool that is missing, not static, not ready or being deleted', async () => {
    const w = staticCapacityPasses()
    expect(await w.provision()).toEqual({ kind: 'done' })
    expect(await w.deprovision()).toEqual({ kind: 'done' })
    const pool = nodePool('still', { replicas: 2 })
    const others = [
      { ...pool, status: { conditions: [condition('Ready', 'False')] } },
      { ...pool, metadata: { ...pool.metadata, deletionTimestamp: going } },
      nodePool('still'),
      nodePool('still', {
        replicas: 2,
        template: { spec: { requirements: [], nodeClassRef: { ...nodeClassRef, group: 'other.sh' } } },
      }),
    ]
    for (const other of others) {
      w.informers.put(karpenterKinds.NodePool, other)
      expect(await w.provision()).toEqual({ kind: 'done' })
    }
    expect(w.created).toEqual([])
  })

  test('is repeated every second until cluster state has been complete once', async () => {
    let isDown = true
    const w = staticCapacityPasses({
      list: (kind) => (isDown ? Promise.reject(apiError(503)) : emptyList(kind)),
    })
    w.pool(2)
    expect(await w.provision()).toEqual(seconds(1))
    expect(w.created).toEqual([])
    isDown = false
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(2)
    isDown = true
    w.pool(3)
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(3)
  })

  test('reports failed creations, and releases their reservations', async () => {
    let attempts = 0
    const w = staticCapacityPasses({
      create: async (_, object) => {
        attempts++
        if (attempts % 2 === 0) throw apiError(403)
        return object as never
      },
    })
    w.pool(4, { limits: { nodes: '4' } })
    await expect(w.provision()).rejects.toThrow('creating 2 of 4 nodeclaims failed: simulated 403')
    expect(attempts).toBe(4)
    expect(w.state.claims.reserve('still', 4, 4)).toBe(2)
  })

  test('does not release reservations that others, such as drift, have made', async () => {
    const w = staticCapacityPasses()
    w.state.claims.reserve('still', 10, 3)
    w.pool(2)
    await w.provision()
    expect(w.state.claims.reserve('still', 10, 10)).toBe(5)
  })

  test('creates no more than twenty at a time', async () => {
    let open = 0
    let most = 0
    const w = staticCapacityPasses({
      create: async (_, object) => {
        most = Math.max(most, ++open)
        await Promise.resolve()
        open--
        return object as never
      },
    })
    w.pool(50)
    await w.provision()
    expect(most).toBe(20)
    expect(w.state.claims.counts('still').active).toBe(50)
  })

  test('stops when it is aborted, even if it has already created claims', async () => {
    const w = staticCapacityPasses()
    w.pool(2)
    await expect(w.provision(AbortSignal.abort(new Error('the process ends')))).rejects.toThrow('the process ends')
  })
})

describe('a pass is triggered by', () => {
  test('a new pool, a pool that becomes ready, and a changed number of replicas', () => {
    const w = staticCapacityPasses()
    const pool = w.pool(2)
    expect(w.asked().provisioning).toEqual(['still'])
    w.informers.put(karpenterKinds.NodePool, { ...pool, status: { conditions: [condition('Ready', 'False')] } })
    expect(w.asked().provisioning).toEqual([])
    w.informers.put(karpenterKinds.NodePool, pool)
    expect(w.asked().provisioning).toEqual(['still'])
    w.informers.put(karpenterKinds.NodePool, { ...pool, metadata: { ...pool.metadata, generation: 2 } })
    expect(w.asked().provisioning).toEqual([])
    w.pool(3)
    expect(w.asked().provisioning).toEqual(['still'])
    w.informers.delete(karpenterKinds.NodePool, 'still')
    expect(w.asked().provisioning).toEqual([])
  })

  test('a claim that starts to terminate, and a deleted claim', () => {
    const w = staticCapacityPasses()
    w.claims(launched('a'))
    expect(w.asked().provisioning).toEqual([])
    w.claims(launched('a', { deletionTimestamp: going }))
    expect(w.asked().provisioning).toEqual(['still'])
    w.claims(launched('a', { deletionTimestamp: going }))
    expect(w.asked().provisioning).toEqual([])
    w.informers.delete(karpenterKinds.NodeClaim, 'a')
    expect(w.asked().provisioning).toEqual(['still'])
    const { labels: _, ...metadata } = launched('b').metadata
    w.claims({ ...launched('b'), metadata })
    w.informers.delete(karpenterKinds.NodeClaim, 'b')
    expect(w.asked().provisioning).toEqual([])
  })
})

describe('after a failed launch', () => {
  /**
   * Creates a pool with one missing claim. `changes` are applied in order: a claim is put into the informer, and a name is deleted from it.
   */
  const after = (...changes: readonly (NodeClaim | string)[]) => {
    const w = staticCapacityPasses()
    w.pool(1)
    for (const change of changes) {
      if (typeof change === 'string') w.informers.delete(karpenterKinds.NodeClaim, change)
      else w.claims(change)
    }
    return w
  }

  test('the next claim waits five seconds', async () => {
    const w = after(unlaunched('a'), unlaunched('a', { deletionTimestamp: going }), 'a')
    expect(await w.provision()).toEqual(seconds(5))
    expect(w.created).toEqual([])
    await w.clock.advance(5_000)
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(1)
  })

  test('the next claim waits even if the informer did not show the start of the deletion', async () => {
    expect(await after(unlaunched('a'), 'a').provision()).toEqual(seconds(5))
  })

  test('the next claim does not wait after a running node was deleted', async () => {
    const w = after(launched('a'), launched('a', { deletionTimestamp: going }), 'a')
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(1)
  })

  test('the wait ends when another claim was launched', async () => {
    const w = staticCapacityPasses()
    w.pool(2)
    w.claims(unlaunched('a'), unlaunched('b'))
    w.informers.delete(karpenterKinds.NodeClaim, 'a')
    w.claims(launched('b'))
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(1)
  })

  test('an update of a claim that was launched long ago does not end the wait', async () => {
    const w = staticCapacityPasses()
    w.pool(2)
    w.claims(unlaunched('a'), launched('b'))
    w.informers.delete(karpenterKinds.NodeClaim, 'a')
    w.claims(launched('b'))
    expect(await w.provision()).toEqual(seconds(5))
  })

  test('the wait ends when a user changes the replicas; other changes do not end it', async () => {
    const w = after(unlaunched('a'), 'a')
    w.pool(1, { limits: { nodes: '3' } })
    expect(await w.provision()).toEqual(seconds(5))
    w.pool(2)
    expect(await w.provision()).toEqual(seconds(60))
    expect(w.created).toHaveLength(2)
  })

  test('a pool that was deleted and recreated does not wait because of the old one', async () => {
    const w = after(unlaunched('a'), 'a')
    w.informers.delete(karpenterKinds.NodePool, 'still')
    w.pool(1)
    expect(await w.provision()).toEqual(seconds(60))
  })
})
