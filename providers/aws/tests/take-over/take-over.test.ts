import {
  type ClusterPolicy,
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  type Milliseconds,
  type NodeClaim,
  type NodePoolPolicy,
  policyKinds,
  type ResourceKind,
} from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import { defaultControllerSettings } from '@kerf/controllers'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { type FakeAws, VECTOR_CA_BUNDLE } from '@kerf/provider-aws/testing'
import { type KubeClient, missingKinds, SeededRandom, SystemClock } from '@kerf/runtime'
import { afterEach, describe, expect, test } from 'vitest'
import { clusterFingerprint, clusterWait } from '../../../../tests/integration/story/cluster-state.ts'
import { httpClient, installCrds } from '../../../../tests/integration/story/story-cluster.ts'
import { type FakeAwsStory, smallAws, startFakeAwsStory, startKerfOnFakeAws } from '../kerf-on-fake-aws.ts'
import { playKubelets } from './play-kubelets.ts'
import { profileName, upstreamClasses } from './upstream-classes.ts'
import { upstreamInstanceId, upstreamNodeName, upstreamNodes } from './upstream-nodes.ts'
import { DRIFTED_BEFORE, type HashAge } from './upstream-objects.ts'
import { upstreamPools } from './upstream-pools.ts'
import { loadUpstreamState } from './upstream-state.ts'

// More than 400 lines, because the same checks run in the sandbox and on a real control plane.

const HOURS = 2
const settings = { featureGates: { ...defaultControllerSettings.featureGates, StaticCapacity: true } }
const setup = { caBundle: VECTOR_CA_BUNDLE, settings }

const settled = upstreamNodes.filter(({ stage }) => stage === 'running')
const [launching] = upstreamNodes.filter(({ stage }) => stage === 'launching')
const [deleting] = upstreamNodes.filter(({ stage }) => stage === 'deleting')
if (launching === undefined || deleting === undefined) throw new Error('the state has a claim of each stage')

const looked: readonly ResourceKind<KubeObject>[] = [
  ec2NodeClassKind,
  karpenterKinds.NodePool,
  karpenterKinds.NodeClaim,
  kinds.Node,
]

type Objects = ReadonlyMap<string, KubeObject>
const look = async (client: KubeClient): Promise<Objects> => {
  const found = new Map<string, KubeObject>()
  for (const kind of looked)
    for (const object of (await client.list(kind)).items) found.set(`${kind.kind}/${object.metadata.name}`, object)
  return found
}

/**
 * The conditions of a running NodeClaim that Kerf may change. `Consolidatable` and `kerf.sh/DisruptionBlocked` change over time.
 * `ConsistentStateFound` is checked every ten minutes.
 */
const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'Consolidatable',
  'ConsistentStateFound',
  'kerf.sh/DisruptionBlocked',
])

const withoutOwn = (claim: KubeObject | undefined): unknown => {
  const { metadata, spec, status } = claim as NodeClaim
  const { resourceVersion: _version, managedFields: _fields, ...rest } = metadata
  // Kerf sorts the conditions again when one is removed, as upstream does.
  const conditions = (status?.conditions ?? [])
    .filter(({ type }) => !OWN_CONDITIONS.has(type))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
  // After a start, Kerf and upstream treat existing pods as new, so the time for consolidation starts again.
  const { lastPodEventTime: _time, ...kept } = status ?? {}
  return { metadata: rest, spec, status: { ...kept, conditions } }
}

/** Returns the parts of a Node that Kerf could change. The kubelet owns the rest. */
const touchable = (node: KubeObject | undefined): unknown => {
  const { labels, annotations, finalizers, ownerReferences, deletionTimestamp } = node?.metadata ?? {}
  const { spec } = node as { readonly spec?: { readonly taints?: readonly { readonly key: string }[] } }
  const taints = (spec?.taints ?? []).filter(({ key }) => !key.startsWith('node.kubernetes.io/'))
  return { labels, annotations: ownAnnotations(annotations), finalizers, ownerReferences, deletionTimestamp, taints }
}
const ownAnnotations = (all: Readonly<Record<string, string>> | undefined) =>
  Object.fromEntries(Object.entries(all ?? {}).filter(([key]) => key.includes('karpenter')))

