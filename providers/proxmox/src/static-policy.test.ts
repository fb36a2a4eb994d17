import { labels } from '@kerf/apis'
import { createWith } from '@kerf/provider-contract/conformance'
import { afterEach, expect, test } from 'vitest'
import { readNodeSettings } from './settings/node-settings.ts'
import type { FakeCluster } from './testing/fake-proxmox/fake-cluster.ts'
import { createProxmoxHarness, type ProxmoxHarness, type ProxmoxHarnessOptions } from './testing/proxmox-harness.ts'
import { parseCpuSet } from './topology/cpu-set.ts'

const never = new AbortController().signal
const MINUTE = 60_000
const started: ProxmoxHarness[] = []

afterEach(() => {
  for (const harness of started.splice(0)) harness.stop()
})

/** The fake's hypervisors have two sockets with 16 cores and 32 CPUs each: CPU 0 to 15 and 32 to 47, and the others. */
const staticHarness = async (options: ProxmoxHarnessOptions = {}): Promise<ProxmoxHarness> => {
  const harness = await createProxmoxHarness({ policy: 'static', ...options })
  started.push(harness)
  return harness
}

const onHost = (zone: string, cpu: string) => ({
  requests: { cpu },
  requirements: [{ key: labels.zone, operator: 'In' as const, values: [zone] }],
})

const affinities = (cluster: FakeCluster): readonly ReadonlySet<number>[] =>
  cluster.instances().map(({ config }) => parseCpuSet(String(config['affinity'])) ?? new Set())

test('a guest is pinned to the threads of whole cores of one NUMA node, and its memory is bound to this node', async () => {
  const harness = await staticHarness()
  const { cluster } = harness.home
  cluster.put({
    ...{ vmid: 100, node: 'pve-1', status: 'running' },
    config: { name: 'theirs', cores: 2, memory: 2048, affinity: '0,32' },
  })
  await harness.clock.advance(10_000)
  const claim = await harness.claim('a', onHost('pve-1', '3'))
  await createWith(harness.clock, [[harness.provider, claim]])
  const guest = cluster.instances().find(({ config }) => config['name'] === 'a')
  expect(guest).toMatchObject({
    status: 'running',
    config: {
      ...{ cores: 4, sockets: 1, memory: 8_192, affinity: '1-2,33-34', numa: '1' },
      numa0: 'cpus=0-3,hostnodes=0,memory=8192,policy=bind',
      description: expect.stringMatching(
        /^Karpenter managed instance, class=default, capacity-type=spot, affinity=1-2,33-34\n/,
      ),
    },
  })
})

test('guests that are launched together, and later by another process, never share CPUs', async () => {
  const harness = await staticHarness({ times: { clone: 2_000 } })
  const claims = await Promise.all(
    Array.from({ length: 8 }, (_, index) => harness.claim(`c-${index}`, onHost('pve-1', '7'))),
  )
  const first = claims.slice(0, 5).map((claim) => [harness.provider, claim] as const)
  await createWith(harness.clock, first)
  await createWith(
    harness.clock,
    claims.slice(5).map((claim) => [harness.newProvider(), claim] as const),
  )
  const sets = affinities(harness.home.cluster)
  expect(sets.map(({ size }) => size)).toEqual(Array.from({ length: 8 }, () => 8))
  expect(new Set(sets.flatMap((set) => [...set])).size).toBe(64)
  await harness.clock.advance(10_000)
  const types = await harness.provider.instanceTypes(harness.pool(), never)
  const free = types
    .flatMap(({ offerings }) => offerings.filter(({ available }) => available))
    .map(({ requirements }) => requirements.find(({ key }) => key === labels.zone)?.values?.[0])
  expect(new Set(free)).toEqual(new Set(['pve-2', 'pve-3']))
})

test('another process continues a launch with the CPUs in the description of the guest', async () => {
  const harness = await staticHarness({ times: { clone: MINUTE } })
  const claim = await harness.claim('a', onHost('pve-1', '3'))
  await harness.provider.create(claim, never).catch(() => undefined)
  await harness.clock.advance(2 * MINUTE)
  // Another guest uses the CPUs that a new choice would prefer.
  harness.home.cluster.put({
    ...{ vmid: 100, node: 'pve-1', status: 'running' },
    config: { name: 'theirs', cores: 1, affinity: '16' },
  })
  await createWith(harness.clock, [[harness.newProvider(), structuredClone(claim)]])
  const guest = harness.home.cluster.instances().find(({ config }) => config['name'] === 'a')
  expect(guest).toMatchObject({
    status: 'running',
    config: { affinity: '0-1,32-33', description: expect.stringContaining('affinity=0-1,32-33\n') },
  })
})

test('NODE_SETTING_FILE and the guest node-capacity replace the NUMA nodes that the CPU model suggests', async () => {
  const read = readNodeSettings(
    JSON.stringify({ home: { 'pve-1': { threads: 1, nodes: { 1: { cpus: '40-47', memsize: 64 * 1024 ** 3 } } } } }),
  )
  if ('problems' in read) throw new Error(read.problems.join())
  const harness = await staticHarness({ hypervisors: read.hypervisors })
  harness.home.cluster.put({
    ...{ vmid: 101, node: 'pve-2' },
    config: {
      ...{ name: 'node-capacity', tags: 'karpenter', cores: 4, memory: 65_536, affinity: '8-9,40-41', numa: 1 },
      numa0: 'cpus=0-3,hostnodes=0,memory=65536',
    },
  })
  await harness.clock.advance(10_000)
  for (const [name, zone] of [
    ['a', 'pve-1'],
    ['b', 'pve-2'],
  ] as const)
    await createWith(harness.clock, [[harness.provider, await harness.claim(name, onHost(zone, '3'))]])
  const options = (name: string) =>
    harness.home.cluster.instances().find(({ config }) => config['name'] === name)?.config
  expect([options('a'), options('b')]).toMatchObject([
    { affinity: '40-43', numa0: 'cpus=0-3,hostnodes=1,memory=8192,policy=bind' },
    { affinity: '8-9,40-41', numa0: 'cpus=0-3,hostnodes=0,memory=8192,policy=bind' },
  ])
})

test('if a NUMA node does not exist, the guest is launched on another hypervisor', async () => {
  const harness = await staticHarness()
  for (const name of ['pve-1', 'pve-2']) harness.home.cluster.change(name, { numaNodes: [] })
  const claim = await harness.claim('a', { requests: { cpu: '3' } })
  const [view] = await createWith(harness.clock, [[harness.provider, claim]])
  expect(view?.labels[labels.zone]).toBe('pve-3')
  expect(harness.home.cluster.instances()).toEqual([])
})

test('if Proxmox refuses the affinity, the failure says which user is needed', async () => {
  const harness = await staticHarness()
  const refusal = { status: 500, message: "only root can set 'affinity' config" }
  for (const fake of harness.proxmox.values()) fake.fail('PUT /nodes/{node}/qemu/{vmid}/config', refusal)
  const claim = await harness.claim('a')
  await expect(createWith(harness.clock, [[harness.provider, claim]])).rejects.toThrow(
    /Proxmox lets only the user root@pam pin guests .* or set NODE_POLICY to simple/,
  )
})
