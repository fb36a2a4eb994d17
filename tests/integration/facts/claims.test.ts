import { describe, expect, test } from 'vitest'
import { harness } from './harness.ts'
import { type, usualTypes, zone1, zone2, zone3 } from './instance-types.ts'
import { key } from './keys.ts'
import { daemon, is, type PodTraits, pod, spread, taint, term, web } from './objects.ts'
import { asks } from './outcome.ts'

/** How much CPU the largest instance type leaves for pods. */
const WHOLE = '15900m'

describe('Daemons', () => {
  test('Daemons: their requests need a larger node; if they are too large, no node is possible', () => {
    const cpu = (amount: string) =>
      harness()
        .daemons(daemon('d', { cpu: amount, memory: '1Gi' }))
        .pod('a', { cpu: '1', memory: '1Gi' })
        .plan()
    expect(cpu('1').typeOf('a')).toBe('default')
    expect(harness().pod('a', { cpu: '1', memory: '1Gi' }).plan().typeOf('a')).toBe('small')
    expect(cpu(WHOLE).left).toEqual(['a'])
  })

  test('a daemon that fits on no instance type of the pool reserves no capacity there, however large its requests are', () => {
    for (const amount of ['16', '10000', '7Ei']) {
      const plan = harness()
        .daemons(daemon('d', { cpu: amount }), daemon('e', { cpu: '1', memory: '1Gi' }))
        .pod('a', { cpu: '1', memory: '1Gi' })
        .plan()
      expect(plan.typeOf('a')).toBe('default')
    }
  })

  test('Daemons: their host ports are in use on every node where they run', () => {
    const ports = [{ hostPort: 8080 }]
    expect(harness().daemons(daemon('d', { ports })).pod('a', { ports }).plan().left).toEqual(['a'])
    const onArm = daemon('d', { ports, needs: [is(key.arch, 'In', 'arm64')] })
    expect(harness().daemons(onArm).pod('a', { ports }).plan().claim.instanceTypes).not.toContain('arm')
  })

  test('Daemons: startup taints do not keep them away', () => {
    const plan = harness()
      .only({ startupTaints: [taint('boot')] })
      .daemons(daemon('d', { cpu: '1', memory: '1Gi' }))
      .pod('a', { cpu: '1', memory: '1Gi' })
      .plan()
    expect(plan.typeOf('a')).toBe('default')
  })

  test('Daemons: init containers and missing requests are counted correctly', () => {
    const with_ = (traits: PodTraits) => harness().daemons(daemon('d', traits)).pod('a', { cpu: '1' }).plan()
    const init = (cpu: string) => ({ initContainers: [{ name: 'i', resources: { requests: { cpu } } }] })
    expect(with_(init('2')).typeOf('a')).toBe('default')
    expect(with_(init(WHOLE)).left).toEqual(['a'])
    expect(with_({ cpu: WHOLE, ...init('1') }).left).toEqual(['a'])
    expect(with_({}).typeOf('a')).toBe('small')
  })

  test('Daemons: daemons that cannot run in the pool are ignored, the others are counted', () => {
    const huge = { cpu: WHOLE }
    const plan = (traits: PodTraits, pool = {}) =>
      harness()
        .only(pool)
        .daemons(daemon('d', { ...huge, ...traits }))
        .pod('a', { cpu: '1' })
        .plan()
    expect(plan({}, { taints: [taint('team')] }).left).toEqual(['a'])
    const tolerant = harness()
      .only({ taints: [taint('team')] })
      .daemons(daemon('d', huge))
      .pod('a', { cpu: '1', tolerations: [{ operator: 'Exists' }] })
      .plan()
    expect(tolerant.left).toEqual([])
    expect(plan({ selector: { node: 'invalid' } }).left).toEqual([])
    expect(plan({ selector: { [key.instanceType]: 'unknown' } }).left).toEqual([])
    expect(plan({ selector: { team: 'x' } }, { labels: { team: 'x' } }).left).toEqual(['a'])
    expect(plan({ needs: [is('unknown', 'NotIn', 'x')] }).left).toEqual(['a'])
  })

  test('Daemons: each instance type is checked separately', () => {
    const plan = harness()
      .daemons(daemon('d', { cpu: '1900m', selector: { [key.instanceType]: 'small' } }))
      .pod('a', { cpu: '1' })
      .plan()
    expect(plan.claim.instanceTypes).not.toContain('small')
    expect(plan.claim.instanceTypes).toContain('default')
  })

  test('Daemons: one alternative of their affinity is enough, preferences are ignored, and soft taints are tolerated', () => {
    const huge = { cpu: WHOLE }
    const left = (traits: PodTraits, pool = {}) =>
      harness()
        .only(pool)
        .daemons(daemon('d', { ...huge, ...traits }))
        .pod('a', { cpu: '1' })
        .plan().left
    expect(left({ either: [[is('unknown', 'In', 'x')], [is(key.zone, 'In', zone1)]] })).toEqual(['a'])
    expect(left({ prefers: [[is('unknown', 'In', 'x')]] })).toEqual(['a'])
    expect(left({}, { taints: [taint('soft', 'x', 'PreferNoSchedule')] })).toEqual(['a'])
  })

  test('Daemons: if a port is in use only on large types, the small types remain possible', () => {
    const ports = [{ hostPort: 8080 }]
    const plan = harness()
      .only({ types: [type('small', { cpu: '2' }), type('large', { cpu: '8', memory: '16Gi' })] })
      .daemons(daemon('d', { ports, selector: { size: 'large' } }))
      .pod('a', { ports })
      .plan()
    expect(plan.claim.instanceTypes).toEqual(['small'])
  })
})

