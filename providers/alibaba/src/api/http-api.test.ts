import { usualRetries } from '@kerf/provider-kit'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import { throttled } from '../testing/fake-alibaba/fake-alibaba.ts'
import { ACCESS_KEY, JOIN_TOKEN, REGION } from '../testing/fake-alibaba/names.ts'
import { fakeApi } from '../testing/fake-api.ts'
import { sampleRequests } from '../testing/sample-requests.ts'
import { actionRoutes } from './action-routes.ts'
import type { ActionName } from './actions.ts'
import { AlibabaApiError } from './alibaba-api-error.ts'
import { endpointsIn } from './endpoints.ts'
import { httpApi } from './http-api.ts'
import { allInstances, allSecurityGroups, allTypes, allVSwitches } from './pages.ts'
import { loadSdk } from './sdk.ts'

const never = new AbortController().signal
const actions = Object.keys(actionRoutes) as readonly ActionName[]
const tag = { owner: 'kerf' }

const refusalOf = async (call: Promise<unknown>): Promise<AlibabaApiError> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (error instanceof AlibabaApiError) return error
  throw new Error(`not refused: ${String(error)}`)
}

describe('the calls to Alibaba Cloud', () => {
  test.each(actions)('%s is signed, and matches the vendor’s description', async (action) => {
    const { api, cloud, account } = await fakeApi(new VirtualClock())
    account.put({ id: 'i-1', tags: tag })
    const call = api.call(action, sampleRequests[action], never)
    await call
    expect([cloud.problems, cloud.count(action)]).toEqual([[], 1])
  })

  test('the attach script is plain text', async () => {
    const { api } = await fakeApi(new VirtualClock())
    const request = sampleRequests.DescribeClusterAttachScripts
    expect(await api.call('DescribeClusterAttachScripts', request, never)).toContain(JOIN_TOKEN)
  })

  test('lists are read to the last page', async () => {
    const { api, account, cloud } = await fakeApi(new VirtualClock())
    for (let count = 0; count < 250; count++) account.put({ tags: tag })
    account.put({ tags: {} })
    const found = await allInstances(api, { RegionId: REGION, Tag: [{ Key: 'owner', Value: 'kerf' }] }, never)
    expect([new Set(found.map(({ InstanceId }) => InstanceId)).size, cloud.count('DescribeInstances')]).toEqual([
      250, 3,
    ])
    const [first] = account.vSwitches
    if (first === undefined) throw new Error('no vSwitch')
    account.vSwitches = Array.from({ length: 101 }, (_, index) => ({ ...first, id: `vsw-${index}` }))
    expect(await allVSwitches(api, { RegionId: REGION }, never)).toHaveLength(101)
    expect(await allTypes(api, never)).toHaveLength(account.types.length)
    expect(await allSecurityGroups(api, { RegionId: REGION, SecurityGroupName: 'nodes' }, never)).toHaveLength(1)
  })

  test('a list by tags returns more instances than the 1,000 of one query', async () => {
    const { api, account, cloud } = await fakeApi(new VirtualClock())
    const tags = { ...tag, kind: 'node' }
    for (let count = 0; count < 1_120; count++) account.put({ tags })
    account.put({ tags: tag })
    const query = {
      RegionId: REGION,
      Tag: [
        { Key: 'owner', Value: 'kerf' },
        { Key: 'kind', Value: 'node' },
      ],
    }
    const found = await allInstances(api, query, never)
    expect([new Set(found.map(({ InstanceId }) => InstanceId)).size, found.length]).toEqual([1_120, 1_120])
    expect([cloud.count('DescribeInstances'), cloud.count('ListTagResources'), cloud.problems]).toEqual([12, 23, []])
  })

  test('an error contains the code, the text and the request ID', async () => {
    const { api } = await fakeApi(new VirtualClock())
    const error = await refusalOf(
      api.call('DeleteInstance', { ...sampleRequests.DeleteInstance, InstanceId: 'i-9' }, never),
    )
    expect([error.code, error.status]).toEqual(['InvalidInstanceId.NotFound', 404])
    expect(error.message).toBe(
      'DeleteInstance: InvalidInstanceId.NotFound: The specified InstanceId does not exist. (request REQUEST-1)',
    )
    const cluster = { ClusterId: 'c-other' }
    expect((await refusalOf(api.call('DescribeClusterDetail', cluster, never))).code).toBe('ErrorClusterNotFound')
  })

  test('throttled calls, server errors and lost responses are retried', async () => {
    const clock = new VirtualClock()
    const { api, cloud } = await fakeApi(clock, { retries: usualRetries })
    for (const refusal of [throttled, { status: 503, code: 'ServiceUnavailable', message: '' }, 'network'] as const) {
      cloud.failNext('DescribeInstanceTypes', { refusal })
      const read = allTypes(api, never)
      await clock.advance(60_000)
      expect((await read).length).toBeGreaterThan(0)
    }
    expect(cloud.count('DescribeInstanceTypes')).toBe(6)
  })

  test('a launch whose response is lost is repeated with the same token, and launches one instance', async () => {
    const clock = new VirtualClock()
    const { api, cloud, account } = await fakeApi(clock, { retries: usualRetries })
    cloud.failNext('CreateAutoProvisioningGroup', { refusal: 'network', isAfterwards: true })
    const launch = api.call('CreateAutoProvisioningGroup', sampleRequests.CreateAutoProvisioningGroup, never)
    await clock.advance(60_000)
    await launch
    expect([account.instances.size, cloud.count('CreateAutoProvisioningGroup')]).toEqual([1, 2])
  })

  test('wrong and expired keys are refused; new keys are used at once', async () => {
    const clock = new VirtualClock()
    const { api, cloud } = await fakeApi(clock)
    cloud.keys.set(ACCESS_KEY.id, { secret: 'another' })
    const call = () => api.call('DescribeInstanceTypes', sampleRequests.DescribeInstanceTypes, never)
    expect((await refusalOf(call())).code).toBe('SignatureDoesNotMatch')
    cloud.keys.clear()
    expect((await refusalOf(call())).code).toBe('InvalidAccessKeyId.NotFound')
    cloud.keys.set('temporary', { secret: 'secret', token: 'token-2' })
    let token = 'token-1'
    const temporary = httpApi({
      ...{
        sdk: await loadSdk(),
        send: cloud.send,
        clock,
        random: new SeededRandom(1),
        endpoints: endpointsIn(REGION, 'vpc'),
      },
      keys: async () => ({ accessKeyId: 'temporary', accessKeySecret: 'secret', securityToken: token }),
    })
    const ask = () => temporary.call('DescribeInstanceTypes', sampleRequests.DescribeInstanceTypes, never)
    expect((await refusalOf(ask())).code).toBe('InvalidSecurityToken.Expired')
    token = 'token-2'
    await ask()
  })

  test('without credentials, the error states what to set', async () => {
    const { cloud } = await fakeApi(new VirtualClock())
    const api = httpApi({
      ...{ sdk: await loadSdk(), send: cloud.send, clock: new VirtualClock(), random: new SeededRandom(1) },
      endpoints: endpointsIn(REGION, ''),
      keys: async () => {
        throw new Error('no provider in the chain')
      },
    })
    await expect(api.call('DescribeInstanceTypes', { MaxResults: 1 }, never)).rejects.toThrow(
      'there are no credentials for Alibaba Cloud: no provider in the chain',
    )
  })

  test('a process without write access can still read', async () => {
    const { cloud, account } = await fakeApi(new VirtualClock())
    account.put({ id: 'i-1', tags: tag })
    const api = httpApi({
      ...{ sdk: await loadSdk(), send: cloud.send, clock: new VirtualClock(), random: new SeededRandom(1) },
      endpoints: endpointsIn(REGION, ''),
      keys: async () => ({ accessKeyId: ACCESS_KEY.id, accessKeySecret: ACCESS_KEY.secret }),
      gate: {
        check: () => {
          throw new Error('the lease is lost')
        },
      },
    })
    await api.call('DescribeInstances', sampleRequests.DescribeInstances, never)
    for (const action of ['CreateAutoProvisioningGroup', 'DeleteInstance', 'AddTags'] as const)
      await expect(api.call(action, sampleRequests[action], never)).rejects.toThrow('the lease is lost')
    expect(account.instances.size).toBe(1)
  })

  test('endpoints equal those of the vendor’s SDK', () => {
    expect(endpointsIn('cn-hangzhou', '').ecs).toBe('https://ecs-cn-hangzhou.aliyuncs.com')
    expect(endpointsIn('us-east-1', '')).toEqual({
      ecs: 'https://ecs.us-east-1.aliyuncs.com',
      vpc: 'https://vpc.us-east-1.aliyuncs.com',
      cs: 'https://cs.us-east-1.aliyuncs.com',
    })
    expect(endpointsIn('cn-hangzhou', 'vpc').vpc).toBe('https://vpc-vpc.cn-hangzhou.aliyuncs.com')
  })
})
