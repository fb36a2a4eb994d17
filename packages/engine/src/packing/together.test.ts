import type { PersistentVolume, PersistentVolumeClaim, Pod, PodSpec, StorageClass } from '@kerf/apis'
import { awayFrom, inAnyTerm, near, running } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { indexSnapshot } from '../decision/indexed-snapshot.ts'
import { CAPACITY_TYPE, type Cluster, cluster, HOST, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/**
 * This file tests `docs/spec/scheduling.md#pods-that-must-be-together` with a pod that can only run in one place and that packing places
 * last.
 */

const RACK = 'example.com/rack'
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const general = cluster().pool('general')

const claim: PersistentVolumeClaim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', namespace: 'default' },
  spec: {},
}
const inZone3 = { matchExpressions: [isIn(ZONE, 'zone-3')] }
const boundVolume: PersistentVolume = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'data' },
  spec: {
    csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'x' },
    nodeAffinity: { required: { nodeSelectorTerms: [inZone3] } },
  },
}
const zonalClass: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'zonal' },
  provisioner: 'ebs.csi.aws.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowedTopologies: [{ matchLabelExpressions: [{ key: ZONE, values: ['zone-3'] }] }],
}
const withVolume: Partial<PodSpec> = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }
const full = (name: string, zone: string, app: string, spec: Partial<PodSpec> = {}) =>
  node(name, { zone, cpu: '500m', pods: [running(name, pod(`${app}-old`, { labels: { app }, spec }))] })

const merged = (...specs: readonly Partial<PodSpec>[]): Partial<PodSpec> => ({
  ...Object.assign({}, ...specs),
  affinity: Object.assign({}, ...specs.map(({ affinity }) => affinity)),
})

/** Constraints that restrict a member of the group to zone-3, in a cluster in which zone-1 is cheaper for all other pods. */
const narrowed: Readonly<Record<string, { readonly spec: Partial<PodSpec>; readonly cluster?: Cluster }>> = {
  'a bound volume': {
    spec: withVolume,
    cluster: general.with({
      persistentVolumes: [boundVolume],
      persistentVolumeClaims: [
        {
          ...claim,
          metadata: { ...claim.metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
          spec: { volumeName: 'data' },
        },
      ],
    }),
  },
  'a StorageClass': {
    spec: withVolume,
    cluster: general.with({
      storageClasses: [zonalClass],
      persistentVolumeClaims: [{ ...claim, spec: { storageClassName: 'zonal' } }],
    }),
  },
  'a nodeSelector': { spec: { nodeSelector: { [ZONE]: 'zone-3' } } },
  'alternatives of node affinity': { spec: inAnyTerm([isIn(ZONE, 'nowhere')], [isIn(ZONE, 'zone-3')]) },
  'what it may not be in': { spec: inAnyTerm([{ key: ZONE, operator: 'NotIn', values: ['zone-1', 'zone-2'] }]) },
  'the only pool that serves it': {
    spec: { nodeSelector: { team: 'own' } },
    cluster: general.pool('an-own', { labels: { team: 'own' }, requirements: [isIn(ZONE, 'zone-3')] }),
  },
  'anti-affinity to pods that run': {
    spec: awayFrom(ZONE, 'noisy'),
    cluster: general.nodes(full('n-1', 'zone-1', 'noisy'), full('n-2', 'zone-2', 'noisy')),
  },
  'pods that run and keep it away': {
    spec: {},
    cluster: general.nodes(
      full('n-1', 'zone-1', 'x', awayFrom(ZONE, 'last')),
      full('n-2', 'zone-2', 'x', awayFrom(ZONE, 'last')),
    ),
  },
}

const placed = (of: Cluster, pods: readonly Pod[]) => {
  const outcome = of.schedule(pods)
  return { failed: outcome.failed, zones: Object.keys(outcome.perZone()) }
}

describe.each(Object.entries(narrowed))(
  'a member of a group that is restricted by %s',
  (_, { spec, cluster: of = general }) => {
    const inSet = (name: string, own: Partial<PodSpec>, cpu: string, app = 'set') =>
      pod(name, { labels: { app, set: 'one' }, cpu, spec: own })
    const withSet = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: ZONE, labelSelector: { matchLabels: { set: 'one' } } },
          ],
        },
      },
    }

    test('moves its group', () => {
      const pods = [
        inSet('first', withSet, '2'),
        inSet('second', withSet, '1'),
        inSet('last', merged(withSet, spec), '500m', 'last'),
      ]
      expect(placed(of, pods)).toEqual({ failed: [], zones: ['zone-3'] })
    })

    test('moves its leader', () => {
      const follower = pod('last', { labels: { app: 'last' }, spec: merged(spec, near(ZONE, 'leader')) })
      expect(placed(of, [pod('leader', { cpu: '2' }), follower])).toEqual({ failed: [], zones: ['zone-3'] })
    })

    test('moves a chain of leaders', () => {
      const middle = pod('middle', { cpu: '1', spec: near(ZONE, 'leader') })
      const follower = pod('last', { labels: { app: 'last' }, spec: merged(spec, near(ZONE, 'middle')) })
      expect(placed(of, [pod('leader', { cpu: '2' }), middle, follower])).toEqual({ failed: [], zones: ['zone-3'] })
    })
  },
)