/** Asserts that the settled objects of upstream did not change. */
const expectUntouched = (before: Objects, after: Objects): void => {
  for (const name of Object.keys(upstreamClasses)) {
    const key = `EC2NodeClass/${name}`
    expect(after.get(key)?.metadata.resourceVersion, key).toBe(before.get(key)?.metadata.resourceVersion)
  }
  for (const name of Object.keys(upstreamPools)) {
    const key = `NodePool/${name}`
    // Kerf counts the launching NodeClaim in the status of its NodePool once it exists, as upstream does.
    if (name === launching.pool) continue
    expect(after.get(key)?.metadata.resourceVersion, key).toBe(before.get(key)?.metadata.resourceVersion)
  }
  for (const node of settled) {
    const key = `NodeClaim/${node.claim}`
    expect(withoutOwn(after.get(key)), key).toEqual(withoutOwn(before.get(key)))
    expect(findCondition(after.get(key) as NodeClaim, 'Drifted'), key).toBeUndefined()
    const nodeKey = `Node/${upstreamNodeName(node)}`
    expect(touchable(after.get(nodeKey)), nodeKey).toEqual(touchable(before.get(nodeKey)))
  }
}

const livingIds = ({ ec2 }: FakeAws): readonly string[] =>
  ec2
    .living()
    .filter(({ endsAt }) => endsAt === undefined)
    .map(({ data }) => data.InstanceId)
    .sort()

/**
 * Asserts that Kerf finishes exactly the unfinished work. It launches one instance, and terminates the leaked instance and the instance of
 * the deleted NodeClaim.
 */
const expectOnlyDueInstances = (aws: FakeAws): void => {
  expect(aws.ec2.launches).toHaveLength(1)
  const [made] = aws.ec2.launches
  expect(livingIds(aws)).toEqual([...settled.map(upstreamInstanceId), made?.id ?? ''].sort())
}

const halfDoneIsDone = async (client: KubeClient): Promise<boolean> => {
  const claims = (await client.list(karpenterKinds.NodeClaim)).items
  const started = claims.find(({ metadata }) => metadata.name === launching.claim)
  return (
    !claims.some(({ metadata }) => metadata.name === deleting.claim) &&
    started !== undefined &&
    findCondition(started, 'Initialized')?.status === 'True' &&
    started.metadata.annotations?.['karpenter.k8s.aws/tagged'] === 'true'
  )
}

/**
 * Asserts that the objects of Kerf equal those of upstream, so that upstream can take over again
 * (`providers/aws/docs/spec/aws-node-class.md#annotations-and-tag-keys`, `providers/aws/docs/spec/aws.md#labels-of-instance-types`, `providers/aws/docs/spec/aws.md#tags`,
 * `providers/aws/docs/spec/aws-controllers.md#tagging`).
 */
const expectWayBack = (after: Objects, aws: FakeAws): void => {
  const claim = after.get(`NodeClaim/${launching.claim}`) as NodeClaim
  expect(claim.metadata.annotations).toEqual({
    'compatibility.karpenter.k8s.aws/cluster-name-tagged': 'true',
    'karpenter.k8s.aws/ec2nodeclass-hash': upstreamClasses['al2023']?.hash,
    'karpenter.k8s.aws/ec2nodeclass-hash-version': 'v6',
    'karpenter.k8s.aws/instance-profile-name': profileName('al2023'),
    'karpenter.k8s.aws/tagged': 'true',
    'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
    'karpenter.sh/nodepool-hash': upstreamPools['web']?.hash,
    'karpenter.sh/nodepool-hash-version': 'v3',
  })
  expect(claim.metadata.finalizers).toEqual(['karpenter.sh/termination'])
  const sibling = after.get('NodeClaim/web-7hx2k') as NodeClaim
  expect(Object.keys(claim.metadata.labels ?? {})).toEqual(
    expect.arrayContaining(Object.keys(sibling.metadata.labels ?? {})),
  )
  expect(claim.metadata.ownerReferences).toEqual(sibling.metadata.ownerReferences)
  const [made] = aws.ec2.launches
  expect(claim.status).toMatchObject({
    providerID: `aws:///${made?.zone}/${made?.id}`,
    imageID: 'ami-x86',
    capacity: { cpu: '2', 'ephemeral-storage': '50Gi', pods: '40' },
  })
  const node = after.get(`Node/${claim.status?.nodeName}`)
  expect(node?.metadata.finalizers).toEqual(['karpenter.sh/termination'])
  expect(node?.metadata.labels).toMatchObject({
    ...claim.metadata.labels,
    'karpenter.sh/initialized': 'true',
    'karpenter.sh/registered': 'true',
  })
  expect(node?.metadata.ownerReferences).toEqual([
    {
      apiVersion: 'karpenter.sh/v1',
      blockOwnerDeletion: true,
      kind: 'NodeClaim',
      name: launching.claim,
      uid: claim.metadata.uid,
    },
  ])
  const instance = aws.ec2.instances.get(made?.id ?? '')?.data
  const tags = Object.fromEntries((instance?.Tags ?? []).map(({ Key, Value }) => [Key, Value]))
  expect(tags).toMatchObject({
    Name: claim.status?.nodeName,
    'eks:eks-cluster-name': 'demo',
    'karpenter.k8s.aws/ec2nodeclass': 'al2023',
    'karpenter.sh/nodeclaim': launching.claim,
    'karpenter.sh/nodepool': 'web',
    'kubernetes.io/cluster/demo': 'owned',
    team: 'web',
  })
  expect(instance?.SecurityGroups).toEqual([{ GroupId: 'sg-1' }])
}

