import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { GcpFault } from './gcp-fault.ts'
import { gcpNames } from './names.ts'

const drawCall = (randomness: Randomness): GcpFault => ({
  kind: 'gcp-call',
  method: randomness.of([
    'compute.instances.insert',
    'compute.instances.insert',
    'compute.instances.insert',
    'compute.zoneOperations.get',
    'compute.zoneOperations.get',
    'compute.instances.get',
    'compute.instances.delete',
    'compute.instances.list',
  ]),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'lost', 'lost', 'crash', 'crash', 'crash']),
})

const drawGcpFault = (randomness: Randomness): GcpFault => {
  switch (randomness.between(0, 11)) {
    case 0:
    case 1:
    case 2:
      return {
        kind: 'insert-fails-later',
        code: randomness.of([
          'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
          'QUOTA_EXCEEDED',
          'IP_SPACE_EXHAUSTED',
          'INTERNAL_ERROR',
        ]),
        selector: randomness.of([{}, { capacityType: 'spot' }, { zone: gcpNames.zones[0] }]),
        duration: randomness.between(10_000, 120_000),
      }
    case 3:
      return { kind: 'tokens-revoked' }
    case 4:
      return { kind: 'identity-gone', duration: randomness.between(5_000, 90_000) }
    case 5:
      return { kind: 'slow', duration: randomness.between(10_000, 120_000) }
    case 6:
    case 7:
      return { kind: 'instance-deleted', pick: randomness.between(0, 99) }
    default:
      return drawCall(randomness)
  }
}

/** In a third of the runs, instances are created but the responses are lost, so Kerf does not know which instances exist. */
const drawLostInserts = (randomness: Randomness): { at: Milliseconds; own: GcpFault } | undefined => {
  if (!randomness.happens(0.33)) return undefined
  return {
    at: randomness.between(0, 60_000),
    own: {
      ...{ kind: 'gcp-call', method: 'compute.instances.insert', skip: randomness.between(0, 2) },
      ...{ times: 20, when: 'after', failure: 'lost' },
    },
  }
}

/**
 * Draws random faults that are specific to Google Cloud. If the responses to launches are lost, users also delete three NodeClaims for
 * which Kerf may have launched an instance.
 */
export const drawGcpFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults = Array.from({ length: randomness.between(2, 7) }, () => ({
    at: randomness.between(1_000, life),
    own: drawGcpFault(randomness),
  }))
  const lost = drawLostInserts(randomness)
  if (lost === undefined) return { faults, actions: [] }
  const actions = Array.from({ length: 3 }, () => {
    const pick = randomness.between(0, 99)
    return { at: lost.at + randomness.between(2_000, 30_000), action: { kind: 'delete-claim', pick } as const }
  })
  return { faults: [...faults, lost], actions }
}
