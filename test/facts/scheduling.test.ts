import { describe, expect, test } from 'vitest'
import { GPU_A, GPU_B, type TypeTraits, type, zone1, zone2, zone3 } from './catalogue.ts'
import { key } from './keys.ts'
import {
  daemon,
  is,
  type PodTraits,
  type PoolTraits,
  persistentVolume,
  pod,
  spread,
  storageClass,
  taint,
  term,
  volume,
  volumeClaim,
  web,
} from './objects.ts'
import { asks } from './outcome.ts'
import { world } from './world.ts'

const PROVIDERS = 'kubernetes.io/custom'

describe.each<[string, PoolTraits]>([
  ['any node', {}],
  [
    'constrained',
    { requirements: [is(key.zone, 'In', zone1, zone2), is(key.arch, 'In', 'amd64')], labels: { team: 'x' } },
  ],
])('7.5 Constraints: selectors, needs and wishes on nodes of a pool: %s', (_, pool) => {
  const cluster = world().only(pool)
  const left = (traits: PodTraits) => cluster.pod('a', traits).plan().left
  const isConstrained = pool.labels !== undefined

  test('no selector, matching ones, conflicting ones, unknown labels', () => {
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

  test('preferences that can be met are, others are given up; selector, wish and need go together', () => {
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

  test('a wish against a need, or against another wish, is given up', () => {
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

describe('7.5 Constraints: labels that pods may not ask for', () => {
  test.each([key.host, key.registered, 'karpenter.sh/anything', 'sub.karpenter.sh/anything'])('%s', (label) => {
    expect(
      world()
        .only({ labels: { [label]: 'x' } })
        .pod('a', { selector: { [label]: 'x' } })
        .plan().left,
    ).toEqual(['a'])
  })
  test.each([PROVIDERS, 'sub.kubernetes.io/custom', 'node.kubernetes.io/custom', key.region, key.windowsBuild])(
    'but they may ask for %s of the pool',
    (label) => {
      const plan = world()
        .only({ requirements: [is(label, 'In', 'x')] })
        .pod('a', { selector: { [label]: 'x' } })
        .plan()
      expect(plan.left).toEqual([])
    },
  )
})

describe('7.5 Constraints: operators on a label of one’s own', () => {
  test.each<[string, PodTraits['needs'], boolean, boolean]>([
    ['In', [is('team', 'In', 'x')], false, true],
    ['In another', [is('team', 'In', 'y')], false, false],
    ['NotIn', [is('team', 'NotIn', 'x')], true, false],
    ['NotIn another', [is('team', 'NotIn', 'y')], true, true],
    ['Exists', [is('team', 'Exists')], false, true],
    ['DoesNotExist', [is('team', 'DoesNotExist')], true, false],
  ])('%s', (_, needs, withoutIt, withIt) => {
    const fits = (pool: PoolTraits) =>
      world()
        .only(pool)
        .pod('a', needs === undefined ? {} : { needs })
        .plan().left.length === 0
    expect([fits({}), fits({ requirements: [is('team', 'In', 'x')] })]).toEqual([withoutIt, withIt])
  })
})

test('7.5 Constraints: pods that agree share a node, others do not', () => {
  const cluster = world().only({ requirements: [is('team', 'In', 'x', 'y')] })
  const two = (a: PodTraits, b: PodTraits) => cluster.pod('a', a).pod('b', b).plan()
  expect(two({ needs: [is('team', 'In', 'x')] }, { needs: [is('team', 'NotIn', 'y')] }).groups).toEqual([['a', 'b']])
  expect(two({ selector: { team: 'x' } }, { selector: { team: 'y' } }).groups).toEqual([['a'], ['b']])
  const kept = two({ selector: { team: 'x' }, cpu: '1' }, { needs: [is('team', 'Exists')] })
  expect(kept.groups).toEqual([['a', 'b']])
  expect([asks(kept.claim, 'team'), kept.claim.labels['team']]).toEqual(['In [x]', 'x'])
})

test('7.5 Constraints: a pool that is not ready launches nothing', () => {
  expect(world().only({ notReady: true }).pod('a').plan().left).toEqual(['a'])
})

describe('7.5 Instance compatibility', () => {
  test('7.5 Instance compatibility: nothing that is too large, and no impossible combination', () => {
    expect(world().pod('a', { memory: '2Ti' }).plan().left).toEqual(['a'])
    expect(
      world()
        .pod('a', { selector: { [key.arch]: 'arm64', [key.instanceType]: 'small' } })
        .plan().left,
    ).toEqual(['a'])
    expect(
      world()
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
  ])('7.5 Instance compatibility: pods of another kind get a node of their own: %s', (_, a, b) => {
    const plan = world().pod('a', a).pod('b', b).plan()
    expect([plan.left, plan.groups]).toEqual([[], [['a'], ['b']]])
  })

  test('7.5 Instance compatibility: types are ruled out by the pod’s affinity and by the pool', () => {
    const plan = world()
      .pod('a', { needs: [is(key.instanceType, 'NotIn', 'small', 'default')] })
      .plan()
    expect(plan.claim.instanceTypes).not.toContain('small')
    const arm = world()
      .only({ requirements: [is(key.arch, 'In', 'arm64')] })
      .pod('a')
      .plan()
    expect(arm.claim.instanceTypes).toEqual(['arm'])
  })

  test('7.5 Instance compatibility: labels of the provider, also those that only some types have', () => {
    const of = (traits: PodTraits) => world().pod('a', traits).plan().claim.instanceTypes
    expect(of({ selector: { [key.size]: 'large' } })).toEqual(['arm'])
    expect(of({ needs: [is(key.special, 'Exists')] })).toEqual(['arm'])
    expect(of({ selector: { [key.special]: 'optional' } })).toEqual(['arm'])
    expect(of({ needs: [is(key.special, 'DoesNotExist')] })).not.toContain('arm')
  })
})

describe('7.5 Bin packing', () => {
  test('7.5 Bin packing: small pods get a small node, larger ones a larger', () => {
    expect(world().pod('a', { memory: '100M' }).plan().typeOf('a')).toBe('small')
    expect(world().pod('a', { memory: '2000M' }).plan().typeOf('a')).toBe('small')
    expect(world().pod('a', { cpu: '2' }).plan().typeOf('a')).toBe('default')
    expect(world().pods(5, { memory: '10M' }).plan().claim.cheapest.instanceType).toBe('small')
  })

  test('7.5 Bin packing: the overhead of the class of the pod counts', () => {
    const plan = world()
      .pod('a', { cpu: '1', memory: '100M', spec: { overhead: { cpu: '2', memory: '10M' } } })
      .plan()
    expect(plan.typeOf('a')).toBe('default')
  })

  test('7.5 Bin packing: two large pods to a node, small ones fill the gaps', () => {
    const cluster = world()
      .only({ requirements: [is(key.instanceType, 'In', 'default')] })
      .pods(40, { memory: '1.8G' }, 'large')
    expect(cluster.plan().sizes).toEqual(Array.from({ length: 20 }, () => 2))
    expect(cluster.pods(20, { memory: '400M' }, 'small').plan().sizes).toEqual(Array.from({ length: 20 }, () => 3))
  })

  test('7.5 Bin packing: pods of unlike sizes at most need unlike nodes', () => {
    const plan = world().pod('big', { cpu: '4500m' }).pod('small', { cpu: '1' }).plan()
    expect(plan.left).toEqual([])
    expect(plan.typeOf('big')).toBe('arm')
  })

  test('7.5 Bin packing: nothing of an unknown resource fits, something does not', () => {
    expect(
      world()
        .pod('a', { requests: { 'example.com/unknown': '0' } })
        .plan().left,
    ).toEqual([])
    expect(
      world()
        .pod('a', { requests: { 'example.com/unknown': '1' } })
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.5 Bin packing: five pods to a node make five nodes of 25', () => {
    const plan = world()
      .only({ requirements: [is(key.arch, 'In', 'amd64'), is(key.instanceType, 'NotIn', 'single-pod')] })
      .pods(25, { cpu: '1m' })
      .plan()
    expect(plan.sizes).toEqual([5, 5, 5, 5, 5])
  })

  test('7.5 Bin packing: init containers count for the size, and for refusal', () => {
    const init = (cpu: string) => ({ initContainers: [{ name: 'i', resources: { requests: { cpu } } }] })
    expect(
      world()
        .pod('a', { cpu: '1', ...init('3') })
        .plan()
        .typeOf('a'),
    ).toBe('default')
    expect(
      world()
        .pod('a', { cpu: '1', ...init('10000') })
        .plan().left,
    ).toEqual(['a'])
  })

  test('7.5 Bin packing: the choice is a type that fits, whatever is cheap', () => {
    const types = [
      type('medium', { price: 3 }),
      type('small', { cpu: '2', price: 2 }),
      type('large', { cpu: '8', price: 1 }),
    ]
    expect(world().only({ types }).pod('a', { cpu: '1m' }).plan().typeOf('a')).toBe('large')
    expect(
      world()
        .only({ types: [type('tiny', { cpu: '1', price: 0.1 }), ...types] })
        .pod('a', { cpu: '5' })
        .plan().claim.instanceTypes,
    ).toEqual(['large'])
  })
})

describe('7.5 In-flight', () => {
  const inFlight = { hasNode: false, initialized: false } as const

  test('7.5 In-flight: a second pod joins the node that is on its way if it fits and agrees', () => {
    const start = world().only({ requirements: [is(key.instanceType, 'In', 'default')] })
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

  test('7.5 In-flight: spread counts nodes that are on their way', () => {
    for (const [label, expected] of [
      [key.zone, [1, 1, 1]],
      [key.host, [1, 1, 1, 1]],
    ] as const) {
      const traits = { labels: web, spread: [spread(label)] }
      const first = world().pods(2, traits).plan()
      const more = label === key.zone ? 1 : 2
      const next = world().pods(2, traits).after(first, { initialized: false }).pods(more, traits, 'more').plan()
      expect(next.skew(label)).toEqual(expected)
    }
  })

  test('7.5 In-flight: a taint that the node shows keeps pods away', () => {
    const of = (name: string, initialized: boolean) =>
      world()
        .node('n', { pool: 'default', taints: [taint(name)], state: { initialized } })
        .pod('a')
        .plan()
        .placeOf('a')
    expect(of('custom', false)).toBe('claim 0')
    expect(of('custom', true)).toBe('claim 0')
  })

  test('7.5 In-flight: what daemons will still take is kept for them, what took more than it should is no credit', () => {
    const agent = daemon('agent', { cpu: '1' })
    const room = (cpu: string, pods: readonly ReturnType<typeof pod>[]) =>
      world()
        .only({ requirements: [is(key.arch, 'In', 'arm64')] })
        .daemons(agent)
        .node('n', { pool: 'default', cpu: '4', pods })
        .pod('a', { cpu })
        .plan()
        .placeOf('a')
    expect([room('3', []), room('3001m', [])]).toEqual(['n', 'claim 0'])
    const arrived = pod('agent-x', { cpu: '1', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })
    expect([room('3', [arrived]), room('3001m', [arrived])]).toEqual(['n', 'claim 0'])
    const surprise = pod('agent-y', { cpu: '2', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })
    expect([room('2', [surprise]), room('2001m', [surprise])]).toEqual(['n', 'claim 0'])
  })

  test('7.5 In-flight: daemons that wait for a registered or initialized node are counted before and after', () => {
    for (const label of [key.registered, key.initialized]) {
      const agent = daemon('agent', { cpu: '1', selector: { [label]: 'true' } })
      expect(world().daemons(agent).pod('a', { cpu: '1' }).plan().typeOf('a')).toBe('default')
      const on = world()
        .daemons(agent)
        .node('n', { cpu: '4', labels: { [label]: 'true' } })
      expect(on.pod('a', { cpu: '3' }).plan().placeOf('a')).toBe('n')
      expect(on.pod('a', { cpu: '3500m' }).plan().placeOf('a')).toBe('claim 0')
    }
  })

  test('7.5 In-flight: what is there is filled before anything is launched, initialized nodes first', () => {
    const cluster = world()
      .node('a-new', { pool: 'default', cpu: '2', state: { initialized: false } })
      .node('b-old', { pool: 'default', cpu: '2' })
    expect(cluster.pod('p', { cpu: '1' }).plan().placeOf('p')).toBe('b-old')
    const four = cluster.pods(5, { cpu: '1' }).plan()
    expect([four.podsOn('b-old').length, four.podsOn('a-new').length, four.sizes]).toEqual([2, 2, [1]])
  })

  test('7.5 In-flight: pods of a kind that fits nowhere do not keep others from their node', () => {
    const plan = world()
      .node('n', { pool: 'default' })
      .pods(3, { selector: { unknown: 'x' }, cpu: '2' }, 'lost')
      .pods(3, { cpu: '1' }, 'fine')
      .plan()
    expect([plan.left, plan.podsOn('n').length]).toEqual([['lost-0', 'lost-1', 'lost-2'], 3])
  })

  test('7.5 In-flight: equal host ports go to different nodes', () => {
    const ports = [{ hostPort: 8080 }]
    const plan = world().pods(3, { ports }).plan()
    expect(plan.sizes).toEqual([1, 1, 1])
    const cluster = world().node('n1').node('n2')
    const spreadOut = cluster.pods(3, { ports }).plan()
    expect([spreadOut.podsOn('n1').length, spreadOut.podsOn('n2').length, spreadOut.sizes]).toEqual([1, 1, [1]])
  })
})

describe('7.5 Existing', () => {
  test('7.5 Existing: a node of nobody takes one pod and many', () => {
    expect(world().node('own').pod('a').plan().placeOf('a')).toBe('own')
    expect(world().node('own').pods(50, { cpu: '100m' }).plan().podsOn('own')).toHaveLength(50)
  })

  test('7.5 Existing: where no node fits a new one does', () => {
    const plan = world()
      .node('own')
      .pod('a', { selector: { [key.arch]: 'arm64' } })
      .plan()
    expect(plan.typeOf('a')).toBe('arm')
  })

  test('7.5 Existing: only daemons that can run on the node keep room there', () => {
    const cluster = world().node('own', { cpu: '2' }).pod('a', { cpu: '1500m' })
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

describe('7.5 No pre-binding', () => {
  test('7.5 No pre-binding: the same pods again find the nodes that are coming for them', () => {
    const traits = { cpu: '1' }
    const first = world().pods(3, traits).plan()
    const next = world().pods(3, traits).after(first, { initialized: false, hasNode: false })
    const empty = next.nodes((node) => ({ ...node, pods: [] }))
    expect(empty.pods(3, traits).plan().claims).toEqual([])
  })

  test('7.5 No pre-binding: affinity to oneself holds before anything is bound', () => {
    const traits = { labels: web, near: [term(key.zone)], cpu: '3' }
    const first = world().pods(2, traits).plan()
    expect(first.skew(key.zone)).toEqual([2])
    const next = world()
      .after(first, { initialized: false, hasNode: false })
      .nodes((node) => ({ ...node, pods: [] }))
    expect(next.pods(2, traits).plan().skew(key.zone)).toEqual([2])
  })
})

describe('7.5 Volume usage', () => {
  const classes = [storageClass('fast')]
  const claims = (count: number, of = 'fast') =>
    Array.from({ length: count }, (_, index) => volumeClaim(`c${index}`, { class: of }))
  const wanting = (...names: readonly string[]): PodTraits => ({ volumes: names.map(volume) })
  const cluster = (limit: number | undefined, count = 10) =>
    world()
      .node('n')
      .attachable('n', { 'csi.example.com': limit })
      .storage({ storageClasses: classes, persistentVolumeClaims: claims(count) })

  test('7.5 Volume usage: a driver’s limit sends further pods elsewhere, a shared claim counts once', () => {
    const plan = cluster(2).pod('a', wanting('c0')).pod('b', wanting('c1')).pod('c', wanting('c2')).plan()
    expect([plan.podsOn('n').length, plan.sizes]).toEqual([2, [1]])
    expect(cluster(1).pods(5, wanting('c0')).plan().podsOn('n')).toHaveLength(5)
    expect(
      cluster(undefined)
        .pod('a', wanting('c0', 'c1', 'c2'))
        .plan()
        .placeOf('a'),
    ).toBe('n')
  })

  test('7.5 Volume usage: a volume without a driver counts for none', () => {
    const plan = cluster(0)
      .storage({
        persistentVolumes: [persistentVolume('nfs', [], {})],
        persistentVolumeClaims: [volumeClaim('shared', { volume: 'nfs' })],
      })
      .pod('a', wanting('shared'))
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })

  test('7.5 Volume usage: several zones of a volume, several terms of a class, are alternatives', () => {
    const zones = (...names: readonly string[]) => names.map((zone) => [is(key.zone, 'In', zone)])
    const of = (zone: string) =>
      world()
        .only({ requirements: [is(key.zone, 'In', zone)] })
        .storage({
          persistentVolumes: [persistentVolume('pv', zones(zone1, zone3))],
          storageClasses: [
            storageClass('multi', [
              [key.zone, [zone1]],
              [key.zone, [zone3]],
            ]),
          ],
          persistentVolumeClaims: [volumeClaim('bound', { volume: 'pv' }), volumeClaim('free', { class: 'multi' })],
        })
        .pod('a', wanting('bound'))
        .pod('b', wanting('free'))
        .plan().left
    expect([of(zone1), of(zone3), of(zone2)]).toEqual([[], [], ['a', 'b']])
  })

  test('7.5 Volume usage: branches that contradict one another are pruned', () => {
    const terms = (...names: readonly string[]) => names.map((zone) => [is(key.zone, 'In', zone)])
    const plan = (a: readonly string[], b: readonly string[]) =>
      world()
        .storage({
          persistentVolumes: [persistentVolume('x', terms(...a)), persistentVolume('y', terms(...b))],
          persistentVolumeClaims: [volumeClaim('c-x', { volume: 'x' }), volumeClaim('c-y', { volume: 'y' })],
        })
        .pod('a', wanting('c-x', 'c-y'))
        .plan()
    expect(plan([zone1, zone2], [zone2, zone3]).zoneOf('a')).toBe(zone2)
    expect(plan([zone1], [zone2]).left).toEqual(['a'])
  })

  test('7.5 Volume usage: ephemeral volumes by class, by default class, by the newest default class', () => {
    const isDefault = (name: string, created: string, zone: string) =>
      storageClass(name, [[key.zone, [zone]]], {
        metadata: {
          name,
          creationTimestamp: created,
          annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
        },
      })
    const scratch = (spec: Readonly<Record<string, unknown>>): PodTraits => ({
      volumes: [{ name: 's', ephemeral: { volumeClaimTemplate: { spec } } }],
    })
    const cluster = world().storage({
      storageClasses: [
        storageClass('named', [[key.zone, [zone3]]]),
        isDefault('older', '2026-01-01T00:00:00Z', zone1),
        isDefault('newer', '2026-02-01T00:00:00Z', zone2),
      ],
      persistentVolumeClaims: [volumeClaim('named-s', { class: 'named' }), volumeClaim('plain-s')],
    })
    expect(
      cluster
        .pod('named', scratch({ storageClassName: 'named' }))
        .plan()
        .zoneOf('named'),
    ).toBe(zone3)
    expect(cluster.pod('plain', scratch({})).plan().zoneOf('plain')).toBe(zone2)
  })

  test('7.5 Volume usage: what cannot be provisioned gets no node', () => {
    const left = (
      claim: Parameters<typeof volumeClaim>[1],
      more: Partial<Parameters<ReturnType<typeof world>['storage']>[0]> = {},
    ) =>
      world()
        .options({ unsupportedProvisioners: ['bad.example.com'], unsupportedTopologyKeys: ['rack'] })
        .storage({ persistentVolumeClaims: [volumeClaim('c0', claim)], ...more })
        .pod('a', wanting('c0'))
        .plan().left
    const csi = (driver: string) => ({ csi: { driver } })
    expect(
      left({ class: 'x' }, { storageClasses: [storageClass('x', [], { provisioner: 'bad.example.com' })] }),
    ).toEqual(['a'])
    expect(left({ volume: 'pv' }, { persistentVolumes: [persistentVolume('pv', [], csi('bad.example.com'))] })).toEqual(
      ['a'],
    )
    expect(left({ class: 'x' }, { storageClasses: [storageClass('x', [['rack', ['r1']]])] })).toEqual(['a'])
    expect(
      left({ class: 'x' }, { storageClasses: [storageClass('x', [], { volumeBindingMode: 'Immediate' })] }),
    ).toEqual(['a'])
    expect(left({ class: 'x', deleted: true }, { storageClasses: [storageClass('x')] })).toEqual(['a'])
    expect(left({ volume: 'pv' }, { persistentVolumes: [persistentVolume('pv', [], csi('d'), true)] })).toEqual(['a'])
    expect(left({ class: 'x', phase: 'Lost' }, { storageClasses: [storageClass('x')] })).toEqual(['a'])
    const bound = { persistentVolumes: [persistentVolume('pv')] }
    expect(left({ volume: 'pv', bound: false }, bound)).toEqual(['a'])
    expect(left({ volume: 'pv', bound: true }, bound)).toEqual([])
  })

  test('7.5 Volume usage: a missing class of pods that run breaks nothing', () => {
    const there = pod('there', { volumes: [volume('c0'), { name: 's', ephemeral: {} }] })
    const plan = world()
      .node('n', { pods: [there] })
      .attachable('n', { 'csi.example.com': 1 })
      .storage({ persistentVolumeClaims: [volumeClaim('c0', { class: 'missing' }), volumeClaim('there-s')] })
      .pod('a')
      .plan()
    expect(plan.placeOf('a')).toBe('n')
  })

  test('7.5 Volume usage: drivers of old count as those that took over from them', () => {
    const claim = volumeClaim('old', { class: 'in-tree' })
    const cluster = (limit: number) =>
      world()
        .node('n')
        .attachable('n', { 'ebs.csi.aws.com': limit })
        .storage({
          storageClasses: [storageClass('in-tree', [], { provisioner: 'kubernetes.io/aws-ebs' })],
          persistentVolumes: [persistentVolume('pv', [], { awsElasticBlockStore: { volumeID: 'v' } })],
          persistentVolumeClaims: [claim, volumeClaim('static', { volume: 'pv' })],
        })
        .pod('a', wanting('old'))
        .pod('b', wanting('static'))
        .plan()
        .podsOn('n').length
    expect([cluster(0), cluster(1), cluster(2)]).toEqual([0, 1, 2])
  })
})

describe('7.5 Reserved', () => {
  const reserved = (id: string, capacity: number, price = 0.001) => ({
    capacityType: 'reserved',
    reservation: id,
    capacity,
    price,
    zone: zone1,
  })
  const machine = (name: string, cpu: string, ...reservations: ReturnType<typeof reserved>[]) =>
    type(name, {
      cpu,
      offerings: [...reservations, { capacityType: 'spot', zone: zone1 }, { zone: zone1 }],
    } satisfies TypeTraits)
  const alone = { labels: web, away: [term(key.host)], cpu: '1' }
  const kinds = (plan: ReturnType<ReturnType<typeof world>['plan']>) =>
    plan.claims.map(({ cheapest }) => `${cheapest.capacityType} ${cheapest.instanceType}`)

  /** The reservations as the provider tells of them once nodes have been launched into some. */
  const small = (left: number) => machine('small', '2', reserved('r-small', left))
  const medium = (left: number) => machine('medium', '4', reserved('r-medium', left, 0.002))

  test('7.5 Reserved: a claim holds what it might use; the others wait for the next round', () => {
    const round = (...types: ReturnType<typeof machine>[]) => world().only({ types }).pods(3, alone).plan()
    const first = round(small(1), medium(1))
    expect([kinds(first), first.left.length]).toEqual([['reserved small'], 2])
    expect(asks(first.claim, key.capacityType)).toBe('In [reserved]')
    expect(asks(first.claim, key.reservation)).toBe('In [r-medium r-small]')
    const gone = { available: false }
    const second = round(
      type('small', { cpu: '2', offerings: [{ ...reserved('r-small', 0), ...gone }, { zone: zone1 }] }),
      medium(1),
    )
    expect([kinds(second), second.left.length]).toEqual([['reserved medium'], 2])
    const third = round(
      type('small', { cpu: '2', offerings: [{ ...reserved('r-small', 0), ...gone }, { zone: zone1 }] }),
    )
    expect(kinds(third)).toEqual(['on-demand small', 'on-demand small', 'on-demand small'])
  })

  test('7.5 Reserved: pools share a reservation, or each has its own', () => {
    const of = (a: string, b: string) =>
      world()
        .pool('a', { labels: { team: 'a' }, types: [machine('m', '2', reserved(a, 1))] })
        .pool('b', { labels: { team: 'b' }, types: [machine('m', '2', reserved(b, 1))] })
        .pod('in-a', { selector: { team: 'a' } })
        .pod('in-b', { selector: { team: 'b' } })
        .plan()
    expect(of('same', 'same').left).toHaveLength(1)
    expect(kinds(of('one', 'two'))).toEqual(['reserved m', 'reserved m'])
  })

  test('7.5 Reserved: two reservations of one and two instances on one type serve four pods in three rounds', () => {
    const round = (one: number, two: number, pods: number) => {
      const offers = [reserved('one', one), reserved('two', two)].filter(({ capacity }) => capacity > 0)
      const plan = world()
        .only({ types: [machine('m', '2', ...offers)] })
        .pods(pods, alone)
        .plan()
      return [plan.sizes.length, plan.left.length]
    }
    expect(round(1, 2, 4)).toEqual([2, 2])
    expect(round(0, 1, 2)).toEqual([1, 1])
    expect(round(0, 0, 1)).toEqual([1, 0])
  })

  test('7.5 Reserved: no lighter pool, and no wish given up, while the heavier pool’s reservation would do', () => {
    const plan = world()
      .pool('heavy', { weight: 10, types: [machine('h', '2', reserved('heavy', 1))] })
      .pool('light', { types: [machine('l', '2', reserved('light', 1))] })
      .pods(2, alone)
      .plan()
    expect([kinds(plan), plan.left.length]).toEqual([['reserved h'], 1])
    const wishing = world()
      .only({ types: [machine('m', '2', reserved('r', 1))] })
      .pods(2, { ...alone, prefers: [[is(key.capacityType, 'In', 'reserved')]] })
      .plan()
    expect(wishing.left).toHaveLength(1)
  })

  test('7.5 Reserved: several pods share a reserved node', () => {
    const plan = world()
      .only({ types: [machine('m', '4', reserved('r', 1))] })
      .pods(3, { cpu: '1' })
      .plan()
    expect([kinds(plan), plan.sizes]).toEqual([['reserved m'], [3]])
  })
})

describe('7.5 Other', () => {
  test.each<[string, PoolTraits['requirements']]>([
    ['a type that nobody has', [is(key.instanceType, 'In', 'missing')]],
    ['an arch that contradicts the type', [is(key.instanceType, 'In', 'small'), is(key.arch, 'In', 'arm64')]],
    ['a zone of elsewhere', [is(key.zone, 'In', 'elsewhere')]],
  ])(
    '7.5 Other: a pool that leaves itself no type launches nothing, nodes that are there serve: %s',
    (_, requirements) => {
      const cluster = world().only(requirements === undefined ? {} : { requirements })
      expect(cluster.pod('a').plan().left).toEqual(['a'])
      expect(cluster.pod('a').plan().whyNot('a')).not.toBe('')
      expect(cluster.node('n').pod('a').plan().placeOf('a')).toBe('n')
    },
  )

  test('7.5 Other: pods that claim devices are refused, others and daemons are not', () => {
    const container = { name: 'c', resources: { claims: [{ name: 'gpu' }] } }
    const plan = world()
      .pod('by-container', { spec: { containers: [container] } })
      .pod('by-init', { initContainers: [container] })
      .pod('by-both', { spec: { containers: [container], resourceClaims: [{ name: 'gpu' }] } })
      .pod('plain')
      .plan()
    expect(plan.left).toEqual(['by-both', 'by-container', 'by-init'])
    expect(plan.whyNot('by-container')).toContain('devices')
    const claiming = daemon('d', { cpu: '10000', spec: { resourceClaims: [{ name: 'gpu' }] } })
    expect(world().daemons(claiming).pod('a').plan().left).toEqual([])
    expect(world().daemons(claiming).options({ ignoreDraRequests: false }).pod('a').plan().left).toEqual(['a'])
  })

  test('7.5 Other: only offerings that bring a device have it, and only while they can be had', () => {
    const types = (available: boolean) => [
      type('plain', { price: 0.1 }),
      type('m', {
        offerings: [
          { zone: zone1, price: 1 },
          { zone: zone2, price: 2, available, capacityOverride: { 'example.com/fpga': '1' } },
        ],
      }),
    ]
    const wants = { requests: { 'example.com/fpga': '1' } }
    const plan = world()
      .only({ types: types(true) })
      .pod('a', wants)
      .plan()
    expect([plan.claim.instanceTypes, plan.zoneOf('a')]).toEqual([['m'], zone2])
    expect(
      world()
        .only({ types: types(false) })
        .pod('a', wants)
        .plan().left,
    ).toEqual(['a'])
  })
})
