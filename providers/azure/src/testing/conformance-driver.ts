import { labels } from '@kerf/apis'
import type {
  ConformanceDriver,
  ConformanceHarness,
  FailureKind,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import type { Fault } from '@kerf/provider-kit/testing'
import { azure } from '../descriptor.ts'
import { azureProviderId, vmNameOfProviderId } from '../instances/instance-names.ts'
import { aksNodeClassKind } from '../node-class/aks-node-class.ts'
import { TAG } from '../tags/resource-tags.ts'
import { type AzureHarness, CLASS, CLUSTER, createAzureHarness } from './azure-harness.ts'
import { harnesses } from './conformance-harnesses.ts'
import { vmBody } from './fake-azure/fake-vms.ts'
import type { OperationName } from './fake-azure/operations.ts'
import { notApplicable } from './not-applicable.ts'
import { ownChecks } from './own-checks.ts'

export const TERMINATION_DELAY = 4_000
const never = new AbortController().signal

export const failures: Readonly<Record<FailureKind, Fault>> = {
  throttle: { code: 'SubscriptionRequestsThrottled', status: 429, message: 'Number of requests exceeded the limit' },
  auth: {
    code: 'AuthorizationFailed',
    status: 403,
    message:
      "The client does not have authorization to perform action 'Microsoft.Compute/virtualMachines/write' over scope",
  },
  network: { code: 'network' },
  serverError: { code: 'InternalServerError', status: 500 },
}

const calls = {
  launch: ['VirtualMachines_CreateOrUpdate'],
  terminate: ['VirtualMachines_Delete'],
  describe: ['VirtualMachines_Get'],
  list: ['Resources'],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>

const ownTags = (pool: string): Readonly<Record<string, string>> => ({
  [TAG.cluster]: CLUSTER,
  [TAG.billing]: 'linux',
  [TAG.nodePool]: pool,
})

const planted = { hardwareProfile: { vmSize: 'Standard_D2_v5' }, priority: 'Regular' } as const

const fakeCloud = ({ azure: { vms, faults, store } }: AzureHarness): FakeCloud => ({
  instances: async () => {
    store.settle()
    return vms.all().map((resource) => {
      const { id, tags = {}, properties } = vmBody(resource)
      const state = properties.provisioningState === 'Deleting' ? ('terminating' as const) : ('running' as const)
      return { providerID: azureProviderId(id), state, tags }
    })
  },
  fail: (call, kind) => {
    for (const each of calls[call]) faults.standing(each, failures[kind])
  },
  failAfterwards: (call, kind) => {
    for (const each of calls[call]) faults.standing(each, { ...failures[kind], afterwards: true })
  },
  recover: () => faults.recover(),
  stockOut: (pattern) => void vms.stockOuts.push(pattern),
  restock: () => {
    vms.stockOuts = []
  },
  count: (call) => faults.count(...calls[call]),
  plantForeign: async () =>
    azureProviderId(
      vms.plant('aks-foreign', { tags: { ...ownTags('default'), [TAG.cluster]: 'other' }, properties: planted }, 0),
    ),
  plantLeaked: async (age) =>
    azureProviderId(vms.plant('aks-gone', { tags: ownTags('default'), properties: planted }, age)),
  vanish: async (providerID) => vms.end(vmNameOfProviderId(providerID) ?? ''),
})

/** Brings the node class into the given state by creating its real cause, instead of writing the status. */
const setNodeClass = async (harness: AzureHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, azure: fake } = harness
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(aksNodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(aksNodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(aksNodeClassKind, ref)
      break
    case 'notReady':
      await harness.change({
        vnetSubnetID: '/subscriptions/1/resourceGroups/2/providers/Microsoft.Network/virtualNetworks/3/subnets/4',
      })
      break
    case 'unknown':
      fake.faults.standing('CommunityGalleryImageVersions_List', failures.auth)
      fake.faults.standing('ContainerService_ListNodeImageVersions', failures.auth)
      await client.patch(aksNodeClassKind, ref, {
        type: 'merge',
        body: { spec: { vnetSubnetID: null, imageFamily: 'AzureLinux' } },
      })
  }
  await clock.advance(1_000)
}

/** Returns the harness in the form of the conformance suite. */
export const createConformanceHarness = (own: AzureHarness, cloud: FakeCloud): ConformanceHarness => {
  const harness: ConformanceHarness = {
    ...own,
    cloud,
    restart: () => {
      const fresh = own.newProvider()
      const warm = fresh.warmUp(never)
      const { create, instanceTypes } = fresh
      // As in production, the provider reads the prices before it plans.
      fresh.create = async (claim, signal) => warm.then(() => create.call(fresh, claim, signal))
      fresh.instanceTypes = async (pool, signal) => warm.then(() => instanceTypes.call(fresh, pool, signal))
      harness.provider = fresh
    },
    setNodeClass: (state) => setNodeClass(own, state),
  }
  harnesses.keep(harness, own)
  return harness
}

/** The driver of the conformance suite for the Azure provider, with an in-memory Azure that the SDK's clients call. */
export const azureDriver: ConformanceDriver = {
  name: 'Azure',
  descriptor: azure,
  createHarness: async (seed) => {
    const own = await createAzureHarness({ seed, durations: { nic: 0, creation: 20_000, deletion: TERMINATION_DELAY } })
    return createConformanceHarness(own, fakeCloud(own))
  },
  providerID:
    /^azure:\/\/\/subscriptions\/[0-9a-f-]+\/resourceGroups\/mc_[a-z_]+\/providers\/Microsoft\.Compute\/virtualMachines\/aks-[a-z0-9-]+$/,
  ownershipTags: (claim) => ownTags(claim.metadata.labels?.[labels.nodePool] ?? ''),
  unavailableFor: 3_600_000,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
