import { labels } from '@kerf/apis'
import type {
  CloudCallName,
  ConformanceDriver,
  ConformanceHarness,
  FakeCloud,
  NodeClassState,
} from '@kerf/provider-contract/conformance'
import { proxmox } from '../descriptor.ts'
import { formatDescription, type GuestDescription, parseDescription } from '../guests/guest-description.ts'
import { parseProviderId, providerId } from '../names.ts'
import { proxmoxNodeClassKind } from '../node-class/proxmox-node-class.ts'
import { UNAVAILABLE_FOR } from '../offers/class-offers.ts'
import { cloudFaults } from './cloud-faults.ts'
import type { FakeGuest } from './fake-proxmox/fake-state.ts'
import { notApplicable } from './not-applicable.ts'
import { harnesses, ownChecks } from './own-checks.ts'
import { CLASS, CLUSTER, createProxmoxHarness, FIRST_ID, type ProxmoxHarness } from './proxmox-harness.ts'

const TERMINATION_DELAY = 4_000

const methods: Readonly<Record<CloudCallName, string>> = {
  launch: 'POST /nodes/{node}/qemu/{vmid}/clone',
  terminate: 'DELETE /nodes/{node}/qemu/{vmid}',
  describe: 'GET /nodes/{node}/qemu/{vmid}/config',
  list: 'GET /cluster/resources',
}

const LEAKED: GuestDescription = {
  ...{ cluster: CLUSTER, nodeClass: CLASS, nodePool: 'default', nodeClaim: 'gone', nodeClaimUid: 'gone' },
  ...{ instanceType: 't1.2VCPU-6GB', capacityType: 'on-demand', cpus: 2, memoryMiB: 6_144, imageId: '9000-1' },
  createdAt: '',
}

/** Returns the data in a guest's description as the text fields that the suite compares. */
const ownerOf = ({ config }: FakeGuest): Readonly<Record<string, string>> => {
  const {
    cluster = '',
    nodePool = '',
    nodeClaim = '',
    nodeClaimUid = '',
  } = parseDescription(String(config['description'] ?? '')) ?? {}
  return { cluster, nodePool, nodeClaim, nodeClaimUid }
}

const fakeCloud = ({ proxmox: fakes, home, clock }: ProxmoxHarness): FakeCloud => {
  const all = [...fakes]
  const plant = (owner: Partial<GuestDescription>, age: number): string => {
    const vmid = FIRST_ID + 500 + home.cluster.guests.size
    const createdAt = new Date(clock.now() - age).toISOString()
    const description = formatDescription({ ...LEAKED, ...owner, createdAt })
    const config = { name: owner.nodeClaim ?? 'gone', description, cores: 2, memory: 6_144 }
    home.cluster.put({ vmid, node: 'pve-1', config, status: 'running' }, age)
    return providerId({ region: 'home', vmid })
  }
  return {
    instances: async () => {
      for (const [, { cluster }] of all) cluster.tasks.settle()
      return all.flatMap(([region, { cluster }]) =>
        cluster.instances().map((guest) => ({
          providerID: providerId({ region, vmid: guest.vmid }),
          state: guest.isEnding ? ('terminating' as const) : ('running' as const),
          tags: ownerOf(guest),
        })),
      )
    },
    fail: (call, kind) => {
      for (const [, fake] of all) fake.fail(methods[call], cloudFaults[kind])
    },
    failAfterwards: (call, kind) => {
      for (const [, fake] of all) fake.fail(methods[call], { ...cloudFaults[kind], isDone: true })
    },
    recover: () => {
      for (const [, fake] of all) fake.recover()
    },
    stockOut: (pattern) => {
      for (const [, { cluster }] of all) cluster.full = [...cluster.full, pattern]
    },
    restock: () => {
      for (const [, { cluster }] of all) cluster.full = []
    },
    count: (call) => all.reduce((sum, [, fake]) => sum + fake.count(methods[call]), 0),
    plantForeign: async () => plant({ cluster: 'another', nodeClaim: 'foreign' }, 3_600_000),
    plantLeaked: async (age) => plant({}, age),
    vanish: async (providerID) => {
      const { region = '', vmid = 0 } = parseProviderId(providerID) ?? {}
      fakes.get(region)?.cluster.guests.delete(vmid)
    },
  }
}

/** Brings the class into the state by creating its real cause, instead of writing the status. */
const setNodeClass = async (harness: ProxmoxHarness, state: NodeClassState): Promise<void> => {
  const { client, clock, proxmox: fakes } = harness
  const ref = { name: CLASS }
  const finalizers = (value: readonly string[] | null) =>
    client.patch(proxmoxNodeClassKind, ref, { type: 'merge', body: { metadata: { finalizers: value } } })
  switch (state) {
    case 'missing':
      await finalizers(null).catch(() => undefined)
      await client.delete(proxmoxNodeClassKind, ref).catch(() => undefined)
      break
    case 'deleting':
      await finalizers(['example.com/mine'])
      await client.delete(proxmoxNodeClassKind, ref)
      break
    case 'notReady':
      await harness.change({ instanceTemplateRef: { kind: 'ProxmoxUnmanagedTemplate', name: 'none' } })
      break
    case 'unknown':
      for (const fake of fakes.values()) fake.fail(methods.list, cloudFaults.auth)
      await clock.advance(6_000)
      await harness.change({ instanceTemplateRef: { kind: 'ProxmoxUnmanagedTemplate', name: 'default' } })
  }
  await clock.advance(1_000)
}

/** The driver of the conformance suite, with two in-memory Proxmox clusters. */
export const proxmoxDriver: ConformanceDriver = {
  name: 'Proxmox',
  descriptor: proxmox,
  createHarness: async (seed) => {
    const own = await createProxmoxHarness({ seed, times: { destroy: TERMINATION_DELAY } })
    const harness: ConformanceHarness = {
      ...own,
      cloud: fakeCloud(own),
      restart: () => {
        harness.provider = own.newProvider()
      },
      setNodeClass: (state) => setNodeClass(own, state),
    }
    harnesses.keep(harness, own)
    return harness
  },
  providerID: /^proxmox:\/\/(?:home|lab)\/2\d{4}$/,
  ownershipTags: ({ metadata }) => ({
    ...{ cluster: CLUSTER, nodePool: metadata.labels?.[labels.nodePool] ?? '' },
    ...{ nodeClaim: metadata.name, nodeClaimUid: metadata.uid ?? '' },
  }),
  unavailableFor: UNAVAILABLE_FOR,
  terminationDelay: TERMINATION_DELAY,
  own: ownChecks,
  notApplicable,
}
