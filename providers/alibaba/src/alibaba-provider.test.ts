import { capacityTypes, findCondition, karpenterKinds, kinds, labels, taints } from '@kerf/apis'
import {
  DeleteError,
  isInsufficientCapacity,
  isNodeClaimNotFound,
  isNotKnownYet,
  offeringCoordinates,
} from '@kerf/provider-contract'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { clusterTag, providerId, TAG } from './names.ts'
import { ecsNodeClassKind } from './node-class/ecs-node-class.ts'
import { DEFAULT_CNY_PER_USD } from './pricing/currency.ts'
import { type AlibabaHarness, type AlibabaHarnessOptions, createAlibabaHarness } from './testing/alibaba-harness.ts'
import { CLUSTER, REGION, ZONES } from './testing/fake-alibaba/names.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const is = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })
const own = { [clusterTag(CLUSTER)]: 'owned', [TAG.clusterId]: CLUSTER, [TAG.nodePool]: 'default' }

const inHarness = async (
  options: AlibabaHarnessOptions,
  check: (harness: AlibabaHarness) => Promise<void>,
): Promise<void> => {
  const harness = await createAlibabaHarness(options)
  try {
    await check(harness)
    expect(harness.alibaba.problems).toEqual([])
  } finally {
    harness.stop()
  }
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

describe('a launch', () => {
  test('sends each type with the image of its architecture', () =>
    inHarness({}, async ({ provider, claim, alibaba }) => {
      await provider.create(await claim('a'), never)
      const [request] = alibaba.requests.filter(({ action }) => action === 'CreateAutoProvisioningGroup')
      const configs = request?.parameters['LaunchTemplateConfig'] as readonly Record<string, string>[]
      const images = new Map(configs.map(({ InstanceType = '', ImageId = '' }) => [InstanceType, ImageId]))
      for (const [type, image] of images) expect(image, type).toContain(type.startsWith('ecs.g8y') ? 'arm64' : 'x64')
      expect(configs.length).toBeLessThanOrEqual(20)
    }))

  test('falls back to on-demand when spot is out of stock, and finds the instance in a response that also contains failures', () =>
    inHarness({}, async ({ provider, claim, account, pool }) => {
      account.outOfStock = [{ capacityType: 'spot' }, { capacityType: 'on-demand', zone: ZONES[0] }]
      const view = await provider.create(await claim('a', { requests: { cpu: '3' } }), never)
      expect([view.labels[labels.capacityType], view.labels[labels.zone] === ZONES[0]]).toEqual(['on-demand', false])
      const types = await provider.instanceTypes(pool(), never)
      const launched = types.find(({ name }) => name === view.labels[labels.instanceType])
      const out = launched?.offerings
        .filter(({ available }) => !available)
        .map((each) => offeringCoordinates(launched, each))
      expect(out).toContainEqual({ ...out?.[0], capacityType: 'on-demand', zone: ZONES[0] })
    }))

  test('never leaves the zones of the claim, whatever the policy of the class', () =>
    inHarness({ spec: { vSwitchSelectionPolicy: 'balanced' } }, async ({ provider, claim }) => {
      for (const zone of ZONES) {
        const requirements = [is(labels.zone, zone), is(labels.capacityType, capacityTypes.onDemand)]
        const view = await provider.create(await claim(`in-${zone}`, { requirements }), never)
        expect(view.labels[labels.zone]).toBe(zone)
      }
    }))

  test('uses no vSwitch without free addresses', () =>
    inHarness({}, async ({ provider, claim, account, alibaba, clock }) => {
      account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: each.zone === ZONES[2] ? 5 : 0 }))
      await clock.advance(2 * MINUTE)
      const view = await provider.create(await claim('a'), never)
      expect(view.labels[labels.zone]).toBe(ZONES[2])
      account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: 0 }))
      await clock.advance(2 * MINUTE)
      expect(isInsufficientCapacity(await failureOf(provider.create(await claim('b'), never)))).toBe(true)
      expect(alibaba.count('CreateAutoProvisioningGroup')).toBe(1)
    }))

  test('if the account owes money, the message says so and no offering is marked as unavailable', () =>
    inHarness({}, async ({ provider, claim, alibaba, pool }) => {
      const refusal = {
        status: 403,
        code: 'InsufficientBalance',
        message: 'Your account does not have enough balance.',
      }
      alibaba.fail('CreateAutoProvisioningGroup', { refusal })
      const error = await failureOf(provider.create(await claim('a'), never))
      expect(error).toMatchObject({
        reason: 'AccountRefused',
        conditionMessage: expect.stringContaining('check the balance'),
      })
      const types = await provider.instanceTypes(pool(), never)
      expect(types.flatMap(({ offerings }) => offerings).every(({ available }) => available)).toBe(true)
    }))

  test('a refusal without an offering marks all offerings of the call as unavailable', () =>
    inHarness({}, async ({ provider, claim, alibaba }) => {
      alibaba.fail('CreateAutoProvisioningGroup', {
        refusal: { status: 403, code: 'OperationDenied.NoStock', message: 'sold out' },
      })
      const requirements = [is(labels.instanceType, 'ecs.g7.large')]
      expect(isInsufficientCapacity(await failureOf(provider.create(await claim('a', { requirements }), never)))).toBe(
        true,
      )
      alibaba.recover()
      expect(isInsufficientCapacity(await failureOf(provider.create(await claim('b', { requirements }), never)))).toBe(
        true,
      )
    }))

  test('a refusal of an unspecified type marks the types of the call as unavailable for only three minutes', () =>
    inHarness({}, async ({ provider, claim, alibaba, clock, account }) => {
      alibaba.fail('CreateAutoProvisioningGroup', {
        refusal: { status: 403, code: 'ImageNotSupportInstanceType', message: 'the image does not support the type' },
      })
      const requirements = [is(labels.instanceType, 'ecs.g7.large', 'ecs.g7.xlarge')]
      const error = await failureOf(provider.create(await claim('a', { requirements }), never))
      expect([isInsufficientCapacity(error), String(error)]).toEqual([
        true,
        expect.stringContaining('allow other instance types, or select another image'),
      ])
      alibaba.recover()
      await clock.advance(3 * MINUTE)
      await provider.create(await claim('b', { requirements }), never)
      expect(account.instances.living()).toHaveLength(1)
    }))

  test('with the same token and different options, waits until the first instance is listed, and adopts it', () =>
    inHarness({ listLag: 30_000 }, async (harness) => {
      const claim = await harness.claim('a')
      const first = await harness.provider.create(claim, never)
      // Simulates another process of Kerf, for which a different instance type is the cheapest.
      const second = harness.newProvider()
      await harness.change({ keyPairName: 'nodes' })
      for (const _ of [1, 2])
        expect(await failureOf(second.create(claim, never))).toMatchObject({ reason: 'LaunchRepeated' })
      await harness.clock.advance(30_000)
      expect((await second.create(claim, never)).providerID).toBe(first.providerID)
      expect(harness.account.instances.size).toBe(1)
    }))

  test('in a cluster that ACK does not manage gets only the user data of the class', () =>
    inHarness(
      { isManaged: false, spec: { userData: 'echo hi', imageSelectorTerms: [{ id: 'm-custom' }] } },
      async ({ provider, claim, account }) => {
        await provider.create(await claim('a'), never)
        const [instance] = account.instances.living()
        expect([Buffer.from(instance?.userData ?? '', 'base64').toString(), instance?.image]).toEqual([
          'echo hi',
          'm-custom',
        ])
      },
    ))
})

