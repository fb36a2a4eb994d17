import { karpenterKinds, kinds, labels, toQuantity } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool, pod, readyNodeLabels } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'

const { Node, Pod } = kinds
const { NodeClaim, NodePool } = karpenterKinds
const names = (harness: ReturnType<typeof manualState>): string[] =>
  [...harness.state.nodes()].map(({ view }) => view.name).sort()

describe('the join of nodes and claims', () => {
  test('a claim counts from the time it has an instance, and under its own name until the node is registered', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1'))
    expect(names(harness)).toEqual([])
    expect([...harness.state.unlaunched]).toEqual(['general-1'])
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: { cpu: '4' } }))
    expect(names(harness)).toEqual(['general-1'])
    expect(harness.state.unlaunched.size).toBe(0)
    harness.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a' }))
    expect(names(harness)).toEqual(['general-1'])
    harness.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels }))
    expect(names(harness)).toEqual(['a'])
    expect(harness.state.byClaimName('general-1')).toBe(harness.state.byNodeName('a'))
  })

  test('either object may be deleted first, and nothing remains after both are deleted', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    harness.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels }))
    harness.informers.delete(NodeClaim, 'general-1')
    expect(harness.state.byNodeName('a')?.view.managed).toBe(false)
    harness.informers.delete(Node, 'a')
    expect(harness.state.nodeCount).toBe(0)

    harness.informers.put(Node, node('same', { pool: 'default', providerID: 'kwok://b', labels: readyNodeLabels }))
    harness.informers.put(NodeClaim, nodeClaim('same', { providerID: 'kwok://b' }))
    harness.informers.delete(Node, 'same')
    expect(names(harness)).toEqual(['same'])
    harness.informers.delete(NodeClaim, 'same')
    expect(harness.state.nodeCount).toBe(0)
  })

  test('an unmanaged node without a provider ID is known by its name, and later by its provider ID', () => {
    const harness = manualState()
    harness.informers.put(Node, node('hand-made'))
    expect(harness.state.byProviderID('hand-made')).toBeDefined()
    harness.informers.put(Node, node('hand-made', { providerID: 'x://1' }))
    expect(harness.state.byProviderID('hand-made')).toBeUndefined()
    expect(harness.state.byProviderID('x://1')?.view.hasNode).toBe(true)
    expect(harness.state.nodeCount).toBe(1)
  })

  test('a managed node is ignored until it can be joined to its claim', () => {
    const harness = manualState()
    harness.informers.put(Node, node('a', { pool: 'default' }))
    harness.informers.put(Node, node('b', { providerID: 'x://b', labels: { [labels.nodePool]: 'default' } }))
    expect(harness.state.nodeCount).toBe(0)
    harness.informers.put(Node, node('b', { pool: 'default', providerID: 'x://b' }))
    expect(harness.state.nodeCount).toBe(1)
  })

  test('a claim whose node class the provider does not serve is ignored', () => {
    const harness = manualState()
    const foreign = { group: 'cloud.example.com', kind: 'OtherNodeClass', name: 'default' }
    harness.informers.put(NodeClaim, nodeClaim('theirs', { providerID: 'other://1', spec: { nodeClassRef: foreign } }))
    expect(harness.state.nodeCount).toBe(0)
    expect(harness.state.unlaunched.size).toBe(0)
  })

  test('a claim whose instance changes leaves no old entry', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: { cpu: '4' } }))
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://b', capacity: { cpu: '4' } }))
    expect(harness.state.nodeCount).toBe(1)
    expect(harness.state.poolUsage('default')['cpu']).toBe(toQuantity(4))
  })
})

describe('claims created by this process', () => {
  test('are known before the informer shows them, and an outdated informer event does not restore them', () => {
    const harness = manualState()
    harness.state.recordCreated(nodeClaim('general-1'))
    expect([...harness.state.unlaunched]).toEqual(['general-1'])
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    harness.state.recordCreated(nodeClaim('general-1'))
    expect(harness.state.unlaunched.size).toBe(0)
    expect(harness.state.unseen.size).toBe(0)
  })

  test('do not delay decisions if they are deleted before they are launched', () => {
    const harness = manualState()
    let reported = 0
    harness.state.onAllLaunched(() => reported++)
    harness.informers.put(NodeClaim, nodeClaim('general-1'))
    harness.informers.put(NodeClaim, nodeClaim('general-1', { deletionTimestamp: '2026-01-01T00:01:00Z' }))
    expect(harness.state.unlaunched.size).toBe(0)
    expect(reported).toBe(1)
  })
})

