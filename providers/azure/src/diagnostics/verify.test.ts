import { coreResources, crdManifests, kinds } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AzureApiError } from '../api/azure-api-error.ts'
import { aksNodeClassKind, aksNodeClassResource } from '../node-class/aks-node-class.ts'
import { aksNodeClass } from '../testing/aks-node-class.ts'
import { azureTestEnv } from '../testing/azure-harness.ts'
import { fakeAzureApi, noRetries } from '../testing/fake-azure/connect.ts'
import { FakeAzure } from '../testing/fake-azure/fake-azure.ts'
import { LOCATION } from '../testing/fake-azure/fake-offer.ts'
import { GROUP, SUBNET, SUBSCRIPTION } from '../testing/fake-azure/names.ts'
import type { SubscriptionFinding } from './finding.ts'
import { type AzureVerifyOptions, runAzureVerify } from './run-verify.ts'

const OWN_NETWORK = `/subscriptions/${SUBSCRIPTION}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v`
const OWN_SUBNET = `${OWN_NETWORK}/subnets/nodes`
const START = 'aksManagedNodeOSUpgradeSchedule-start'
const END = 'aksManagedNodeOSUpgradeSchedule-end'
const HOUR = 3_600_000

const withVersion = (client: KubeClient, version: string): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: version })
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })

