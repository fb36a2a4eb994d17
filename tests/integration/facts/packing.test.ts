import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { type } from './instance-types.ts'
import { key } from './keys.ts'
import { daemon, is, pod, spread, taint, term, web } from './objects.ts'

describe('Bin packing', () => {
  test('Bin packing: small pods get a small node, large pods a large one', () => {
    expect(harness().pod('a', { memory: '100M' }).plan().typeOf('a')).toBe('small')
    expect(harness().pod('a', { memory: '2000M' }).plan().typeOf('a')).toBe('small')
    expect(harness().pod('a', { cpu: '2' }).plan().typeOf('a')).toBe('default')
    expect(harness().pods(5, { memory: '10M' }).plan().claim.cheapest.instanceType).toBe('small')
  })

  test('Bin packing: the overhead of the pod’s RuntimeClass counts', () => {
    const plan = harness()
      .pod('a', { cpu: '1', memory: '100M', spec: { overhead: { cpu: '2', memory: '10M' } } })
      .plan()
    expect(plan.typeOf('a')).toBe('default')
  })

  test('Bin packing: two large pods share a node, and small pods fill the remaining capacity', () => {
    const cluster = harness()
      .only({ requirements: [is(key.instanceType, 'In', 'default')] })
      .pods(40, { memory: '1.8G' }, 'large')
    expect(cluster.plan().sizes).toEqual(Array.from({ length: 20 }, () => 2))
    expect(cluster.pods(20, { memory: '400M' }, 'small').plan().sizes).toEqual(Array.from({ length: 20 }, () => 3))
  })

  test('Bin packing: pods of different sizes are all placed, on different nodes if necessary', () => {
    const plan = harness().pod('big', { cpu: '4500m' }).pod('small', { cpu: '1' }).plan()
    expect(plan.left).toEqual([])
    expect(plan.typeOf('big')).toBe('arm')
  })

  test('Bin packing: a zero request for an unknown resource fits, a larger one does not', () => {
    expect(
      harness()
        .pod('a', { requests: { 'example.com/unknown': '0' } })
        .plan().left,
    ).toEqual([])
    expect(
      harness()
        .pod('a', { requests: { 'example.com/unknown': '1' } })
        .plan().left,
    ).toEqual(['a'])
  })

  test('Bin packing: 25 pods with at most five per node need five nodes', () => {
    const plan = harness()
      .only({ requirements: [is(key.arch, 'In', 'amd64'), is(key.instanceType, 'NotIn', 'single-pod')] })
      .pods(25, { cpu: '1m' })
      .plan()
    expect(plan.sizes).toEqual([5, 5, 5, 5, 5])
  })

  test('Bin packing: init containers count for the size of a node, and can make a pod unschedulable', () => {
    const init = (cpu: string) => ({ initContainers: [{ name: 'i', resources: { requests: { cpu } } }] })
    expect(
      harness()
        .pod('a', { cpu: '1', ...init('3') })
        .plan()
        .typeOf('a'),
    ).toBe('default')
    expect(
      harness()
        .pod('a', { cpu: '1', ...init('10000') })
        .plan().left,
    ).toEqual(['a'])
  })

  test('Bin packing: the chosen type fits, even if others are cheaper', () => {
    const types = [
      type('medium', { price: 3 }),
      type('small', { cpu: '2', price: 2 }),
      type('large', { cpu: '8', price: 1 }),
    ]
    expect(harness().only({ types }).pod('a', { cpu: '1m' }).plan().typeOf('a')).toBe('large')
    expect(
      harness()
        .only({ types: [type('tiny', { cpu: '1', price: 0.1 }), ...types] })
        .pod('a', { cpu: '5' })
        .plan().claim.instanceTypes,
    ).toEqual(['large'])
  })
})

