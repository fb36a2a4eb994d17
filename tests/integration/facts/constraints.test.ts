import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { GPU_A, GPU_B, zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import { is, type PodTraits, type PoolTraits } from './objects.ts'
import { asks } from './outcome.ts'

const PROVIDERS = 'kubernetes.io/custom'

describe.each<[string, PoolTraits]>([
  ['any node', {}],
  [
    'constrained',
    { requirements: [is(key.zone, 'In', zone1, zone2), is(key.arch, 'In', 'amd64')], labels: { team: 'x' } },
  ],
])('Constraints: node selectors, requirements and preferences of pods: %s', (_, pool) => {
  const cluster = harness().only(pool)
  const left = (traits: PodTraits) => cluster.pod('a', traits).plan().left
  const isConstrained = pool.labels !== undefined

  test('no selector, matching and conflicting selectors, and unknown labels', () => {
    expect(left({})).toEqual([])
    expect(left({ selector: { [key.zone]: zone1 } })).toEqual([])
    expect(left({ selector: { [key.zone]: 'elsewhere' } })).toEqual(['a'])
    expect(left({ selector: { unknown: 'x' } })).toEqual(['a'])
    expect(left({ selector: { [key.zone]: zone1 }, needs: [is(key.zone, 'In', zone2)] })).toEqual(['a'])
    expect(left({ selector: { team: 'x' } })).toEqual(isConstrained ? [] : ['a'])
    expect(left({ selector: { team: 'y' } })).toEqual(['a'])
    expect(left({ selector: { [key.zone]: zone3 } })).toEqual(isConstrained ? ['a'] : [])
  })

  test('every operator on well-known labels', () => {
    expect(left({ needs: [is(key.zone, 'In', zone1, 'x')] })).toEqual([])
    expect(left({ needs: [is(key.zone, 'NotIn', zone1)] })).toEqual([])
    expect(left({ needs: [is(key.zone, 'In', 'x')] })).toEqual(['a'])
    expect(left({ needs: [is(key.zone, 'NotIn', zone1, zone2, zone3)] })).toEqual(['a'])
    expect(left({ needs: [is(key.integer, 'Gt', '2')] })).toEqual([])
    expect(left({ needs: [is(key.integer, 'Gte', '4')] })).toEqual([])
    expect(left({ needs: [is(key.integer, 'Lt', '4')] })).toEqual([])
    expect(left({ needs: [is(key.integer, 'Lte', '2')] })).toEqual([])
    expect(left({ needs: [is(key.integer, 'Lt', '2')] })).toEqual(['a'])
    expect(left({ needs: [is(key.integer, 'Gt', '16')] })).toEqual(['a'])
  })

  test('satisfiable preferences are satisfied, others are given up; selector, preference and requirement combine', () => {
    expect(
      cluster
        .pod('a', { prefers: [[is(key.zone, 'In', zone2)]] })
        .plan()
        .zoneOf('a'),
    ).toBe(zone2)
    expect(left({ prefers: [[is(key.zone, 'In', 'x')]] })).toEqual([])
    const plan = cluster
      .pod('a', {
        selector: { [key.arch]: 'amd64' },
        needs: [is(key.zone, 'In', zone1, zone2)],
        prefers: [[is(key.instanceType, 'In', 'default'), is(key.zone, 'In', zone2)]],
      })
      .plan()
    expect([plan.typeOf('a'), plan.zoneOf('a')]).toEqual(['default', zone2])
  })

  test('a preference that contradicts a requirement or another preference is given up', () => {
    const need = [is(key.zone, 'In', zone1)]
    expect(
      cluster
        .pod('a', { needs: need, prefers: [[is(key.zone, 'In', zone2)]] })
        .plan()
        .zoneOf('a'),
    ).toBe(zone1)
    expect(left({ prefers: [[is(key.zone, 'In', zone1)], [is(key.zone, 'In', zone2)]] })).toEqual([])
  })
})

describe('Constraints: labels that pods must not require', () => {
  test.each([key.host, key.registered, 'karpenter.sh/anything', 'sub.karpenter.sh/anything'])('%s', (label) => {
    expect(
      harness()
        .only({ labels: { [label]: 'x' } })
        .pod('a', { selector: { [label]: 'x' } })
        .plan().left,
    ).toEqual(['a'])
  })
  test.each([PROVIDERS, 'sub.kubernetes.io/custom', 'node.kubernetes.io/custom', key.region, key.windowsBuild])(
    'but they may require %s of the pool',
    (label) => {
      const plan = harness()
        .only({ requirements: [is(label, 'In', 'x')] })
        .pod('a', { selector: { [label]: 'x' } })
        .plan()
      expect(plan.left).toEqual([])
    },
  )
})

describe('Constraints: operators on a custom label', () => {
  test.each<[string, PodTraits['needs'], boolean, boolean]>([
    ['In', [is('team', 'In', 'x')], false, true],
    ['In another', [is('team', 'In', 'y')], false, false],
    ['NotIn', [is('team', 'NotIn', 'x')], true, false],
    ['NotIn another', [is('team', 'NotIn', 'y')], true, true],
    ['Exists', [is('team', 'Exists')], false, true],
    ['DoesNotExist', [is('team', 'DoesNotExist')], true, false],
  ])('%s', (_, needs, withoutIt, withIt) => {
    const fits = (pool: PoolTraits) =>
      harness()
        .only(pool)
        .pod('a', needs === undefined ? {} : { needs })
        .plan().left.length === 0
    expect([fits({}), fits({ requirements: [is('team', 'In', 'x')] })]).toEqual([withoutIt, withIt])
  })
})

test('Constraints: compatible pods share a node, others do not', () => {
  const cluster = harness().only({ requirements: [is('team', 'In', 'x', 'y')] })
  const two = (a: PodTraits, b: PodTraits) => cluster.pod('a', a).pod('b', b).plan()
  expect(two({ needs: [is('team', 'In', 'x')] }, { needs: [is('team', 'NotIn', 'y')] }).groups).toEqual([['a', 'b']])
  expect(two({ selector: { team: 'x' } }, { selector: { team: 'y' } }).groups).toEqual([['a'], ['b']])
  const kept = two({ selector: { team: 'x' }, cpu: '1' }, { needs: [is('team', 'Exists')] })
  expect(kept.groups).toEqual([['a', 'b']])
  expect([asks(kept.claim, 'team'), kept.claim.labels['team']]).toEqual(['In [x]', 'x'])
})

test('Constraints: a pool that is not ready launches no nodes', () => {
  expect(harness().only({ notReady: true }).pod('a').plan().left).toEqual(['a'])
})

describe('Instance compatibility', () => {
  test('Instance compatibility: no instance type for pods that are too large or have impossible combinations', () => {
    expect(harness().pod('a', { memory: '2Ti' }).plan().left).toEqual(['a'])
    expect(
      harness()
        .pod('a', { selector: { [key.arch]: 'arm64', [key.instanceType]: 'small' } })
        .plan().left,
    ).toEqual(['a'])
    expect(
      harness()
        .pod('a', { requests: { [GPU_A]: '1', [GPU_B]: '1' } })
        .plan().left,
    ).toEqual(['a'])
  })

  test.each<[string, PodTraits, PodTraits]>([
    ['arch', { selector: { [key.arch]: 'arm64' } }, { selector: { [key.arch]: 'amd64' } }],
    ['os', { selector: { [key.os]: 'linux' } }, { selector: { [key.os]: 'windows' } }],
    ['type', { selector: { [key.instanceType]: 'small' } }, { selector: { [key.instanceType]: 'default' } }],
    ['zone', { selector: { [key.zone]: zone1 } }, { selector: { [key.zone]: zone2 } }],
    ['device', { requests: { [GPU_A]: '1' } }, { requests: { [GPU_B]: '1' } }],
  ])('Instance compatibility: pods with incompatible requirements get separate nodes: %s', (_, a, b) => {
    const plan = harness().pod('a', a).pod('b', b).plan()
    expect([plan.left, plan.groups]).toEqual([[], [['a'], ['b']]])
  })

  test('Instance compatibility: the pod’s affinity and the pool exclude types', () => {
    const plan = harness()
      .pod('a', { needs: [is(key.instanceType, 'NotIn', 'small', 'default')] })
      .plan()
    expect(plan.claim.instanceTypes).not.toContain('small')
    const arm = harness()
      .only({ requirements: [is(key.arch, 'In', 'arm64')] })
      .pod('a')
      .plan()
    expect(arm.claim.instanceTypes).toEqual(['arm'])
  })

  test('Instance compatibility: labels of the provider, including those that only some types have', () => {
    const of = (traits: PodTraits) => harness().pod('a', traits).plan().claim.instanceTypes
    expect(of({ selector: { [key.size]: 'large' } })).toEqual(['arm'])
    expect(of({ needs: [is(key.special, 'Exists')] })).toEqual(['arm'])
    expect(of({ selector: { [key.special]: 'optional' } })).toEqual(['arm'])
    expect(of({ needs: [is(key.special, 'DoesNotExist')] })).not.toContain('arm')
  })
})
