import type { Milliseconds } from '@kerf/apis'
import { AVAILABILITY_DOMAINS } from '@kerf/provider-oci/testing'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { OciFault } from './oci-fault.ts'

const OPERATIONS: readonly [string, ...string[]] = [
  ...(['LaunchInstance', 'LaunchInstance', 'LaunchInstance', 'TerminateInstance', 'GetInstance'] as const),
  ...['ListInstances', 'GetWorkRequest', 'ListWorkRequestErrors', 'ListShapes', 'GetSubnetCidrUtilization'],
  'ListSubnets',
]

const drawCall = (randomness: Randomness): OciFault => ({
  kind: 'oci-call',
  operation: randomness.of(OPERATIONS),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'error', 'lost', 'lost', 'crash', 'crash', 'crash']),
})

const drawFault = (randomness: Randomness): OciFault => {
  const duration = randomness.between(5_000, 120_000)
  switch (randomness.between(0, 11)) {
    case 0:
      return { kind: 'oci-key-expired', duration }
    case 1:
    case 2: {
      const operation = randomness.of(['ListInstances', 'GetInstance', 'GetInstance', 'TerminateInstance'])
      return { kind: 'oci-denied', operation, duration }
    }
    case 3:
      return { kind: 'oci-subnet-full', duration }
    case 4:
      return { kind: 'oci-limit', duration }
    case 5:
      return { kind: 'oci-lists-lag', duration: randomness.between(10_000, 50_000) }
    case 6:
    case 7: {
      const availabilityDomain = randomness.of(AVAILABILITY_DOMAINS)
      return { kind: 'oci-late-shortage', availabilityDomain, after: randomness.between(1_000, 90_000), duration }
    }
    default:
      return drawCall(randomness)
  }
}

/** In a third of the runs, launches succeed but the responses are lost or are errors, so Kerf does not know which instances exist. */
const drawLostLaunches = (randomness: Randomness): { at: Milliseconds; own: OciFault } | undefined => {
  if (!randomness.happens(0.33)) return undefined
  return {
    at: randomness.between(0, 60_000),
    own: {
      ...{ kind: 'oci-call', operation: 'LaunchInstance', skip: randomness.between(0, 2) },
      ...{ times: 20, when: 'after', failure: randomness.of(['lost', 'error']) },
    },
  }
}

/** In a quarter of the runs, instances get no host for a while, some of them for longer than the launch timeout of five minutes. */
const drawNoHosts = (randomness: Randomness, life: Milliseconds): OwnDraws['faults'] => {
  if (!randomness.happens(0.25)) return []
  const own = {
    ...{ kind: 'oci-no-hosts', startsFor: randomness.between(60_000, 900_000) },
    duration: randomness.between(20_000, 120_000),
  } as const
  return [{ at: randomness.between(0, life), own }]
}

/**
 * Draws random faults that are specific to Oracle Cloud. If the responses to launches are lost, users also delete three NodeClaims for
 * which Kerf may have launched an instance.
 */
export const drawOciFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults: OwnDraws['faults'][number][] = Array.from({ length: randomness.between(2, 7) }, () => ({
    at: randomness.between(1_000, life),
    own: drawFault(randomness),
  }))
  faults.push(...drawNoHosts(randomness.fork('hosts'), life))
  const lost = drawLostLaunches(randomness)
  if (lost === undefined) return { faults, actions: [] }
  const actions = Array.from({ length: 3 }, () => {
    const pick = randomness.between(0, 99)
    return { at: lost.at + randomness.between(2_000, 30_000), action: { kind: 'delete-claim', pick } as const }
  })
  return { faults: [...faults, lost], actions }
}