/**
 * A policy with ceilings that the existing nodes already exceed, with a price book, and with commitments from both its own list and the
 * account.
 */
const clusterPolicy: ClusterPolicy = {
  apiVersion: 'kerf.sh/v1alpha1',
  kind: 'ClusterPolicy',
  metadata: { name: 'default' },
  spec: {
    ceilings: { nodes: 1, resources: { cpu: 1 }, usdPerHour: '0.01', surge: 0 },
    commitments: [
      { name: 'instances', prepaid: { instanceType: 'm5.large', count: 2, share: '1' } },
      { name: 'plan', prepaid: { committedUsdPerHour: '1', rates: { factor: '0.6' }, share: '0.5' } },
      { name: 'negotiated', discount: { factor: '0.9' } },
    ],
    commitmentSource: { account: { share: '1' } },
    priceBook: { configMap: { name: 'kerf-prices', key: 'prices.yaml' } },
  },
}

const reservedInstances = {
  ReservedInstancesId: 'one',
  InstanceType: 'm5.xlarge',
  InstanceCount: 1,
  State: 'active',
  Scope: 'Region',
  ProductDescription: 'Linux/UNIX',
} as const

/**
 * A policy that selects every NodePool. It allows no pod on the nodes, and the nodes sleep for half of the day, but not at the given time.
 */
const poolPolicy = (now: Milliseconds): NodePoolPolicy => {
  const clockAt = (later: number): string => new Date(now + later * 3_600_000).toISOString().slice(11, 16)
  return {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'NodePoolPolicy',
    metadata: { name: 'every-section' },
    spec: {
      targetSelector: {},
      access: { namespaceSelector: { matchLabels: { team: 'nobody' } }, schedulerNames: ['none'] },
      sleep: {
        timeZone: 'Etc/UTC',
        awake: [{ days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], start: clockAt(-1), end: clockAt(11) }],
        deadline: '1m',
      },
    },
  }
}

const priceList = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'kerf-prices', namespace: 'kube-system' },
  data: { 'prices.yaml': 'unit: USD/hour\nasOf: 2026-01-01\nprices: [{instanceType: m5.large, price: 0.001}]' },
}

interface Write {
  readonly at: number
  readonly verb: string
  readonly what: string
}

