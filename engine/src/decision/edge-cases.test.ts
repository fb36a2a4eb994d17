import { type Pod, parseQuantity } from '@kerf/apis'
import { awayFrom, inAnyOf, near, running, spreadOver } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { CAPACITY_TYPE, cluster, HOST, instanceType, node, pod, replicas, ZONE } from '../testing/cluster-builders.ts'

/** Cases of `docs/spec/scheduling-edge-cases.md`; `test/facts/numbered-cases.ts` has their numbers. */

const general = cluster().pool('general')
const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

describe('pods that cannot be planned', () => {
  test('matchFields in any term refuses the pod', () => {
    const terms = [{ matchExpressions: [isIn(ZONE, 'zone-1')] }, { matchFields: [isIn('metadata.name', 'x')] }]
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } }
    const outcome = general.schedule(pod('a', { spec: { affinity } }), pod('b'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.reasonOf('a')).toBe('pod.invalid')
  })

  test('two complaints are both told', () => {
    const outcome = general.schedule(pod('a', { spec: { nodeSelector: { [HOST]: 'x', 'karpenter.sh/own': 'y' } } }))
    expect(outcome.plan.unschedulable[0]?.reasons).toHaveLength(2)
  })

  test('an impossible preference is given up, not refused', () => {
    const preference = { matchExpressions: [isIn('karpenter.sh/own', 'x')] }
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } }
    expect(general.schedule(pod('a', { spec: { affinity } })).failed).toEqual([])
  })

  test.each(['karpenter.sh/registered', 'karpenter.sh/initialized', HOST])('%s may not be asked for', (key) => {
    expect(general.schedule(pod('a', { spec: { nodeSelector: { [key]: 'true' } } })).reasonOf('a')).toBe('pod.invalid')
  })

  test('pods with device claims are refused while those are ignored', () => {
    const outcome = general.schedule(pod('a', { spec: { resourceClaims: [{ name: 'gpu' }] } }), pod('b'))
    expect(outcome.failed).toEqual(['a'])
    expect(outcome.reasonOf('a')).toBe('pod.device-claim')
  })
})

describe('labels and node affinity', () => {
  test('an existing node without the label takes NotIn and refuses In', () => {
    const { [ZONE]: _, ...unzoned } = node('n').labels
    const bare = cluster().nodes({ ...node('n'), labels: unzoned })
    const notIn = inAnyOf([{ key: ZONE, operator: 'NotIn', values: ['zone-1'] }])
    expect(bare.schedule(pod('a', { spec: notIn })).placements).toEqual({ n: ['a'] })
    expect(bare.schedule(pod('a', { spec: { nodeSelector: { [ZONE]: 'zone-1' } } })).failed).toEqual(['a'])
  })

  test.each([
    ['In', ['x'], false],
    ['Exists', [], false],
    ['NotIn', ['x'], true],
    ['DoesNotExist', [], true],
  ] as const)('%s on a label that the pool does not know', (operator, values, isPlaced) => {
    const outcome = general.schedule(pod('a', { spec: inAnyOf([{ key: 'example.com/own', operator, values }]) }))
    expect(outcome.failed.length === 0).toBe(isPlaced)
  })

  test.each([
    ['In', ['x'], true],
    ['In', ['y'], false],
    ['NotIn', ['x'], false],
    ['NotIn', ['y'], true],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
  ] as const)('%s %s on a label that the pool sets to x', (operator, values, isPlaced) => {
    const own = cluster().pool('general', { labels: { 'example.com/own': 'x' } })
    const outcome = own.schedule(pod('a', { spec: inAnyOf([{ key: 'example.com/own', operator, values }]) }))
    expect(outcome.failed.length === 0).toBe(isPlaced)
  })

  test('an old name and the new one are one label', () => {
    const spec = {
      nodeSelector: { 'beta.kubernetes.io/arch': 'amd64' },
      ...inAnyOf([isIn('kubernetes.io/arch', 'arm64')]),
    }
    expect(general.schedule(pod('a', { spec })).failed).toEqual(['a'])
  })

  test('alternatives are tried in turn, the selector always holds', () => {
    const spec = {
      nodeSelector: { [CAPACITY_TYPE]: 'on-demand' },
      ...inAnyOf([isIn(ZONE, 'nowhere')], [isIn(ZONE, 'zone-2')]),
    }
    const [claim] = general.schedule(pod('a', { spec })).plan.claims
    expect(claim?.cheapest).toMatchObject({ zone: 'zone-2', capacityType: 'on-demand' })
  })

  test('a pool with several values of an own label gets one as label and keeps all as requirement', () => {
    const own = cluster().pool('general', { requirements: [isIn('example.com/own', 'b', 'a')] })
    const [claim] = own.schedule(pod('a')).plan.claims
    expect(claim?.labels['example.com/own']).toBe('a')
    expect(claim?.requirements).toContainEqual({ key: 'example.com/own', operator: 'In', values: ['a', 'b'] })
  })

  test('pods that contradict each other get two nodes', () => {
    const own = cluster().pool('general', { requirements: [isIn('example.com/own', 'b', 'a')] })
    const wants = (value: string) => ({ spec: { nodeSelector: { 'example.com/own': value } } })
    expect(own.schedule(pod('a', wants('a')), pod('b', wants('b'))).sizes).toEqual([1, 1])
  })
})

