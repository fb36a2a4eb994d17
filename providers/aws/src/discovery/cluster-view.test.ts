import { ApiError, type KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { FakeEks } from '../testing/fake-aws/fake-services.ts'
import { Requests } from '../testing/fake-aws/requests.ts'
import { Cluster } from './cluster.ts'

// See `providers/aws/docs/spec/aws.md#start`, `providers/aws/docs/spec/aws.md#kubernetes-version`.

const never = new AbortController().signal

const harness = (
  options: Partial<ConstructorParameters<typeof Cluster>[1]> = {},
  clusterIP: unknown = '10.100.0.10',
) => {
  const eks = new FakeEks(new Requests(new VirtualClock()))
  const log = new RecordingLogger()
  const asked = { service: 0, version: 0, where: '' }
  const client = {
    get: async (_kind: unknown, ref: { readonly namespace: string; readonly name: string }) => {
      asked.service += 1
      asked.where = `${ref.namespace}/${ref.name}`
      if (clusterIP instanceof Error) throw clusterIP
      return clusterIP === null ? {} : { spec: { clusterIP } }
    },
    raw: async (path: string) => {
      asked.version += 1
      return path === '/version' ? { major: '1', minor: '34+' } : {}
    },
  } as unknown as KubeClient
  const cluster = new Cluster(
    { eks, client, log },
    { clusterName: 'demo', clusterEndpoint: '', clusterCABundle: '', eksControlPlane: false, ...options },
  )
  return { cluster, eks, log, asked, described: () => eks.faults.count('describeCluster') }
}

test('values that the settings do not contain are looked up once', async () => {
  const { cluster, asked, described } = harness()
  expect([cluster.name, cluster.version, cluster.caBundle]).toEqual(['demo', undefined, ''])
  const view = { name: 'demo', endpoint: 'https://demo.eks', version: '1.34', dns: '10.100.0.10', isIpv6: false }
  expect(await cluster.view(never)).toEqual(view)
  expect(await cluster.view(never)).toEqual(view)
  expect([described(), asked.service, asked.version, asked.where]).toEqual([1, 1, 1, 'kube-system/kube-dns'])
  expect(cluster.version).toBe('1.34')
})

test('values that the settings contain are not looked up', async () => {
  const { cluster, described } = harness({ clusterEndpoint: 'https://own', clusterCABundle: 'Q0E=' })
  expect(await cluster.view(never)).toMatchObject({ endpoint: 'https://own', caBundle: 'Q0E=' })
  expect([described(), cluster.caBundle]).toEqual([0, 'Q0E='])
})

test('the service CIDR is requested once, and the view contains it from then on', async () => {
  const { cluster, described } = harness({ clusterEndpoint: 'https://own' })
  expect(await cluster.view(never)).not.toHaveProperty('serviceCidr')
  expect([await cluster.serviceCidr(never), await cluster.serviceCidr(never)]).toEqual([
    '10.100.0.0/16',
    '10.100.0.0/16',
  ])
  expect(await cluster.view(never)).toMatchObject({ serviceCidr: '10.100.0.0/16' })
  expect(described()).toBe(1)
})

test('the ARN is requested once, and a cluster without an ARN is an error', async () => {
  const { cluster, eks, described } = harness()
  const arn = 'arn:aws:eks:us-east-1:123456789012:cluster/demo'
  expect([await cluster.arn(never), await cluster.arn(never)]).toEqual([arn, arn])
  expect(described()).toBe(1)
  eks.describeCluster = async () => ({}) as never
  await expect(harness().cluster.arn(never)).resolves.toBe(arn)
  const nameless = harness()
  nameless.eks.describeCluster = async () => ({}) as never
  await expect(nameless.cluster.arn(never)).rejects.toThrow('demo')
})

test('a missing endpoint is an error that names the cluster, and is requested again', async () => {
  const { cluster, eks } = harness()
  eks.faults.next('describeCluster', { code: 'AccessDeniedException', status: 403 })
  await expect(cluster.view(never)).rejects.toThrow('the endpoint of cluster demo is unknown: AccessDenied: ')
  const { describeCluster } = eks
  eks.describeCluster = async () => ({}) as never
  await expect(cluster.view(never)).rejects.toThrow('EKS has no endpoint for it yet')
  eks.describeCluster = describeCluster
  expect((await cluster.view(never)).endpoint).toBe('https://demo.eks')
})

test('if the settings say so, the version is that of the EKS control plane', async () => {
  const { cluster, eks, asked } = harness({ eksControlPlane: true })
  eks.version = '1.36'
  expect((await cluster.view(never)).version).toBe('1.36')
  eks.version = '1.37'
  expect((await cluster.view(never)).version).toBe('1.36')
  expect(await cluster.readVersion(never)).toBe('1.37')
  expect([(await cluster.view(never)).version, asked.version]).toEqual(['1.37', 0])
})

test('a DNS service with an IPv6 address means an IPv6 cluster', async () => {
  expect(await harness({}, 'fd00::a').cluster.view(never)).toMatchObject({ dns: 'fd00::a', isIpv6: true })
})

test.each(['', 'None', null, 7])(
  'a DNS service with the address %j has no address, and that is logged',
  async (clusterIP) => {
    const { cluster, log, asked } = harness({}, clusterIP)
    const view = await cluster.view(never)
    expect([view.dns, view.isIpv6]).toEqual([undefined, false])
    expect(log.messages('warn')).toHaveLength(1)
    await cluster.readVersion(never)
    await cluster.view(never)
    expect(asked.service).toBe(2)
  },
)

test('a known address is not looked up again with each version', async () => {
  const { cluster, asked } = harness()
  await cluster.view(never)
  await cluster.readVersion(never)
  await cluster.view(never)
  expect(asked.service).toBe(1)
})

test('a failure of the API server does not count as a missing Service', async () => {
  await expect(harness({}, new Error('cut off')).cluster.view(never)).rejects.toThrow('cut off')
  const conflict = new ApiError({ code: 409, reason: 'Conflict', message: 'conflict' })
  await expect(harness({}, conflict).cluster.view(never)).rejects.toThrow('conflict')
})
