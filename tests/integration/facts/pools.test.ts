import type { Container } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { GPU_A, type, zone2 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, pod, spread, taint, web } from './objects.ts'

describe('General', () => {
  test('General: one pod gets one node, and many pods are all placed', () => {
    expect(harness().pod('a').plan().sizes).toEqual([1])
    const many = harness().pods(100, { cpu: '500m' }).plan()
    expect([many.left, many.placed]).toEqual([[], 100])
  })

  test('General: without a pool, or with only deleting pools, no pod is placed', () => {
    expect(harness().only({ deleting: true }).pod('a').plan().left).toEqual(['a'])
  })

  describe('General: selectors and affinity with well-known labels', () => {
    const good: readonly (readonly [string, string])[] = [
      [key.pool, 'default'],
      [key.instanceType, 'small'],
      [key.os, 'windows'],
      [key.arch, 'arm64'],
      [key.zone, zone2],
      [key.capacityType, 'spot'],
    ]
    test.each(good)('%s', (label, value) => {
      expect(
        harness()
          .pod('a', { selector: { [label]: value } })
          .plan().left,
      ).toEqual([])
      expect(
        harness()
          .pod('a', { needs: [is(label, 'In', value)] })
          .plan().left,
      ).toEqual([])
      expect(
        harness()
          .pod('a', { selector: { [label]: 'unknown' } })
          .plan().left,
      ).toEqual(['a'])
      expect(
        harness()
          .pod('a', { needs: [is(label, 'In', 'unknown')] })
          .plan().left,
      ).toEqual(['a'])
    })
  })

  test('General: requests for a device select the instance types that have it; types that allow few pods lead to many nodes', () => {
    expect(
      harness()
        .pod('a', { requests: { [GPU_A]: '1' } })
        .plan()
        .typeOf('a'),
    ).toBe('gpu-a')
    const single = { selector: { [key.instanceType]: 'single-pod' } }
    expect(harness().pods(3, single).plan().sizes).toEqual([1, 1, 1])
  })

  test('General: the claim keeps the hash that its pool had when the claim was planned', () => {
    const own = { annotations: { 'karpenter.sh/nodepool-hash': 'h1', 'karpenter.sh/nodepool-hash-version': 'v3' } }
    expect(harness().only({ own }).pod('a').plan().claim.annotations).toMatchObject(own.annotations)
  })

  describe('General: sidecars, init containers and pod-level requests determine the size', () => {
    const of = (cpu: string, rest: Partial<Container> = {}): Container => ({
      name: `c-${cpu}`,
      resources: { requests: { cpu } },
      ...rest,
    })
    const always = { restartPolicy: 'Always' } as const
    const sizes = [type('one', { cpu: '1100m' }), type('two', { cpu: '2100m' }), type('five', { cpu: '5100m' })]
    test.each<[string, readonly Container[], PodTraits['spec'], string, string]>([
      ['a small init container', [of('1')], {}, 'one', '1'],
      ['a large init container', [of('2')], {}, 'two', '2'],
      ['a sidecar', [of('1', always)], {}, 'two', '2'],
      ['an init container after a sidecar', [of('1', always), of('4')], {}, 'five', '5'],
      ['an init container before a sidecar', [of('2'), of('1', always)], {}, 'two', '2'],
      ['the pod as a whole', [], { resources: { requests: { cpu: '5' } } }, 'five', '5'],
    ])('%s', (_, initContainers, spec, expected, cpu) => {
      const { claim } = harness()
        .only({ types: sizes })
        .pod('a', { cpu: '1', initContainers, ...(spec === undefined ? {} : { spec }) })
        .plan()
      expect(claim.cheapest.instanceType).toBe(expected)
      expect(claim.spec.resources?.requests).toEqual({ cpu, pods: '1' })
    })
  })
})

