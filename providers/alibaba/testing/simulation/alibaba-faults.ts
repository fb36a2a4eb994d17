import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { AlibabaFault } from './alibaba-fault.ts'

const drawCall = (randomness: Randomness): AlibabaFault => ({
  kind: 'alibaba-call',
  action: randomness.of([
    'CreateAutoProvisioningGroup',
    'CreateAutoProvisioningGroup',
    'DeleteInstance',
    'DescribeInstances',
    'DescribeInstances',
    'AddTags',
    'DescribeVSwitches',
    'DescribeClusterAttachScripts',
    'DescribeAvailableResource',
  ]),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'lost', 'lost', 'crash', 'crash', 'crash']),
})

const drawFault = (randomness: Randomness): AlibabaFault => {
  switch (randomness.between(0, 9)) {
    case 0:
      return { kind: 'keys-expired', duration: randomness.between(5_000, 90_000) }
    case 1:
    case 2:
      return { kind: 'lists-empty', duration: randomness.between(5_000, 120_000) }
    case 3:
      return { kind: 'vswitches-full', duration: randomness.between(10_000, 120_000) }
    case 4:
      return { kind: 'quota-zero', duration: randomness.between(10_000, 120_000) }
    case 5:
      return { kind: 'lists-lag', duration: randomness.between(10_000, 60_000) }
    default:
      return drawCall(randomness)
  }
}

/** In a third of the runs, launches succeed but the responses are lost, so Kerf does not know which instances exist. */
const drawLostLaunches = (randomness: Randomness): { at: Milliseconds; own: AlibabaFault } | undefined => {
  if (!randomness.happens(0.33)) return undefined
  return {
    at: randomness.between(0, 60_000),
    own: {
      ...{ kind: 'alibaba-call', action: 'CreateAutoProvisioningGroup', skip: randomness.between(0, 2) },
      ...{ times: 20, when: 'after', failure: 'lost' },
    },
  }
}

/**
 * Draws random faults that are specific to Alibaba Cloud. If the responses to launches are lost, users also delete three NodeClaims for
 * which Kerf may have launched an instance.
 */
export const drawAlibabaFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults = Array.from({ length: randomness.between(2, 7) }, () => ({
    at: randomness.between(1_000, life),
    own: drawFault(randomness),
  }))
  const lost = drawLostLaunches(randomness)
  if (lost === undefined) return { faults, actions: [] }
  const actions = Array.from({ length: 3 }, () => {
    const pick = randomness.between(0, 99)
    return { at: lost.at + randomness.between(2_000, 30_000), action: { kind: 'delete-claim', pick } as const }
  })
  return { faults: [...faults, lost], actions }
}
