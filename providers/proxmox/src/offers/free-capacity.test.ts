import { expect, test } from 'vitest'
import type { ProxmoxInstance } from '../guests/proxmox-instance.ts'
import type { Guest, Hypervisor, RegionState } from '../hypervisors/region-state.ts'
import { usualHypervisors } from '../settings/node-settings.ts'
import type { GuestPins } from '../topology/guest-pins.ts'
import { guessLayout, hostTopology } from '../topology/host-topology.ts'
import { type CapacityFacts, findAllocation, freeCapacity } from './free-capacity.ts'

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
const free = (region: RegionState, facts: Partial<CapacityFacts> = {}) =>
  freeCapacity(region, {
    ...{ instances: [], reservations: [], firstId: 20_000, policy: 'simple', pins: new Map(), topologies: new Map() },
    settings: () => usualHypervisors('home', 'pve-1'),
    ...facts,
  }).get('pve-1')
const pins = (cpus: readonly number[], nodes: GuestPins['nodes'] = []): GuestPins => ({ cpus: new Set(cpus), nodes })

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
    findAllocation({ cpus: 2, memory: 4 }, wanted),
    findAllocation({ cpus: 1, memory: 4 }, wanted),
    findAllocation({ cpus: 2, memory: 3 }, wanted),
    findAllocation(undefined, wanted),
  ]).toEqual([{}, undefined, undefined, undefined])
})

test('a hypervisor reserves the CPUs and the memory from the file', () => {
  const settings = () => ({ reservedCpus: new Set([0, 4]), reservedMemory: 4 * GIB, layout: {} })
  expect(free(state([]), { settings })).toEqual({ cpus: 14, memory: 60 * GIB })
})

test('guests that are pinned to the same CPUs use them once, and reserved CPUs do not count twice', () => {
  const guests = [guest(100), guest(101), guest(102)]
  const pinned = new Map([
    [100, pins([0, 1, 2, 3])],
    [101, pins([2, 3, 4])],
  ])
  expect(free(state(guests), { pins: pinned })).toEqual({ cpus: 16 - 5 - 4, memory: 39 * GIB })
  const settings = () => ({ reservedCpus: new Set([0, 1]), reservedMemory: 0, layout: {} })
  expect(free(state(guests), { pins: pinned, settings })).toEqual({ cpus: 14 - 3 - 4, memory: 40 * GIB })
})

/** Two sockets with four cores and eight CPUs each. */
const layout = guessLayout({ cpuinfo: { cpus: 16, cores: 8, sockets: 2, model: 'Intel' }, memory: { total: 64 * GIB } })
const topology = hostTopology(layout, 64 * GIB) ?? []
const pinning = { policy: 'static', topologies: new Map([['pve-1', topology]]) } as const

test('with the policy static, pinned CPUs and bound memory are not free, and other guests reduce the count', () => {
  const bound = pins([0, 8], [{ id: 0, cpus: 2, memoryMiB: 30 * 1024 }])
  const region = state([guest(100, { cpus: 2, memory: 30 * GIB }), guest(101, { cpus: 4, memory: 8 * GIB })])
  const left = free(region, { ...pinning, pins: new Map([[100, bound]]) })
  expect(left).toMatchObject({ cpus: 10, memory: 25 * GIB })
  // NUMA node 0 has six free CPUs, but only 2 GiB.
  expect(findAllocation(left, { cpus: 2, memory: 4 * GIB })).toEqual({
    pins: pins([4, 12], [{ id: 1, cpus: 2, memoryMiB: 4096 }]),
  })
  expect(findAllocation(left, { cpus: 2, memory: 2 * GIB })).toEqual({
    pins: pins([1, 9], [{ id: 0, cpus: 2, memoryMiB: 2048 }]),
  })
  expect(findAllocation(left, { cpus: 11, memory: GIB })).toBeUndefined()
})

test('with the policy static, a launch that has just begun holds its CPUs', () => {
  const held = pins([4, 5, 12, 13], [{ id: 1, cpus: 4, memoryMiB: 4096 }])
  const reservation = { region: 'home', vmid: 20_000, node: 'pve-1', cpus: 4, memory: 4 * GIB, pins: held }
  const left = free(state([]), { ...pinning, reservations: [reservation] })
  expect(left).toMatchObject({ cpus: 12 })
  expect(findAllocation(left, { cpus: 4, memory: GIB })?.pins?.cpus).toEqual(new Set([6, 14, 7, 15]))
})

test('with the policy static, a hypervisor whose topology is unknown has no capacity', () => {
  expect(free(state([]), { policy: 'static' })).toEqual({ cpus: 0, memory: 0 })
})

test('the topology decides how many CPUs and how much memory a hypervisor has', () => {
  const part = topology.slice(0, 1)
  expect(free(state([]), { topologies: new Map([['pve-1', part]]) })).toEqual({ cpus: 8, memory: 31 * GIB })
})