describe('order', () => {
  test('equal pods of one second go by UID, whatever the order given', () => {
    const tight = cluster().nodes(node('n', { cpu: '1' }))
    const pods = replicas(3, 'a', { cpu: '500m' })
    const first = tight.schedule(pods)
    expect(first.placements).toEqual({ n: ['a-0', 'a-1'] })
    expect(tight.schedule(pods.toReversed()).placements).toEqual(first.placements)
  })

  test('initialised nodes come first', () => {
    const two = cluster().nodes(node('a', { initialized: false }), node('b'))
    expect(two.schedule(pod('x')).placements).toEqual({ b: ['x'] })
  })

  test('pools of equal weight are tried from the end of the alphabet', () => {
    const [claim] = cluster().pool('a').pool('b').schedule(pod('x')).plan.claims
    expect(claim?.nodePool).toBe('b')
  })

  test('any weight beats none', () => {
    const [claim] = cluster().pool('a', { weight: 1 }).pool('b').schedule(pod('x')).plan.claims
    expect(claim?.nodePool).toBe('a')
  })

  test('a lighter pool that fits now is taken before a preference is given up for a heavier one', () => {
    const pools = cluster()
      .pool('heavy', { weight: 10, requirements: [isIn(ZONE, 'zone-1')] })
      .pool('light', { requirements: [isIn(ZONE, 'zone-2')] })
    const preference = { matchExpressions: [isIn(ZONE, 'zone-2')] }
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference }] } }
    expect(pools.schedule(pod('x', { spec: { affinity } })).plan.claims[0]?.nodePool).toBe('light')
  })

  test('preferences are given up heaviest first, one at a time', () => {
    const prefer = (weight: number, zone: string) => ({ weight, preference: { matchExpressions: [isIn(ZONE, zone)] } })
    const nodeAffinity = {
      preferredDuringSchedulingIgnoredDuringExecution: [prefer(1, 'zone-2'), prefer(5, 'nowhere')],
    }
    const outcome = general.schedule(pod('x', { spec: { affinity: { nodeAffinity } } }))
    expect(outcome.plan.claims[0]?.cheapest.zone).toBe('zone-2')
  })
})

describe('limits', () => {
  test('the limit on nodes is exact within a decision (upstream makes three)', () => {
    const limited = cluster()
      .pool('general', { limits: { nodes: '2' } })
      .nodes(node('n', { cpu: '0' }))
    const outcome = limited.schedule(replicas(3, 'a', { spec: awayFrom(HOST, 'a') }))
    expect(outcome.sizes).toEqual([1])
    expect(outcome.plan.unschedulable[0]?.reasons[0]?.code).toBe('nodepool.node-limit')
  })

  test('a limit that is exceeded already refuses', () => {
    const limited = cluster()
      .pool('general', { limits: { nodes: '1' } })
      .nodes(node('n', { cpu: '0' }), node('o', { cpu: '0' }))
    expect(limited.schedule(pod('a')).reasonOf('a')).toBe('nodepool.node-limit')
  })

  test('a limit on something that no type has does not bind', () => {
    const limited = cluster().pool('general', { limits: { 'example.com/gpu': '0', node: '0' } })
    expect(limited.schedule(pod('a')).failed).toEqual([])
  })

  test('nodes of a pool that is gone are used and limit nobody', () => {
    const orphan = cluster()
      .pool('general', { limits: { cpu: '20' } })
      .nodes(node('n', { nodePool: 'gone' }))
    expect(orphan.schedule(pod('a')).placements).toEqual({ n: ['a'] })
  })
})

