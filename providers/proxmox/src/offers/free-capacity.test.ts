import { expect, test } from 'vitest'
import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { Guest, Hypervisor, RegionState } from '../hypervisors/region-state.ts'
import { usualReserves } from '../settings/node-settings.ts'
import { fitsInto, freeCapacity, type OwnGuests } from './free-capacity.ts'

const GIB = 1024 ** 3
const hypervisor: Hypervisor = {
  ...{ name: 'pve-1', isOnline: true, isInMaintenance: false, cpus: 16, memory: 64 * GIB, load: 0 },
}
const guest = (vmid: number, change: Partial<Guest> = {}): Guest => ({
  ...{ vmid, node: 'pve-1', isVirtualMachine: true, name: `vm-${vmid}`, status: 'running', isTemplate: false },
  ...{ tags: [], lock: undefined, pool: undefined, cpus: 4, memory: 8 * GIB },
  ...change,
})
const state = (guests: readonly Guest[], change: Partial<Hypervisor> = {}): RegionState => ({
  ...{ guests, hypervisors: [{ ...hypervisor, ...change }], storages: [] },
})
const instance = (vmid: number): ProxmoxInstance => ({
  ...{ region: 'home', vmid, node: 'pve-1', name: 'a', status: 'stopped', tags: [], pool: undefined, isEnding: false },
  description: { cpus: 2, memoryMiB: 4096 },
})
const free = (region: RegionState, own: Partial<OwnGuests> = {}) =>
  freeCapacity(region, {
    instances: [],
    reservations: [],
    firstId: 20_000,
    reserve: () => usualReserves('home', 'pve-1'),
    ...own,
  }).get('pve-1')

test('running guests use CPUs and memory; templates and stopped guests of others do not', () => {
  const guests = [guest(100), guest(101, { status: 'stopped' }), guest(9000, { isTemplate: true })]
  expect(free(state(guests))).toEqual({ cpus: 12, memory: 55 * GIB })
})

test('an instance that is being prepared counts with its future size, even if the list does not contain it', () => {
  const reservation = { region: 'home', vmid: 20_000, node: 'pve-1', cpus: 2, memory: 4 * GIB }
  const expected = { cpus: 14, memory: 59 * GIB }
  expect(free(state([]), { reservations: [reservation] })).toEqual(expected)
  const listed = guest(20_000, { status: 'unknown', cpus: 0, memory: 0 })
  expect(free(state([listed]), { instances: [instance(20_000)], reservations: [reservation] })).toEqual(expected)
})

test('a guest that is being cloned counts with its reservation, although the list contains it without a size', () => {
  const reservation = { region: 'home', vmid: 20_000, node: 'pve-1', cpus: 2, memory: 4 * GIB }
  const cloned = guest(20_000, { status: 'unknown', name: undefined, lock: 'clone', cpus: 0, memory: 0 })
  expect(free(state([cloned]), { reservations: [reservation] })).toEqual({ cpus: 14, memory: 59 * GIB })
})

test('while an earlier process clones a guest, its hypervisor has no capacity', () => {
  const cloned = guest(20_000, { status: 'unknown', name: undefined, lock: 'clone', cpus: 0, memory: 0 })
  expect(free(state([cloned]))).toEqual({ cpus: 0, memory: 0 })
  expect(free(state([{ ...cloned, vmid: 500 }]))).toEqual({ cpus: 16, memory: 63 * GIB })
})

test.each([{ isOnline: false }, { isInMaintenance: true }])('a hypervisor with %j has no capacity', (change) => {
  expect(free(state([], change))).toEqual({ cpus: 0, memory: 0 })
})

test('both CPUs and memory must be free', () => {
  const wanted = { cpus: 2, memory: 4 }
  expect([
    fitsInto({ cpus: 2, memory: 4 }, wanted),
    fitsInto({ cpus: 1, memory: 4 }, wanted),
    fitsInto({ cpus: 2, memory: 3 }, wanted),
    fitsInto(undefined, wanted),
  ]).toEqual([true, false, false, false])
})

test('a hypervisor reserves the CPUs and the memory from the file', () => {
  const reserve = () => ({ cpus: 2, memory: 4 * GIB })
  expect(free(state([]), { reserve })).toEqual({ cpus: 14, memory: 60 * GIB })
})