describe('instances', () => {
  test('one that is starting is deleted later, and a protected one needs a user', () =>
    inHarness({ startsFor: 20_000 }, async ({ provider, claim, account, clock }) => {
      const made = await claim('a')
      const { providerID } = await provider.create(made, never)
      const launched = { ...made, status: { ...made.status, providerID } }
      await expect(provider.delete(launched, never)).rejects.toThrow('cannot be deleted yet')
      await clock.advance(20_000)
      const [instance] = account.instances.living()
      if (instance === undefined) throw new Error('no instance')
      account.instances.set(instance.id, { ...instance, isProtected: true })
      expect(await failureOf(provider.delete(launched, never))).toBeInstanceOf(DeleteError)
      account.instances.set(instance.id, { ...instance, isProtected: false })
      await provider.delete(launched, never)
      expect(account.instances.living().map((each) => account.statusOf(each))).toEqual(['Stopping'])
    }))

  test('a new one that lists do not contain yet is found, and a restart does not treat it as gone', () =>
    inHarness({ listLag: 60_000 }, async ({ provider, claim, newProvider, client, clock }) => {
      const { providerID } = await provider.create(await claim('a'), never)
      expect((await provider.get(providerID, never)).providerID).toBe(providerID)
      const body = { status: { providerID } }
      await client.patch(karpenterKinds.NodeClaim, { name: 'a' }, { type: 'merge', body }, { subresource: 'status' })
      await clock.advance(100)
      expect(isNotKnownYet(await failureOf(newProvider().get(providerID, never)))).toBe(true)
      await clock.advance(60_000)
      expect((await newProvider().get(providerID, never)).providerID).toBe(providerID)
    }))

  test('one with only the cluster’s tag belongs to another tool', () =>
    inHarness({}, async ({ provider, account, clock }) => {
      const { id } = account.put({ tags: { [clusterTag(CLUSTER)]: 'owned' } }, 3_600_000)
      expect(isNodeClaimNotFound(await failureOf(provider.get(providerId(REGION, id), never)))).toBe(true)
      await clock.advance(30 * MINUTE)
      expect(account.instances.has(id)).toBe(true)
    }))

  test('are not treated as gone when the list permission is missing, although the API then returns an empty list', () =>
    inHarness({}, async ({ provider, claim, alibaba, newProvider }) => {
      const { providerID } = await provider.create(await claim('a'), never)
      alibaba.denied.add('DescribeInstances')
      const other = newProvider()
      for (const work of [provider.list(never), other.list(never), other.get(providerID, never)]) {
        const error = await failureOf(work)
        expect([isNodeClaimNotFound(error), String(error)]).toEqual([false, expect.stringContaining('Forbidden.RAM')])
      }
    }))

  test('of a class without vSwitches are still listed', () =>
    inHarness({}, async ({ provider, account, change }) => {
      const { id } = account.put({ tags: own })
      await change({ vSwitchSelectorTerms: [{ id: 'vsw-none' }] })
      expect((await provider.list(never)).map(({ providerID }) => providerID)).toEqual([providerId(REGION, id)])
    }))
})

