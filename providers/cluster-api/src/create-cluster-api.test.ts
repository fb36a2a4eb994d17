import { findCondition, formatResources, groupVersion, karpenterKinds } from '@kerf/apis'
import type { ProviderContext, RunningProvider } from '@kerf/provider-contract'
import {
  ControllerManager,
  coreSettings,
  type KubeClient,
  may,
  PrometheusMetrics,
  parseSettings,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { nodeClaim, nodePool } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createClusterApi } from './create-cluster-api.ts'
import { clusterApi } from './descriptor.ts'
import { clusterApiNodeClassKind, clusterApiNodeClassResource } from './node-class/cluster-api-node-class.ts'
import { clusterApiSettings } from './settings.ts'
import { installTemplate, templateKind } from './testing/machine-template.ts'
import { CLASS, CLASS_REF, prepareClusterApi, sizedDeployment } from './testing/provider-harness.ts'
import { simulatedKinds } from './testing/simulator/definitions.ts'
import { deploymentObject } from './testing/simulator/management-objects.ts'
import { type RoleOf, underRole, upstreamRole } from './testing/upstream-role.ts'

const kinds = simulatedKinds('v1beta2')
let stop = new AbortController()
afterEach(() => stop.abort(new Error('the test is over')))

const template = templateKind('DevMachineTemplate', 'v1beta2')

interface Start {
  readonly env?: Readonly<Record<string, string>>
  readonly hasClusterApi?: boolean
  /** Kerf's permissions for Cluster API's kinds. By default, Kerf has all of them. */
  readonly role?: RoleOf
  /** Creates additional objects before Kerf starts. */
  readonly prepare?: (admin: KubeClient) => Promise<unknown>
}

/** Creates the provider as the process does, in a cluster that is its own management cluster. The controllers run after the start. */
const start = async ({ env = {}, hasClusterApi = true, role, prepare }: Start = {}) => {
  stop = new AbortController()
  const [clock, random, log] = [new VirtualClock(), new SeededRandom(1), new RecordingLogger()]
  const api = new SandboxApi({ clock, random })
  const admin = api.client()
  await installCustomResources(admin, [clusterApiNodeClassResource])
  if (hasClusterApi) await prepareClusterApi(admin, kinds, clock.now())
  await prepare?.(admin)
  const granted = role === undefined ? api.client() : underRole(api.client(), role)
  const client = declaredOnly(granted, [
    ...clusterApi.permissions,
    ...(clusterApi.managementPermissions ?? []),
    // The guide lets users add this permission for their templates.
    may(['get'], template, 'reading what a machine template publishes'),
    ...(role === undefined ? [] : [may(['update'], kinds.Machine, 'the role has it in the place of patch')]),
  ])
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const context: ProviderContext = { client, informers, clock, random, log, events: new RecordingEventRecorder() }
  const { settings } = parseSettings({ ...coreSettings, ...clusterApiSettings }, env)
  const metrics = new PrometheusMetrics()
  const running: RunningProvider = createClusterApi(settings, context, { metrics, env: {}, aliases: [] })
  const manager = new ControllerManager({ clock, random, logger: log, metrics })
  manager.add(...(running.provider.controllers?.() ?? []))
  informers.start(stop.signal)
  const begun = running.start?.(stop.signal)
  await clock.advance(hasClusterApi ? 5_000 : 10_100)
  await begun
  void manager.run({ stop: stop.signal, abandon: stop.signal })
  await clock.advance(2_000)
  return { clock, admin, running, log }
}

const ready = ({ ready: checks }: RunningProvider) => checks?.['management-cluster']?.()

const pool = nodePool('default', { templateSpec: { nodeClassRef: CLASS_REF } })
const small = sizedDeployment('small', 'zone-a', 'on-demand')

test('the complete provider offers the types of its members, and sets the class’s conditions', async () => {
  const { admin, clock, running } = await start()
  expect(ready(running)).toBeUndefined()
  await admin.create(kinds.MachineDeployment, deploymentObject(kinds, 'small', small))
  await clock.advance(2_000)
  const types = await running.provider.instanceTypes(pool, stop.signal)
  expect(types.map(({ name }) => name)).toEqual(['small'])
  const nodeClass = await admin.get(clusterApiNodeClassKind, { name: CLASS })
  expect(findCondition(nodeClass, 'MachineDeploymentsReady')?.status).toBe('True')
  expect(findCondition(nodeClass, 'Ready')?.status).toBe('True')
  expect(findCondition(nodeClass, 'PricesKnown')?.status).toBe('True')
})

