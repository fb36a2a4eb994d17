import { SeededRandom } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { choosePins, type FreePins } from './choose-pins.ts'
import { formatCpuSet, parseCpuSet } from './cpu-set.ts'
import { configPins, formatPinnedNodes, parsePins, pinOptions } from './guest-pins.ts'
import { capacityGuestLayout, guessLayout, type HostTopology, hostTopology } from './host-topology.ts'

const GIB = 1024 ** 3

/** Returns the CPUs of each NUMA node, each with its core and cache. */
const cpuTexts = (topology: HostTopology | undefined) =>
  topology?.map(({ cpus }) => cpus.map(({ id, core, cache }) => `${id}/${core}/${cache}`).join(' '))

test.each([
  ['0', [0]],
  ['0-3,8', [0, 1, 2, 3, 8]],
  ['8;0-1', [0, 1, 8]],
])('the list of CPUs %s', (text, cpus) => {
  expect([...(parseCpuSet(text) ?? [])].toSorted((a, b) => a - b)).toEqual(cpus)
  expect(parseCpuSet(formatCpuSet(cpus))).toEqual(new Set(cpus))
})

test.each(['', 'a', '3-1', '0,,1', '-1', '0-999999'])('%j is no list of CPUs', (text) => {
  expect(parseCpuSet(text)).toBeUndefined()
})

test('the CPU model and the number of sockets give the NUMA nodes, cores and caches', () => {
  const intel = { cpuinfo: { cpus: 8, cores: 4, sockets: 2, model: 'Intel(R) Xeon(R)' }, memory: { total: 8 * GIB } }
  const topology = hostTopology(guessLayout(intel), 8 * GIB)
  expect(cpuTexts(topology)).toEqual(['0/0/0 1/1/0 4/0/0 5/1/0', '2/2/1 3/3/1 6/2/1 7/3/1'])
  expect(topology?.map(({ socket, memory }) => [socket, memory])).toEqual([
    [0, 4 * GIB],
    [1, 4 * GIB],
  ])
  const unknown = { cpuinfo: { cpus: 2, model: 'Cortex' }, memory: { total: GIB } }
  expect(cpuTexts(hostTopology(guessLayout(unknown), GIB))).toEqual(['0/0/0 1/1/0'])
})

test.each([
  ['AMD EPYC 7742 64-Core Processor', 4, 8],
  ['AMD EPYC 7343 16-Core Processor', 1, 16],
  ['AMD Ryzen 9 7950X 16-Core Processor', 1, 1],
])('%s has %i NUMA nodes and %i caches', (model, nodes, caches) => {
  const layout = guessLayout({ cpuinfo: { cpus: 128, cores: 64, sockets: 1, model }, memory: { total: 256 * GIB } })
  expect([layout.nodes?.size, layout.caches]).toEqual([nodes, caches])
  expect(new Set([...(layout.nodes ?? [])].flatMap(([, { cpus }]) => [...cpus])).size).toBe(128)
})

test('the guest node-capacity lists the CPUs of the hypervisor, and its NUMA nodes by position in this list', () => {
  const layout = capacityGuestLayout({
    ...{ affinity: '0-1,4-5,2-3,6-7', memory: 8192, numa: 1 },
    ...{ numa0: 'cpus=0-3,hostnodes=0,memory=4096', numa1: 'cpus=4-7,hostnodes=1,memory=2048' },
  })
  expect(layout.nodes).toEqual(
    new Map([
      [0, { cpus: new Set([0, 1, 4, 5]), memory: 4 * GIB }],
      [1, { cpus: new Set([2, 3, 6, 7]), memory: 2 * GIB }],
    ]),
  )
  expect(capacityGuestLayout({ affinity: '0-2', memory: 1024 }).nodes).toEqual(
    new Map([[0, { cpus: new Set([0, 1, 2]), memory: GIB }]]),
  )
  expect(capacityGuestLayout({ memory: 1024 })).toEqual({})
})

test('without amounts, NUMA nodes share the memory of the hypervisor', () => {
  const node = (...cpus: readonly number[]) => ({ cpus: new Set(cpus), memory: undefined })
  const nodes = new Map([
    [0, node(0, 2)],
    [1, node(1, 3)],
  ])
  expect(hostTopology({ nodes }, 6 * GIB)?.map(({ memory }) => memory)).toEqual([3 * GIB, 3 * GIB])
  expect(hostTopology({}, 6 * GIB)).toBeUndefined()
})

