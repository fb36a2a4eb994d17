import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { readMachine } from '../objects/machine.ts'
import { simulatedKinds } from '../testing/simulator/definitions.ts'
import { plantedMachine } from '../testing/simulator/management-objects.ts'
import { isHeldBy } from './claim-machines.ts'

const UID = 'kerf.sh/nodeclaim-uid'
const NAMED = { 'cluster.x-k8s.io/machine': 'default/m' }

const machine = (annotations: Readonly<Record<string, string>>) => {
  const planted = plantedMachine(simulatedKinds('v1beta2'), 'm', { providerID: '' })
  return readMachine({ ...planted, metadata: { ...planted.metadata, annotations } } as never)
}
const claim = (annotations: Readonly<Record<string, string>> = {}) =>
  nodeClaim('a', { annotations, metadata: { uid: 'uid-a' } })

// See `providers/cluster-api/docs/spec/cluster-api.md#bindings`
test.each([
  ['the UID says so, though the claim does not name it yet', { [UID]: 'uid-a' }, {}, true],
  ['the UID is of another claim, whatever this one names', { [UID]: 'uid-b' }, NAMED, false],
  ['there is no UID, and the claim names it, as upstream binds', {}, NAMED, true],
  ['there is no UID, and the claim names another', {}, { 'cluster.x-k8s.io/machine': 'default/other' }, false],
  [
    'there is no UID, and the claim names one of another namespace',
    {},
    { 'cluster.x-k8s.io/machine': 'else/m' },
    false,
  ],
  ['there is no UID, and the claim names none', {}, {}, false],
])('whether a claim holds a Machine: %s', (_, onMachine, onClaim, holds) => {
  expect(isHeldBy(machine(onMachine), claim(onClaim))).toBe(holds)
})
