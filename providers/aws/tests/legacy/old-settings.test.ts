import { kinds } from '@kerf/apis'
import { type KubeClient, RecordingLogger, SeededRandom, SystemClock, VirtualClock } from '@kerf/runtime'
import { SandboxApi } from '@kerf/sandbox'
import { beforeEach, expect, test } from 'vitest'
import { legacyStart } from '../../../../packages/cli/src/run/legacy-start.ts'
import { readOldSettings, type StartInput } from '../../../../packages/cli/src/run/old-settings.ts'
import { runSettings } from '../../../../packages/cli/src/run/run-settings.ts'

const never = new AbortController().signal
let client: KubeClient
beforeEach(() => {
  client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
})

const configMap = async (name: string, data: Readonly<Record<string, string>>): Promise<void> => {
  await client.create(kinds.ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'kube-system' },
    data,
  })
}

const read = async (input: Partial<StartInput> = {}) => {
  const log = new RecordingLogger()
  const merged = await readOldSettings(
    { client, namespace: 'kube-system', log },
    { env: {}, flags: {}, ...input },
    never,
  )
  const lines = log.lines.map(({ level, message, fields }) => `${level} ${String(fields?.['field'])}: ${message}`)
  return { ...merged, lines }
}

test('karpenter-global-settings: settings, and a log line for every key', async () => {
  await configMap('karpenter-global-settings', {
    batchMaxDuration: '5s',
    'aws.clusterName': 'demo',
    'aws.vmMemoryOverheadPercent': '0.1',
    'aws.defaultInstanceProfile': 'nodes',
    'aws.enablePodENI': 'true',
    'featureGates.driftEnabled': 'true',
    'aws.reservedENIs': 'some',
    surprise: 'x',
  })
  const { settings, classDefaults, lines } = await read()
  expect(settings).toMatchObject({
    batchMaxDuration: 5_000,
    clusterName: 'demo',
    vmMemoryOverheadPercent: 0.1,
    reservedENIs: 0,
  })
  expect(classDefaults).toEqual({ instanceProfile: 'nodes' })
  expect(lines).toEqual([
    'info data.batchMaxDuration: using an old setting as BATCH_MAX_DURATION',
    'info data.aws.clusterName: using an old setting as CLUSTER_NAME',
    'info data.aws.vmMemoryOverheadPercent: using an old setting as VM_MEMORY_OVERHEAD_PERCENT',
    'info data.aws.defaultInstanceProfile: using an old setting as spec.instanceProfile',
    'warn data.aws.enablePodENI: ignoring an old setting: set by the type and the requirements of pods',
    'warn data.featureGates.driftEnabled: ignoring an old setting: drift is always on',
    'warn data.aws.reservedENIs: ignoring an old setting: "some" is not an integer; using the default of RESERVED_ENIS',
    'warn data.surprise: ignoring an old setting: v1 has no such setting',
  ])
})

test('flags and environment variables take precedence, an empty variable does not', async () => {
  await configMap('karpenter-global-settings', {
    batchIdleDuration: '3s',
    batchMaxDuration: '30s',
    'aws.clusterName': 'old',
    'aws.clusterEndpoint': 'https://old.example.com',
    'aws.interruptionQueueName': 'queue',
  })
  const { settings, lines } = await read({
    env: { CLUSTER_NAME: 'new', CLUSTER_ENDPOINT: '', INTERRUPTION_QUEUE: 'queue', BATCH_IDLE_DURATION: '2s' },
    flags: { 'batch-max-duration': '20s' },
  })
  expect(settings).toMatchObject({
    clusterName: 'new',
    clusterEndpoint: 'https://old.example.com',
    interruptionQueue: 'queue',
    batchIdleDuration: 2_000,
    batchMaxDuration: 20_000,
  })
  expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
    'warn data.batchIdleDuration: ignoring an old setting: the environment variable BATCH_IDLE_DURATION is set',
    'warn data.batchMaxDuration: ignoring an old setting: --batch-max-duration is given',
    'warn data.aws.clusterName: ignoring an old setting: the environment variable CLUSTER_NAME is set',
  ])
})

test('the ConfigMap of the guides is read too, with a lower precedence than the chart’s; an unreadable one is logged', async () => {
  await configMap('karpenter', { aws: 'clusterName: guide\nregion: eu-west-1\nclusterEndpoint: nowhere' })
  const first = await read()
  expect(first.settings).toMatchObject({ clusterName: 'guide', awsRegion: 'eu-west-1', clusterEndpoint: '' })
  expect(first.lines.at(-1)).toMatch(/^warn data.aws.clusterEndpoint: .*"nowhere" is not an absolute URL/)
  await configMap('karpenter-global-settings', { 'aws.clusterName': 'chart' })
  expect((await read()).settings.clusterName).toBe('chart')
  await client.patch(
    kinds.ConfigMap,
    { name: 'karpenter', namespace: 'kube-system' },
    { type: 'merge', body: { data: { aws: 'a: [' } } },
  )
  expect((await read()).lines[0]).toMatch(/^warn data\.aws: ignoring an old setting: it is not YAML/)
})

test('without --legacy-apis nothing is read or installed', async () => {
  await configMap('karpenter', { aws: 'clusterName: guide' })
  const settings = Object.fromEntries(Object.entries(runSettings).map(([key, each]) => [key, each.default])) as never
  const deps = { client, clock: new SystemClock(), log: new RecordingLogger(), connection: {} }
  const start = await legacyStart(deps, settings, { env: {}, flags: {} }, never)
  expect(start).toEqual({ settings })
  expect((await client.list(kinds.CustomResourceDefinition)).items).toEqual([])
})
