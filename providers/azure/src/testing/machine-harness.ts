import type { MachineRequest } from '../api/machine-shapes.ts'
import { TAG } from '../tags/resource-tags.ts'
import { type AzureHarness, type AzureHarnessOptions, CLUSTER, createAzureHarness } from './azure-harness.ts'
import { MACHINE_POOL } from './fake-azure/fake-machines.ts'
import { CLUSTER_GROUP } from './fake-azure/names.ts'

export const MANAGED: Readonly<Record<string, string>> = {
  AKS_MACHINES_POOL_NAME: MACHINE_POOL,
  ARM_RESOURCE_GROUP: CLUSTER_GROUP,
  USE_SIG: 'true',
  SIG_SUBSCRIPTION_ID: '00000000-0000-0000-0000-0000000000dd',
}

/** Additional environment variables for machines of an AKS pool. */
export const machineTestEnv: Readonly<Record<string, string>> = { ...MANAGED, PROVISION_MODE: 'aksmachineapi' }

/** Creates a harness in which nodes are machines of an AKS pool. */
export const createMachineHarness = (options: AzureHarnessOptions = {}): Promise<AzureHarness> =>
  createAzureHarness({
    durations: { nic: 0, creation: 20_000, deletion: 4_000 },
    ...options,
    env: { ...machineTestEnv, ...options.env },
  })

export const machineTags = (claim: string, pool: string): Readonly<Record<string, string>> => ({
  [TAG.cluster]: CLUSTER,
  [TAG.billing]: 'linux',
  [TAG.nodePool]: pool,
  [TAG.machineClaim]: claim,
})

/** Returns a machine that was created earlier. */
export const earlierMachine = (tags: Readonly<Record<string, string>>): MachineRequest => ({
  zones: ['1'],
  properties: { hardware: { vmSize: 'Standard_D2_v5' }, priority: 'Regular', tags },
})
