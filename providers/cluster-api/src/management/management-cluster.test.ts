import type { KubeObject } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { ApiError, type RecordingLogger } from '@kerf/runtime'
import { node } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { clusterApiKinds } from '../objects/kinds.ts'
import {
  type ManagementHarness,
  type ManagementHarnessOptions,
  startManagementHarness,
} from '../testing/management-harness.ts'
import { sample } from '../testing/samples.ts'
import { installClusterApi, simulatedKinds } from '../testing/simulator/definitions.ts'
import { describeManagementProblem } from './management-problem.ts'

const kinds = clusterApiKinds('v1beta2')
const MACHINE = 'small-xgbxt-2fcss'
const PROVIDER_ID = `in-memory://${MACHINE}`
const ours = { namespace: 'default', name: 'small' }

const objects = ['cluster', 'machine-deployment', 'machine-set', 'machine'].map((name) =>
  sample<KubeObject>('v1beta2', name),
)
const nodes = [node(MACHINE, { spec: { providerID: PROVIDER_ID } })]

let harness: ManagementHarness | undefined
afterEach(() => harness?.stop())

const start = async (options: ManagementHarnessOptions = {}): Promise<ManagementHarness> => {
  harness = await startManagementHarness({ objects, nodes, ...options })
  return harness
}

const texts = ({ management }: ManagementHarness): readonly string[] =>
  management.problems().map(describeManagementProblem)
const reasons = ({ management }: ManagementHarness): readonly string[] =>
  management.problems().map(({ reason }) => reason)
const unreachable = (): Error =>
  new ApiError({ code: 0, reason: 'Unreachable', message: 'cannot reach it: connection refused' })
const warnings = (log: RecordingLogger): readonly string[] =>
  log.lines.filter(({ level }) => level === 'warn').map(({ message }) => message)
const callsSince = (calls: readonly string[], from: number): readonly string[] =>
  calls.slice(from).filter((call) => !call.startsWith('watch'))

test('before the first answer nothing is known, and afterwards everything is', async () => {
  const { clock, management } = await start()
  for (const read of [() => management.kinds, () => management.ownCluster, () => management.machines()])
    expect(read).toThrow(NotKnownYetError)
  await clock.advance(1_000)
  expect(management.kinds.Machine.version).toBe('v1beta2')
  expect(management.ownCluster).toEqual({ namespace: 'default', name: 'bed' })
  expect(management.deployments().map(({ name }) => name)).toEqual(['small'])
  expect(management.machinesOf(ours).map(({ name }) => name)).toEqual([MACHINE])
  expect(management.machinesWith(PROVIDER_ID).map(({ name }) => name)).toEqual([MACHINE])
  expect(management.machineSetsOf(ours).map(({ name }) => name)).toEqual(['small-xgbxt'])
  expect(management.clusters().map(({ name }) => name)).toEqual(['bed'])
  expect(management.problems()).toEqual([])
})

test('a start waits until everything is known, or until its limit', async () => {
  const { clock, management } = await start()
  const never = new AbortController().signal
  let isOver = false
  const waiting = management.knownWithin(10_000, never).then(() => {
    isOver = true
  })
  await clock.advance(200)
  await waiting
  expect(management.isKnown).toBe(true)
  const silent = await start({ version: 'none', objects: [] })
  isOver = false
  void silent.management.knownWithin(10_000, never).then(() => {
    isOver = true
  })
  await silent.clock.advance(9_000)
  expect(isOver).toBe(false)
  await silent.clock.advance(1_100)
  expect(isOver).toBe(true)
})

test('an older Cluster API is read in v1beta1, without the conversion data in annotations', async () => {
  const older = ['cluster', 'machine-deployment', 'machine-set', 'machine'].map((name) =>
    sample<KubeObject>('v1beta1', name),
  )
  const { clock, management } = await start({ version: 'v1beta1', objects: older })
  await clock.advance(1_000)
  expect(management.kinds.Machine.version).toBe('v1beta1')
  const [deployment] = management.deployments()
  expect(deployment).toMatchObject({ name: 'small', clusterName: 'bed', strategy: 'RollingUpdate' })
  expect(deployment?.annotations).not.toHaveProperty(['cluster.x-k8s.io/conversion-data'])
  expect(await management.fresh(ours, new AbortController().signal)).toMatchObject({
    deployment: { strategy: 'RollingUpdate' },
  })
})

test('while idle, an hour passes without a call', async () => {
  const { clock, calls, management } = await start()
  await clock.advance(60_000)
  const from = calls.length
  await clock.advance(3_600_000)
  expect(callsSince(calls, from)).toEqual([])
  expect(management.reachability).toEqual({ kind: 'reachable' })
  // Each of the four watches is reopened when the server ends it.
  expect(calls.slice(from).length).toBeLessThan(60)
})