describe('room', () => {
  test('a type whose overhead exceeds it takes nothing', () => {
    const broken = instanceType('broken', 1, '5Mi', 0.001)
    expect(
      cluster()
        .pool('general', { types: [broken] })
        .schedule(pod('a', { memory: '0', cpu: '0' })).failed,
    ).toEqual(['a'])
  })

  test('nothing of an unknown resource fits everywhere, something nowhere', () => {
    expect(general.schedule(pod('a', { requests: { 'example.com/x': '0' } })).failed).toEqual([])
    const outcome = general.schedule(pod('a', { requests: { 'example.com/x': '1' } }))
    expect(outcome.reasonOf('a')).toBe('resources.exceeded')
  })

  test('nothing fits a node that is over-committed, in whatever', () => {
    const full = node('n', { pods: [running('n', pod('old', { memory: '20Gi' }))] })
    expect(
      cluster()
        .nodes(full)
        .schedule(pod('a', { cpu: '1m', memory: '0' })).failed,
    ).toEqual(['a'])
  })

  test('a pod without requests still takes one of pods', () => {
    const slots = instanceType('slots', 4, '8Gi', 0.1, '3')
    const outcome = cluster()
      .pool('general', { types: [slots] })
      .schedule(replicas(5, 'a', { cpu: '0', memory: '0' }))
    expect(outcome.sizes).toEqual([3, 2])
  })

  test('hugepages come out of memory', () => {
    const huge = {
      ...instanceType('huge', 4, '4Gi'),
      capacity: {
        cpu: parseQuantity('4'),
        memory: parseQuantity('4Gi'),
        pods: parseQuantity('9'),
        'hugepages-2Mi': parseQuantity('6Gi'),
      },
    }
    const pools = cluster().pool('general', { types: [huge] })
    expect(pools.schedule(pod('a', { memory: '1Mi' })).failed).toEqual(['a'])
    expect(pools.schedule(pod('a', { memory: '0' })).failed).toEqual([])
  })

  test('amounts finer than a milli are compared exactly', () => {
    const tight = cluster().nodes(node('n', { cpu: '1' }))
    expect(tight.schedule(replicas(2, 'a', { cpu: '500000001n', memory: '100m' })).placements).toEqual({ n: ['a-0'] })
    expect(tight.schedule(replicas(2, 'a', { cpu: '500000u' })).placements).toEqual({ n: ['a-0', 'a-1'] })
  })
})

describe('taints', () => {
  const soft = { key: 'soft', effect: 'PreferNoSchedule' as const }

  test('a pool with a soft taint comes after one without', () => {
    const pools = cluster()
      .pool('z-soft', { weight: 5, taints: [soft] })
      .pool('plain')
    expect(pools.schedule(pod('a')).plan.claims[0]?.nodePool).toBe('plain')
    expect(
      cluster()
        .pool('soft', { taints: [soft] })
        .schedule(pod('a')).failed,
    ).toEqual([])
  })

  test('a soft taint on a node alone is never tolerated', () => {
    expect(
      cluster()
        .nodes(node('n', { taints: [soft] }))
        .schedule(pod('a')).failed,
    ).toEqual(['a'])
  })

  test.each([
    ['Gt', '5', true],
    ['Gt', '3', false],
    ['Lt', '3', true],
    ['Gt', 'x', false],
  ] as const)('toleration %s %s of the value 4', (operator, value, isTolerated) => {
    const tainted = cluster().pool('general', { taints: [{ key: 'level', value: '4', effect: 'NoSchedule' }] })
    const flip = operator === 'Gt' ? 'Lt' : 'Gt'
    const tolerations = [{ key: 'level', operator: flip, value }] as const
    expect(tainted.schedule(pod('a', { spec: { tolerations } })).failed.length === 0).toBe(isTolerated)
  })

  test('what is not tolerated is named', () => {
    const tainted = cluster().pool('general', { taints: [{ key: 'team', value: 'x', effect: 'NoExecute' }] })
    const outcome = tainted.schedule(pod('a'))
    expect(outcome.plan.unschedulable[0]?.reasons).toEqual([
      {
        code: 'taint.not-tolerated',
        subject: 'nodepool/general',
        detail: { taint: 'team=x:NoExecute', offered: 20, left: 20 },
      },
    ])
  })
})

