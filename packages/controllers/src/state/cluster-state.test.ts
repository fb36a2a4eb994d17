import { karpenterKinds, kinds, labels, quantityOf } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'

const { Node, Pod } = kinds
const { NodeClaim, NodePool } = karpenterKinds
const names = (world: ReturnType<typeof manualState>): string[] =>
  [...world.state.nodes()].map(({ view }) => view.name).sort()

describe('joining nodes and claims', () => {
  test('a claim counts when it has an instance, under its own name until the node is registered', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1'))
    expect(names(world)).toEqual([])
    expect([...world.state.unlaunched]).toEqual(['general-1'])
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: { cpu: '4' } }))
    expect(names(world)).toEqual(['general-1'])
    expect(world.state.unlaunched.size).toBe(0)
    world.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a' }))
    expect(names(world)).toEqual(['general-1'])
    world.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels }))
    expect(names(world)).toEqual(['a'])
    expect(world.state.byClaimName('general-1')).toBe(world.state.byNodeName('a'))
  })

  test('either object may be deleted first; nothing is left after both are deleted', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    world.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels }))
    world.informers.delete(NodeClaim, 'general-1')
    expect(world.state.byNodeName('a')?.view.managed).toBe(false)
    world.informers.delete(Node, 'a')
    expect(world.state.nodeCount).toBe(0)

    world.informers.put(Node, node('same', { pool: 'default', providerID: 'kwok://b', labels: readyNodeLabels }))
    world.informers.put(NodeClaim, nodeClaim('same', { providerID: 'kwok://b' }))
    world.informers.delete(Node, 'same')
    expect(names(world)).toEqual(['same'])
    world.informers.delete(NodeClaim, 'same')
    expect(world.state.nodeCount).toBe(0)
  })

  test('an unmanaged node without provider ID is known by its name, and later by its ID', () => {
    const world = manualState()
    world.informers.put(Node, node('hand-made'))
    expect(world.state.byProviderID('hand-made')).toBeDefined()
    world.informers.put(Node, node('hand-made', { providerID: 'x://1' }))
    expect(world.state.byProviderID('hand-made')).toBeUndefined()
    expect(world.state.byProviderID('x://1')?.view.hasNode).toBe(true)
    expect(world.state.nodeCount).toBe(1)
  })

  test('a managed node is ignored until it can be joined to its claim', () => {
    const world = manualState()
    world.informers.put(Node, node('a', { pool: 'default' }))
    world.informers.put(Node, node('b', { providerID: 'x://b', labels: { [labels.nodePool]: 'default' } }))
    expect(world.state.nodeCount).toBe(0)
    world.informers.put(Node, node('b', { pool: 'default', providerID: 'x://b' }))
    expect(world.state.nodeCount).toBe(1)
  })

  test('a claim whose node class the provider does not serve is ignored', () => {
    const world = manualState()
    const foreign = { group: 'cloud.example.com', kind: 'OtherNodeClass', name: 'default' }
    world.informers.put(NodeClaim, nodeClaim('theirs', { providerID: 'other://1', spec: { nodeClassRef: foreign } }))
    expect(world.state.nodeCount).toBe(0)
    expect(world.state.unlaunched.size).toBe(0)
  })

  test('a claim that changes its instance leaves no old entry', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: { cpu: '4' } }))
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://b', capacity: { cpu: '4' } }))
    expect(world.state.nodeCount).toBe(1)
    expect(world.state.poolUsage('default')['cpu']).toBe(quantityOf(4))
  })
})

describe('claims created by this process', () => {
  test('are known before an informer shows them, and a late informer event does not restore them', () => {
    const world = manualState()
    world.state.recordCreated(nodeClaim('general-1'))
    expect([...world.state.unlaunched]).toEqual(['general-1'])
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    world.state.recordCreated(nodeClaim('general-1'))
    expect(world.state.unlaunched.size).toBe(0)
    expect(world.state.unseen.size).toBe(0)
  })

  test('a claim that is deleted before it was launched delays nothing', () => {
    const world = manualState()
    let reported = 0
    world.state.onAllLaunched(() => reported++)
    world.informers.put(NodeClaim, nodeClaim('general-1'))
    world.informers.put(NodeClaim, nodeClaim('general-1', { deletionTimestamp: '2026-01-01T00:01:00Z' }))
    expect(world.state.unlaunched.size).toBe(0)
    expect(reported).toBe(1)
  })
})