describe('a cluster left by upstream, taken over in the sandbox', () => {
  let story: FakeAwsStory | undefined
  afterEach(async () => {
    await story?.close()
    story = undefined
  })

  const takeOver = async (age: HashAge, hasPolicies = false) => {
    const writes: Write[] = []
    let before: Objects = new Map()
    let now = (): number => 0
    story = await startFakeAwsStory(7, {
      ...setup,
      prepare: async (client, aws, clock) => {
        now = () => clock.monotonic()
        const { booted } = await loadUpstreamState(client, aws, clock, age)
        if (hasPolicies) {
          aws.ec2.reservedInstances = [reservedInstances]
          await client.create(kinds.ConfigMap, priceList)
          await client.create(policyKinds.ClusterPolicy, clusterPolicy)
          await client.create(policyKinds.NodePoolPolicy, poolPolicy(clock.now()))
        }
        // Gives the kubelets of the nodes time to report.
        await clock.advance(5_000)
        before = await look(client)
        return booted
      },
      interceptor: {
        after: ({ verb, kind, ref, subresource }) => {
          if (!['get', 'list', 'watch', 'raw'].includes(verb) && kind?.kind !== 'Event')
            writes.push({ at: now(), verb, what: [kind?.kind, ref?.name, subresource].filter(Boolean).join('/') })
        },
      },
    })
    return { story, before, writes }
  }
  /** Returns the writes to settled objects. */
  const toSettled = (writes: readonly Write[]) => {
    const names = new Set([
      ...settled.flatMap((node) => [node.claim, upstreamNodeName(node)]),
      ...Object.keys(upstreamClasses),
      ...Object.keys(upstreamPools).filter((name) => name !== launching.pool),
    ])
    return writes.filter(({ what }) => names.has(what.split('/')[1] ?? ''))
  }

  test.each([
    ['', false],
    [' with every policy', true],
  ])(
    `after ${HOURS} hours%s nothing has drifted, and no node or settled object has changed`,
    async (_, hasPolicies) => {
      const { story, before, writes } = await takeOver('current', hasPolicies)
      const { client, aws } = story
      await story.until('the half-done work done', () => halfDoneIsDone(client))
      await story.pass(HOURS * 3_600)
      // Kerf tries a test launch every half hour. The launch template of the test exists for a minute.
      await story.pass(300)
      const after = await look(client)
      expectUntouched(before, after)
      expectOnlyDueInstances(aws)
      expectWayBack(after, aws)

      // Kerf also makes no needless writes to settled objects. It writes only the status of NodeClaims, a few times each.
      const ours = toSettled(writes)
      expect(new Set(ours.map(({ what }) => what))).toEqual(
        new Set(settled.map(({ claim }) => `NodeClaim/${claim}/status`)),
      )
      for (const [what, list] of Map.groupBy(ours, (each) => each.what))
        expect(list.length, what).toBeLessThanOrEqual(8)
      expect(new Set(writes.map(({ what }) => what.split('/')[0]))).toEqual(
        // Kerf stores prices in the ConfigMap. One pod belongs to the deleted NodeClaim, and the other one waited for its node.
        new Set([
          'ConfigMap',
          'NodeClaim',
          'NodePool',
          'Node',
          'Pod',
          ...(hasPolicies ? Object.keys(policyKinds) : []),
        ]),
      )
      // Upstream does not support the policies, so the objects that it manages must not contain any of their data.
      if (hasPolicies) {
        const [ceilings] = (await client.list(policyKinds.ClusterPolicy)).items
        expect(findCondition(ceilings ?? {}, 'Accepted')?.message).toContain('more is in use than the ceilings allow')
        expect(ceilings?.status?.priceBook?.prices).toHaveLength(1)
        expect(ceilings?.status?.commitments?.map(({ name }) => name)).toEqual(['instances', 'ri-one', 'plan'])
        const [pools] = (await client.list(policyKinds.NodePoolPolicy)).items
        expect(pools?.status?.targets?.length).toBe(Object.keys(upstreamPools).length)
      }

      // Kerf deletes the launch templates of this cluster, including those of upstream, and keeps those of another cluster. It keeps
      // upstream's instance profiles and does not change them.
      expect([...aws.ec2.templates.keys()]).toEqual(['karpenter.k8s.aws/1'])
      expect(aws.iam.faults.count('createInstanceProfile', 'deleteInstanceProfile', 'addRole', 'removeRole')).toBe(0)
      expect([...aws.iam.profiles.keys()].sort()).toEqual(Object.keys(upstreamClasses).map(profileName).sort())
      const reasons = new Set((await client.list(kinds.Event)).items.map(({ reason }) => reason))
      for (const reason of ['Drifted', 'DisruptionLaunching', 'InstanceTerminating'])
        expect(reasons).not.toContain(reason)
      const errors = story.log.lines.filter(({ level }) => level === 'error')
      // The policies keep the pod of the unfinished launch off every NodePool.
      expect(errors.filter(({ message }) => !hasPolicies || message !== 'could not schedule pod')).toEqual([])
    },
  )

  test('hashes of older releases are updated once, except on claims that had drifted before', async () => {
    const { story, before, writes } = await takeOver('older')
    const { client, aws } = story
    await story.until('the half-done work done', () => halfDoneIsDone(client))
    await story.pass(3_600)
    const after = await look(client)
    for (const [name, { hash }] of Object.entries(upstreamClasses))
      expect(after.get(`EC2NodeClass/${name}`)?.metadata.annotations, name).toMatchObject({
        'karpenter.k8s.aws/ec2nodeclass-hash': hash,
        'karpenter.k8s.aws/ec2nodeclass-hash-version': 'v6',
      })
    for (const [name, { hash }] of Object.entries(upstreamPools))
      expect(after.get(`NodePool/${name}`)?.metadata.annotations, name).toMatchObject({
        'karpenter.sh/nodepool-hash': hash,
        'karpenter.sh/nodepool-hash-version': 'v3',
      })
    for (const { claim, pool } of settled) {
      const found = after.get(`NodeClaim/${claim}`) as NodeClaim
      const hadDrifted = claim === DRIFTED_BEFORE
      expect(found.metadata.annotations, claim).toMatchObject({
        'karpenter.k8s.aws/ec2nodeclass-hash': hadDrifted
          ? '4711'
          : upstreamClasses[upstreamPools[pool]?.nodeClass ?? '']?.hash,
        'karpenter.k8s.aws/ec2nodeclass-hash-version': 'v6',
        'karpenter.sh/nodepool-hash': hadDrifted ? '815' : upstreamPools[pool]?.hash,
        'karpenter.sh/nodepool-hash-version': 'v3',
      })
      expect(findCondition(found, 'Drifted')?.status, claim).toBe(hadDrifted ? 'True' : undefined)
    }
    expectOnlyDueInstances(aws)
    // Kerf writes each object once, shortly after the start.
    const stamps = toSettled(writes).filter(({ what }) => !what.endsWith('/status'))
    const perObject = Map.groupBy(stamps, ({ what }) => what)
    expect([...perObject.keys()].sort()).toEqual(
      [
        ...Object.keys(upstreamClasses).map((name) => `EC2NodeClass/${name}`),
        ...Object.keys(upstreamPools)
          .filter((name) => name !== launching.pool)
          .map((name) => `NodePool/${name}`),
        ...settled.map(({ claim }) => `NodeClaim/${claim}`),
      ].sort(),
    )
    for (const [what, list] of perObject)
      expect(list.length, what).toBeLessThanOrEqual(what.startsWith('NodeClaim/') ? 2 : 1)
    expect(before.size).toBeGreaterThan(0)
  })
})

