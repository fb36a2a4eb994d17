import { describe, expect, test } from 'vitest'
import { clusterApiAnnotations } from '../../names.ts'
import { type Machine, readMachine } from '../../objects/machine.ts'
import type { MachineOnWire } from '../../objects/wire.ts'
import { sample } from '../samples.ts'
import { machinesToDelete } from './deletion-order.ts'

const real = readMachine(sample<MachineOnWire>('v1beta2', 'machine'))
const NOW = (real.createdAt ?? 0) + 3_600_000
const machine = (name: string, changes: Partial<Machine> = {}): Machine => ({ ...real, name, ...changes })
const bad = (type: string): Partial<Machine> => ({
  conditions: [{ type, status: 'False', reason: 'Bad', lastTransitionTime: '2026-01-01T00:00:00Z' }],
})
const marked: Partial<Machine> = {
  isMarkedForDeletion: true,
  annotations: { [clusterApiAnnotations.deleteMachine]: '' },
}

describe('the order in which a MachineSet deletes', () => {
  const order = (machines: readonly Machine[], by: 'Random' | 'Newest' | 'Oldest' = 'Random'): string =>
    machinesToDelete(machines, machines.length, by, NOW)
      .map(({ name }) => name)
      .join(' ')

  test('deleting, marked, unhealthy, then the rest', () => {
    const mixed = [
      machine('a'),
      machine('b', bad('NodeHealthy')),
      machine('c', bad('HealthCheckSucceeded')),
      machine('d', { nodeName: undefined }),
      machine('e', marked),
      machine('f', { isDeleting: true }),
    ]
    expect(order(mixed)).toBe('f e b c d a')
  })

  test('one that is deleting and marked counts as deleting; a mark precedes any health problem', () => {
    expect(
      order([machine('a', { ...marked, nodeName: undefined }), machine('b', { isDeleting: true, ...marked })]),
    ).toBe('b a')
  })

  test('equal ones by name, or by age if the set says so', () => {
    const [old, young] = [machine('b', { createdAt: NOW - 100_000 }), machine('a', { createdAt: NOW - 1_000 })]
    expect(order([old, young])).toBe('a b')
    expect(order([old, young], 'Oldest')).toBe('b a')
    expect(order([young, old], 'Newest')).toBe('a b')
    // Cluster API deletes a Machine without a Node before the newest Machine.
    expect(order([machine('z', { nodeName: undefined }), young], 'Newest')).toBe('z a')
  })

  test('never more than requested, and nothing for a set that is too small', () => {
    expect(machinesToDelete([machine('a'), machine('b')], 1, 'Random', NOW)).toHaveLength(1)
    expect(machinesToDelete([machine('a')], -1, 'Random', NOW)).toEqual([])
  })
})
