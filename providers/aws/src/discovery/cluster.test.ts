import { kinds } from '@kerf/apis'
import { ApiError, type KubeClient, RecordingLogger, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { never } from '../testing/aws-harness.ts'
import { FakeEks } from '../testing/fake-aws/fake-services.ts'
import { Requests } from '../testing/fake-aws/requests.ts'
import { Cluster } from './cluster.ts'

/** Creates a cluster whose API server gives the responses that a test needs. */
const harness = (options: { readonly eksControlPlane?: boolean } = {}) => {
  const answers: { service: () => unknown; version: () => unknown } = {
    service: () => ({ spec: { clusterIP: '10.100.0.10' } }),
    version: () => ({ major: '1', minor: '34+' }),
  }
  const eks = new FakeEks(new Requests(new VirtualClock()))
  const log = new RecordingLogger()
  const client = {
    get: async (kind: unknown) => {
      expect(kind).toBe(kinds.Service)
      return answers.service()
    },
    raw: async () => answers.version(),
  } as unknown as KubeClient
  const cluster = new Cluster(
    { eks, client, log },
    { clusterName: 'demo', clusterEndpoint: '', clusterCABundle: '', eksControlPlane: false, ...options },
  )
  return { cluster, answers, eks, log }
}

const failing = (code: number) => (): never => {
  throw new ApiError({ code, reason: 'Refused', message: 'refused' })
}

test('after a short failure of the API server, the DNS address is looked up again', async () => {
  const { cluster, answers } = harness()
  const { service } = answers
  answers.service = failing(503)
  await expect(cluster.view(never)).rejects.toThrow('refused')
  answers.service = service
  expect(await cluster.view(never)).toMatchObject({ dns: '10.100.0.10', isIpv6: false })
})

test.each([404, 403])(
  'a Service that does not exist or may not be read (%s) is looked up again later',
  async (code) => {
    const { cluster, answers, log } = harness()
    const { service } = answers
    answers.service = failing(code)
    expect((await cluster.view(never)).dns).toBeUndefined()
    expect((await cluster.view(never)).dns).toBeUndefined()
    // Kerf logs the warning and sends the request only once, not with every launch.
    expect(log.lines).toHaveLength(1)
    answers.service = service
    await cluster.readVersion(never)
    expect((await cluster.view(never)).dns).toBe('10.100.0.10')
  },
)

test.each([
  ['nothing', {}],
  ['an empty minor', { major: '1', minor: '' }],
])('an API server that answers %s gives no version', async (_what, answer) => {
  const { cluster, answers } = harness()
  const { version } = answers
  answers.version = () => answer
  await expect(cluster.readVersion(never)).rejects.toThrow('the API server did not return the Kubernetes version')
  answers.version = version
  expect(await cluster.readVersion(never)).toBe('1.34')
  answers.version = () => answer
  expect(await cluster.readVersion(never)).toBe('1.34')
})

test('an EKS response without a version gives no version', async () => {
  const { cluster, eks } = harness({ eksControlPlane: true })
  eks.version = undefined
  await expect(cluster.view(never)).rejects.toThrow('EKS did not return the Kubernetes version')
  eks.version = '1.35'
  expect((await cluster.view(never)).version).toBe('1.35')
})
