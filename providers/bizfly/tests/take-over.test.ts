import { findCondition, formatTime, karpenterKinds, kinds } from '@kerf/apis'
import { METADATA, providerId } from '@kerf/provider-bizfly'
import { bizflyNodeClassKind } from '@kerf/provider-bizfly/node-class'
import {
  CLUSTER,
  type FakeAccount,
  type FakeServer,
  REGION,
  registeredNode,
  ZONES,
} from '@kerf/provider-bizfly/testing'
import { createUpstreamNode, stampPool } from '@kerf/provider-kit/testing/upstream-node'
import type { KubeClient, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { story } from './kerf-on-fake-bizfly.ts'

const HOUR = 3_600_000
const NAME = 'general-aaaaa'
const FINALIZER = 'karpenter.sh/termination'
const prefix = 'karpenter.bizflycloud.com'

/** The labels that Bizfly's own provider writes. A label is empty if no requirement has a value for it. */
const labelsOf = ({ flavor, zone }: FakeServer): Readonly<Record<string, string>> => ({
  ...{ 'karpenter.sh/nodepool': 'general', 'karpenter.sh/capacity-type': 'on_demand' },
  ...{ 'node.kubernetes.io/instance-type': flavor, 'topology.kubernetes.io/zone': zone },
  ...{ 'topology.kubernetes.io/region': REGION, 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux' },
  ...{ [`${prefix}/bizflycloudnodeclass`]: 'default', [`${prefix}/node-category`]: 'premium' },
  ...{ [`${prefix}/disk-type`]: '', [`${prefix}/network-plan`]: '', [`${prefix}/os-type`]: '' },
})

/** Creates a server, its NodeClaim and its Node as Bizfly's own provider leaves them: without hashes and without an image. */
const loadUpstreamState = async (
  client: KubeClient,
  account: FakeAccount,
  clock: VirtualClock,
): Promise<FakeServer> => {
  const metadata = { [METADATA.managed]: 'true', [METADATA.cluster]: CLUSTER }
  const server = account.put({ name: NAME, zone: ZONES[0], metadata }, 2 * HOUR)
  const { group, kind } = bizflyNodeClassKind
  const requirements = [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on_demand'] }]
  const pool = { spec: { template: { spec: { requirements } } } }
  const stored = await client.patch(
    karpenterKinds.NodePool,
    { name: 'general' },
    { type: 'merge', body: pool as object },
  )
  await createUpstreamNode(client, {
    ...{ pool: await stampPool(client, stored), at: formatTime(clock.now()), node: registeredNode(account, server) },
    metadata: { name: NAME, annotations: {}, labels: labelsOf(server) },
    spec: { nodeClassRef: { group, kind, name: 'default' }, requirements },
    conditions: ['Launched', 'Registered', 'Initialized', 'Ready'],
  })
  return server
}

/** The calls of the fake that change something. */
const CHANGES: ReadonlySet<string> = new Set(['launchServer', 'deleteServer', 'leaveCluster'])

test('a cluster of Bizfly’s own provider: in an hour no server is touched, and no NodeClaim drifts', async () => {
  const writes: string[] = []
  const loaded: FakeServer[] = []
  const { client, account, cloud, pass } = await story({
    replicas: 0,
    load: async (own, fake, clock) => {
      loaded.push(await loadUpstreamState(own, fake.account, clock))
    },
    interceptor: {
      after: ({ verb, kind, ref, subresource }) => {
        if (kind !== undefined && ['NodeClaim', 'Node'].includes(kind.kind) && !['get', 'list', 'watch'].includes(verb))
          writes.push([verb, kind.kind, ref?.name, subresource].filter(Boolean).join(' '))
      },
    },
  })
  await pass(3_600)
  expect(cloud.requests.filter(({ call }) => CHANGES.has(call))).toEqual([])
  expect(account.servers.living()).toEqual(loaded)
  const [claim] = (await client.list(karpenterKinds.NodeClaim)).items
  expect(claim?.metadata).toMatchObject({
    name: NAME,
    finalizers: [FINALIZER],
    labels: labelsOf(loaded[0] as FakeServer),
  })
  expect(claim && findCondition(claim, 'Drifted')).toBeUndefined()
  // Bizfly's own provider has no hash, so Kerf writes one once. After that, it writes only conditions.
  expect(writes.filter((write) => write !== `patch NodeClaim ${NAME} status`)).toEqual([`patch NodeClaim ${NAME}`])
  const [nodeClass] = (await client.list(bizflyNodeClassKind)).items
  const hashes = ['hash', 'hash-version'].map((name) => `${prefix}/bizflycloudnodeclass-${name}`)
  for (const key of hashes) expect(claim?.metadata.annotations?.[key]).toBe(nodeClass?.metadata.annotations?.[key])
  expect(cloud.problems).toEqual([])
})

/** The metadata keys with which Bizfly's own provider and its worker images recognise a server. */
const UPSTREAM_METADATA = [
  ...['bizfly_cloud_service', 'bke_cluster_id', 'bke_cluster_token', 'bke_join_endpoint', 'bke_log_endpoint'],
  ...['kubernetes_version', 'bke_node_everywhere', 'bke_node_localdns', 'bke_node_network_id', 'karpenter-managed'],
]
/** The server states that Bizfly's own provider treats as drift. */
const DRIFTED_STATES = ['ERROR', 'DELETED', 'SHUTOFF', 'SUSPENDED']

test('the way back: a node of Kerf has everything by which Bizfly’s own provider keeps a node', async () => {
  const { client, account, runs, until, servers } = await story({
    replicas: 12,
    load: async (own, fake, clock) => {
      await loadUpstreamState(own, fake.account, clock)
    },
  })
  await runs(12)
  const claims = async () => (await client.list(karpenterKinds.NodeClaim)).items
  await until('initialized nodes', async () =>
    (await claims()).every((claim) => findCondition(claim, 'Initialized')?.status === 'True'),
  )
  const theirs = (await claims()).find(({ metadata }) => metadata.name === NAME)
  const own = (await claims()).filter(({ metadata }) => metadata.name !== NAME)
  expect(own.length).toBeGreaterThan(0)
  const nodes = new Map((await client.list(kinds.Node)).items.map((node) => [node.metadata.name, node]))
  for (const { metadata, spec, status } of own) {
    // Core decides by these annotations whether the node has drifted from its NodePool.
    for (const key of ['karpenter.sh/nodepool-hash', 'karpenter.sh/nodepool-hash-version'])
      expect(metadata.annotations?.[key], key).toBe(theirs?.metadata.annotations?.[key])
    expect(Object.keys(metadata.labels ?? {})).toEqual(
      expect.arrayContaining(Object.keys(theirs?.metadata.labels ?? {})),
    )
    expect(metadata.labels?.['karpenter.sh/capacity-type']).toBe('on_demand')
    expect([metadata.finalizers, metadata.ownerReferences, spec.nodeClassRef]).toEqual([
      theirs?.metadata.finalizers,
      theirs?.metadata.ownerReferences,
      theirs?.spec.nodeClassRef,
    ])
    const node = nodes.get(status?.nodeName ?? '')
    expect(node?.spec.providerID).toBe(status?.providerID)
    expect(node?.metadata.finalizers).toEqual([FINALIZER])
    const server = servers().find(({ id }) => providerId(id) === status?.providerID)
    expect(Object.keys(server?.metadata ?? {})).toEqual(expect.arrayContaining(UPSTREAM_METADATA))
    expect(server?.metadata['karpenter-managed']).toBe('true')
    expect(server && DRIFTED_STATES.includes(account.statusOf(server))).toBe(false)
  }
})