describe('Limits', () => {
  test('Limits: if nodes exceed the limit, the pool launches no more; if they are below it, the pool does', () => {
    const used = (cpu: string) =>
      harness()
        .only({ limits: { cpu: '20' } })
        .node('n', { pool: 'default', cpu, maxPods: '0' })
        .pod('a')
        .plan().left
    expect([used('100'), used('4')]).toEqual([['a'], []])
  })

  test('Limits: two spread pods of 1.5 cpu under a limit of 3 get one node', () => {
    const plan = harness()
      .only({ limits: { cpu: '3' } })
      .pods(2, { cpu: '1500m', labels: web, spread: [spread(key.host)] })
      .plan()
    expect([plan.sizes, plan.left.length]).toEqual([[1], 1])
  })

  test('Limits: a pod that needs more than the limit is not placed', () => {
    expect(
      harness()
        .only({ limits: { cpu: '2' } })
        .pod('a', { cpu: '2100m' })
        .plan().left,
    ).toEqual(['a'])
  })

  test('Limits: limits of devices and of pods count the capacity of nodes', () => {
    const wants = { requests: { [GPU_A]: '1' } }
    expect(
      harness()
        .only({ limits: { [GPU_A]: '1' } })
        .pod('a', wants)
        .plan().left,
    ).toEqual(['a'])
    expect(
      harness()
        .only({ limits: { [GPU_A]: '2' } })
        .pod('a', wants)
        .plan().left,
    ).toEqual([])
    expect(
      harness()
        .only({ limits: { pods: '1' } })
        .pod('a')
        .plan()
        .typeOf('a'),
    ).toBe('single-pod')
    expect(
      harness()
        .only({ limits: { pods: '0' } })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
  })

  test('Limits: a second decision counts the nodes of the first', () => {
    const start = harness().only({ limits: { cpu: '6' }, types: [type('default')] })
    const first = start.pod('a', { cpu: '3' }).plan()
    expect(first.left).toEqual([])
    expect(start.after(first).pod('b', { cpu: '3' }).plan().left).toEqual(['b'])
  })

  test('Limits: with a limit of two nodes, no third node is launched, in one decision or in several', () => {
    const start = harness().only({ limits: { nodes: '2' }, types: [type('single-pod', { pods: '1' })] })
    expect(start.pods(3).plan().left).toHaveLength(1)
    const first = start.pods(2).plan()
    expect(first.left).toEqual([])
    expect(start.after(first).pod('late').plan().left).toEqual(['late'])
  })
})

describe('Several pools', () => {
  test('Several pools: a pod can select a pool by name or by label', () => {
    const two = harness()
      .pool('a', { labels: { team: 'x' } })
      .pool('b', { weight: 100 })
    expect(two.pod('p', { selector: { [key.pool]: 'a' } }).plan().claim.nodePool).toBe('a')
    expect(two.pod('p', { selector: { team: 'x' } }).plan().claim.nodePool).toBe('a')
  })

  test('Several pools: a pool without a soft taint comes first, then the weight decides; a pool that the pod selects overrides the weight', () => {
    const soft = { taints: [taint('soft', 'x', 'PreferNoSchedule')] }
    expect(
      harness()
        .pool('a')
        .pool('b', { ...soft, weight: 100 })
        .pod('p')
        .plan().claim.nodePool,
    ).toBe('a')
    const three = harness().pool('a', { weight: 20 }).pool('b', { weight: 100 }).pool('c')
    expect(three.pod('p').plan().claim.nodePool).toBe('b')
    expect(three.pod('p', { selector: { [key.pool]: 'c' } }).plan().claim.nodePool).toBe('c')
  })

  test('Several pools: static pools launch no nodes for pods, but other pools do', () => {
    expect(harness().only({ replicas: 3 }).pod('p').plan().left).toEqual(['p'])
    expect(harness().pool('still', { replicas: 3, weight: 9 }).pool('z').pod('p').plan().claim.nodePool).toBe('z')
  })
})

describe('MinValues policy', () => {
  const types = [type('t1', { cpu: '1', price: 1 }), type('t2', { cpu: '2', price: 2 })]
  const many = (label: string, values: number) => ({ ...is(label, 'Exists'), minValues: values })

  test('MinValues policy: Strict launches no node that violates them', () => {
    expect(
      harness()
        .only({ types, requirements: [many(key.instanceType, 3)] })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
    expect(
      harness()
        .only({ types, requirements: [many(key.zone, 4)] })
        .pod('a')
        .plan().left,
    ).toEqual(['a'])
    expect(
      harness()
        .only({ types, requirements: [many(key.zone, 3)] })
        .pod('a')
        .plan().left,
    ).toEqual([])
  })

  test('MinValues policy: BestEffort lowers them to the available values, and reports it', () => {
    const loose = { minValuesPolicy: 'BestEffort' } as const
    const of = (...requirements: ReturnType<typeof many>[]) =>
      harness().only({ types, requirements }).pod('a').plan(loose).claim
    const claimMin = (claim: ReturnType<typeof of>, label: string) =>
      claim.requirements.find((each) => each.key === label)?.minValues
    const note = 'karpenter.sh/nodeclaim-min-values-relaxed'
    const one = of(many(key.instanceType, 3))
    expect([claimMin(one, key.instanceType), one.annotations[note], one.minValuesRelaxed]).toEqual([2, 'true', true])
    const zonal = of(many(key.zone, 4))
    expect([claimMin(zonal, key.zone), zonal.annotations[note]]).toEqual([3, 'true'])
    const both = of(many(key.instanceType, 3), many(key.zone, 4))
    expect([claimMin(both, key.instanceType), claimMin(both, key.zone)]).toEqual([2, 3])
    const fine = of(many(key.instanceType, 2))
    expect([claimMin(fine, key.instanceType), fine.annotations[note]]).toEqual([2, 'false'])
  })

  test('MinValues policy: the pool with the greater weight is relaxed before the next pool is tried', () => {
    const loose = { minValuesPolicy: 'BestEffort' } as const
    const plan = (lighter: number) =>
      harness()
        .pool('heavy', { weight: 10, types, requirements: [many(key.instanceType, 3)] })
        .pool('light', { types, requirements: [many(key.instanceType, lighter)] })
        .pod('a')
        .plan(loose).claim.nodePool
    expect([plan(1), plan(3)]).toEqual(['heavy', 'heavy'])
  })
})

test('General: pods of a deleting node and pending pods share one new node', () => {
  const moving = pod('moving', { cpu: '1' })
  const plan = harness()
    .node('old', { pods: [moving], state: { markedForDeletion: true } })
    .waiting(moving)
    .pod('waiting', { cpu: '1' })
    .plan()
  expect(plan.groups).toEqual([['moving', 'waiting']])
})