describe('pods', () => {
  test('are assigned to their node, whichever is seen first', () => {
    const world = manualState()
    world.informers.put(Pod, pod('early', { nodeName: 'a' }))
    world.informers.put(Node, node('a'))
    world.informers.put(Pod, pod('late', { nodeName: 'a' }))
    expect(world.state.byNodeName('a')?.view.pods.map(({ metadata }) => metadata.name)).toEqual(['early', 'late'])
  })

  test('are removed when they end, are deleted, or when another pod with their name is bound elsewhere', () => {
    const world = manualState()
    world.informers.put(Node, node('a'), node('b'))
    world.informers.put(
      Pod,
      pod('one', { nodeName: 'a' }),
      pod('two', { nodeName: 'a' }),
      pod('three', { nodeName: 'a' }),
    )
    world.informers.put(Pod, pod('one', { nodeName: 'a', phase: 'Succeeded' }))
    world.informers.delete(Pod, 'default/two')
    world.informers.put(Pod, pod('three', { nodeName: 'b' }))
    expect(world.state.byNodeName('a')?.pods).toEqual([])
    expect(world.state.byNodeName('b')?.pods.map(({ metadata }) => metadata.name)).toEqual(['three'])
  })

  test('are waiting if kube-scheduler found no node for them', () => {
    const world = manualState()
    const waiting = pod('waiting')
    const others = [
      pod('preempting', { status: { nominatedNodeName: 'a', conditions: waiting.status?.conditions ?? [] } }),
      pod('daemon', { owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } }),
      pod('mirror', { owner: { apiVersion: 'v1', kind: 'Node' } }),
      pod('new', { status: { conditions: [] } }),
      pod('gated', {
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
      }),
    ]
    world.informers.put(Pod, waiting, ...others)
    expect([...world.state.pods.provisionable].map(({ metadata }) => metadata.name)).toEqual(['waiting'])
    world.informers.put(Pod, pod('waiting', { nodeName: 'a' }))
    expect([...world.state.pods.provisionable]).toEqual([])
  })

  test('an unchanged node keeps its view; a change of a pod renews only the view of its node', () => {
    const world = manualState()
    world.informers.put(Node, node('a'), node('b'))
    const before = { a: world.state.byNodeName('a')?.view, b: world.state.byNodeName('b')?.view }
    world.informers.put(Pod, pod('one', { nodeName: 'a' }))
    expect(world.state.byNodeName('a')?.view).not.toBe(before.a)
    expect(world.state.byNodeName('b')?.view).toBe(before.b)
    expect(Object.isFrozen(world.state.byNodeName('a')?.view)).toBe(true)
  })
})

describe('the capacity of a node', () => {
  const claimed = { cpu: '4', 'example.com/gpu': '2' }

  test('comes from the claim where the kubelet has not reported it, until the node is initialized', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: claimed }))
    expect(world.state.byClaimName('general-1')?.view.capacity).toMatchObject({ nodes: quantityOf(1) })
    const young = { pool: 'default', providerID: 'kwok://a', capacity: { cpu: '3900m', 'example.com/gpu': '0' } }
    world.informers.put(Node, node('a', young))
    expect(world.state.byNodeName('a')?.view.allocatable).toEqual({
      cpu: quantityOf(3900, 'milli'),
      'example.com/gpu': quantityOf(2),
    })
    world.informers.put(Node, node('a', { ...young, labels: readyNodeLabels }))
    expect(world.state.byNodeName('a')?.view.allocatable['example.com/gpu']).toBe(quantityOf(0))
  })

  test('ephemeral and startup taints are hidden until the node is initialized, on managed nodes only', () => {
    const world = manualState()
    const taints = [
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      { key: 'readiness.k8s.io/network', effect: 'NoSchedule' },
      { key: 'cni', value: 'other', effect: 'NoSchedule' },
      { key: 'dedicated', effect: 'NoSchedule' },
    ] as const
    const startupTaints = [{ key: 'cni', effect: 'NoSchedule' }] as const
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', spec: { startupTaints } }))
    const registered = { [labels.registered]: 'true' }
    world.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: registered, spec: { taints } }),
    )
    expect(world.state.byNodeName('a')?.view.taints.map(({ key }) => key)).toEqual(['dedicated'])
    world.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels, spec: { taints } }),
    )
    expect(world.state.byNodeName('a')?.view.taints).toHaveLength(4)
    world.informers.put(Node, node('free', { spec: { taints } }))
    expect(world.state.byNodeName('free')?.view.taints).toHaveLength(4)
  })

  test('a node that joins through Cluster API is used in plans before its labels are synchronized', () => {
    const world = manualState()
    const taints = [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }] as const
    const joining = (labels: Readonly<Record<string, string>>) =>
      world.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels, spec: { taints } }))
    world.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    joining({ [labels.registered]: 'true' })
    expect(world.state.byNodeName('a')?.view.taints).toEqual([])
    joining(readyNodeLabels)
    expect(world.state.byNodeName('a')?.view.taints).toEqual(taints)
  })
})