test('Machines of another Cluster are not watched, and its deployments are', async () => {
  const machine = sample<KubeObject>('v1beta2', 'machine')
  const deployment = sample<KubeObject>('v1beta2', 'machine-deployment')
  const label = (name: string) => ({ 'cluster.x-k8s.io/cluster-name': name })
  const foreign = [
    {
      ...machine,
      metadata: { ...machine.metadata, name: 'x', labels: label('other') },
      spec: { clusterName: 'other', providerID: 'in-memory://x' },
    },
    {
      ...deployment,
      metadata: { ...deployment.metadata, name: 'y', labels: label('other') },
      spec: { clusterName: 'other' },
    },
  ]
  const { clock, management } = await start({ objects: [...objects, ...foreign] })
  await clock.advance(1_000)
  expect(management.machines().map(({ name }) => name)).toEqual([MACHINE])
  expect(
    management
      .deployments()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['small', 'y'])
})

test('known objects are reported immediately, and later changes too, with the object’s name', async () => {
  const { clock, management, admin } = await start()
  await clock.advance(1_000)
  const changes: unknown[] = []
  const stop = management.onChange((change) => changes.push(change))
  expect(changes).toContainEqual({ kind: 'deployment', name: ours })
  expect(changes.map((change) => (change as { kind: string }).kind)).toEqual([
    'deployment',
    'machine',
    'set',
    'cluster',
  ])
  changes.length = 0
  await admin.patch(kinds.MachineDeployment, ours, { type: 'merge', body: { spec: { replicas: 4 } } })
  await clock.advance(100)
  expect(changes).toEqual([{ kind: 'deployment', name: ours }])
  expect(management.deployment(ours)?.replicas).toBe(4)
  stop()
  await admin.patch(kinds.MachineDeployment, ours, { type: 'merge', body: { spec: { replicas: 5 } } })
  await clock.advance(100)
  expect(changes).toHaveLength(1)
})

test('our own Cluster is unknown until a Node belongs to one of its Machines', async () => {
  const harness = await start({ nodes: [node('elsewhere', { spec: { providerID: 'other:///a/i-1' } })] })
  const { clock, management, workload, log } = harness
  await clock.advance(60_000)
  expect(() => management.machines()).toThrow(NotKnownYetError)
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "none of the 1 Nodes of this cluster with a provider ID is one of the 1 Machines there, so it is unknown which Cluster of the management cluster (the test) is this cluster; set CLUSTER_API_CLUSTER to the namespace and name of its Cluster object, as in default/workload",
    ]
  `)
  expect(warnings(log)).toEqual(texts(harness))
  await workload.create(
    { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false },
    node(MACHINE, { spec: { providerID: PROVIDER_ID }, metadata: {} }),
  )
  await clock.advance(30_000)
  expect(management.ownCluster).toEqual({ namespace: 'default', name: 'bed' })
  expect(management.problems()).toEqual([])
  expect(management.machines()).toHaveLength(1)
})

test('Nodes with Machines of two Clusters prove nothing', async () => {
  const machine = sample<KubeObject>('v1beta2', 'machine')
  const twin = { ...machine, metadata: { ...machine.metadata, namespace: 'kube-system' } }
  const harness = await start({ objects: [...objects, twin] })
  await harness.clock.advance(1_000)
  expect(() => harness.management.ownCluster).toThrow(NotKnownYetError)
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "Nodes of this cluster have provider IDs of Machines of several Clusters of the management cluster (the test): default/bed, kube-system/bed; set CLUSTER_API_CLUSTER to the namespace and name of its Cluster object, as in default/workload",
    ]
  `)
})

test('with the setting nothing outside the namespace is read, and nothing needs to be proved', async () => {
  const deployment = sample<KubeObject>('v1beta2', 'machine-deployment')
  const elsewhere = { ...deployment, metadata: { ...deployment.metadata, namespace: 'kube-system' } }
  const options = { objects: [...objects, elsewhere], nodes: [] }
  const all = await start({ objects: options.objects })
  await all.clock.advance(1_000)
  expect(all.management.deployments()).toHaveLength(2)
  all.stop()
  const { clock, management } = await start({ ...options, cluster: { namespace: 'default', name: 'bed' } })
  await clock.advance(1_000)
  expect(management.deployments().map(({ namespace }) => namespace)).toEqual(['default'])
  expect(management.problems()).toEqual([])
})

