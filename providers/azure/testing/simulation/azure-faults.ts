import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { AzureFault } from './azure-fault.ts'
import { azureNames } from './cloud-names.ts'

const drawCall = (randomness: Randomness): AzureFault => ({
  kind: 'azure-call',
  // A launch that fails between the interface and the VM leaves an interface behind.
  operation: randomness.of([
    'NetworkInterfaces_CreateOrUpdate',
    'NetworkInterfaces_CreateOrUpdate',
    'VirtualMachines_CreateOrUpdate',
    'VirtualMachines_CreateOrUpdate',
    'VirtualMachines_Delete',
    'NetworkInterfaces_Delete',
    'VirtualMachines_Get',
    'Resources',
  ]),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'lost', 'lost', 'crash', 'crash', 'crash']),
})

const drawAzureFault = (randomness: Randomness): AzureFault => {
  switch (randomness.between(0, 11)) {
    case 0:
    case 1:
      return {
        kind: 'vm-fails-later',
        selector: randomness.of([{}, { capacityType: 'spot' }, { zone: azureNames.zones[0] }]),
        duration: randomness.between(10_000, 120_000),
      }
    case 2:
      return { kind: 'tokens-revoked' }
    case 3:
      return { kind: 'identity-gone', duration: randomness.between(5_000, 90_000) }
    case 4:
      return {
        kind: 'requests-spent',
        limit: randomness.of(['read', 'write', 'delete', 'graph']),
        duration: randomness.between(5_000, 60_000),
      }
    case 5:
      return { kind: 'subnet-full', duration: randomness.between(10_000, 120_000) }
    case 6:
    case 7:
      return { kind: 'vm-deleted', pick: randomness.between(0, 99) }
    default:
      return drawCall(randomness)
  }
}

/**
 * Draws lost answers: in a third of the runs, Azure creates VMs but Kerf never receives the answers, so Kerf does not know which VMs exist.
 */
const drawLostVms = (randomness: Randomness): { at: Milliseconds; own: AzureFault } | undefined => {
  if (!randomness.happens(0.33)) return undefined
  return {
    at: randomness.between(0, 60_000),
    own: {
      ...{ kind: 'azure-call', operation: 'VirtualMachines_CreateOrUpdate', skip: randomness.between(0, 2) },
      ...{ times: 20, when: 'after', failure: 'lost' },
    },
  }
}

/**
 * Draws random faults that only Azure has. If the answers of launches are lost, users delete three NodeClaims for which Kerf may have
 * launched a VM.
 */
export const drawAzureFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults = Array.from({ length: randomness.between(2, 7) }, () => ({
    at: randomness.between(1_000, life),
    own: drawAzureFault(randomness),
  }))
  const lost = drawLostVms(randomness)
  if (lost === undefined) return { faults, actions: [] }
  const actions = Array.from({ length: 3 }, () => {
    const pick = randomness.between(0, 99)
    return { at: lost.at + randomness.between(2_000, 30_000), action: { kind: 'delete-claim', pick } as const }
  })
  return { faults: [...faults, lost], actions }
}
