import { expect, test } from 'vitest'
import { readNodeSettings } from './node-settings.ts'

const GIB = 1024 ** 3
const read = (content: unknown) => readNodeSettings(typeof content === 'string' ? content : JSON.stringify(content))

test('a hypervisor has the settings in the file, otherwise those of its region, otherwise 1 GiB is reserved', () => {
  const settings = read({
    home: {
      'pve-1': {
        ...{ reservedcpus: [0, 4, 4], reservedmemory: 4 * GIB, sockets: 2, threads: 2, uncorecaches: 4, cores: 8 },
        nodes: { 0: { cpus: '0-3,8-11', memsize: 32 * GIB }, 1: { cpus: '4-7,12-15', memory: 16 * GIB } },
      },
      'pve-2': { reservedcpus: [1] },
      '*': { reservedmemory: 2 * GIB },
    },
  })
  if ('problems' in settings) throw new Error(settings.problems.join())
  const { hypervisors } = settings
  const range = (first: number) => [first, first + 1, first + 2, first + 3]
  const nodes = new Map([
    [0, { cpus: new Set([...range(0), ...range(8)]), memory: 32 * GIB }],
    [1, { cpus: new Set([...range(4), ...range(12)]), memory: 16 * GIB }],
  ])
  expect([
    hypervisors('home', 'pve-1'),
    hypervisors('home', 'pve-2'),
    hypervisors('home', 'pve-3'),
    hypervisors('lab', 'pve-1'),
  ]).toEqual([
    {
      ...{ reservedCpus: new Set([0, 4]), reservedMemory: 4 * GIB },
      layout: { sockets: 2, threads: 2, caches: 4, cores: 8, nodes },
    },
    { reservedCpus: new Set([1]), reservedMemory: GIB, layout: {} },
    { reservedCpus: new Set(), reservedMemory: 2 * GIB, layout: {} },
    { reservedCpus: new Set(), reservedMemory: GIB, layout: {} },
  ])
})

test.each([
  ['no JSON', '{', 'is not JSON: '],
  ['a list', [], 'must be a map of regions'],
  ['a region without hypervisors', { home: 1 }, 'home must be a map of hypervisors'],
  ['an unknown key', { home: { a: { cpus: 1 } } }, 'home.a: has the unknown keys cpus'],
  [
    'a CPU that is no number',
    { home: { a: { reservedcpus: ['0'] } } },
    'home.a: reservedcpus must be a list of CPU numbers',
  ],
  [
    'memory with a unit',
    { home: { '*': { reservedmemory: '4Gi' } } },
    'home.*: reservedmemory must be a number of bytes',
  ],
  [
    'no core',
    { home: { a: { cores: 0 } } },
    'home.a: sockets, cores, threads and uncorecaches must be numbers above 0',
  ],
  ['a NUMA node with a name', { home: { a: { nodes: { x: {} } } } }, 'home.a: nodes must have numbers as keys'],
  ['a NUMA node without CPUs', { home: { a: { nodes: { 0: {} } } } }, 'home.a: nodes.0.cpus must be a list of CPUs'],
  [
    'a range that ends before it begins',
    { home: { a: { nodes: { 0: { cpus: '7-0' } } } } },
    'home.a: nodes.0.cpus must be a list of CPUs',
  ],
  [
    'a CPU on two NUMA nodes',
    { home: { a: { nodes: { 0: { cpus: '0-4' }, 1: { cpus: '4-7' } } } } },
    'home.a: nodes.0 and nodes.1 have the same CPUs',
  ],
  [
    'the memory of a NUMA node with a unit',
    { home: { a: { nodes: { 0: { cpus: '0', memsize: '1Gi' } } } } },
    'home.a: nodes.0.memsize must be a number of bytes',
  ],
])('%s is a problem', (_what, content, problem) => {
  expect(read(content)).toEqual({ problems: [expect.stringContaining(problem)] })
})
