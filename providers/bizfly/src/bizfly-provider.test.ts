import { karpenterKinds, labels, type NodeClaim } from '@kerf/apis'
import { expect, onTestFinished, test } from 'vitest'
import { METADATA, providerId } from './names.ts'
import { createBizflyHarness } from './testing/bizfly-harness.ts'
import { CLUSTER } from './testing/fake-bizfly/names.ts'

const never = new AbortController().signal

const harnessWith = async (options: Parameters<typeof createBizflyHarness>[0] = {}) => {
  const harness = await createBizflyHarness(options)
  onTestFinished(() => harness.stop())
  return harness
}

const needs = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values })

test('disk, network plan and operating system are the first values of the class that the claim allows', async () => {
  const { provider, claim, change, cloud, account } = await harnessWith()
  await change({
    ...{
      diskTypes: ['SSD', 'HDD'],
      networkPlans: ['free_datatransfer', 'free_bandwidth'],
      osType: ['ubuntu', 'flatcar'],
    },
    ...{ securityGroups: [{ securityGroupID: 'firewall-1' }], tags: ['team=web=1', 'ignored'], sshKeyName: 'ops' },
  })
  const requirements = [
    needs('karpenter.bizflycloud.com/disk-type', 'HDD'),
    needs('karpenter.bizflycloud.com/os-type', 'flatcar'),
  ]
  const view = await provider.create(await claim('a', { requirements }), never)
  expect(view.labels).toMatchObject({
    'karpenter.bizflycloud.com/disk-type': 'HDD',
    'karpenter.bizflycloud.com/network-plan': 'free_datatransfer',
    'karpenter.bizflycloud.com/os-type': 'flatcar',
    'karpenter.bizflycloud.com/node-category': 'premium',
    'karpenter.bizflycloud.com/cpu-vendor': 'AMD4',
    'karpenter.bizflycloud.com/bizflycloudnodeclass': 'default',
    [labels.capacityType]: 'on-demand',
  })
  const [request] = cloud.requests.filter(({ call }) => call === 'launchServer')
  expect(request?.body).toMatchObject([
    {
      ...{ name: 'a', rootdisk: { size: 40, type: 'HDD' }, os: { id: 'image-1.36.9-flatcar', type: 'image' } },
      ...{ firewalls: ['firewall-1'], sshkey: 'ops', network_plan: 'free_datatransfer', billing_plan: 'on_demand' },
      ...{ type: 'premium', password: true, quantity: 1, is_created_wan: true, metadata: { team: 'web=1' } },
    },
  ])
  expect(account.servers.living()[0]?.metadata).not.toHaveProperty('ignored')
})

test('a NodePool that requires on_demand gets this label value, and saving_plan is not launched', async () => {
  const { provider, claim, pool } = await harnessWith()
  const requiring = (value: string) => {
    const made = pool()
    const { template } = made.spec
    const spec = { ...template.spec, requirements: [needs(labels.capacityType, value)] }
    return { ...made, spec: { ...made.spec, template: { ...template, spec } } }
  }
  const offered = async (value: string) =>
    (await provider.instanceTypes(requiring(value), never)).flatMap(({ offerings }) =>
      offerings.flatMap(
        ({ requirements }) => requirements.find(({ key }) => key === labels.capacityType)?.values ?? [],
      ),
    )
  expect(new Set(await offered('on_demand'))).toEqual(new Set(['on_demand']))
  expect(new Set(await offered('saving_plan'))).toEqual(new Set(['on-demand']))
  const view = await provider.create(
    await claim('a', { requirements: [needs(labels.capacityType, 'on_demand')] }),
    never,
  )
  expect(view.labels[labels.capacityType]).toBe('on_demand')
  const saving = await claim('b', { requirements: [needs(labels.capacityType, 'saving_plan')] })
  await expect(provider.create(saving, never)).rejects.toThrow('insufficient capacity')
})

/** Starts a launch whose response is lost. Lists contain the server only after twenty seconds. */
const lostLaunch = async () => {
  const harness = await harnessWith({ listLag: 20_000 })
  const claim: NodeClaim = await harness.claim('a')
  harness.cloud.fail('launchServer', { refusal: 'network', isAfterwards: true })
  await expect(harness.provider.create(claim, never)).rejects.toThrow('the launch failed')
  harness.cloud.recover()
  return { ...harness, claim }
}

test('after a lost response, Kerf waits until lists would contain the server, and then adopts it', async () => {
  const { provider, claim, clock, account, cloud } = await lostLaunch()
  await expect(provider.create(claim, never)).rejects.toMatchObject({ reason: 'LaunchUnconfirmed' })
  await clock.advance(21_000)
  const [server] = account.servers.living()
  expect((await provider.create(claim, never)).providerID).toBe(providerId(server?.id ?? ''))
  expect(cloud.count('launchServer')).toBe(1)
})

test('a new process also waits for the claims of the previous process', async () => {
  const { newProvider, claim, clock, cloud } = await lostLaunch()
  const fresh = newProvider()
  await clock.advance(1_000)
  await expect(fresh.create(claim, never)).rejects.toMatchObject({ reason: 'LaunchUnconfirmed' })
  await clock.advance(31_000)
  await fresh.create(claim, never)
  expect(cloud.count('launchServer')).toBe(1)
})

test('servers of Bizfly’s own provider are adopted by the name of their claim', async () => {
  const { provider, account, clock, client, claim } = await harnessWith()
  const owner = await claim('old')
  const metadata = { [METADATA.managed]: 'true', [METADATA.cluster]: CLUSTER }
  const { id } = account.put({ name: 'old', metadata }, 3_600_000)
  const status = { providerID: providerId(id) }
  await client.patch(
    karpenterKinds.NodeClaim,
    { name: 'old' },
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  )
  const writes = (await client.get(karpenterKinds.NodeClaim, { name: 'old' })).metadata.resourceVersion
  await clock.advance(3_600_000)
  const [view] = await provider.list(never)
  expect(view).toMatchObject({ providerID: providerId(id), nodeClaimName: 'old' })
  const after = await client.get(karpenterKinds.NodeClaim, { name: 'old' })
  expect(after.metadata.resourceVersion).toBe(writes)
  expect(await provider.isDrifted(after, never)).toBeUndefined()
  await provider.delete({ ...owner, status }, never)
  expect(account.left).toEqual(['old'])
})