test('the options of a pinned guest are read as they were written', () => {
  const nodes = [
    { id: 0, cpus: 2, memoryMiB: 4096 },
    { id: 2, cpus: 1, memoryMiB: 2048 },
  ]
  const pins = { cpus: new Set([0, 8, 4]), nodes }
  const options = pinOptions(pins)
  expect(options).toEqual({
    ...{ affinity: '0,4,8', numa: true },
    numa0: 'cpus=0-1,hostnodes=0,memory=4096,policy=bind',
    numa1: 'cpus=2,hostnodes=2,memory=2048,policy=bind',
  })
  expect(configPins(options as Record<string, string>)).toEqual(pins)
  expect(parsePins('0,4,8', formatPinnedNodes(nodes))).toEqual(pins)
  expect([configPins({}), parsePins()]).toEqual([undefined, undefined])
})

/** Two sockets, each with two NUMA nodes of two cores with two threads, and two cores for each cache. */
const topology =
  hostTopology(
    {
      ...{ sockets: 2, cores: 8, caches: 4 },
      nodes: new Map(
        [0, 1, 2, 3].map((id) => [
          id,
          { cpus: new Set([2 * id, 2 * id + 1, 2 * id + 8, 2 * id + 9]), memory: 8 * GIB },
        ]),
      ),
    },
    0,
  ) ?? []

const free = (taken: readonly number[] = [], memory: Readonly<Record<number, number>> = {}): FreePins => ({
  topology,
  cpus: new Set([...Array(16).keys()]).difference(new Set(taken)),
  memory: new Map(topology.map(({ id, memory: all }) => [id, memory[id] ?? all])),
})
const choose = (pins: FreePins, cpus: number, memory = GIB) => {
  const { cpus: chosen, nodes } = choosePins(pins, { cpus, memory }) ?? {}
  return chosen && [formatCpuSet(chosen), formatPinnedNodes(nodes ?? [])]
}

test.each<readonly [string, FreePins, number, number, readonly string[] | undefined]>([
  ['two CPUs are the threads of one core', free(), 2, GIB, ['0,8', '0:2:1024']],
  ['a single CPU fills a core that is partly used', free([0]), 1, GIB, ['8', '0:1:1024']],
  ['a guest goes to the fullest NUMA node that has room', free([4, 12]), 2, GIB, ['5,13', '2:2:1024']],
  ['a NUMA node without memory is skipped', free([], { 0: GIB }), 2, 2 * GIB, ['2,10', '1:2:2048']],
  ['a guest that fits on no NUMA node uses one socket', free([0, 8]), 6, 6 * GIB, ['1-3,9-11', '0:2:2048/1:4:4096']],
  ['a larger guest uses several sockets', free(), 12, 3 * GIB, ['0-5,8-13', '0:4:1024/1:4:1024/2:4:1024']],
  ['memory is split into whole MiB', free(), 5, 1001 * 1024 ** 2, ['0-2,8-9', '0:4:800/1:1:201']],
  ['there is no room for more CPUs than are free', free([0]), 16, GIB, undefined],
  ['there is no room for more memory than is free', free(), 2, 33 * GIB, undefined],
])('%s', (_what, pins, cpus, memory, expected) => {
  expect(choose(pins, cpus, memory)).toEqual(expected)
})

test('guests that are pinned one after the other never share CPUs, and never get more memory than a NUMA node has', () => {
  const random = new SeededRandom('pins')
  for (let round = 0; round < 200; round++) {
    let state = free()
    for (let guest = 0; guest < 8; guest++) {
      const cpus = 1 + Math.floor(random.next() * 8)
      const memory = (1 + Math.floor(random.next() * 64)) * 256 * 1024 ** 2
      const pins = choosePins(state, { cpus, memory })
      if (pins === undefined) continue
      expect(pins.cpus.size).toBe(cpus)
      expect(pins.cpus.isSubsetOf(state.cpus)).toBe(true)
      expect(pins.nodes.reduce((sum, { memoryMiB }) => sum + memoryMiB * 1024 ** 2, 0)).toBe(memory)
      const left = new Map(state.memory)
      for (const { id, cpus: count, memoryMiB } of pins.nodes) {
        const own = new Set(topology[id]?.cpus.map((cpu) => cpu.id))
        expect(pins.cpus.intersection(own).size).toBe(count)
        left.set(id, (left.get(id) ?? 0) - memoryMiB * 1024 ** 2)
      }
      expect(Math.min(...left.values())).toBeGreaterThanOrEqual(0)
      state = { topology, cpus: state.cpus.difference(pins.cpus), memory: left }
    }
  }
})
