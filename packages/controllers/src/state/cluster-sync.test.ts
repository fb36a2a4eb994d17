import {
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  parseResources,
  type ResourceKind,
  type ResourceList,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { ApiError, RecordingLogger } from '@kerf/runtime'
import { node, nodeClaim, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { ClusterSync } from './cluster-sync.ts'
import { Snapshots } from './snapshot.ts'

/** Creates a cluster sync whose API server has these objects. The test fills the informers. */
const start = (api: { nodes?: readonly Node[]; claims?: readonly NodeClaim[]; failing?: boolean }) => {
  const down = (): never => {
    throw new ApiError({ code: 0, reason: 'Unreachable', message: 'no answer' })
  }
  const items = (kind: ResourceKind): readonly KubeObject[] => (kind.kind === 'Node' ? api.nodes : api.claims) ?? []
  const harness = manualState({
    client: {
      list: async <T extends KubeObject>(kind: ResourceKind<T>) => {
        if (api.failing === true) down()
        // The test passes only objects of this kind.
        return { apiVersion: 'v1', kind: 'List', metadata: {}, items: items(kind) as readonly T[] }
      },
      get: async (kind, { name }) => {
        if (api.failing === true) down()
        const found = items(kind).find(({ metadata }) => metadata.name === name)
        if (found === undefined) throw new ApiError({ code: 404, reason: 'NotFound', message: 'not found' })
        return found as never
      },
    },
  })
  const log = new RecordingLogger()
  return {
    ...harness,
    api,
    log,
    sync: new ClusterSync({ ...harness.deps, log }, harness.state),
    signal: new AbortController().signal,
  }
}

describe('at the start', () => {
  const managed = node('a', { pool: 'default', providerID: 'kwok://a' })
  const launched = nodeClaim('general-1', { providerID: 'kwok://a' })

  test('cluster state must contain every object of the API server', async () => {
    const harness = start({ nodes: [managed, node('free')], claims: [launched] })
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    harness.informers.put(kinds.Node, managed)
    harness.informers.put(karpenterKinds.NodeClaim, launched)
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    harness.informers.put(kinds.Node, node('free'))
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    expect(harness.sync.hasSyncedOnce).toBe(true)
  })

  test('cluster state may contain additional objects', async () => {
    const harness = start({})
    harness.informers.put(kinds.Node, node('just-deleted'))
    expect(await harness.sync.synced(harness.signal)).toBe(true)
  })

  test('a node that cannot be joined to its claim does not delay the start', async () => {
    const harness = start({ nodes: [node('young', { pool: 'default' })] })
    expect(await harness.sync.synced(harness.signal)).toBe(true)
  })

  test('cluster state is not complete if the API server does not respond', async () => {
    const harness = start({ failing: true })
    expect(await harness.sync.synced(harness.signal)).toBe(false)
  })
})

describe('after the start', () => {
  test('cluster state is complete unless a claim has no instance', async () => {
    const harness = start({})
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    harness.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1'))
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    harness.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    harness.api.failing = true
    expect(await harness.sync.synced(harness.signal)).toBe(true)
  })

  test('the wait ends as soon as the last claim gets its instance', async () => {
    const harness = start({})
    harness.state.recordCreated(nodeClaim('general-1'))
    let isSynced = false
    const waiting = harness.sync.waitUntilSynced(harness.signal).then(() => {
      isSynced = true
    })
    await harness.clock.advance(2_500)
    expect(isSynced).toBe(false)
    harness.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    await harness.clock.advance(0)
    await waiting
    expect(harness.clock.pending).toBe(0)
  })

  test('a claim that was deleted before the informer showed it is dropped after fifteen seconds', async () => {
    const harness = start({})
    harness.state.recordCreated(nodeClaim('general-1'))
    await harness.clock.advance(14_000)
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    await harness.clock.advance(1_000)
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    expect(harness.state.tracksClaim('general-1')).toBe(false)
  })

  test('a claim that exists in the API server is kept, even if the informer lags for long', async () => {
    const harness = start({ claims: [nodeClaim('general-1')] })
    harness.state.recordCreated(nodeClaim('general-1'))
    await harness.clock.advance(60_000)
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    expect(harness.state.tracksClaim('general-1')).toBe(true)
  })

  test('after thirty seconds without an instance, a claim is logged and not awaited any more', async () => {
    const harness = start({})
    const claim = nodeClaim('general-1', { spec: { resources: { requests: { cpu: '2', memory: '4Gi' } } } })
    harness.informers.put(karpenterKinds.NodeClaim, claim)
    await harness.clock.advance(29_000)
    expect(await harness.sync.synced(harness.signal)).toBe(false)
    await harness.clock.advance(1_000)
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    const lines = harness.log.lines.filter(({ level }) => level === 'error')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.fields).toMatchObject({ NodeClaim: { name: 'general-1' }, NodePool: { name: 'default' } })
    expect(await harness.deps.metrics.text()).toMatch(/^kerf_cluster_state_left_out_nodeclaims 1$/m)
    // Cluster state and limits use the capacity that the claim requests.
    expect(harness.state.byClaimName('general-1')?.view.allocatable).toMatchObject({ cpu: 2_000_000_000n })
    expect(harness.state.poolUsage('default')).toMatchObject({ cpu: 2_000_000_000n, nodes: 1_000_000_000n })

    harness.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    expect(harness.state.leftOut.size).toBe(0)
    expect(harness.state.byClaimName('general-1')?.providerID).toBe('kwok://a')
    expect([...harness.state.nodes()]).toHaveLength(1)
  })

  test('a claim without an instance counts towards limits with its largest possible type', async () => {
    const harness = start({})
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: ['small', 'large'] }]
    const claim = nodeClaim('general-1', { spec: { requirements, resources: { requests: { cpu: '2' } } } })
    harness.informers.put(karpenterKinds.NodeClaim, claim)
    await harness.clock.advance(30_000)
    await harness.sync.synced(harness.signal)
    const type = (name: string, amounts: ResourceList): InstanceType => ({
      ...{ name, requirements: [], offerings: [], overhead: {} },
      capacity: parseResources(amounts),
    })
    const instanceTypes = [
      type('small', { cpu: '2', memory: '16Gi' }),
      type('large', { cpu: '4', memory: '8Gi' }),
      type('other', { cpu: '64', memory: '256Gi' }),
    ]
    const pools = [{ nodePool: nodePool('default'), instanceTypes }]
    const [view] = new Snapshots(harness.deps, harness.state).take(pools).nodes
    expect(view?.capacity).toMatchObject(parseResources({ cpu: '4', memory: '16Gi' }))
    expect(view?.allocatable).toEqual(parseResources({ cpu: '2' }))
  })

  test('a claim that is deleted while it is awaited does not count any more', async () => {
    const harness = start({})
    harness.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1'))
    await harness.clock.advance(30_000)
    expect(await harness.sync.synced(harness.signal)).toBe(true)
    harness.informers.put(
      karpenterKinds.NodeClaim,
      nodeClaim('general-1', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    )
    expect([...harness.state.nodes()]).toEqual([])
    expect(harness.state.unlaunched.size + harness.state.leftOut.size).toBe(0)
  })

  test('the metrics show whether cluster state is complete', async () => {
    const harness = start({})
    harness.state.recordCreated(nodeClaim('general-1'))
    await harness.sync.synced(harness.signal)
    await harness.clock.advance(7_000)
    await harness.sync.synced(harness.signal)
    const text = await harness.deps.metrics.text()
    expect(text).toMatch(/^karpenter_cluster_state_synced 0$/m)
    expect(text).toMatch(/^karpenter_cluster_state_unsynced_time_seconds 7$/m)
  })
})