describe('daemons', () => {
  const daemon = (spec: Partial<Pod['spec']>, cpu = '1'): Pod => ({ ...pod('daemon', { cpu, memory: '0', spec }) })
  const sized = [instanceType('c-1', 1, '4Gi'), instanceType('c-2', 2, '4Gi'), instanceType('c-3', 3, '4Gi')]

  test('every alternative of a daemon counts for every type (upstream forgets them)', () => {
    const only = (name: string) => [isIn('node.kubernetes.io/instance-type', name)]
    const clusterOf = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [daemon(inAnyOf(only('c-2'), only('c-1')))] })
    const [claim] = clusterOf.schedule(pod('a', { cpu: '950m' })).plan.claims
    expect(claim?.instanceTypes).toEqual(['c-3'])
  })

  test('each type carries the overhead of its own daemons; the claim requests the least of them', () => {
    const big = daemon(inAnyOf([isIn('node.kubernetes.io/instance-type', 'c-3')]), '500m')
    const [claim] = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [big] })
      .schedule(pod('a', { cpu: '1500m' })).plan.claims
    expect(claim?.instanceTypes).toEqual(['c-2', 'c-3'])
    expect(claim?.requests['cpu']).toBe(parseQuantity('1500m'))
  })

  test('a daemon’s host port keeps pods off the types it runs on', () => {
    const port = { ports: [{ containerPort: 80, hostPort: 8080 }] }
    const only = inAnyOf([isIn('node.kubernetes.io/instance-type', 'c-3')])
    const holder = pod('daemon', { cpu: '0', memory: '0', spec: only, container: port })
    const pools = cluster()
      .pool('general', { types: sized })
      .with({ daemonPods: [holder] })
    expect(pools.schedule(pod('a', { container: port })).plan.claims[0]?.instanceTypes).toEqual(['c-1', 'c-2'])
    const everywhere = pod('daemon', { cpu: '0', memory: '0', container: port })
    expect(pools.with({ daemonPods: [everywhere] }).schedule(pod('a', { container: port })).failed).toEqual(['a'])
  })

  test('a daemon that runs already is not reserved again', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'daemon', uid: 'd' }
    const here = running('n', pod('daemon-x', { cpu: '1', memory: '0' }))
    const owned: Pod = { ...here, metadata: { ...here.metadata, ownerReferences: [owner] } }
    const two = (pods: readonly Pod[]) =>
      cluster()
        .nodes(node('n', { cpu: '2', pods }))
        .with({ daemonPods: [daemon({})] })
    expect(two([owned]).schedule(pod('a', { cpu: '1' })).placements).toEqual({ n: ['a'] })
    expect(two([]).schedule(pod('a', { cpu: '1500m' })).failed).toEqual(['a'])
  })
})

describe('host ports', () => {
  const binding = (hostIP: string, protocol: 'TCP' | 'UDP' = 'TCP') => ({
    container: { ports: [{ containerPort: 80, hostPort: 80, hostIP, protocol }] },
  })

  test.each([
    ['10.0.0.1', '10.0.0.2', 'TCP', 1],
    ['10.0.0.1', '0.0.0.0', 'TCP', 2],
    ['10.0.0.1', '::', 'TCP', 2],
    ['10.0.0.1', '10.0.0.1', 'UDP', 1],
  ] as const)('%s and %s (%s)', (left, right, protocol, nodes) => {
    const outcome = general.schedule(pod('a', binding(left)), pod('b', binding(right, protocol)))
    expect(outcome.sizes).toHaveLength(nodes)
  })
})