describe('the status of a class', () => {
  const conditionOf = async ({ nodeClass }: AlibabaHarness, type: string) => {
    const { status, reason, message } = findCondition(await nodeClass(), type) ?? {}
    return { status, reason, message }
  }

  test('has the resources that the terms select, sorted by ID, and does not change with launches', () =>
    inHarness({}, async (harness) => {
      const { status, metadata } = await harness.nodeClass()
      expect(status?.vSwitches?.map(({ id }) => id)).toEqual(['vsw-h', 'vsw-i', 'vsw-j'])
      expect(status?.securityGroups).toEqual([{ id: 'sg-nodes', name: 'nodes' }])
      expect(status?.images?.map(({ id }) => id.slice(0, 14))).toEqual(['aliyun_3_x64_2', 'aliyun_3_arm64'])
      expect(metadata.finalizers).toEqual(['karpenter.k8s.alibabacloud/termination'])
      await harness.provider.create(await harness.claim('a'), never)
      await harness.clock.advance(5 * MINUTE)
      expect((await harness.nodeClass()).metadata.resourceVersion).toBe(metadata.resourceVersion)
    }))

  test('reports each term that selects nothing; empty tags select nothing', () =>
    inHarness({}, async (harness) => {
      await harness.change({ vSwitchSelectorTerms: [{ id: 'vsw-h' }, { tags: {} }] })
      expect(await conditionOf(harness, 'VSwitchesReady')).toEqual({
        status: 'True',
        reason: 'VSwitchesReady',
        message:
          'no vSwitch matches {"tags":{}}; a term with empty tags selects nothing; correct spec.vSwitchSelectorTerms',
      })
      await harness.change({ imageSelectorTerms: [{ id: 'm-none' }] })
      expect(await conditionOf(harness, 'ImagesReady')).toMatchObject({ status: 'False', reason: 'ImagesNotFound' })
      expect((await conditionOf(harness, 'Ready')).status).toBe('False')
    }))

  test('an alias with a version selects the same images; ContainerOS has its own', () =>
    inHarness({ spec: { imageSelectorTerms: [{ alias: 'ContainerOS@latest' }] } }, async (harness) => {
      expect((await harness.nodeClass()).status?.images?.map(({ name }) => name)).toEqual(['ContainerOS 3.4'])
    }))

  test('reports values that the CRD accepts but that nodes cannot have', () =>
    inHarness({}, async (harness) => {
      await harness.change({
        dataDisks: [{ volumeSize: '100Gi' }],
        tags: {
          ...Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, ''])),
          ...{ 'aliyun/team': 'web', url: 'https://example.com', ['k'.repeat(129)]: '' },
        },
        kubeletConfiguration: {
          systemReserved: { cpu: 'abc' },
          evictionSoft: { 'pid.available': '10%' },
          evictionSoftGracePeriod: { 'pid.available': 'later' },
        },
      })
      const { reason, message = '' } = await conditionOf(harness, 'ValidationSucceeded')
      expect(reason).toBe('NodeClassInvalid')
      for (const part of [
        'systemReserved[cpu]',
        'evictionSoftGracePeriod[pid.available]',
        'dataDiskCategories',
        '14 tags',
        'the key "aliyun/team" must not begin with "aliyun"',
        'spec.tags[url]: the value "https://example.com" must not contain',
        'must have at most 128 characters',
      ])
        expect(message).toContain(part)
      expect(message).not.toContain('10%')
    }))

  test('reports a missing permission with its remedy, and keeps what was found', () =>
    inHarness({}, async (harness) => {
      harness.alibaba.fail('DescribeSecurityGroups', {
        refusal: { status: 403, code: 'Forbidden.RAM', message: 'User not authorized' },
      })
      await harness.clock.advance(6 * MINUTE)
      const { status, message = '' } = await conditionOf(harness, 'SecurityGroupsReady')
      expect([status, message]).toEqual(['True', expect.stringContaining('check the RAM policy of the controller')])
      expect((await harness.nodeClass()).status?.securityGroups).toHaveLength(1)
    }))
})