describe('In-flight', () => {
  const inFlight = { hasNode: false, initialized: false } as const

  test('In-flight: a second pod joins a launching node if it fits and is compatible', () => {
    const start = harness().only({ requirements: [is(key.instanceType, 'In', 'default')] })
    const first = start.pod('a', { cpu: '1', selector: { [key.arch]: 'amd64' } }).plan()
    const next = start.after(first, inFlight)
    const name = next.nodeStates[0]?.name
    expect(next.pod('b', { cpu: '1' }).plan().placeOf('b')).toBe(name)
    expect(
      next
        .pod('b', { cpu: '1', selector: { [key.arch]: 'amd64' } })
        .plan()
        .placeOf('b'),
    ).toBe(name)
    expect(next.pod('b', { cpu: '3' }).plan().placeOf('b')).toBe('claim 0')
    expect(
      next
        .pod('b', { selector: { [key.arch]: 'arm64' } })
        .plan()
        .placeOf('b'),
    ).toBeUndefined()
    const leaving = next.nodes((node) => ({ ...node, markedForDeletion: true }))
    expect(leaving.pod('b', { cpu: '1' }).plan().placeOf('b')).toBe('claim 0')
  })

  test('In-flight: spread counts launching nodes', () => {
    for (const [label, expected] of [
      [key.zone, [1, 1, 1]],
      [key.host, [1, 1, 1, 1]],
    ] as const) {
      const traits = { labels: web, spread: [spread(label)] }
      const first = harness().pods(2, traits).plan()
      const more = label === key.zone ? 1 : 2
      const next = harness().pods(2, traits).after(first, { initialized: false }).pods(more, traits, 'more').plan()
      expect(next.skew(label)).toEqual(expected)
    }
  })

  test('In-flight: a taint on the node keeps pods away', () => {
    const of = (name: string, initialized: boolean) =>
      harness()
        .node('n', { pool: 'default', taints: [taint(name)], state: { initialized } })
        .pod('a')
        .plan()
        .placeOf('a')
    expect(of('custom', false)).toBe('claim 0')
    expect(of('custom', true)).toBe('claim 0')
  })

  test('In-flight: capacity for missing daemons stays reserved, and a daemon that uses more than expected frees none', () => {
    const agent = daemon('agent', { cpu: '1' })
    const free = (cpu: string, pods: readonly ReturnType<typeof pod>[]) =>
      harness()
        .only({ requirements: [is(key.arch, 'In', 'arm64')] })
        .daemons(agent)
        .node('n', { pool: 'default', cpu: '4', pods })
        .pod('a', { cpu })
        .plan()
        .placeOf('a')
    expect([free('3', []), free('3001m', [])]).toEqual(['n', 'claim 0'])
    const arrived = pod('agent-x', { cpu: '1', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })
    expect([free('3', [arrived]), free('3001m', [arrived])]).toEqual(['n', 'claim 0'])
    const surprise = pod('agent-y', { cpu: '2', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })
    expect([free('2', [surprise]), free('2001m', [surprise])]).toEqual(['n', 'claim 0'])
  })

  test('In-flight: daemons that wait for a registered or initialized node are counted before and after that', () => {
    for (const label of [key.registered, key.initialized]) {
      const agent = daemon('agent', { cpu: '1', selector: { [label]: 'true' } })
      expect(harness().daemons(agent).pod('a', { cpu: '1' }).plan().typeOf('a')).toBe('default')
      const on = harness()
        .daemons(agent)
        .node('n', { cpu: '4', labels: { [label]: 'true' } })
      expect(on.pod('a', { cpu: '3' }).plan().placeOf('a')).toBe('n')
      expect(on.pod('a', { cpu: '3500m' }).plan().placeOf('a')).toBe('claim 0')
    }
  })

  test('In-flight: existing nodes are filled before new ones are launched, initialized nodes first', () => {
    const cluster = harness()
      .node('a-new', { pool: 'default', cpu: '2', state: { initialized: false } })
      .node('b-old', { pool: 'default', cpu: '2' })
    expect(cluster.pod('p', { cpu: '1' }).plan().placeOf('p')).toBe('b-old')
    const four = cluster.pods(5, { cpu: '1' }).plan()
    expect([four.podsOn('b-old').length, four.podsOn('a-new').length, four.sizes]).toEqual([2, 2, [1]])
  })

  test('In-flight: pods that fit nowhere do not prevent the placement of others', () => {
    const plan = harness()
      .node('n', { pool: 'default' })
      .pods(3, { selector: { unknown: 'x' }, cpu: '2' }, 'lost')
      .pods(3, { cpu: '1' }, 'fine')
      .plan()
    expect([plan.left, plan.podsOn('n').length]).toEqual([['lost-0', 'lost-1', 'lost-2'], 3])
  })

  test('In-flight: equal host ports go to different nodes', () => {
    const ports = [{ hostPort: 8080 }]
    const plan = harness().pods(3, { ports }).plan()
    expect(plan.sizes).toEqual([1, 1, 1])
    const cluster = harness().node('n1').node('n2')
    const spreadOut = cluster.pods(3, { ports }).plan()
    expect([spreadOut.podsOn('n1').length, spreadOut.podsOn('n2').length, spreadOut.sizes]).toEqual([1, 1, [1]])
  })
})

describe('Existing nodes', () => {
  test('Existing nodes: an unmanaged node runs one pod or many', () => {
    expect(harness().node('own').pod('a').plan().placeOf('a')).toBe('own')
    expect(harness().node('own').pods(50, { cpu: '100m' }).plan().podsOn('own')).toHaveLength(50)
  })

  test('Existing nodes: if no existing node fits, a new one is launched', () => {
    const plan = harness()
      .node('own')
      .pod('a', { selector: { [key.arch]: 'arm64' } })
      .plan()
    expect(plan.typeOf('a')).toBe('arm')
  })

  test('Existing nodes: capacity is reserved only for daemons that can run on the node', () => {
    const cluster = harness().node('own', { cpu: '2' }).pod('a', { cpu: '1500m' })
    const other = daemon('d', { cpu: '1', selector: { [key.arch]: 'amd64' } })
    expect(cluster.daemons(other).plan().placeOf('a')).toBe('own')
    expect(
      cluster
        .daemons(daemon('d', { cpu: '1' }))
        .plan()
        .placeOf('a'),
    ).toBe('claim 0')
  })
})

describe('No pre-binding', () => {
  test('No pre-binding: in the next decision, the same pods use the nodes launched for them', () => {
    const traits = { cpu: '1' }
    const first = harness().pods(3, traits).plan()
    const next = harness().pods(3, traits).after(first, { initialized: false, hasNode: false })
    const empty = next.nodes((node) => ({ ...node, pods: [] }))
    expect(empty.pods(3, traits).plan().claims).toEqual([])
  })

  test('No pre-binding: affinity to itself holds before any pod is bound', () => {
    const traits = { labels: web, near: [term(key.zone)], cpu: '3' }
    const first = harness().pods(2, traits).plan()
    expect(first.skew(key.zone)).toEqual([2])
    const next = harness()
      .after(first, { initialized: false, hasNode: false })
      .nodes((node) => ({ ...node, pods: [] }))
    expect(next.pods(2, traits).plan().skew(key.zone)).toEqual([2])
  })
})
