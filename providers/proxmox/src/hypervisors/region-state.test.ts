import { expect, test } from 'vitest'
import { regionState } from './region-state.ts'

const GIB = 1024 ** 3

test('one response has hypervisors, storages and guests of both kinds', () => {
  const { hypervisors, storages, guests } = regionState(
    [
      { type: 'node', node: 'pve-1', status: 'online', maxcpu: 16, maxmem: 64 * GIB, cpu: 0.25 },
      {
        type: 'storage',
        storage: 'ceph',
        node: 'pve-1',
        status: 'available',
        content: 'images,iso',
        maxdisk: 9,
        disk: 4,
      },
      { type: 'qemu', vmid: 100, node: 'pve-1', name: 'a', status: 'running', tags: 'b;c', maxcpu: 2, maxmem: GIB },
      { type: 'lxc', vmid: 101, node: 'pve-1', lock: 'backup', template: 1 },
      { type: 'sdn' },
    ],
    {},
  )
  expect(hypervisors).toEqual([
    { name: 'pve-1', isOnline: true, isInMaintenance: false, cpus: 16, memory: 64 * GIB, load: 0.25 },
  ])
  expect(storages).toEqual([
    { name: 'ceph', node: 'pve-1', isAvailable: true, contents: ['images', 'iso'], isShared: false, free: 5 },
  ])
  expect(guests).toMatchObject([
    { vmid: 100, isVirtualMachine: true, name: 'a', status: 'running', tags: ['b', 'c'], isTemplate: false, cpus: 2 },
    { vmid: 101, isVirtualMachine: false, name: undefined, status: 'unknown', lock: 'backup', isTemplate: true },
  ])
})

test.each([
  { lrm_status: { 'pve-1': { mode: 'maintenance' } } },
  { manager_status: { node_status: { 'pve-1': 'maintenance' } } },
])('a hypervisor is in maintenance by %j', (ha) => {
  const [hypervisor] = regionState([{ type: 'node', node: 'pve-1', status: 'online' }], ha).hypervisors
  expect(hypervisor?.isInMaintenance).toBe(true)
})
