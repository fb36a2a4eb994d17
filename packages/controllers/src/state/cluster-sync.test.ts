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

/** Creates a cluster sync whose API server has the given objects. The test fills the informers separately. */
const start = (api: { nodes?: readonly Node[]; claims?: readonly NodeClaim[]; failing?: boolean }) => {
  const down = (): never => {
    throw new ApiError({ code: 0, reason: 'Unreachable', message: 'no answer' })
  }
  const items = (kind: ResourceKind): readonly KubeObject[] => (kind.kind === 'Node' ? api.nodes : api.claims) ?? []
  const world = manualState({
    client: {
      list: async <T extends KubeObject>(kind: ResourceKind<T>) => {
        if (api.failing === true) down()
        // The objects of this kind from the test.
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
    ...world,
    api,
    log,
    sync: new ClusterSync({ ...world.deps, log }, world.state),
    signal: new AbortController().signal,
  }
}

describe('at the start', () => {
  const managed = node('a', { pool: 'default', providerID: 'kwok://a' })
  const launched = nodeClaim('general-1', { providerID: 'kwok://a' })

  test('every object of the API server must be known', async () => {
    const world = start({ nodes: [managed, node('free')], claims: [launched] })
    expect(await world.sync.synced(world.signal)).toBe(false)
    world.informers.put(kinds.Node, managed)
    world.informers.put(karpenterKinds.NodeClaim, launched)
    expect(await world.sync.synced(world.signal)).toBe(false)
    world.informers.put(kinds.Node, node('free'))
    expect(await world.sync.synced(world.signal)).toBe(true)
    expect(world.sync.hasSyncedOnce).toBe(true)
  })

  test('additional objects may be known', async () => {
    const world = start({})
    world.informers.put(kinds.Node, node('just-deleted'))
    expect(await world.sync.synced(world.signal)).toBe(true)
  })

  test('a node that cannot be joined to its claim does not delay the start', async () => {
    const world = start({ nodes: [node('young', { pool: 'default' })] })
    expect(await world.sync.synced(world.signal)).toBe(true)
  })

  test('without an answer of the API server the state is not synced', async () => {
    const world = start({ failing: true })
    expect(await world.sync.synced(world.signal)).toBe(false)
  })
})

describe('after the start', () => {
  test('only claims without an instance count', async () => {
    const world = start({})
    expect(await world.sync.synced(world.signal)).toBe(true)
    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1'))
    expect(await world.sync.synced(world.signal)).toBe(false)
    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    expect(await world.sync.synced(world.signal)).toBe(true)
    world.api.failing = true
    expect(await world.sync.synced(world.signal)).toBe(true)
  })

  test('waiting ends at the moment when the last claim gets its instance', async () => {
    const world = start({})
    world.state.recordCreated(nodeClaim('general-1'))
    let isSynced = false
    const waiting = world.sync.waitUntilSynced(world.signal).then(() => {
      isSynced = true
    })
    await world.clock.advance(2_500)
    expect(isSynced).toBe(false)
    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    await world.clock.advance(0)
    await waiting
    expect(world.clock.pending).toBe(0)
  })

  test('a claim that was deleted before any informer saw it is forgotten after fifteen seconds', async () => {
    const world = start({})
    world.state.recordCreated(nodeClaim('general-1'))
    await world.clock.advance(14_000)
    expect(await world.sync.synced(world.signal)).toBe(false)
    await world.clock.advance(1_000)
    expect(await world.sync.synced(world.signal)).toBe(true)
    expect(world.state.tracksClaim('general-1')).toBe(false)
  })

  test('a claim that exists in the API server is kept, however long the informer lags', async () => {
    const world = start({ claims: [nodeClaim('general-1')] })
    world.state.recordCreated(nodeClaim('general-1'))
    await world.clock.advance(60_000)
    expect(await world.sync.synced(world.signal)).toBe(false)
    expect(world.state.tracksClaim('general-1')).toBe(true)
  })

  test('a claim without an instance for thirty seconds is logged and left out', async () => {
    const world = start({})
    const claim = nodeClaim('general-1', { spec: { resources: { requests: { cpu: '2', memory: '4Gi' } } } })
    world.informers.put(karpenterKinds.NodeClaim, claim)
    await world.clock.advance(29_000)
    expect(await world.sync.synced(world.signal)).toBe(false)
    await world.clock.advance(1_000)
    expect(await world.sync.synced(world.signal)).toBe(true)
    expect(await world.sync.synced(world.signal)).toBe(true)
    const lines = world.log.lines.filter(({ level }) => level === 'error')
    expect(lines).toHaveLength(1)
    expect(lines[0]?.fields).toMatchObject({ NodeClaim: { name: 'general-1' }, NodePool: { name: 'default' } })
    expect(await world.deps.metrics.text()).toMatch(/^kerf_cluster_state_left_out_nodeclaims 1$/m)
    // The claim counts with its requests, also against limits.
    expect(world.state.byClaimName('general-1')?.view.allocatable).toMatchObject({ cpu: 2_000_000_000n })
    expect(world.state.poolUsage('default')).toMatchObject({ cpu: 2_000_000_000n, nodes: 1_000_000_000n })

    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    expect(world.state.leftOut.size).toBe(0)
    expect(world.state.byClaimName('general-1')?.providerID).toBe('kwok://a')
    expect([...world.state.nodes()]).toHaveLength(1)
  })

  test('it counts against limits with the largest type that it names', async () => {
    const world = start({})
    const requirements = [{ key: labels.instanceType, operator: 'In' as const, values: ['small', 'large'] }]
    const claim = nodeClaim('general-1', { spec: { requirements, resources: { requests: { cpu: '2' } } } })
    world.informers.put(karpenterKinds.NodeClaim, claim)
    await world.clock.advance(30_000)
    await world.sync.synced(world.signal)
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
    const [view] = new Snapshots(world.deps, world.state).take(pools).nodes
    expect(view?.capacity).toMatchObject(parseResources({ cpu: '4', memory: '16Gi' }))
    expect(view?.allocatable).toEqual(parseResources({ cpu: '2' }))
  })

  test('a claim that is deleted in the meantime stops counting', async () => {
    const world = start({})
    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1'))
    await world.clock.advance(30_000)
    expect(await world.sync.synced(world.signal)).toBe(true)
    world.informers.put(karpenterKinds.NodeClaim, nodeClaim('general-1', { deletionTimestamp: '2026-01-01T00:00:00Z' }))
    expect([...world.state.nodes()]).toEqual([])
    expect(world.state.unlaunched.size + world.state.leftOut.size).toBe(0)
  })

  test('the metrics show the state', async () => {
    const world = start({})
    world.state.recordCreated(nodeClaim('general-1'))
    await world.sync.synced(world.signal)
    await world.clock.advance(7_000)
    await world.sync.synced(world.signal)
    const text = await world.deps.metrics.text()
    expect(text).toMatch(/^karpenter_cluster_state_synced 0$/m)
    expect(text).toMatch(/^karpenter_cluster_state_unsynced_time_seconds 7$/m)
  })
})