describe('topology', () => {
  test('pods that their own constraint does not select may stack', () => {
    const outcome = general.schedule(replicas(4, 'a', { labels: { app: 'other' }, spec: spreadOver(ZONE, 'a') }))
    expect(outcome.sizes).toEqual([4])
  })

  test('affinity to nobody waits; once there is somebody, the same decision places it', () => {
    const follower = pod('follower', { cpu: '900m', spec: near(ZONE, 'leader') })
    expect(general.schedule(follower).reasonOf('follower')).toBe('topology.affinity')
    const leader = pod('leader', { cpu: '100m', spec: { nodeSelector: { [ZONE]: 'zone-2' } } })
    expect(general.schedule(follower, leader).failed).toEqual([])
  })

  test('followers are placed with a leader whose zone is still open (upstream lets them wait)', () => {
    const outcome = general.schedule(
      pod('leader', { cpu: '3' }),
      replicas(4, 'follower', { spec: near(ZONE, 'leader') }),
    )
    expect(outcome.failed).toEqual([])
    expect(Object.keys(outcome.perZone())).toHaveLength(1)
  })

  test('ten that want to be on one host, five fit', () => {
    const slots = instanceType('slots', 16, '64Gi', 0.1, '5')
    const outcome = cluster()
      .pool('general', { types: [slots] })
      .schedule(replicas(10, 'a', { cpu: '10m', spec: near(HOST, 'a') }))
    expect(outcome.sizes).toEqual([5])
    expect(outcome.failed).toHaveLength(5)
  })

  test('a group that wants to be in one zone ends in one zone', () => {
    const outcome = general.schedule(replicas(30, 'a', { cpu: '3', spec: near(ZONE, 'a') }))
    expect(outcome.failed).toEqual([])
    expect(Object.keys(outcome.perZone())).toHaveLength(1)
  })

  test('replicas that want a zone each get three zones in one decision (upstream: one each)', () => {
    const outcome = general.schedule(replicas(4, 'a', { spec: awayFrom(ZONE, 'a') }))
    expect(outcome.sizes).toEqual([1, 1, 1])
    expect(Object.keys(outcome.perZone())).toHaveLength(3)
    expect(outcome.plan.unschedulable[0]?.reasons[0]?.code).toBe('topology.anti-affinity')
  })

  test('a group that has a running member anywhere begins nowhere else (upstream lets it)', () => {
    const elsewhere = node('n', {
      zone: 'zone-1',
      cpu: '1',
      pods: [running('n', pod('a-x', { labels: { app: 'a' }, cpu: '1' }))],
    })
    const spec = { ...near(ZONE, 'a'), nodeSelector: { [ZONE]: 'zone-3' } }
    const outcome = general.nodes(elsewhere).schedule(pod('a-1', { spec }))
    expect(outcome.reasonOf('a-1')).toBe('topology.affinity')
    expect(outcome.sizes).toEqual([])
  })

  test('more domains demanded than there are caps each at the skew', () => {
    const pools = cluster().pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
    const outcome = pools.schedule(replicas(3, 'a', { spec: spreadOver(ZONE, 'a', { minDomains: 3 }) }))
    expect(outcome.perZone()).toEqual({ 'zone-1': 1, 'zone-2': 1 })
    expect(outcome.reasonOf(outcome.failed[0] ?? '')).toBe('topology.spread')
  })

  test('with as many domains as demanded all are placed', () => {
    const outcome = general.schedule(replicas(11, 'a', { spec: spreadOver(ZONE, 'a', { minDomains: 3 }) }))
    expect(Object.values(outcome.perZone()).sort()).toEqual([3, 4, 4])
  })

  test('spread over hosts is a cap per node', () => {
    expect(general.schedule(replicas(4, 'a', { cpu: '10m', spec: spreadOver(HOST, 'a') })).sizes).toEqual([1, 1, 1, 1])
    expect(
      general.schedule(replicas(4, 'a', { cpu: '10m', spec: spreadOver(HOST, 'a', { maxSkew: 4 }) })).sizes,
    ).toEqual([4])
  })

  test('a zone that only a pool without room reaches still counts', () => {
    const pools = cluster()
      .pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
      .pool('full', { requirements: [isIn(ZONE, 'zone-3')], limits: { cpu: '0' } })
    expect(pools.schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).perZone()).toEqual({
      'zone-1': 1,
      'zone-2': 1,
    })
  })

  test('a zone that the pod’s own pool cannot reach does not count (upstream counts it)', () => {
    const pools = cluster()
      .pool('own', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')], labels: { team: 'own' } })
      .pool('other', { requirements: [isIn(ZONE, 'zone-3')] })
    const spec = { ...spreadOver(ZONE, 'a'), nodeSelector: { team: 'own' } }
    expect(pools.schedule(replicas(6, 'a', { spec })).perZone()).toEqual({ 'zone-1': 3, 'zone-2': 3 })
  })

  test('a domain behind a taint counts unless taints are honoured', () => {
    const pools = cluster()
      .pool('general', { requirements: [isIn(ZONE, 'zone-1')] })
      .pool('tainted', { requirements: [isIn(ZONE, 'zone-2')], taints: [{ key: 'x', effect: 'NoSchedule' }] })
    const spread = (nodeTaintsPolicy: 'Honor' | 'Ignore') =>
      replicas(3, 'a', { spec: spreadOver(ZONE, 'a', { nodeTaintsPolicy }) })
    expect(pools.schedule(spread('Ignore')).failed).toHaveLength(2)
    expect(pools.schedule(spread('Honor')).failed).toEqual([])
  })

  test('constraints that differ in what nodes they look at are counted apart (upstream merges them)', () => {
    const inZones = (app: string, ...zones: readonly string[]) =>
      replicas(2, app, {
        labels: { app: 'web' },
        spec: { ...spreadOver(ZONE, 'web'), ...inAnyOf([isIn(ZONE, ...zones)]) },
      })
    const outcome = general.schedule(inZones('left', 'zone-1', 'zone-2'), inZones('right', 'zone-3'))
    expect(outcome.failed).toEqual([])
  })

  test('preferred anti-affinity acts until it is given up, and blocks nobody else', () => {
    const term = { topologyKey: HOST, labelSelector: { matchLabels: { app: 'a' } } }
    const podAntiAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] }
    const outcome = general.schedule(
      replicas(3, 'a', { cpu: '100m', spec: { affinity: { podAntiAffinity } } }),
      pod('b', { cpu: '10m' }),
    )
    expect(outcome.sizes).toEqual([2, 1, 1])
    expect(
      general
        .set({ preferencePolicy: 'Ignore' })
        .schedule(replicas(3, 'a', { spec: { affinity: { podAntiAffinity } } })).sizes,
    ).toEqual([3])
  })

  test('a pod that is moved does not count where it was', () => {
    const moved = running('n', pod('a-1', { spec: spreadOver(ZONE, 'a') }))
    const deleting = node('n', { markedForDeletion: true, pods: [moved] })
    const other = node('o', { zone: 'zone-2', cpu: '1', pods: [running('o', pod('a-2', { cpu: '1' }))] })
    expect(general.nodes(deleting, other).schedule(moved).perZone()).toEqual({ 'zone-1': 1 })
  })

  test('a constraint without a selector counts nobody', () => {
    const spec = {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' as const }],
    }
    expect(general.schedule(replicas(3, 'a', { spec })).sizes).toEqual([3])
    const everyone = spreadOver(ZONE, 'a', { labelSelector: {} })
    expect(Object.values(general.schedule(replicas(3, 'a', { spec: everyone })).perZone())).toEqual([1, 1, 1])
  })

  test('matchLabelKeys that the pod lacks are skipped, others tell revisions apart', () => {
    const revision = (hash: string) =>
      replicas(2, `r${hash}`, {
        labels: { app: 'web', hash },
        spec: spreadOver(HOST, 'web', { matchLabelKeys: ['hash', 'absent'] }),
      })
    expect(general.schedule(revision('1'), revision('2')).sizes).toEqual([2, 2])
  })

  test('an empty namespaceSelector is everywhere, neither list nor selector is the own namespace', () => {
    const other: Pod = { ...pod('old'), metadata: { ...pod('old').metadata, namespace: 'elsewhere' } }
    const here = general.nodes(node('n', { zone: 'zone-1', cpu: '600m', pods: [running('n', other)] }))
    const term = { topologyKey: ZONE, labelSelector: { matchLabels: { app: 'old' } } }
    const require = (namespaceSelector?: object) => ({
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { ...term, ...(namespaceSelector && { namespaceSelector }) },
          ],
        },
      },
    })
    expect(here.schedule(pod('a', { spec: require({}) })).failed).toEqual([])
    expect(here.schedule(pod('a', { spec: require() })).failed).toEqual(['a'])
  })

  test('default constraints are for pods that declare none', () => {
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default' },
      spec: { selector: { app: 'a' } },
    }
    const defaults = general
      .with({ services: [service] })
      .set({ defaultSpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }] })
    expect(Object.values(defaults.schedule(replicas(3, 'a')).perZone())).toEqual([1, 1, 1])
    expect(defaults.schedule(replicas(3, 'a', { spec: spreadOver(HOST, 'a', { maxSkew: 9 }) })).sizes).toEqual([3])
    expect(defaults.schedule(replicas(3, 'b')).sizes).toEqual([3])
  })

  test('a value that a pool excludes is no domain (upstream makes it one)', () => {
    const pools = cluster()
      .pool('excluding', { requirements: [{ key: 'team', operator: 'NotIn', values: ['x'] }] })
      .pool('teams', { requirements: [isIn('team', 'y', 'z')] })
    expect(pools.schedule(replicas(4, 'a', { spec: spreadOver('team', 'a') })).failed).toEqual([])
  })

  test('who must not be with others is kept away by them too', () => {
    const hermit = pod('hermit', { cpu: '100m', spec: awayFrom(HOST, 'crowd') })
    expect(general.schedule(replicas(3, 'crowd'), hermit).claims).toEqual([
      ['crowd-0', 'crowd-1', 'crowd-2'],
      ['hermit'],
    ])
    const first = pod('hermit', { cpu: '3', spec: awayFrom(HOST, 'crowd') })
    expect(general.schedule(replicas(3, 'crowd'), first).claims).toEqual([
      ['crowd-0', 'crowd-1', 'crowd-2'],
      ['hermit'],
    ])
  })

  test('a node without a host label is its name; a claim without a node is in no domain yet', () => {
    const { [HOST]: _, ...nameless } = node('n').labels
    const crowded = { ...node('n', { pods: [running('n', pod('old', { labels: { app: 'a' } }))] }), labels: nameless }
    expect(
      cluster()
        .nodes(crowded, node('o'))
        .schedule(pod('a-1', { labels: { app: 'a' }, spec: awayFrom(HOST, 'a') })).placements,
    ).toEqual({ o: ['a-1'] })
    const pools = cluster().pool('general', { requirements: [isIn(ZONE, 'zone-1', 'zone-2')] })
    const coming = node('coming', { zone: 'zone-9', hasNode: false, initialized: false, cpu: '0' })
    expect(pools.nodes(coming).schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).failed).toEqual([])
    expect(
      pools.nodes({ ...coming, hasNode: true }).schedule(replicas(4, 'a', { spec: spreadOver(ZONE, 'a') })).failed,
    ).toHaveLength(2)
  })

  test('defaults are deduced from the owner too; a contradiction selects nobody', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: 'rs', controller: true }
    const owned = replicas(3, 'a').map((each) => ({
      ...each,
      metadata: { ...each.metadata, ownerReferences: [owner] },
    }))
    const selecting = (app: string) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs', namespace: 'default' },
      spec: { selector: { matchLabels: { app } } },
    })
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a', namespace: 'default' },
      spec: { selector: { app: 'a' } },
    }
    const defaults = general.set({
      defaultSpreadConstraints: [{ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule' }],
    })
    expect(
      Object.values(
        defaults
          .with({ podOwners: [selecting('a')] })
          .schedule(owned)
          .perZone(),
      ),
    ).toEqual([1, 1, 1])
    expect(defaults.with({ podOwners: [selecting('b')], services: [service] }).schedule(owned).sizes).toEqual([3])
    const job = { ...owner, apiVersion: 'batch/v1', kind: 'Job' }
    const ofJob = owned.map((each) => ({ ...each, metadata: { ...each.metadata, ownerReferences: [job] } }))
    expect(defaults.with({ podOwners: [selecting('a')] }).schedule(ofJob).sizes).toEqual([3])
    // Pods that differ in nothing but their controller are not alike.
    const [first] = ofJob.map((each) => ({ ...each, metadata: { ...each.metadata, name: 'of-job', uid: '0' } }))
    const both = defaults.with({ podOwners: [selecting('a')] }).schedule([...(first ? [first] : []), ...owned])
    expect(both.sizes).toHaveLength(3)
  })
})

test('a node affinity term without expressions matches anything (upstream’s reading)', () => {
  expect(general.schedule(pod('a', { spec: inAnyOf([]) })).failed).toEqual([])
})

test('the improvement pass does not put anybody beside pods that mind', () => {
  const together = { affinity: { ...near(HOST, 'pair').affinity, ...awayFrom(HOST, 'loud').affinity } }
  const improving = general.set({ planBudget: 300_000 })
  const outcome = improving.schedule(
    replicas(3, 'pair', { cpu: '1100m', spec: together }),
    replicas(5, 'loud', { cpu: '200m' }),
    replicas(5, 'quiet', { cpu: '200m' }),
  )
  expect(outcome.failed).toEqual([])
  for (const names of outcome.claims) {
    if (names.some((name) => name.startsWith('pair')))
      expect(names.filter((name) => name.startsWith('loud'))).toEqual([])
  }
})
