import { expect, test } from 'vitest'
import { capabilityProblems, type DescribedProvider } from './check-capabilities.ts'

const plain: DescribedProvider = {
  nodeClasses: [] as never,
  capabilities: {
    capacityTypes: ['on-demand'],
    interruptionNotices: false,
    prices: 'declared',
    devices: false,
    tagsAtLaunch: true,
  },
}
const reasons = Object.fromEntries(
  ['C03', 'C11', 'C19', 'C28', 'T09', 'H02', 'H03', 'B06'].map((id) => [id, 'it cannot']),
)

test('accepts reasons that match the descriptor', () => {
  expect(capabilityProblems(plain, { ...reasons, C24: 'of this the descriptor says nothing' })).toEqual([])
})

test('accepts a check that is not written yet', () => {
  expect(capabilityProblems(plain, { ...reasons, C05: 'not written yet' })).toEqual([])
})

test('reports a check that is not applicable although the provider has the capability', () => {
  const capable = { ...plain, capabilities: { ...plain.capabilities, interruptionNotices: true, tagsAtLaunch: false } }
  expect(capabilityProblems(capable, reasons)).toEqual([
    'C05 is run, but the descriptor does not say that the provider has tags from the launch on',
    'C28 is not applicable (it cannot), but the descriptor says that the provider has instances that are tagged after their launch',
    'B06 is not applicable (it cannot), but the descriptor says that the provider has interruption notices',
  ])
})

test('reports a check that runs although the provider lacks the capability', () => {
  const { T09: _, ...rest } = reasons
  expect(capabilityProblems(plain, rest)).toEqual([
    'T09 is run, but the descriptor does not say that the provider has current prices',
  ])
})
