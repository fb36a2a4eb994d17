import { testOneIn } from '@kerf/testing/sampled-test'
import { expect } from 'vitest'
import { story } from './kerf-on-fake-proxmox.ts'

const testSome = testOneIn(3, 'stories on Proxmox')

const CLONE = 'POST /nodes/{node}/qemu/{vmid}/clone'

testSome(
  'five pods spread over five hypervisors of two Proxmox clusters, and nothing remains after the scale-down',
  async () => {
    const { runs, podsByZone, leavesNothing } = await story()
    await runs(5)
    expect(await podsByZone()).toEqual({ 'pve-1': 1, 'pve-2': 1, 'pve-3': 1, 'pve-4': 1, 'pve-5': 1 })
    await leavesNothing()
  },
)

testSome('after a hypervisor dies, its pods run on others, and its guest is destroyed when it is back', async () => {
  const { runs, until, powerOff, instances, fakes, claims, podsByZone, events } = await story({ spread: 'nodes' })
  await runs(5)
  expect(await podsByZone()).toEqual({ 'pve-1': 1, 'pve-2': 1, 'pve-3': 1, 'pve-4': 1, 'pve-5': 1 })
  powerOff('home', 'pve-2')
  const runsElsewhere = async (): Promise<boolean> => {
    const zones = await podsByZone()
    return zones['pve-2'] === undefined && Object.values(zones).reduce((sum, count) => sum + count, 0) === 5
  }
  await until('five pods on other hypervisors', runsElsewhere, 3_600)
  expect(instances().filter(({ node }) => node === 'pve-2')).toHaveLength(1)
  // The Node is repaired after a quarter of an hour.
  const isReported = async (): Promise<boolean> => (await events()).includes('hypervisor pve-2 does not answer')
  await until('a report about the guest on the dead hypervisor', isReported, 2_400)
  fakes.home.cluster.change('pve-2', { isOnline: true })
  await until(
    'no guest on the repaired hypervisor',
    async () => instances().every(({ node }) => node !== 'pve-2'),
    1_800,
  )
  await until('a NodeClaim for each guest', async () => (await claims()).length === instances().length)
})

testSome('a full storage excludes its hypervisor', async () => {
  const { fakes, scale, runs, pass, podsByZone } = await story({ spread: 'nothing', replicas: 1 })
  await runs(1)
  for (const name of ['pve-1', 'pve-2', 'pve-3']) fakes.home.cluster.fill('local-lvm', name)
  fakes.lab.cluster.fill('local-lvm', 'pve-4')
  // Kerf reads the state of storages at most every five seconds.
  await pass(10)
  const before = await podsByZone()
  const clones = fakes.home.count(CLONE)
  await scale(8)
  await runs(8)
  const after = await podsByZone()
  const [old = ''] = Object.keys(before)
  expect(Object.keys(after).filter((zone) => zone !== old)).toEqual(['pve-5'])
  expect(fakes.home.count(CLONE)).toBe(clones)
})

testSome('a template that is removed during a clone costs one attempt, and the pods run elsewhere', async () => {
  const { fakes, until, instances, runs, condition, events, leavesNothing } = await story({
    spread: 'nothing',
    replicas: 2,
  })
  await until('a clone that runs', async () => instances().length > 0)
  const [clone] = instances()
  const { cluster } = clone?.region === 'lab' ? fakes.lab : fakes.home
  for (const guest of cluster.guests.values())
    if (guest.config['template'] === 1 && guest.node === clone?.node) cluster.guests.delete(guest.vmid)
  await runs(2)
  expect(instances().every(({ node, region }) => node !== clone?.node || region !== clone.region)).toBe(true)
  expect(await events()).toMatch(/no hypervisor could launch nodeclaim \S+: the clone failed/)
  expect(await condition('InstanceTemplateReady')).toContain('True')
  await leavesNothing()
})

testSome('when all hypervisors are full, pods wait and run as soon as one has capacity', async () => {
  const { fakes, runs, scale, pass, instances, events } = await story({ spread: 'nothing', replicas: 1 })
  await runs(1)
  await scale(100)
  await pass(900)
  const cpus = instances().reduce((sum, { config }) => sum + Number(config['cores']), 0)
  expect(cpus).toBeLessThanOrEqual(5 * 16)
  expect(await events()).toMatch(/FailedScheduling|no instance type/)
  fakes.lab.cluster.change('pve-5', { cpus: 64 })
  const before = instances().length
  await pass(600)
  expect(instances().length).toBeGreaterThan(before)
})
