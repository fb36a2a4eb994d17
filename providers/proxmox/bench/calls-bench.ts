import { generatedTypes, ProxmoxProvider } from '@kerf/provider-proxmox'
import { FakeCluster, FakeProxmox, fakeApi, hypervisor } from '@kerf/provider-proxmox/testing'
import type { Call } from '../../../tests/benchmarks/call-counts.ts'
import type { CallsBench } from '../../../tests/benchmarks/idle-calls.ts'
import { CLUSTER, createPool, FIRST_ID, plantNodes, REGION } from './settled-nodes.ts'

/** Hypervisors with capacity for a thousand guests. */
const HYPERVISORS = ['pve-1', 'pve-2', 'pve-3'].map((name) =>
  hypervisor(name, { cpus: 2_048, memory: 8_192 * 1024 ** 3 }),
)

/** The benchmark that counts Kerf's requests to Proxmox. */
export const callsBench: CallsBench = {
  name: 'proxmox',
  cloud: 'Proxmox',
  recorded: new URL('recorded-calls.json', import.meta.url),
  isWrite: (name) => !name.startsWith('GET '),
  createCloud: async (clock, client) => {
    await createPool(client)
    const fake = new FakeProxmox(new FakeCluster(clock, { nodes: HYPERVISORS }))
    const calls: Call[] = []
    fake.onCall = (name) => calls.push({ name, at: clock.monotonic() })
    return {
      calls: () => calls,
      newProvider: (context) =>
        new ProxmoxProvider(context, {
          apis: new Map([[REGION, fakeApi(fake, clock)]]),
          ...{
            types: generatedTypes,
            cluster: CLUSTER,
            firstId: FIRST_ID,
            prefersLinked: false,
            allowsCloudInit: false,
          },
        }),
      plantNodes: (api, nodes) => plantNodes(api, fake.cluster, clock, nodes),
    }
  },
}
