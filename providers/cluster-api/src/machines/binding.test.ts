import { expect, test } from 'vitest'
import { nextBindingStep } from './binding.ts'
import type { ClaimView, MachineView } from './machine-view.ts'

const machine = (name: string, more: Partial<MachineView> = {}): MachineView => ({
  name,
  uid: name,
  set: 's',
  createdAt: 0,
  member: false,
  claimUid: undefined,
  mark: undefined,
  deleting: false,
  lingering: false,
  failed: false,
  registered: false,
  ...more,
})
const claim: ClaimView = { name: 'c', uid: 'c', machine: undefined, deleting: false, waiting: true }

/** Returns the Machine that a new NodeClaim takes, or the kind of the next step if it takes none. */
const taken = (...machines: readonly MachineView[]): string => {
  const step = nextBindingStep(
    {
      deployment: {
        ...{ namespace: 'default', name: 'd', replicas: machines.length, lastWritten: machines.length, ofOthers: 0 },
        ...{ strategy: 'RollingUpdate', maximum: undefined, bornMember: false },
      },
      sets: [{ name: 's', revision: 1, replicas: machines.length }],
      machines,
      claims: [claim],
    },
    claim,
  )
  return step.kind === 'bind' ? step.machine.name : step.kind
}

test.each<[string, string, readonly MachineView[]]>([
  ['the newest', 'new', [machine('old', { createdAt: 1 }), machine('new', { createdAt: 2 })]],
  ['not a failed one', 'old', [machine('old', { createdAt: 1 }), machine('new', { createdAt: 2, failed: true })]],
  ['none if all have failed', 'wait', [machine('a', { failed: true })]],
  ['not one that is being deleted', 'wait', [machine('a', { deleting: true })]],
  ['not one that is marked for deletion', 'wait', [machine('a', { mark: { by: 'others', at: undefined } })]],
  ['not one of another NodeClaim', 'wait', [machine('a', { claimUid: 'gone', member: true })]],
])('which Machine a NodeClaim takes: %s', (_, expected, machines) => {
  expect(taken(...machines)).toBe(expected)
})
