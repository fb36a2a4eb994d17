import { apiVersionOf, karpenterKinds, kinds, type NodeClaim, type NodePool } from '@kerf/apis'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { defaultFeatureGates, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Session } from '../../cli/src/up/session.ts'
import { driftingClaims } from '../../headlamp-plugin/src/model/pool-change.ts'

const MINUTE = 60_000
/** Long enough for the controller to look at every claim anew. */
const LOOKS = 6 * MINUTE
const ARCH = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }
const ZONE = 'topology.kubernetes.io/zone'
const CAPACITY_TYPE = 'karpenter.sh/capacity-type'

const template = {
  metadata: { labels: { team: 'shop' } },
  spec: {
    nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    requirements: [ARCH],
    expireAfter: '720h',
  },
}
const spec = { template, disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }

const inTemplate = (change: object): object => ({ template: { ...template, spec: { ...template.spec, ...change } } })
const requiring = (...more: readonly object[]): object => inTemplate({ requirements: [ARCH, ...more] })

/** Each against the same pool, whose budget lets nothing be replaced. */
const edits: Readonly<Record<string, object>> = {
  weight: { weight: 10 },
  'limit of cpu': { limits: { cpu: '100' } },
  'limit that is exceeded': { limits: { cpu: '0' } },
  'limit of nodes': { limits: { nodes: '5' } },
  budgets: { disruption: { ...spec.disruption, budgets: [{ nodes: '0' }, { nodes: '5', reasons: ['Drifted'] }] } },
  consolidateAfter: { disruption: { ...spec.disruption, consolidateAfter: '10h' } },
  consolidationPolicy: { disruption: { ...spec.disruption, consolidationPolicy: 'WhenEmpty' } },
  expireAfter: inTemplate({ expireAfter: '240h' }),
  'expireAfter in other words': inTemplate({ expireAfter: '43200m' }),
  terminationGracePeriod: inTemplate({ terminationGracePeriod: '1h' }),
  taint: inTemplate({ taints: [{ key: 'team', value: 'x', effect: 'NoSchedule' }] }),
  'startup taint': inTemplate({ startupTaints: [{ key: 'boot', effect: 'NoSchedule' }] }),
  'another label': { template: { ...template, metadata: { labels: { team: 'other' } } } },
  'one label more': { template: { ...template, metadata: { labels: { team: 'shop', tier: 'web' } } } },
  'no label': { template: { ...template, metadata: {} } },
  annotation: { template: { ...template, metadata: { ...template.metadata, annotations: { note: 'a' } } } },
  'the other architecture': inTemplate({ requirements: [{ ...ARCH, values: ['arm64'] }] }),
  'both architectures': inTemplate({ requirements: [{ ...ARCH, values: ['amd64', 'arm64'] }] }),
  'on-demand alone': requiring({ key: CAPACITY_TYPE, operator: 'In', values: ['on-demand'] }),
  'spot alone': requiring({ key: CAPACITY_TYPE, operator: 'In', values: ['spot'] }),
  'a zone that nodes have or not': requiring({ key: ZONE, operator: 'In', values: ['test-zone-a'] }),
  'not that zone': requiring({ key: ZONE, operator: 'NotIn', values: ['test-zone-a'] }),
  'a system that is there': requiring({ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }),
  'a system that is not': requiring({ key: 'kubernetes.io/os', operator: 'In', values: ['windows'] }),
  'a label of nobody': requiring({ key: 'example.org/rack', operator: 'Exists' }),
  'a label that nobody has': requiring({ key: 'example.org/rack', operator: 'DoesNotExist' }),
}

const clock = new VirtualClock({ start: Date.UTC(2026, 0, 5) })
const random = new SeededRandom(1)
const cluster = new SandboxCluster({ clock, random: random.fork('sandbox') })
let session: Session

const driven = <T>(work: Promise<T>): Promise<T> => clock.advanceUntilDone(work, 10)

const claims = async (): Promise<readonly NodeClaim[]> =>
  (await driven(cluster.client.list(karpenterKinds.NodeClaim))).items
const isCondition = ({ status }: NodeClaim, type: string): boolean =>
  status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false
const drifted = async (): Promise<readonly string[]> =>
  (await claims())
    .filter((claim) => isCondition(claim, 'Drifted'))
    .map(({ metadata }) => metadata.name ?? '')
    .sort()

const store = async (change: object): Promise<NodePool> => {
  const stored = await driven(cluster.client.get(karpenterKinds.NodePool, { name: 'edited' }))
  const edited = await driven(
    cluster.client.update(karpenterKinds.NodePool, { ...stored, spec: { ...spec, ...change } } as unknown as NodePool),
  )
  await clock.advance(LOOKS)
  return edited
}

beforeAll(async () => {
  await cluster.start()
  session = new Session({
    cluster: {
      ...{ name: 'edits', clock, random: random.fork('kerf'), client: cluster.api.client(), kubeconfig: '' },
      ...{ disposable: true, playsKubelets: true },
      close: async () => {},
    },
    logger: silentLogger,
    instanceTypes: await loadInstanceTypes(),
    featureGates: defaultFeatureGates,
    onDecision: () => {},
  })
  const { signal } = new AbortController()
  await driven(session.prepare(signal))
  session.start()
  const { client } = cluster
  const nodeClass = {
    ...{ apiVersion: 'karpenter.kwok.sh/v1alpha1', kind: 'KWOKNodeClass' },
    ...{ metadata: { name: 'default' }, spec: {} },
  }
  await driven(session.apply([{ object: nodeClass, file: 'edits', line: 0 }], signal))
  await driven(
    client.create(karpenterKinds.NodePool, {
      apiVersion: apiVersionOf(karpenterKinds.NodePool),
      kind: 'NodePool',
      metadata: { name: 'edited' },
      spec,
    } as unknown as NodePool),
  )
  for (const [name, zone] of [
    ['one', 'test-zone-a'],
    ['two', 'test-zone-b'],
    ['three', 'test-zone-c'],
  ] as const)
    await driven(
      client.create(kinds.Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default' },
        spec: {
          nodeSelector: { [ZONE]: zone },
          containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '500m' } } }],
        },
      }),
    )
  await clock.advance(LOOKS)
  const all = await claims()
  expect([all.length, all.every((claim) => isCondition(claim, 'Initialized'))]).toEqual([3, true])
}, 120_000)
afterAll(async () => {
  await driven(session.stop())
})

test('26 edits', () => expect(Object.keys(edits)).toHaveLength(26))

/** What is seen of all edits together: that none, some and all nodes drift, or the comparison says little. */
const seen = new Set<number>()

test.each(Object.keys(edits))('%s: the preview names the claims that the controller marks as drifted', async (name) => {
  await store({})
  expect(await drifted()).toEqual([])
  const before = await claims()
  const stored = await driven(cluster.client.get(karpenterKinds.NodePool, { name: 'edited' }))
  const said = driftingClaims({ ...stored, spec: { ...spec, ...edits[name] } }, before)
  await store(edits[name] ?? {})
  seen.add(said.length)
  expect(said.map(({ claim }) => claim).sort()).toEqual(await drifted())
})

test('some edits drift nothing, some a part, some everything', () => {
  expect([...seen].sort()).toEqual([0, 1, 2, 3])
})