describe('Claim content', () => {
  test('Claim content: annotations and labels of the template, but no labels from well-known requirements', () => {
    const { claim } = harness()
      .only({
        annotations: { note: 'x' },
        labels: { team: 'x', 'kubernetes.io/team': 'y', 'sub.kubernetes.io/team': 'z' },
        requirements: [is('custom', 'In', 'v'), is(key.zone, 'In', zone1), is(key.os, 'In', 'linux')],
      })
      .pod('a')
      .plan()
    expect(claim.annotations['note']).toBe('x')
    expect(claim.labels).toMatchObject({
      team: 'x',
      'kubernetes.io/team': 'y',
      'sub.kubernetes.io/team': 'z',
      custom: 'v',
      [key.pool]: 'default',
      'example.com/testnodeclass': 'default',
    })
    expect(Object.keys(claim.labels)).not.toContain(key.zone)
    expect(Object.keys(claim.labels)).not.toContain(key.os)
  })

  describe('Claim content: the pool’s taints keep away pods that do not tolerate them', () => {
    const left = (tolerations: PodTraits['tolerations']) =>
      harness()
        .only({ taints: [taint('team', 'x')] })
        .pod('a', tolerations === undefined ? {} : { tolerations })
        .plan().left
    test.each<[string, PodTraits['tolerations'], boolean]>([
      ['none', undefined, false],
      ['exact', [{ key: 'team', operator: 'Equal', value: 'x', effect: 'NoSchedule' }], true],
      ['without operator', [{ key: 'team', value: 'x' }], true],
      ['Exists', [{ key: 'team', operator: 'Exists' }], true],
      ['another value', [{ key: 'team', operator: 'Equal', value: 'y' }], false],
      ['another effect', [{ key: 'team', operator: 'Exists', effect: 'NoExecute' }], false],
    ])('%s', (_, tolerations, isPlaced) => expect(left(tolerations)).toEqual(isPlaced ? [] : ['a']))
  })

  test('Claim content: its requirements, restricted by pool and pod', () => {
    const { claim } = harness()
      .only({ requirements: [is('custom', 'Exists'), is(key.zone, 'NotIn', zone3)] })
      .pod('a', { needs: [is(key.arch, 'In', 'amd64')], selector: { [key.os]: 'linux' }, cpu: '3' })
      .plan()
    expect(asks(claim, key.instanceType)).toBe('In [default gpu-a gpu-b single-pod]')
    expect(asks(claim, key.zone)).toMatch(/^(NotIn \[test-zone-3\]|In \[test-zone-1 test-zone-2\])$/)
    expect([asks(claim, key.arch), asks(claim, key.os)]).toEqual(['In [amd64]', 'In [linux]'])
    expect([asks(claim, key.pool), asks(claim, key.capacityType)]).toEqual(['In [default]', 'In [on-demand spot]'])
    expect(asks(claim, 'custom')).toBe('Exists')
    expect([asks(claim, key.host), asks(claim, key.registered), asks(claim, key.initialized)]).toEqual(['', '', ''])
    expect(claim.spec.requirements).toEqual(claim.requirements.map((each) => ({ ...each, values: each.values ?? [] })))
  })

  test('Claim content: its node class, and its requests with those of the daemons counted once', () => {
    const { claim } = harness()
      .daemons(daemon('d', { cpu: '100m', memory: '50Mi' }))
      .pods(3, { cpu: '1', memory: '100Mi' })
      .plan()
    expect(claim.spec.nodeClassRef).toEqual({ group: 'example.com', kind: 'TestNodeClass', name: 'default' })
    expect(claim.spec.resources?.requests).toEqual({ cpu: '3100m', memory: '350Mi', pods: '4' })
  })
})

