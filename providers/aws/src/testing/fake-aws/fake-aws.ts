import { type Clock, sleep } from '@kerf/runtime'
import type { AwsApi } from '../../api/aws-api.ts'
import { FakeEc2 } from './fake-ec2.ts'
import { FakeEks, FakeIam, FakePricing, FakeSqs, FakeSsm, FakeSts } from './fake-services.ts'

const LONG_POLL = 20_000

/** AWS in memory, for tests in virtual time. */
export class FakeAws implements AwsApi {
  readonly ec2: FakeEc2
  readonly ssm: FakeSsm
  readonly iam = new FakeIam()
  readonly pricing: FakePricing
  readonly sqs: FakeSqs
  readonly eks = new FakeEks()
  readonly sts = new FakeSts()

  constructor(clock: Clock, options: { readonly terminationDelay: number; readonly kubernetes: string }) {
    this.ec2 = new FakeEc2(clock, options)
    this.ssm = new FakeSsm(options.kubernetes)
    this.pricing = new FakePricing(this.ec2)
    this.sqs = new FakeSqs((signal) => sleep(clock, LONG_POLL, signal))
  }
}

/** A clock whose short spans end at once: batches close as soon as nobody adds to them. */
export const instantWindows = (clock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  timer: (_after, fire) => {
    const handle = setImmediate(fire)
    return { cancel: () => clearImmediate(handle) }
  },
})