describe('pods', () => {
  test('are assigned to their node, whether the pod or the node is seen first', () => {
    const harness = manualState()
    harness.informers.put(Pod, pod('early', { nodeName: 'a' }))
    harness.informers.put(Node, node('a'))
    harness.informers.put(Pod, pod('late', { nodeName: 'a' }))
    expect(harness.state.byNodeName('a')?.view.pods.map(({ metadata }) => metadata.name)).toEqual(['early', 'late'])
  })

  test('are removed when they finish, are deleted, or another pod of the same name is bound elsewhere', () => {
    const harness = manualState()
    harness.informers.put(Node, node('a'), node('b'))
    harness.informers.put(
      Pod,
      pod('one', { nodeName: 'a' }),
      pod('two', { nodeName: 'a' }),
      pod('three', { nodeName: 'a' }),
    )
    harness.informers.put(Pod, pod('one', { nodeName: 'a', phase: 'Succeeded' }))
    harness.informers.delete(Pod, 'default/two')
    harness.informers.put(Pod, pod('three', { nodeName: 'b' }))
    expect(harness.state.byNodeName('a')?.pods).toEqual([])
    expect(harness.state.byNodeName('b')?.pods.map(({ metadata }) => metadata.name)).toEqual(['three'])
  })

  test('count as waiting if kube-scheduler found no node for them', () => {
    const harness = manualState()
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
    harness.informers.put(Pod, waiting, ...others)
    expect([...harness.state.pods.provisionable].map(({ metadata }) => metadata.name)).toEqual(['waiting'])
    harness.informers.put(Pod, pod('waiting', { nodeName: 'a' }))
    expect([...harness.state.pods.provisionable]).toEqual([])
  })

  test('an unchanged node keeps its view, and a changed pod replaces only the view of its node', () => {
    const harness = manualState()
    harness.informers.put(Node, node('a'), node('b'))
    const before = { a: harness.state.byNodeName('a')?.view, b: harness.state.byNodeName('b')?.view }
    harness.informers.put(Pod, pod('one', { nodeName: 'a' }))
    expect(harness.state.byNodeName('a')?.view).not.toBe(before.a)
    expect(harness.state.byNodeName('b')?.view).toBe(before.b)
    expect(Object.isFrozen(harness.state.byNodeName('a')?.view)).toBe(true)
  })
})

describe('the capacity of a node', () => {
  const claimed = { cpu: '4', 'example.com/gpu': '2' }

  test('comes from the claim for resources that the kubelet has not reported, until the node is initialized', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', capacity: claimed }))
    expect(harness.state.byClaimName('general-1')?.view.capacity).toMatchObject({ nodes: toQuantity(1) })
    const young = { pool: 'default', providerID: 'kwok://a', capacity: { cpu: '3900m', 'example.com/gpu': '0' } }
    harness.informers.put(Node, node('a', young))
    expect(harness.state.byNodeName('a')?.view.allocatable).toEqual({
      cpu: toQuantity(3900, 'milli'),
      'example.com/gpu': toQuantity(2),
    })
    harness.informers.put(Node, node('a', { ...young, labels: readyNodeLabels }))
    expect(harness.state.byNodeName('a')?.view.allocatable['example.com/gpu']).toBe(toQuantity(0))
  })

  test('ephemeral and startup taints are hidden until the node is initialized, on managed nodes only', () => {
    const harness = manualState()
    const taints = [
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
      { key: 'readiness.k8s.io/network', effect: 'NoSchedule' },
      { key: 'cni', value: 'other', effect: 'NoSchedule' },
      { key: 'dedicated', effect: 'NoSchedule' },
    ] as const
    const startupTaints = [{ key: 'cni', effect: 'NoSchedule' }] as const
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a', spec: { startupTaints } }))
    const registered = { [labels.registered]: 'true' }
    harness.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: registered, spec: { taints } }),
    )
    expect(harness.state.byNodeName('a')?.view.taints.map(({ key }) => key)).toEqual(['dedicated'])
    harness.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels, spec: { taints } }),
    )
    expect(harness.state.byNodeName('a')?.view.taints).toHaveLength(4)
    harness.informers.put(Node, node('free', { spec: { taints } }))
    expect(harness.state.byNodeName('free')?.view.taints).toHaveLength(4)
  })

  test('is used in plans for a node of Cluster API before the node’s labels are synchronized', () => {
    const harness = manualState()
    const taints = [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }] as const
    const joining = (labels: Readonly<Record<string, string>>) =>
      harness.informers.put(Node, node('a', { pool: 'default', providerID: 'kwok://a', labels, spec: { taints } }))
    harness.informers.put(NodeClaim, nodeClaim('general-1', { providerID: 'kwok://a' }))
    joining({ [labels.registered]: 'true' })
    expect(harness.state.byNodeName('a')?.view.taints).toEqual([])
    joining(readyNodeLabels)
    expect(harness.state.byNodeName('a')?.view.taints).toEqual(taints)
  })
})

