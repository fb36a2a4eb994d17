import type { Chance } from './chance.ts'
import type { AwsTrouble, Moment } from './course.ts'
import { placesOf } from './places.ts'

/** One call of AWS, or a few, that go wrong. What EC2 refuses for its limits it has not done. */
export const drawAwsCall = (chance: Chance): AwsTrouble => {
  const strike = chance.of(['throttled', 'error', 'cut', 'cut', 'slow', 'crash'])
  return {
    kind: 'aws-call',
    call: chance.of([
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
    skip: chance.between(0, 3),
    times: strike === 'crash' ? 1 : chance.of([1, 1, 3, 10]),
    when: strike === 'throttled' ? 'before' : chance.of(['before', 'after', 'after']),
    strike,
  }
}

const drawAwsTrouble = (chance: Chance): AwsTrouble => {
  const span = chance.between(10_000, 120_000)
  switch (chance.between(0, 7)) {
    case 0:
    case 1:
      return {
        kind: 'few-left',
        selector: chance.of([
          {},
          { capacityType: 'spot' },
          { zone: placesOf('aws').zones[0] },
          { instanceType: 'm5.large' },
        ]),
        left: chance.between(1, 3),
        span,
      }
    case 2:
    case 3:
      return { kind: 'seen-late', by: chance.between(1_000, 60_000), span: span + 60_000 }
    case 4:
      return {
        kind: 'empty-bucket',
        action: chance.of(['CreateFleet', 'TerminateInstances', 'DescribeInstances', 'CreateTags']),
        span: chance.between(1_000, 30_000),
      }
    case 5:
    case 6:
      return {
        kind: 'queue-message',
        about: chance.of(['spot', 'spot', 'spot', 'rebalance', 'unknown', 'nonsense']),
        pick: chance.between(0, 99),
        copies: chance.of([1, 2, 3]),
        late: chance.of([0, 0, 30_000, 100_000, 150_000]),
      }
    default:
      return drawAwsCall(chance)
  }
}

/** A minute in which whoever launches does not hear what came of it. */
const lostFleets: AwsTrouble = {
  kind: 'aws-call',
  call: 'createFleet',
  skip: 0,
  times: 10,
  when: 'after',
  strike: 'cut',
}

/** When nobody hears what comes of launches, if ever in the course. */
export const drawLostFleets = (chance: Chance): { readonly at: Moment; readonly trouble: AwsTrouble } | undefined => {
  const at = chance.between(0, 20_000)
  return chance.happens(0.2) ? { at, trouble: lostFleets } : undefined
}

/** What goes wrong on AWS besides what may go wrong anywhere. The first launches are in the first minute. */
export const drawAwsTroubles = (chance: Chance, life: Moment): readonly { at: Moment; trouble: AwsTrouble }[] =>
  Array.from({ length: chance.between(1, 5) }, () => ({
    at: chance.happens(0.4) ? chance.between(0, 40_000) : chance.between(1_000, life),
    trouble: drawAwsTrouble(chance),
  }))