test('a Node without a Machine is named on its class', async () => {
  const { admin, clock } = await start({
    prepare: async (admin) => {
      await admin.create(kinds.MachineDeployment, deploymentObject(kinds, 'small', small))
      const { status, ...claim } = nodeClaim('lost', { spec: { nodeClassRef: CLASS_REF } })
      await admin.create(karpenterKinds.NodeClaim, claim)
      const body = { status: { ...status, providerID: 'in-memory://lost', nodeName: 'worker' } }
      const ref = { name: 'lost' }
      await admin.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { subresource: 'status' })
    },
  })
  await clock.advance(2_000)
  const nodeClass = await admin.get(clusterApiNodeClassKind, { name: CLASS })
  const clear = findCondition(nodeClass, 'MembersClear')
  expect(clear).toMatchObject({ status: 'False', reason: 'NodeWithoutMachine' })
  expect(clear?.message).toContain('Node worker: no Machine has its provider ID in-memory://lost')
  expect(findCondition(nodeClass, 'Ready')?.status).toBe('True')
})

test('with upstream’s role all pods are planned, and the class names each missing permission', async () => {
  const prepare = async (admin: KubeClient) =>
    await admin.create(kinds.MachineDeployment, deploymentObject(kinds, 'small', small))
  const { admin, running } = await start({ role: upstreamRole, prepare })
  const types = await running.provider.instanceTypes(pool, stop.signal)
  expect(types.map(({ name }) => name)).toEqual(['small'])
  const nodeClass = await admin.get(clusterApiNodeClassKind, { name: CLASS })
  expect(findCondition(nodeClass, 'MachineDeploymentsReady')?.status).toBe('True')
  const clear = findCondition(nodeClass, 'MembersClear')
  expect(clear).toMatchObject({ status: 'False', reason: 'ManagementPermissionMissing' })
  expect(clear?.message).toContain('grant list on machinesets.cluster.x-k8s.io')
})

test('an existing deployment without capacity annotations has the capacity of its machine template', async () => {
  const unsized = Object.fromEntries(
    Object.entries(small.annotations ?? {}).filter(([key]) => !/\/(cpu|memory)$/.test(key)),
  )
  const { running } = await start({
    prepare: async (admin) => {
      await installTemplate(admin, template, 'small', { capacity: { cpu: '64', memory: '256Gi' } })
      await admin.create(kinds.MachineDeployment, deploymentObject(kinds, 'small', { ...small, annotations: unsized }))
    },
  })
  const types = await running.provider.instanceTypes(pool, stop.signal)
  expect(types.map(({ capacity }) => formatResources(capacity))).toEqual([{ cpu: '64', memory: '256Gi', pods: '110' }])
})

test('a problem of the management cluster keeps the process from being ready, and is on the class', async () => {
  const { admin, running, clock } = await start({ hasClusterApi: false })
  expect(ready(running)).toContain('serves none of the versions v1beta2, v1beta1 of cluster.x-k8s.io')
  const kind = clusterApiNodeClassKind
  await admin.create(kind, { apiVersion: groupVersion(kind), kind: kind.kind, metadata: { name: CLASS } })
  await clock.advance(5_000)
  const nodeClass = await admin.get(kind, { name: CLASS })
  expect(findCondition(nodeClass, 'Ready')?.status).toBe('False')
  expect(findCondition(nodeClass, 'MachineDeploymentsReady')).toMatchObject({ reason: 'ClusterApiMissing' })
})

test('contradictory settings are rejected before anything runs', async () => {
  await expect(start({ env: { CLUSTER_API_TOKEN: 'secret' } })).rejects.toThrow(
    'CLUSTER_API_TOKEN is set without CLUSTER_API_URL',
  )
  await expect(start({ env: { CLUSTER_API_KUBECONFIG: '/none' } })).rejects.toThrow('no such file')
})