test('prices come from the API: spot by zone, and on-demand in dollars', () =>
  inHarness({}, async ({ provider, pool, clock }) => {
    await clock.advance(MINUTE)
    const type = (await provider.instanceTypes(pool(), never)).find(({ name }) => name === 'ecs.g7.xlarge')
    const price = (capacityType: string, zone: string) =>
      type?.offerings.find((each) => {
        const at = offeringCoordinates(type, each)
        return at.capacityType === capacityType && at.zone === zone
      })?.price
    expect(price('on-demand', ZONES[0])).toBeCloseTo(1.08 / DEFAULT_CNY_PER_USD, 6)
    expect([price('spot', ZONES[0]), price('spot', ZONES[1])]).toEqual([
      expect.closeTo(0.27 / DEFAULT_CNY_PER_USD, 6),
      expect.closeTo(0.324 / DEFAULT_CNY_PER_USD, 6),
    ])
  }))

test('a type that the API reports as sold out stays in the list, but its offerings are unavailable', () =>
  inHarness({}, async ({ provider, pool, account, clock }) => {
    account.soldOut = [{ instanceType: 'ecs.g7.large', capacityType: 'spot' }]
    await clock.advance(4 * MINUTE)
    const type = (await provider.instanceTypes(pool(), never)).find(({ name }) => name === 'ecs.g7.large')
    const open = type?.offerings
      .filter(({ available }) => available)
      .map((each) => offeringCoordinates(type, each).capacityType)
    expect(new Set(open)).toEqual(new Set(['on-demand']))
  }))

test('Kerf removes the taint from ready nodes if ACK’s script adds it again', () =>
  inHarness({}, async ({ client, clock }) => {
    const lastTransitionTime = new Date(clock.now()).toISOString()
    const ready = { type: 'Ready', status: 'True' as const, reason: 'KubeletReady', message: '', lastTransitionTime }
    const other = { ...taints.unregistered, effect: 'NoSchedule' as const }
    await client.create(
      kinds.Node,
      node('a', {
        labels: { 'karpenter.sh/registered': 'true' },
        spec: { taints: [{ ...taints.unregistered, value: 'true' }, other] },
        status: { conditions: [ready] },
      }),
    )
    const taintsOf = async () => (await client.get(kinds.Node, { name: 'a' })).spec.taints
    await clock.advance(14_000)
    expect(await taintsOf()).toHaveLength(2)
    await clock.advance(2_000)
    expect(await taintsOf()).toEqual([other])
  }))

test('the class of a deleted pool is not changed', () =>
  inHarness({}, async ({ client, clock }) => {
    await client.delete(ecsNodeClassKind, { name: 'default' })
    await clock.advance(1_000)
    expect((await client.list(ecsNodeClassKind)).items).toEqual([])
  }))
