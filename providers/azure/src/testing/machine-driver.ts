import { labels } from '@kerf/apis'
import type { ConformanceDriver, FakeCloud } from '@kerf/provider-contract/conformance'
import { azureProviderId, vmNameOfProviderId } from '../instances/instance-names.ts'
import { parseMachineName } from '../instances/machine-names.ts'
import { TAG } from '../tags/resource-tags.ts'
import type { AzureHarness } from './azure-harness.ts'
import { azureDriver, createConformanceHarness, failures, TERMINATION_DELAY } from './conformance-driver.ts'
import { MACHINE_POOL } from './fake-azure/fake-machines.ts'
import type { OperationName } from './fake-azure/operations.ts'
import { machineChecks } from './machine-checks.ts'
import { createMachineHarness, earlierMachine, machineTags } from './machine-harness.ts'

const calls = {
  launch: ['Machines_CreateOrUpdate'],
  terminate: ['AgentPools_DeleteMachines'],
  describe: ['Machines_Get'],
  list: ['Machines_List'],
} as const satisfies Readonly<Record<string, readonly OperationName[]>>

const IMAGE = 'AKSUbuntu-2204gen2containerd-202601.05.0'

const fakeCloud = ({ azure: { machines, vms, faults } }: AzureHarness): FakeCloud => ({
  instances: async () =>
    machines.all().map(({ name = '', properties }) => ({
      providerID: azureProviderId(properties?.resourceId ?? name),
      state: properties?.provisioningState === 'Deleting' ? ('terminating' as const) : ('running' as const),
      tags: properties?.tags ?? {},
    })),
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
  plantForeign: async () => {
    const tags = { ...machineTags('foreign', 'default'), [TAG.cluster]: 'other' }
    return azureProviderId(machines.plant('foreign', earlierMachine(tags), 0, IMAGE))
  },
  plantLeaked: async (age) =>
    azureProviderId(machines.plant('gone', earlierMachine(machineTags('gone', 'default')), age, IMAGE)),
  vanish: async (providerID) =>
    machines.end(parseMachineName(MACHINE_POOL, vmNameOfProviderId(providerID) ?? '') ?? ''),
})

/** The driver of the conformance suite for the Azure provider with machines of an AKS pool. */
export const machineDriver: ConformanceDriver = {
  ...azureDriver,
  name: 'Azure, machines of an AKS pool',
  createHarness: async (seed) => {
    const own = await createMachineHarness({
      seed,
      durations: { nic: 0, creation: 20_000, deletion: TERMINATION_DELAY },
    })
    return createConformanceHarness(own, fakeCloud(own))
  },
  providerID:
    /^azure:\/\/\/subscriptions\/[0-9a-f-]+\/resourceGroups\/mc_[a-z_]+\/providers\/Microsoft\.Compute\/virtualMachines\/aks-kerf-[a-z0-9-]+-\d{8}-vm$/,
  ownershipTags: ({ metadata }) => machineTags(metadata.name, metadata.labels?.[labels.nodePool] ?? ''),
  own: { ...azureDriver.own, ...machineChecks },
}
