import { expect, test } from 'vitest'
import { readNodeSettings } from './node-settings.ts'

const GIB = 1024 ** 3
const read = (content: unknown) => readNodeSettings(typeof content === 'string' ? content : JSON.stringify(content))

test('a hypervisor reserves the amounts in the file, otherwise those of its region, otherwise 1 GiB', () => {
  const settings = read({
    home: {
      'pve-1': { reservedcpus: [0, 4, 4], reservedmemory: 4 * GIB, sockets: 2, nodes: { 0: { cpus: '0-7' } } },
      'pve-2': { reservedcpus: [1] },
      '*': { reservedmemory: 2 * GIB },
    },
  })
  if ('problems' in settings) throw new Error(settings.problems.join())
  const { reserves } = settings
  expect([
    reserves('home', 'pve-1'),
    reserves('home', 'pve-2'),
    reserves('home', 'pve-3'),
    reserves('lab', 'pve-1'),
  ]).toEqual([
    { cpus: 2, memory: 4 * GIB },
    { cpus: 1, memory: GIB },
    { cpus: 0, memory: 2 * GIB },
    { cpus: 0, memory: GIB },
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
])('%s is a problem', (_what, content, problem) => {
  expect(read(content)).toEqual({ problems: [expect.stringContaining(problem)] })
})