/** Returns the command with an in-memory subscription for the SDK's clients, and a cluster. */
const harness = async (version = 'v1.34.2') => {
  const clock = new VirtualClock()
  const cluster = new SandboxCluster({ clock, random: new SeededRandom(1) })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  onTestFinished(async () => {
    const stopping = cluster.stop()
    await clock.advance(1_000)
    await stopping
  })
  for (const { manifest } of crdManifests({ resources: [...coreResources, aksNodeClassResource] }))
    await cluster.client.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
  const client = withVersion(cluster.client, version)
  const azure = new FakeAzure(clock)
  const run = async (
    options: Partial<AzureVerifyOptions> = {},
    env: Readonly<Record<string, string>> = {},
    withCluster = true,
  ) => {
    let text = ''
    const code = await runAzureVerify(
      { namespace: 'kube-system', output: 'json', ...options },
      { stdout: { write: (part) => (text += part) }, env: { ...azureTestEnv, ...env } },
      {
        ...{ clock, client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: async () => ({
          api: fakeAzureApi(azure, noRetries),
          identity: async () => {
            if (!azure.tokens.hasIdentity)
              throw new AzureApiError({ code: 'NoCredentials', message: 'no token: AADSTS700016', status: 401 })
            return { objectId: 'an-object', clientId: undefined, tenant: 'a-tenant' }
          },
        }),
      },
    )
    return { code, text }
  }
  /** Runs the command with JSON output. Returns the checks that did not pass. */
  const problems = async (env: Readonly<Record<string, string>> = {}, options: Partial<AzureVerifyOptions> = {}) => {
    const { code, text } = await run(options, env)
    const report: { readonly subscription: string; readonly checks: readonly SubscriptionFinding[] } = JSON.parse(text)
    expect(Object.keys(report)).toEqual(['subscription', 'checks'])
    expect(report.subscription).toBe(SUBSCRIPTION)
    const { checks } = report
    return { code, found: checks.filter(({ outcome }) => outcome !== 'passed') }
  }
  return { azure, client, clock, run, problems }
}

test('a complete subscription passes, and nothing is written', async () => {
  const { azure, run } = await harness()
  const { code, text } = await run({ output: 'table' })
  expect(text).toContain('0 warnings, 0 failed, 0 skipped; nothing was changed')
  expect(code).toBe(0)
  expect(text).toContain('Azure accepts the credentials: object ID an-object, tenant a-tenant')
  expect(text).toContain('65531 free in 10.224.0.0/16')
  expect(text).toContain('images of Ubuntu2404 can be found: 2404gen2containerd/versions/202601.05.0')
  expect(text).toContain('the cluster reports its Kubernetes version: 1.34.2')
  expect(new Set(azure.requests.map(({ name }) => name.replace(/^.*_/, '')))).toEqual(
    new Set(['Get', 'List', 'ListForResource', 'ListForResourceGroup']),
  )
  expect(azure.bodies).toEqual([])
  expect(azure.resources()).toEqual([])
})

describe('a missing requirement is named, with the object and the remedy', () => {
  test('no identity: no further request to Azure, but requests to the cluster', async () => {
    const { azure, problems } = await harness()
    azure.tokens.hasIdentity = false
    const { code, found } = await problems()
    expect(code).toBe(1)
    expect(found.map(({ outcome, seen }) => [outcome, seen])).toEqual([
      ['failed', 'NoCredentials: no token: AADSTS700016'],
      ['skipped', 'Azure needs a token'],
    ])
    expect(found[0]?.remedy).toContain('federated credential')
    expect(azure.requests).toEqual([])
  })

  test('a role that lacks actions, and a scope without a role', async () => {
    const { azure, problems } = await harness()
    azure.roles.assignments = azure.roles.assignments.filter(({ role }) => role !== 'managedIdentityOperator')
    expect((await problems()).found).toEqual([
      {
        check: 'the roles of the identity have all actions that Kerf needs',
        object: azureTestEnv['NODE_IDENTITIES'],
        outcome: 'failed',
        seen: 'missing: Microsoft.ManagedIdentity/userAssignedIdentities/assign/action; without them Kerf cannot give nodes their managed identities',
        remedy: 'assign the role that "kerf azure roles" prints for this scope',
      },
    ])
    azure.roles.assignments = []
    const { code, found } = await problems()
    expect(code).toBe(3)
    expect(found.map(({ seen }) => seen.split(':')[0])).toEqual(['AuthorizationFailed', 'AuthorizationFailed'])
    expect(found[0]?.remedy).toContain('"kerf azure roles"')
  })

  test('a custom subnet needs its own role', async () => {
    const { azure, problems } = await harness()
    azure.offer.subnets = new Set([OWN_SUBNET])
    const own = { VNET_SUBNET_ID: OWN_SUBNET }
    expect((await problems(own)).found.map(({ object }) => object)).toEqual([OWN_SUBNET])
    azure.roles.assignments = [...azure.roles.assignments, { role: 'networkContributor', scope: OWN_SUBNET }]
    expect(await problems(own)).toEqual({ code: 0, found: [] })
  })

  test('the GUID of a network that the identity may not read must be set', async () => {
    const { azure, problems } = await harness()
    azure.faults.standing('VirtualNetworks_Get', { code: 'AuthorizationFailed', status: 403 })
    const { code, found } = await problems()
    expect(code).toBe(3)
    expect(found[0]?.remedy).toMatch(/^set VNET_GUID .*, or: assign the roles/)
    expect(await problems({ VNET_GUID: SUBSCRIPTION })).toEqual({ code: 0, found: [] })
  })

  test('the GUID of each network is read once, reported if Azure omits it, and not needed without an overlay', async () => {
    const { azure, client, problems } = await harness()
    const other = `${SUBNET.slice(0, SUBNET.lastIndexOf('/'))}/other`
    azure.offer.subnets = new Set([SUBNET, other])
    await client.create(aksNodeClassKind, aksNodeClass('other', { spec: { vnetSubnetID: other } }))
    azure.network.resourceGuid = undefined
    const { code, found } = await problems()
    expect(code).toBe(3)
    expect(found).toMatchObject([
      {
        ...{ outcome: 'failed', seen: 'Azure did not return it' },
        remedy: 'set VNET_GUID to what "az network vnet show --query resourceGuid" prints',
      },
    ])
    expect(azure.count('VirtualNetworks_Get')).toBe(1)
    expect(await problems({ NETWORK_PLUGIN_MODE: '' })).toEqual({ code: 0, found: [] })
    expect(azure.count('VirtualNetworks_Get')).toBe(1)
  })

  test('the security group of AKS, if nodes are in a custom network', async () => {
    const { azure, run, problems } = await harness()
    azure.offer.subnets = new Set([SUBNET, OWN_SUBNET])
    azure.roles.assignments = [...azure.roles.assignments, { role: 'networkContributor', scope: OWN_SUBNET }]
    const own = { VNET_SUBNET_ID: OWN_SUBNET }
    const looked = async (env: Readonly<Record<string, string>>) =>
      /^ok +the resource group of the nodes .*$/m.exec((await run({ output: 'table' }, env)).text)?.[0]
    expect(await looked(own)).toMatch(/: load balancer kubernetes, security group aks-agentpool-12345678-nsg$/)
    expect(await looked({})).toMatch(/: load balancer kubernetes$/)
    azure.network.securityGroups = []
    expect(await problems()).toEqual({ code: 0, found: [] })
    const { code, found } = await problems(own)
    expect(code).toBe(3)
    expect(found).toMatchObject([
      {
        check: 'the resource group of the nodes has the resources of AKS',
        ...{ outcome: 'failed', seen: expect.stringContaining('security group') },
        remedy: expect.stringContaining('"az aks show --query nodeResourceGroup"'),
      },
    ])
  })

  test('a missing resource group of the nodes', async () => {
    const { azure, problems } = await harness()
    azure.faults.standing('LoadBalancers_List', { code: 'ResourceGroupNotFound', status: 404 })
    const { code, found } = await problems()
    expect(code).toBe(3)
    expect(found.map(({ object }) => object)).toEqual([`/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}`])
    expect(found[0]?.remedy).toContain('"az aks show --query nodeResourceGroup"')
  })

  test.each<readonly [string, number, 'failed' | 'warning' | 'passed']>([
    ['10.0.0.0/29', 3, 'failed'],
    ['10.0.0.0/29', 2, 'warning'],
    ['10.0.0.0/28', 1, 'passed'],
  ])('a subnet of %s with %i addresses in use: %s', async (prefix, used, outcome) => {
    const { azure, run } = await harness()
    azure.offer.addressPrefix = prefix
    for (let number = 0; number < used; number++)
      azure.nics.put(`nic-${number}`, {
        location: LOCATION,
        properties: {
          ipConfigurations: [
            { name: 'ip', properties: { privateIPAllocationMethod: 'Dynamic', subnet: { id: SUBNET.toUpperCase() } } },
          ],
        },
      })
    const { text } = await run()
    const { checks }: { readonly checks: readonly SubscriptionFinding[] } = JSON.parse(text)
    expect(checks.find(({ check }) => check.startsWith('the subnet'))).toMatchObject({ object: SUBNET, outcome })
  })

  test('a missing subnet', async () => {
    const { azure, problems } = await harness()
    azure.offer.subnets = new Set()
    const { found } = await problems()
    expect(found.map(({ seen, remedy }) => [seen.split(':')[0], remedy])).toEqual([
      ['NotFound', 'create the subnet, or correct VNET_SUBNET_ID or spec.vnetSubnetID'],
    ])
  })

  test('quotas: one family may be full, but not all families and not the location', async () => {
    const { azure, problems, run } = await harness()
    const families = [...new Set(azure.offer.skus.map(({ family = '' }) => family))]
    const [first = ''] = families
    azure.offer.quotas.set(first, 1)
    expect((await problems()).code).toBe(0)
    expect((await run()).text).toContain(`not ${first} (0 of 1 cores used)`)
    azure.offer.quotas.set('lowPriorityCores', 0)
    expect(await problems()).toMatchObject({ code: 0, found: [{ outcome: 'warning', seen: '0 of 0 cores used' }] })
    azure.offer.quotas.delete('lowPriorityCores')
    azure.offer.quotas.set('cores', 1)
    expect(await problems()).toMatchObject({ code: 3, found: [{ check: expect.stringContaining('all cores') }] })
    azure.offer.quotas.delete('cores')
    for (const family of families) azure.offer.quotas.set(family, 0)
    expect(await problems()).toMatchObject({ code: 3, found: [{ check: expect.stringContaining('families') }] })
    azure.offer.skus = []
    expect(await problems()).toMatchObject({ code: 3, found: [{ seen: 'none' }] })
  })

  test('an unreachable gallery, and one without an image of the class', async () => {
    const { azure, client, problems } = await harness()
    await client.create(
      aksNodeClassKind,
      aksNodeClass('fips', { spec: { fipsMode: 'FIPS', imageFamily: 'AzureLinux' } }),
    )
    azure.offer.imageVersions = []
    expect((await problems()).found).toMatchObject([
      { seen: `none in ${LOCATION}`, remedy: expect.stringContaining('USE_SIG') },
    ])
    azure.faults.standing('CommunityGalleryImageVersions_List', { code: 'GalleryUnreachable', status: 404 })
    expect(await problems()).toMatchObject({
      code: 3,
      found: [{ seen: expect.stringContaining('GalleryUnreachable') }],
    })
  })
})

describe('the cluster', () => {
  test('without a cluster the other checks run, with a note', async () => {
    const { run } = await harness()
    const { code, text } = await run({ output: 'table' }, {}, false)
    expect(code).toBe(0)
    expect(text).toContain('skipped version, classes and maintenance window: no cluster was specified')
    expect(text).toContain('images of Ubuntu2204 can be found')
  })

  test('an unreadable version', async () => {
    const { problems } = await harness('main')
    expect(await problems()).toMatchObject({ code: 3, found: [{ object: 'GET /version', remedy: expect.any(String) }] })
  })

  test('the maintenance window: open, in the future, in the past, and invalid', async () => {
    const { client, clock, run } = await harness()
    const metadata = { name: 'upcoming-maintenance-window', namespace: 'kube-system' }
    await client
      .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
      .catch(() => undefined)
    const told = async (data: Readonly<Record<string, string>>) => {
      await client.delete(kinds.ConfigMap, metadata).catch(() => undefined)
      await client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
      const { code, text } = await run()
      const { checks }: { readonly checks: readonly SubscriptionFinding[] } = JSON.parse(text)
      const { outcome, seen } = checks.find(({ check }) => check.startsWith('the maintenance window')) ?? {}
      return [code, outcome, seen?.split(':')[0]]
    }
    const at = (hours: number): string => new Date(clock.now() + hours * HOUR).toISOString()
    expect(await told({ [START]: at(-1), [END]: at(1) })).toEqual([0, 'passed', 'it is open'])
    expect(await told({ [START]: at(1), [END]: at(2) })).toMatchObject([
      0,
      'passed',
      expect.stringMatching(/^the next one is/),
    ])
    expect(await told({ [START]: at(-2), [END]: at(-1) })).toMatchObject([
      0,
      'warning',
      expect.stringMatching(/^the last one was/),
    ])
    expect(await told({ [START]: 'tonight', [END]: at(1) })).toMatchObject([
      3,
      'failed',
      'ConfigMap kube-system/upcoming-maintenance-window',
    ])
  })

  test('a maintenance window without permission to read it', async () => {
    const { client, problems } = await harness()
    client.get = async () => {
      throw new Error('configmaps is forbidden')
    }
    expect(await problems()).toMatchObject({
      code: 3,
      found: [{ outcome: 'failed', seen: 'configmaps is forbidden', remedy: expect.stringContaining('kubeconfig') }],
    })
  })
})

test.each<readonly [Partial<AzureVerifyOptions>, Readonly<Record<string, string>>, string]>([
  [{}, { AZURE_SUBSCRIPTION_ID: '' }, 'the subscription is unknown: set --subscription or AZURE_SUBSCRIPTION_ID'],
  [{ subscription: 'mine' }, {}, '--subscription "mine" is not a valid Azure subscription'],
  [{ location: 'West Europe' }, {}, '--location "West Europe" is not a valid Azure location'],
  [{ nodeResourceGroup: 'ends.' }, {}, '--node-resource-group "ends."'],
  [{ vnetSubnetId: 'nodes' }, {}, '--vnet-subnet-id "nodes"'],
  [{ nodeOsdiskDiskencryptionsetId: 'own' }, {}, 'not a valid resource ID of a disk encryption set'],
])('%j with %j: %s', async (options, env, problem) => {
  const { run } = await harness()
  const running = run({ ...options }, env)
  await expect(running).rejects.toThrow(UsageError)
  await expect(running).rejects.toThrow(problem)
})