describeWithCustomResources('a cluster left by upstream, taken over on a real control plane', (shared) => {
  test('nothing drifts, and no node or settled object changes', async () => {
    const hands = httpClient(shared())
    const client = httpClient(shared())
    const clock = new SystemClock()
    const aws = smallAws(clock)
    await installCrds(hands)
    const until = (what: string, isSo: () => Promise<boolean>): Promise<void> =>
      untilTrue(isSo, {
        ...clusterWait(hands, what),
        fingerprint: async () => `${aws.ec2.launches.length} ${await clusterFingerprint(hands)}`,
      })
    await until('the definitions served', async () => (await missingKinds(hands, looked)).length === 0)
    const { booted } = await loadUpstreamState(hands, aws, clock)
    const ended = new AbortController()
    const kubelets = playKubelets(hands, clock, ended.signal)
    const before = await look(hands)
    const kerf = await startKerfOnFakeAws({ client, hands, aws, clock, random: new SeededRandom(7), booted }, setup)
    try {
      await until('the half-done work done', () => halfDoneIsDone(hands))
      // Kerf reconciles every node class once a minute.
      const resolved = aws.ec2.faults.count('describeSubnets')
      await until('another look at each class', async () => aws.ec2.faults.count('describeSubnets') >= resolved + 3)
      const after = await look(hands)
      expectUntouched(before, after)
      expectOnlyDueInstances(aws)
      expectWayBack(after, aws)
    } finally {
      await kerf.stop()
      await kerf.close()
      ended.abort()
      await kubelets
      await client.close()
      await hands.close()
    }
  })
})
