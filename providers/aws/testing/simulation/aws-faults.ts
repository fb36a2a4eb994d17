import type { Milliseconds } from '@kerf/apis'
import type { OwnDraws } from '../../../../tests/simulation/runs/cloud-draws.ts'
import type { Randomness } from '../../../../tests/simulation/runs/randomness.ts'
import type { AwsFault } from './aws-fault.ts'
import { awsNames } from './cloud-names.ts'

/** Draws a fault in which one or a few calls to AWS fail. A throttled call has no effect. */
export const drawAwsCall = (randomness: Randomness): AwsFault => {
  const failure = randomness.of(['throttled', 'error', 'cut', 'cut', 'slow', 'crash'])
  return {
    kind: 'aws-call',
    call: randomness.of([
      'createFleet',
      'createFleet',
      'createFleet',
      'terminateInstances',
      'terminateInstances',
      'describeInstances',
      'listInstances',
      'createTags',
      'createLaunchTemplate',
      'getParameter',
      'receive',
      'delete',
    ]),
    skip: randomness.between(0, 3),
    times: failure === 'crash' ? 1 : randomness.of([1, 1, 3, 10]),
    when: failure === 'throttled' ? 'before' : randomness.of(['before', 'after', 'after']),
    failure,
  }
}

const drawAwsFault = (randomness: Randomness): AwsFault => {
  const duration = randomness.between(10_000, 120_000)
  switch (randomness.between(0, 7)) {
    case 0:
    case 1:
      return {
        kind: 'few-left',
        selector: randomness.of([
          {},
          { capacityType: 'spot' },
          { zone: awsNames.zones[0] },
          { instanceType: 'm5.large' },
        ]),
        left: randomness.between(1, 3),
        duration,
      }
    case 2:
    case 3:
      return { kind: 'seen-late', by: randomness.between(1_000, 60_000), duration: duration + 60_000 }
    case 4:
      return {
        kind: 'empty-bucket',
        action: randomness.of(['CreateFleet', 'TerminateInstances', 'DescribeInstances', 'CreateTags']),
        duration: randomness.between(1_000, 30_000),
      }
    case 5:
    case 6:
      return {
        kind: 'queue-message',
        about: randomness.of(['spot', 'spot', 'spot', 'rebalance', 'unknown', 'nonsense']),
        pick: randomness.between(0, 99),
        copies: randomness.of([1, 2, 3]),
        late: randomness.of([0, 0, 30_000, 100_000, 150_000]),
      }
    default:
      return drawAwsCall(randomness)
  }
}

/** Loses the responses of ten launches in a row. */
const lostFleets: AwsFault = {
  kind: 'aws-call',
  call: 'createFleet',
  skip: 0,
  times: 10,
  when: 'after',
  failure: 'cut',
}

/** Draws the time at which launch responses are lost. Returns undefined if this run loses none. */
const drawLostFleets = (randomness: Randomness): { readonly at: Milliseconds; readonly own: AwsFault } | undefined => {
  const at = randomness.between(0, 20_000)
  return randomness.happens(0.2) ? { at, own: lostFleets } : undefined
}

/**
 * Draws the faults that only AWS has. Two fifths of them occur in the first minute, during the first launches. If launch responses are
 * lost, a user may delete a NodeClaim whose launch has an unknown outcome.
 */
export const drawAwsFaults = (randomness: Randomness, life: Milliseconds): OwnDraws => {
  const faults = Array.from({ length: randomness.between(1, 5) }, () => ({
    at: randomness.happens(0.4) ? randomness.between(0, 40_000) : randomness.between(1_000, life),
    own: drawAwsFault(randomness),
  }))
  const lost = drawLostFleets(randomness)
  if (lost === undefined) return { faults, actions: [] }
  const all = [...faults, lost]
  if (!randomness.happens(0.5)) return { faults: all, actions: [] }
  const pick = randomness.between(0, 99)
  const at = lost.at + randomness.between(5_000, 30_000)
  return { faults: all, actions: [{ at, action: { kind: 'delete-claim', pick } }] }
}
