import { type KubeObject, parseResources } from '@kerf/apis'
import { clusterApiKinds } from '@kerf/provider-cluster-api'
import { offeringAllocatable } from '@kerf/provider-contract'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { parseInstanceTypeFile } from '@kerf/provider-kwok'
import { ApiError, SeededRandom, VirtualClock } from '@kerf/runtime'
import { type Interceptor, SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { installClusterApi } from '../src/testing/simulator/definitions.ts'
import { type InstanceTypesOptions, runInstanceTypes } from '../src/verbs/run-instance-types.ts'

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io/'
const never = new AbortController().signal

interface Wanted {
  readonly cluster?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly nodeLabels?: string
  readonly annotations?: Readonly<Record<string, string>>
}

/** Starts a management cluster with these MachineDeployments of 2 CPUs and 4Gi, at 0.1 dollars per hour. */
const start = async (deployments: Readonly<Record<string, Wanted>>, interceptor?: Interceptor) => {
  const api = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) })
  const admin = api.client()
  await installClusterApi(admin, 'v1beta2')
  for (const [name, { cluster = 'prod', labels, nodeLabels = '', annotations }] of Object.entries(deployments)) {
    await admin.create<KubeObject>(clusterApiKinds('v1beta2').MachineDeployment, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: {
        namespace: 'default',
        name,
        labels: labels ?? { 'node.cluster.x-k8s.io/karpenter-member': '' },
        annotations: {
          [`${CAPACITY}cpu`]: '2',
          [`${CAPACITY}memory`]: '4Gi',
          [`${CAPACITY}labels`]: nodeLabels,
          'kerf.sh/hourly-price': '0.1',
          ...annotations,
        },
      },
      spec: { clusterName: cluster, replicas: 1, rollout: { strategy: { type: 'OnDelete' } } },
    } as never)
  }
  const client = interceptor === undefined ? admin : api.client({ interceptor })
  return async (options: Partial<InstanceTypesOptions> = {}) => {
    let [out, err] = ['', '']
    const streams = {
      stdout: { write: (text: string) => (out += text) },
      stderr: { write: (text: string) => (err += text) },
    }
    const failure = await runInstanceTypes(
      { selector: [], ...options },
      streams,
      { client, address: 'https://management:6443' },
      never,
    ).catch((error: unknown) => error)
    return { out, err, failure }
  }
}

const zone = (name: string) => `node.kubernetes.io/instance-type=small,topology.kubernetes.io/zone=${name}`

test('--instance-types reads the output, which leaves pods the same capacity as the deployments', async () => {
  const run = await start({
    a: { nodeLabels: `${zone('rack-1')},example.com/disk=ssd` },
    b: { nodeLabels: `${zone('rack-2')},example.com/disk=ssd` },
    metal: { annotations: { [`${CAPACITY}cpu`]: '64' } },
  })
  const { out, err, failure } = await run()
  expect([failure, err]).toEqual([undefined, ''])
  const types = parseInstanceTypeFile(out, 'types.json')
  expect(types.map(({ name }) => name)).toEqual(['default.metal', 'small'])
  const [metal, small] = types
  if (metal === undefined || small === undefined) throw new Error('two are written')
  expect(offeringAllocatable(small)).toEqual(parseResources({ cpu: '2', memory: '4Gi', pods: '110' }))
  expect(offeringAllocatable(metal)['cpu']).toBe(parseResources({ cpu: '64' })['cpu'])
  expect(
    small.offerings.map(({ price, requirements }) => [price, ...requirements.map(({ values }) => values?.[0])]),
  ).toEqual([
    [0.1, 'rack-1', 'on-demand', 'ssd'],
    [0.1, 'rack-2', 'on-demand', 'ssd'],
  ])
  expect(metal.requirements.find(({ key }) => key === 'topology.kubernetes.io/zone')?.operator).toBe('DoesNotExist')
})

test('bad deployments are named and left out; missing prices are named', async () => {
  const run = await start({
    good: { annotations: { 'kerf.sh/hourly-price': '' } },
    bad: { annotations: { [`${CAPACITY}cpu`]: 'many' } },
  })
  const { out, err } = await run()
  const types = parseInstanceTypeFile(out, 'types.json')
  expect(types.map(({ name, offerings }) => [name, offerings.map(({ price }) => price)])).toEqual([
    ['default.good', [undefined]],
  ])
  expect(err).toContain('MachineDeployment default/bad: capacity.cluster-autoscaler.kubernetes.io/cpu is "many"')
  expect(err).toContain('the price of MachineDeployment default/good is unknown')
})

test('with several Clusters, one must be named', async () => {
  const run = await start({ a: {}, b: { cluster: 'staging' }, c: { cluster: 'other', labels: {} } })
  const { failure } = await run()
  expect(failure).toBeInstanceOf(UsageError)
  expect(String(failure)).toContain('name one with --cluster: default/prod, default/staging')
  const { out } = await run({ cluster: 'default/staging' })
  expect(parseInstanceTypeFile(out, 'types.json').map(({ name }) => name)).toEqual(['default.b'])
  expect((await run({ cluster: 'staging' })).failure).toBeInstanceOf(UsageError)
})

test('deployments are selected by labels', async () => {
  const run = await start({ a: {}, b: { labels: { team: 'x' } } })
  const { out } = await run({ selector: ['team=x'] })
  expect(parseInstanceTypeFile(out, 'types.json').map(({ name }) => name)).toEqual(['default.b'])
  expect((await run({ selector: ['team'] })).failure).toBeInstanceOf(UsageError)
})

test.each([
  ['no deployment takes part', { a: { labels: {} } }, 'kubectl label machinedeployment'],
  ['no deployment offers anything', { a: { annotations: { [`${CAPACITY}cpu`]: 'x' } } }, 'offers an instance type'],
])('%s: an error with what to do, and no file', async (_, deployments, text) => {
  const { out, failure } = await (await start(deployments))()
  expect(out).toBe('')
  expect(failure).toBeInstanceOf(CliError)
  expect(String(failure)).toContain(text)
})

test('without permission to list, the message names the permission', async () => {
  const forbid: Interceptor = {
    before: ({ verb, kind }) => {
      if (verb === 'list' && kind?.plural === 'machinedeployments')
        throw new ApiError({ code: 403, reason: 'Forbidden', message: 'User "me" cannot list machinedeployments' })
    },
  }
  const { failure } = await (await start({ a: {} }, forbid))()
  expect(failure).toBeInstanceOf(CliError)
  expect(String(failure)).toContain('needs list on machinedeployments.cluster.x-k8s.io in all namespaces')
})

test('a cluster without Cluster API and a cluster without deployments get different messages', async () => {
  const client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
  const streams = { stdout: { write: () => {} }, stderr: { write: () => {} } }
  await expect(runInstanceTypes({ selector: [] }, streams, { client, address: 'https://here' }, never)).rejects.toThrow(
    'https://here serves no Cluster API',
  )
})