test('affinity to running pods also narrows a member', () => {
  const of = general.nodes(full('n', 'zone-3', 'db'))
  const leader = pod('leader', { cpu: '2' })
  const bridge = pod('bridge', { cpu: '1', spec: near(ZONE, 'db') })
  const follower = pod('follower', { cpu: '500m', spec: near(ZONE, 'leader') })
  const both = pod('both', { cpu: '100m', spec: { nodeSelector: { [ZONE]: 'zone-3' }, ...near(ZONE, 'follower') } })
  expect(placed(of, [leader, bridge, follower, both])).toEqual({ failed: [], zones: ['zone-3'] })
})

describe('other keys', () => {
  const set = (key: string, last: Partial<PodSpec>) => [
    pod('set-0', { cpu: '1', spec: near(key, 'set') }),
    pod('set-1', { cpu: '500m', spec: merged(near(key, 'set'), last) }),
  ]

  test('a label of pools', () => {
    const racks = cluster()
      .pool('z-first', { labels: { [RACK]: 'r1' } })
      .pool('a-second', { labels: { [RACK]: 'r2' } })
    expect(racks.schedule(set(RACK, { nodeSelector: { [RACK]: 'r2' } })).failed).toEqual([])
  })

  test('the region', () => {
    const REGION = 'topology.kubernetes.io/region'
    const regions = cluster()
      .pool('z-first', { requirements: [isIn(REGION, 'eu')] })
      .pool('a-second', { requirements: [isIn(REGION, 'us')] })
    expect(regions.schedule(set(REGION, { nodeSelector: { [REGION]: 'us' } })).failed).toEqual([])
  })

  test('the capacity type', () => {
    expect(general.schedule(set(CAPACITY_TYPE, { nodeSelector: { [CAPACITY_TYPE]: 'spot' } })).failed).toEqual([])
    expect(general.schedule(set(CAPACITY_TYPE, { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } })).failed).toEqual([])
  })

  test('two keys at once', () => {
    const both = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [ZONE, CAPACITY_TYPE].map((topologyKey) => ({
            topologyKey,
            labelSelector: { matchLabels: { app: 'set' } },
          })),
        },
      },
    }
    const pods = [
      pod('set-0', { cpu: '1', spec: both }),
      pod('set-1', { spec: { ...both, nodeSelector: { [ZONE]: 'zone-2', [CAPACITY_TYPE]: 'spot' } } }),
    ]
    expect(placed(general, pods)).toEqual({ failed: [], zones: ['zone-2'] })
  })

  test('the hostname: not a free node that another member cannot use', () => {
    const pods = set(HOST, { nodeSelector: { [ZONE]: 'zone-3' } })
    const free = general.nodes(node('free', { zone: 'zone-1' }))
    expect(placed(free, pods)).toEqual({ failed: [], zones: ['zone-3'] })
    expect(free.nodes(node('other', { zone: 'zone-3' })).schedule(pods).placements).toEqual({
      other: ['set-0', 'set-1'],
    })
  })

  test('the hostname: the pool that all members can use', () => {
    const pools = cluster()
      .pool('z-first', {})
      .pool('a-second', { labels: { team: 'own' } })
    expect(pools.schedule(set(HOST, { nodeSelector: { team: 'own' } })).failed).toEqual([])
  })
})