test('a missing Cluster in the setting is reported with the existing ones', async () => {
  const seen: string[] = []
  const harness = await start({ cluster: { namespace: 'default', name: 'production' } })
  harness.management.onChange((change) => seen.push(change.kind))
  await harness.clock.advance(20_000)
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "the management cluster (the test) has no Cluster default/production, which CLUSTER_API_CLUSTER names; correct the setting; existing Clusters: default/bed",
    ]
  `)
  expect(harness.management.machines()).toEqual([])
  expect(seen).toContain('problems')
})

test('an API server without Cluster API is a problem until it is installed', async () => {
  const harness = await start({ version: 'none', objects: [] })
  await harness.clock.advance(1_000)
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "the management cluster (the test) serves none of the versions v1beta2, v1beta1 of cluster.x-k8s.io; install Cluster API there, or set CLUSTER_API_KUBECONFIG to the cluster in which it runs",
    ]
  `)
  await installClusterApi(harness.admin, 'v1beta2')
  await harness.clock.advance(20_000)
  expect(reasons(harness)).toEqual(['OwnClusterUnproved'])
})

test('an unreachable management cluster is a problem after 30 seconds, its data is unusable after two minutes, and it recovers', async () => {
  const harness = await start()
  const { clock, management, log } = harness
  await clock.advance(1_000)
  let failures = 0
  harness.fault = () =>
    new ApiError({ code: 0, reason: 'Unreachable', message: `cannot reach it: connection refused (${++failures})` })
  harness.dropWatches(unreachable())
  await clock.advance(20_000)
  expect(management.reachability).toMatchObject({ kind: 'unreachable', reason: 'no-answer' })
  expect(management.problems()).toEqual([])
  expect(management.machines()).toHaveLength(1)
  await clock.advance(20_000)
  expect(texts(harness)).toMatchInlineSnapshot(`
    [
      "the management cluster (the test) has not responded since 2026-01-01T00:00:01Z: cannot reach it: connection refused; restore it; until then Kerf launches, deletes and garbage-collects no nodes",
    ]
  `)
  expect(management.machines()).toHaveLength(1)
  await clock.advance(260_000)
  expect(() => management.machines()).toThrow(NotKnownYetError)
  expect(() => management.machines()).toThrow('connection refused')
  expect(management.ownCluster.name).toBe('bed')
  expect(warnings(log).filter((message) => message.includes('has not responded'))).toHaveLength(1)
  harness.fault = undefined
  await clock.advance(20_000)
  expect(management.problems()).toEqual([])
  expect(management.machines()).toHaveLength(1)
})

test('refused credentials are a separate problem', async () => {
  const harness = await start()
  await harness.clock.advance(1_000)
  const refused = (): Error => new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' })
  harness.fault = refused
  harness.dropWatches(refused())
  await harness.clock.advance(60_000)
  expect(reasons(harness)).toEqual(['ManagementCredentialsRefused'])
})

test('a silent API server is checked with a call', async () => {
  const harness = await start()
  await harness.clock.advance(60_000)
  harness.isSilent = true
  const from = harness.calls.length
  await harness.clock.advance(180_000)
  expect(callsSince(harness.calls, from)).toEqual(['raw /apis/cluster.x-k8s.io'])
  expect(harness.management.reachability).toEqual({ kind: 'reachable' })
  harness.fault = (call) => (call.verb === 'raw' ? unreachable() : undefined)
  await harness.clock.advance(320_000)
  expect(reasons(harness)).toEqual(['ManagementClusterUnreachable'])
  expect(() => harness.management.machines()).toThrow(NotKnownYetError)
})

test('after an upgrade of Cluster API the newer version is read', async () => {
  const older = ['cluster', 'machine-deployment', 'machine-set', 'machine'].map((name) =>
    sample<KubeObject>('v1beta1', name),
  )
  const harness = await start({ version: 'v1beta1', objects: older })
  await harness.clock.advance(1_000)
  harness.fault = (call) =>
    call.kind?.version === 'v1beta1'
      ? new ApiError({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource' })
      : undefined
  for (const kind of Object.values({ ...simulatedKinds('v1beta1') })) {
    const ref = { name: `${kind.plural}.${kind.group}` }
    await harness.admin.delete(
      {
        group: 'apiextensions.k8s.io',
        version: 'v1',
        kind: 'CustomResourceDefinition',
        plural: 'customresourcedefinitions',
        namespaced: false,
      },
      ref,
    )
  }
  await harness.clock.advance(1_000)
  await installClusterApi(harness.admin, 'v1beta2')
  await harness.clock.advance(60_000)
  expect(harness.management.kinds.Machine.version).toBe('v1beta2')
  expect(harness.management.deployments()).toEqual([])
})
