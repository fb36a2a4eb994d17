import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { BizflyFault } from './bizfly-fault.ts'

const drawCall = (randomness: Randomness): BizflyFault => ({
  kind: 'bizfly-call',
  call: randomness.of([
    ...(['launchServer', 'launchServer', 'deleteServer', 'task', 'servers', 'server'] as const),
    ...(['leaveCluster', 'versions', 'flavors', 'networks', 'token'] as const),
  ]),
  skip: randomness.between(0, 3),
  times: randomness.of([1, 1, 3, 10]),
  when: randomness.of(['before', 'after']),
  failure: randomness.of(['throttled', 'error', 'lost', 'lost', 'crash', 'crash', 'crash']),
})

const drawFault = (randomness: Randomness): BizflyFault => {
  const lasting = ['password-changed', 'creations-fail', 'quota-zero', 'creations-slow', 'lists-lag'] as const
  return randomness.happens(0.5)
    ? { kind: randomness.of(lasting), duration: randomness.between(10_000, 120_000) }
    : drawCall(randomness)
}

/** In a third of the runs, creations succeed but the responses are lost, so Kerf does not know which servers exist. */
const drawLostLaunches = (randomness: Randomness): { at: Milliseconds; own: BizflyFault } | undefined =>
  randomness.happens(0.33)
    ? {
        at: randomness.between(0, 60_000),
        own: {
          ...{ kind: 'bizfly-call', call: 'launchServer', skip: randomness.between(0, 2) },
          ...{ times: 20, when: 'after', failure: 'lost' },
        },
      }
    : undefined

/**
 * Draws random faults that are specific to Bizfly Cloud. If the responses to creations are lost, users also delete three claims that may
 * have a server.
 */
export const drawBizflyFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
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
