import type { Condition } from '@kerf/apis'
import { describe, expect, test } from 'vitest'
import { readMachine } from '../objects/machine.ts'
import { readMachineDeployment } from '../objects/machine-deployment.ts'
import { type MachineSet, readMachineSet } from '../objects/machine-set.ts'
import type { MachineDeploymentOnWire, MachineOnWire, MachineSetOnWire } from '../objects/wire.ts'
import { sample } from '../testing/samples.ts'
import { templateComparison } from './template-drift.ts'

const machine = readMachine(sample<MachineOnWire>('v1beta2', 'machine'))
const deployment = readMachineDeployment(sample<MachineDeploymentOnWire>('v1beta2', 'machine-deployment'))
const set = readMachineSet(sample<MachineSetOnWire>('v1beta2', 'machine-set'))
const revision = (number: number | undefined, name = machine.setName ?? ''): MachineSet => ({
  ...set,
  name,
  revision: number,
})
const judged = (status: Condition['status'], reason: string): Condition => ({
  type: 'UpToDate',
  status,
  reason,
  message: '',
  lastTransitionTime: '2026-11-23T22:26:39Z',
})

describe('comparison of a Machine with its template (providers/cluster-api/docs/spec/cluster-api.md#drift)', () => {
  test('real Machines, by the condition that Cluster API set', () => {
    const changed = readMachine(sample<MachineOnWire>('v1beta2', 'machine-not-up-to-date'))
    expect(templateComparison(machine, deployment, [])).toBe('current')
    expect(templateComparison(changed, deployment, [])).toBe('older')
    expect(templateComparison(readMachine(sample<MachineOnWire>('v1beta1', 'machine')), deployment, [])).toBe('current')
  })

  test.each([
    ['False', 'Updating', 'current'],
    ['Unknown', 'UpToDateUnknown', 'not-known'],
    ['False', 'NotUpToDate', 'older'],
    ['True', 'UpToDate', 'current'],
  ] as const)('UpToDate=%s with the reason %s: %s, whatever the revisions are', (status, reason, expected) => {
    const sets = [revision(1), revision(2, 'newer')]
    expect(templateComparison({ ...machine, upToDate: judged(status, reason) }, deployment, sets)).toBe(expected)
  })

  test.each([
    ['the only set', [revision(1)], 1, 'current'],
    ['an older set', [revision(1), revision(2, 'newer')], 2, 'older'],
    ['the newest set', [revision(2), revision(1, 'older')], 2, 'current'],
    ['a set behind the deployment, whose new set is not seen yet', [revision(1)], 2, 'older'],
    ['a set ahead of what is known of the deployment', [revision(2)], 1, 'current'],
    ['a set that is not known', [revision(2, 'other')], 2, 'not-known'],
    ['a set without revision', [revision(undefined), revision(2, 'newer')], 2, 'not-known'],
    ['a set of a deployment without revision', [revision(1)], undefined, 'current'],
  ] as const)('without the condition: a Machine of %s', (_, sets, wanted, expected) => {
    const old = { ...machine, upToDate: undefined }
    expect(templateComparison(old, { revision: wanted }, sets)).toBe(expected)
  })
})
