import { apiVersionOf, findCondition, karpenterKinds } from '@kerf/apis'
import type { ProviderContext, RunningProvider } from '@kerf/provider-contract'
import {
  ControllerManager,
  coreSettings,
  PrometheusMetrics,
  parseSettings,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly, installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { nodePool } from '@kerf/testing'
import { afterEach, expect, test } from 'vitest'
import { createClusterApi } from './create-cluster-api.ts'
import { clusterApi } from './descriptor.ts'
import { clusterApiSettings } from './settings.ts'
import { playedKinds } from './testing/player/definitions.ts'
import { deploymentObject } from './testing/player/management-objects.ts'
import { CLASS, CLASS_REF, prepareClusterApi, sizedDeployment } from './testing/provider-bed.ts'

const kinds = playedKinds('v1beta2')
let stop = new AbortController()
afterEach(() => stop.abort(new Error('the test is over')))

/** The provider as the process makes it, over a cluster that is its own management cluster. */
const start = async (env: Readonly<Record<string, string>> = {}, hasClusterApi = true) => {
  stop = new AbortController()
  const [clock, random, log] = [new VirtualClock(), new SeededRandom(1), new RecordingLogger()]
  const api = new SandboxApi({ clock, random })
  const admin = api.client()
  await installCustomResources(admin)
  if (hasClusterApi) await prepareClusterApi(admin, kinds, clock.now())
  const client = declaredOnly(api.client(), [...clusterApi.permissions, ...(clusterApi.managementPermissions ?? [])])
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const context: ProviderContext = { client, informers, clock, random, log, events: new RecordingEventRecorder() }
  const { settings } = parseSettings({ ...coreSettings, ...clusterApiSettings }, env)
  const metrics = new PrometheusMetrics()
  const running: RunningProvider = createClusterApi(settings, context, { metrics, env: {} })
  const manager = new ControllerManager({ clock, random, logger: log, metrics })
  manager.add(...(running.provider.controllers?.() ?? []))
  informers.start(stop.signal)
  void manager.run({ stop: stop.signal, abandon: stop.signal })
  const begun = running.start?.(stop.signal)
  await clock.advance(hasClusterApi ? 5_000 : 10_100)
  await begun
  return { clock, admin, running, log }
}

const ready = ({ ready: checks }: RunningProvider) => checks?.['management-cluster']?.()

test('the assembled provider offers what the members of a class offer, and says so on the class', async () => {
  const { admin, clock, running } = await start()
  expect(ready(running)).toBeUndefined()
  await admin.create(
    kinds.MachineDeployment,
    deploymentObject(kinds, 'small', sizedDeployment('small', 'zone-a', 'on-demand')),
  )
  await clock.advance(2_000)
  const pool = nodePool('default', { templateSpec: { nodeClassRef: CLASS_REF } })
  const types = await running.provider.instanceTypes(pool, stop.signal)
  expect(types.map(({ name }) => name)).toEqual(['small'])
  const nodeClass = await admin.get(karpenterKinds.ClusterAPINodeClass, { name: CLASS })
  expect(findCondition(nodeClass, 'MachineDeploymentsReady')?.status).toBe('True')
  expect(findCondition(nodeClass, 'Ready')?.status).toBe('True')
  expect(findCondition(nodeClass, 'PricesKnown')?.status).toBe('True')
})

test('a problem of the management cluster keeps the process from being ready, and stands on the class', async () => {
  const { admin, running, clock } = await start({}, false)
  expect(ready(running)).toContain('serves none of the versions v1beta2, v1beta1 of cluster.x-k8s.io')
  const kind = karpenterKinds.ClusterAPINodeClass
  await admin.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name: CLASS } })
  await clock.advance(5_000)
  const nodeClass = await admin.get(kind, { name: CLASS })
  expect(findCondition(nodeClass, 'Ready')?.status).toBe('False')
  expect(findCondition(nodeClass, 'MachineDeploymentsReady')).toMatchObject({ reason: 'ClusterApiMissing' })
})

test('settings that contradict each other are refused before anything runs', async () => {
  await expect(start({ CLUSTER_API_TOKEN: 'secret' })).rejects.toThrow(
    'CLUSTER_API_TOKEN is set without CLUSTER_API_URL',
  )
  await expect(start({ CLUSTER_API_KUBECONFIG: '/none' })).rejects.toThrow('no such file')
})