describe('Preferences', () => {
  test('Preferences: alternatives are given up one by one, but never the last', () => {
    const bad = [is(key.zone, 'In', 'unknown')]
    expect(
      harness()
        .pod('a', { either: [bad, bad, [is(key.zone, 'In', zone3)]] })
        .plan()
        .zoneOf('a'),
    ).toBe(zone3)
    expect(
      harness()
        .pod('a', { either: [bad, bad] })
        .plan().left,
    ).toEqual(['a'])
  })

  test('Preferences: all are given up if necessary, those with the greatest weight first', () => {
    const bad = [is(key.zone, 'In', 'unknown')]
    expect(
      harness()
        .pod('a', { prefers: [bad, bad, bad] })
        .plan().left,
    ).toEqual([])
    const plan = harness()
      .pod('a', {
        prefers: [
          { weight: 1, of: [is(key.zone, 'In', zone3)] },
          { weight: 50, of: bad },
        ],
      })
      .plan()
    expect(plan.zoneOf('a')).toBe(zone3)
  })

  test('Preferences: soft taints are tolerated after all placement preferences are given up', () => {
    const soft = taint('soft', 'x', 'PreferNoSchedule')
    const wish = { prefers: [[is(key.arch, 'In', 'arm64')]] }
    const arm = usualTypes.filter(({ name }) => name === 'arm')
    const small = usualTypes.filter(({ name }) => name === 'small')
    const cluster = harness()
      .pool('tainted', { types: arm, taints: [soft] })
      .pod('a', wish)
    expect(cluster.plan().claim.nodePool).toBe('tainted')
    expect(cluster.pool('clean', { types: small }).plan().claim.nodePool).toBe('clean')
  })

  test('Preferences: preferred zones and hosts do not change the domains of a topology spread', () => {
    for (const wish of [is(key.zone, 'In', zone1, zone2), is(key.host, 'In', 'some-host')]) {
      const plan = harness()
        .pods(3, { labels: web, spread: [spread(key.zone)], prefers: [[wish]] })
        .plan()
      expect(plan.skew(key.zone)).toEqual([1, 1, 1])
    }
  })

  test('Preferences: no preference has an effect if the setting ignores preferences', () => {
    const ignore = { preferencePolicy: 'Ignore' } as const
    const cheapest = harness().pod('a').plan().claim.cheapest
    const wish = harness().pod('a', { prefers: [[is(key.arch, 'In', 'arm64')]] })
    expect([wish.plan().typeOf('a'), wish.plan(ignore).claim.cheapest]).toEqual(['arm', cheapest])
    for (const label of [key.zone, key.host]) {
      const soft = harness().pods(3, { labels: web, spread: [spread(label, { soft: true })] })
      expect([soft.plan().sizes, soft.plan(ignore).sizes]).toEqual([[1, 1, 1], [3]])
    }
    const apart = harness().pods(3, { labels: web, prefersAway: [term(key.host)] })
    expect([apart.plan().sizes, apart.plan(ignore).sizes]).toEqual([[1, 1, 1], [3]])
    const near = harness()
      .node('far', { zone: zone3, cpu: '1', pods: [pod('target', { labels: web, cpu: '1' })] })
      .pod('a', { cpu: '1', prefersNear: [term(key.zone)] })
    expect([near.plan().zoneOf('a'), near.plan(ignore).zoneOf('a')]).toEqual([zone3, cheapest.zone])
  })
})
