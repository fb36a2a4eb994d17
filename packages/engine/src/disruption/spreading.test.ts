import { describe, expect, test } from 'vitest'
import { fitSpread, type SpreadTarget } from './spreading.ts'

const amounts = (cpu: number, memory: number): ReadonlyMap<string, bigint> =>
  new Map([
    ['cpu', BigInt(cpu)],
    ['memory', BigInt(memory)],
  ])
const target = (cpu: number, memory: number, usedCpu = 0, usedMemory = 0): SpreadTarget => ({
  allocatable: amounts(cpu, memory),
  used: amounts(usedCpu, usedMemory),
})
const pods = (...cpus: readonly number[]) => cpus.map((cpu) => amounts(cpu, 1))

describe('pods that each go to the node with the most free capacity', () => {
  test('fit if the nodes have enough capacity', () => {
    expect(fitSpread(pods(2, 2, 1, 1), [target(8, 100), target(8, 100)])).toBe(true)
    expect(fitSpread([], [])).toBe(true)
    expect(fitSpread(pods(1), [])).toBe(false)
  })

  test('small pods take the empty node, so a large one does not fit', () => {
    // All pods would fit if the two small pods used the small free amount and the large pod used the empty node.
    const tight = [target(4, 100), target(16, 100, 14)]
    expect(fitSpread(pods(4, 1, 1), tight)).toBe(false)
    expect(fitSpread(pods(4, 1, 1), [target(6, 100), target(16, 100, 14)])).toBe(true)
  })

  test('every resource counts, not only those that nodes are scored by', () => {
    const device = new Map([...amounts(1, 1), ['example.com/device', 1n]])
    expect(fitSpread([device], [target(8, 8)])).toBe(false)
    const has = { allocatable: new Map([...amounts(8, 8), ['example.com/device', 1n]]), used: amounts(6, 6) }
    expect(fitSpread([device], [target(8, 8), has])).toBe(true)
    expect(fitSpread([device, device], [target(8, 8), has])).toBe(false)
  })
})