describe('marked for deletion', () => {
  const launched = { providerID: 'kwok://a', capacity: { cpu: '4' } }
  const marked = (world: ReturnType<typeof manualState>) => world.state.byProviderID('kwok://a')?.view.markedForDeletion

  test('by deletion of the claim, termination of its instance, or our own decision', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', launched))
    expect(marked(world)).toBe(false)
    world.state.markForDeletion('kwok://a')
    expect(marked(world)).toBe(true)
    world.state.unmarkForDeletion('kwok://a')
    expect(marked(world)).toBe(false)
    world.informers.put(
      NodeClaim,
      nodeClaim('general-1', { ...launched, conditions: [condition('InstanceTerminating')] }),
    )
    expect(marked(world)).toBe(true)
  })

  test('deletion of a managed Node does not count, deletion of an unmanaged Node does', () => {
    const world = manualState()
    const deletionTimestamp = '2026-01-01T00:01:00Z'
    world.informers.put(NodeClaim, nodeClaim('general-1', launched))
    world.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels, deletionTimestamp }),
    )
    expect(marked(world)).toBe(false)
    world.informers.put(Node, node('free', { deletionTimestamp }))
    expect(world.state.byNodeName('free')?.view.markedForDeletion).toBe(true)
  })

  test('a node marked for deletion does not count against its pool', () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', launched))
    world.informers.put(NodeClaim, nodeClaim('general-2', { providerID: 'kwok://b', capacity: { cpu: '8' } }))
    expect(world.state.poolUsage('default')).toMatchObject({ cpu: quantityOf(12), nodes: quantityOf(2) })
    world.state.markForDeletion('kwok://a')
    expect(world.state.poolUsage('default')).toMatchObject({ cpu: quantityOf(8), nodes: quantityOf(1) })
    expect(world.state.claims.counts('default')).toEqual({ active: 1, deleting: 1, pendingDisruption: 0 })
    world.informers.delete(NodeClaim, 'general-2')
    expect(world.state.poolUsage('default')).toEqual({})
  })

  test('nominations last twice the batch window', async () => {
    const world = manualState()
    world.informers.put(NodeClaim, nodeClaim('general-1', launched))
    world.state.expectPods('kwok://a')
    await world.clock.advance(19_999)
    expect(world.state.expectsPods('kwok://a')).toBe(true)
    await world.clock.advance(2)
    expect(world.state.expectsPods('kwok://a')).toBe(false)
  })
})

describe('the consolidation timestamp', () => {
  test('moves with nodes, bindings, deletions and pool edits, not with heartbeats', async () => {
    const world = manualState()
    const moved = async (change: () => void): Promise<boolean> => {
      const before = world.state.consolidationState()
      await world.clock.advance(1_000)
      change()
      return world.state.consolidationState() !== before
    }
    expect(await moved(() => world.informers.put(Node, node('a')))).toBe(true)
    expect(await moved(() => world.informers.put(Node, node('a', { labels: { some: 'label' } })))).toBe(false)
    expect(await moved(() => world.informers.put(Pod, pod('one', { nodeName: 'a' })))).toBe(true)
    const update = pod('one', { nodeName: 'a', metadata: { annotations: { touched: 'yes' } } })
    expect(await moved(() => world.informers.put(Pod, update))).toBe(false)
    expect(await moved(() => world.informers.delete(Pod, 'default/one'))).toBe(true)
    const pool = nodePool('default')
    expect(await moved(() => world.informers.put(NodePool, pool))).toBe(true)
    expect(await moved(() => world.informers.put(NodePool, { ...pool, status: {} }))).toBe(false)
    const edited = { ...pool, metadata: { ...pool.metadata, generation: 2 } }
    expect(await moved(() => world.informers.put(NodePool, edited))).toBe(true)
    expect(await moved(() => world.informers.delete(Node, 'a'))).toBe(true)
  })

  test('moves after five minutes without a change', async () => {
    const world = manualState()
    const before = world.state.consolidationState()
    await world.clock.advance(300_000)
    expect(world.state.consolidationState()).toBe(before)
    await world.clock.advance(1)
    expect(world.state.consolidationState()).toBe(world.clock.now())
  })
})
