import { type Clock, sleep } from '@kerf/runtime'
import type { AwsApi } from '../../api/aws-api.ts'
import { FakeEc2 } from './fake-ec2.ts'
import {
  FakeEks,
  FakeIam,
  FakePricing,
  FakeSavingsPlans,
  FakeSqs,
  FakeSsm,
  FakeSts,
  FakeZonalShift,
} from './fake-services.ts'
import { Requests } from './requests.ts'

const LONG_POLL = 20_000

/** An in-memory AWS for tests in virtual time. It refuses requests above the documented limits of AWS. */
export class FakeAws implements AwsApi {
  readonly requests: Requests
  readonly ec2: FakeEc2
  readonly ssm: FakeSsm
  readonly iam: FakeIam
  readonly pricing: FakePricing
  readonly sqs: FakeSqs
  readonly eks: FakeEks
  readonly sts = new FakeSts()
  readonly zonalShift: FakeZonalShift
  readonly savingsPlans: FakeSavingsPlans

  constructor(clock: Clock, options: { readonly terminationDelay: number; readonly kubernetes: string }) {
    const requests = new Requests(clock)
    this.requests = requests
    this.ec2 = new FakeEc2(clock, options, requests)
    this.ssm = new FakeSsm(options.kubernetes, requests)
    this.iam = new FakeIam(requests)
    this.pricing = new FakePricing(this.ec2, requests)
    this.sqs = new FakeSqs((signal) => sleep(clock, LONG_POLL, signal), requests)
    this.eks = new FakeEks(requests)
    this.zonalShift = new FakeZonalShift(requests)
    this.savingsPlans = new FakeSavingsPlans(requests)
  }
}

/** Returns a clock whose timers fire in the next turn of the event loop, so that batches are sent immediately. */
export const instantWindows = (clock: Clock): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  timer: (_after, fire) => {
    const handle = setImmediate(fire)
    return { cancel: () => clearImmediate(handle) }
  },
})