describe('existing nodes', () => {
  test('a free node in another zone is not used by the group', () => {
    const free = general.nodes(node('free', { zone: 'zone-2' }))
    const pods = [
      pod('set-0', { cpu: '500m', spec: near(ZONE, 'set') }),
      pod('set-1', { cpu: '250m', spec: { ...near(ZONE, 'set'), nodeSelector: { [ZONE]: 'zone-3' } } }),
    ]
    const outcome = free.schedule(pods)
    expect([outcome.failed, outcome.placements]).toEqual([[], {}])
  })

  test('a group goes to a node with enough capacity for all of it', () => {
    const nodes = cluster().nodes(node('a', { zone: 'zone-1', cpu: '1' }), node('b', { zone: 'zone-2', cpu: '4' }))
    const pods = replicas(4, 'set', { cpu: '1', spec: near(ZONE, 'set') })
    expect(nodes.schedule(pods).placements).toEqual({ b: ['set-0', 'set-1', 'set-2', 'set-3'] })
  })

  test('a pod that was planned for a launching node stays there, even if another member cannot follow', () => {
    const claimed = node('under-way', { zone: 'zone-1', hasNode: false, initialized: false, nodeClaim: 'under-way' })
    const [first, second] = [
      pod('set-0', { cpu: '500m', spec: near(ZONE, 'set') }),
      pod('set-1', { cpu: '250m', spec: { ...near(ZONE, 'set'), nodeSelector: { [ZONE]: 'zone-3' } } }),
    ]
    const plannedFor = new Map([[first.metadata.uid ?? '', 'under-way']])
    const outcome = general.nodes(claimed).with({ plannedFor }).schedule(first, second)
    expect(outcome.placements).toEqual({ 'under-way': ['set-0'] })
    expect(outcome.failed).toEqual(['set-1'])
  })
})

describe('members with contradictory constraints', () => {
  const member = (name: string, zone: string, cpu: string) =>
    pod(name, { labels: { app: 'set' }, cpu, spec: { ...near(ZONE, 'set'), nodeSelector: { [ZONE]: zone } } })

  test('as many as possible are placed, whatever their order', () => {
    const pods = [member('one', 'zone-1', '2'), member('two', 'zone-3', '1'), member('three', 'zone-3', '500m')]
    const outcome = general.schedule(pods)
    expect(outcome.failed).toEqual(['one'])
    expect(outcome.reasonOf('one')).toBe('topology.affinity')
  })

  test('leaders are divided among followers that cannot be together', () => {
    const follower = (name: string, zone: string) =>
      pod(name, { cpu: '100m', spec: { ...near(ZONE, 'leader'), nodeSelector: { [ZONE]: zone } } })
    const pods = [...replicas(2, 'leader', { cpu: '1' }), follower('a', 'zone-2'), follower('b', 'zone-3')]
    const outcome = general.schedule(pods)
    expect(outcome.failed).toEqual([])
    expect(Object.keys(outcome.perZone()).sort()).toEqual(['zone-2', 'zone-3'])
  })

  test('other pods are placed as usual', () => {
    const others = replicas(20, 'other', { cpu: '1' })
    const pods = [member('one', 'zone-1', '2'), member('two', 'zone-3', '1'), member('three', 'zone-3', '500m')]
    expect(general.schedule(pods, others).failed).toEqual(['one'])
  })

  test('this also works in a large batch', () => {
    const others = replicas(400, 'other', { cpu: '1' })
    const pods = [member('one', 'zone-1', '2'), member('two', 'zone-3', '1'), member('three', 'zone-3', '500m')]
    expect(general.schedule(pods, others).failed).toEqual(['one'])
  })
})

test('a what-if finds the place as well', () => {
  const [plain, pinned] = [
    running('old', pod('set-0', { cpu: '1', spec: near(ZONE, 'set') })),
    running('old', pod('set-1', { cpu: '500m', spec: { ...near(ZONE, 'set'), nodeSelector: { [ZONE]: 'zone-3' } } })),
  ]
  const of = general.nodes(node('old', { zone: 'zone-3', pods: [plain, pinned] }))
  const questions = indexSnapshot(of.snapshot, [], [[plain, pinned]], of.options)
  for (let again = 0; again < 2; again++) {
    const plan = questions.whatIf(['old'])
    expect(plan.unschedulable).toEqual([])
    expect(plan.claims.map(({ cheapest, pods }) => [cheapest.zone, pods.length])).toEqual([['zone-3', 2]])
  }
})