describe('a node is marked for deletion', () => {
  const launched = { providerID: 'kwok://a', capacity: { cpu: '4' } }
  const marked = (harness: ReturnType<typeof manualState>) =>
    harness.state.byProviderID('kwok://a')?.view.markedForDeletion

  test('by the deletion of its claim, the termination of its instance, or a decision of Kerf', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', launched))
    expect(marked(harness)).toBe(false)
    harness.state.markForDeletion('kwok://a')
    expect(marked(harness)).toBe(true)
    harness.state.unmarkForDeletion('kwok://a')
    expect(marked(harness)).toBe(false)
    harness.informers.put(
      NodeClaim,
      nodeClaim('general-1', { ...launched, conditions: [condition('InstanceTerminating')] }),
    )
    expect(marked(harness)).toBe(true)
  })

  test('by the deletion of an unmanaged Node, but not of a managed Node', () => {
    const harness = manualState()
    const deletionTimestamp = '2026-01-01T00:01:00Z'
    harness.informers.put(NodeClaim, nodeClaim('general-1', launched))
    harness.informers.put(
      Node,
      node('a', { pool: 'default', providerID: 'kwok://a', labels: readyNodeLabels, deletionTimestamp }),
    )
    expect(marked(harness)).toBe(false)
    harness.informers.put(Node, node('free', { deletionTimestamp }))
    expect(harness.state.byNodeName('free')?.view.markedForDeletion).toBe(true)
  })

  test('and then does not count against the limits of its pool', () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', launched))
    harness.informers.put(NodeClaim, nodeClaim('general-2', { providerID: 'kwok://b', capacity: { cpu: '8' } }))
    expect(harness.state.poolUsage('default')).toMatchObject({ cpu: toQuantity(12), nodes: toQuantity(2) })
    harness.state.markForDeletion('kwok://a')
    expect(harness.state.poolUsage('default')).toMatchObject({ cpu: toQuantity(8), nodes: toQuantity(1) })
    expect(harness.state.claims.counts('default')).toEqual({ active: 1, deleting: 1, pendingDisruption: 0 })
    harness.informers.delete(NodeClaim, 'general-2')
    expect(harness.state.poolUsage('default')).toEqual({})
  })

  test('nominations last twice as long as the batching window', async () => {
    const harness = manualState()
    harness.informers.put(NodeClaim, nodeClaim('general-1', launched))
    harness.state.expectPods('kwok://a')
    await harness.clock.advance(19_999)
    expect(harness.state.expectsPods('kwok://a')).toBe(true)
    await harness.clock.advance(2)
    expect(harness.state.expectsPods('kwok://a')).toBe(false)
  })
})

describe('the consolidation timestamp', () => {
  test('changes with nodes, bindings, deletions and edits of pools, but not with heartbeats', async () => {
    const harness = manualState()
    const moved = async (change: () => void): Promise<boolean> => {
      const before = harness.state.consolidationState()
      await harness.clock.advance(1_000)
      change()
      return harness.state.consolidationState() !== before
    }
    expect(await moved(() => harness.informers.put(Node, node('a')))).toBe(true)
    expect(await moved(() => harness.informers.put(Node, node('a', { labels: { some: 'label' } })))).toBe(false)
    expect(await moved(() => harness.informers.put(Pod, pod('one', { nodeName: 'a' })))).toBe(true)
    const update = pod('one', { nodeName: 'a', metadata: { annotations: { touched: 'yes' } } })
    expect(await moved(() => harness.informers.put(Pod, update))).toBe(false)
    expect(await moved(() => harness.informers.delete(Pod, 'default/one'))).toBe(true)
    const pool = nodePool('default')
    expect(await moved(() => harness.informers.put(NodePool, pool))).toBe(true)
    expect(await moved(() => harness.informers.put(NodePool, { ...pool, status: {} }))).toBe(false)
    const edited = { ...pool, metadata: { ...pool.metadata, generation: 2 } }
    expect(await moved(() => harness.informers.put(NodePool, edited))).toBe(true)
    expect(await moved(() => harness.informers.delete(Node, 'a'))).toBe(true)
  })

  test('changes after five minutes without any other change', async () => {
    const harness = manualState()
    const before = harness.state.consolidationState()
    await harness.clock.advance(300_000)
    expect(harness.state.consolidationState()).toBe(before)
    await harness.clock.advance(1)
    expect(harness.state.consolidationState()).toBe(harness.clock.now())
  })
})
