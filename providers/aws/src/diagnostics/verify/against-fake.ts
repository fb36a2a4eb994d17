import { InvariantError } from '@kerf/apis'
import { SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { FakeAws, instantWindows } from '../../testing/fake-aws/fake-aws.ts'
import { FakeLeftovers } from '../../testing/fake-aws/fake-leftovers.ts'
import { chooseTypes } from './cheap-types.ts'
import { Redaction } from './redaction.ts'
import { readTranscript, Transcript, type TranscriptHead } from './transcript.ts'
import { type VerifyReport, verifyAccount } from './verify-account.ts'
import type { VerifyTarget } from './verify-plan.ts'

const FAKE_VERSION = '1.34'
const TERMINATION_DELAY = 4_000
const STEP = 1_000
/** The maximum duration of a run, in seconds of virtual time. A run normally takes less than a thousand seconds. */
const MOST_STEPS = 20_000

/** The resources of the fake account (`providers/aws/src/testing/fake-aws/inventory.ts`). */
const target: VerifyTarget = {
  region: 'us-east-1',
  run: '00000000',
  role: 'KarpenterNodeRole-demo',
  subnetIds: ['subnet-a', 'subnet-b', 'subnet-c'],
  securityGroupIds: ['sg-1'],
  kubernetesVersion: FAKE_VERSION,
}
const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c']
/** An instance type that one of the fake's zones does not offer, as is common in regions of AWS. */
const LACKING = { type: 'r5.large', zone: 'us-east-1c' }

/** Runs `kerf aws verify` against the fake AWS, in virtual time. */
export const verifyFake = async (
  prepare: (aws: FakeAws, leftovers: FakeLeftovers) => void = () => undefined,
  signal: AbortSignal = new AbortController().signal,
): Promise<VerifyReport & { readonly transcript: string; readonly aws: FakeAws }> => {
  // Batches need several iterations of the event loop.
  const clock = new VirtualClock({ turns: 3 })
  const aws = new FakeAws(clock, { terminationDelay: TERMINATION_DELAY, kubernetes: FAKE_VERSION })
  const leftovers = new FakeLeftovers(aws.ec2)
  aws.ec2.notOffered.push(LACKING)
  prepare(aws, leftovers)
  let text = ''
  const head: TranscriptHead = { transcript: 'kerf aws verify', format: 1, kerf: 'fake', region: target.region }
  const transcript = new Transcript(head, new Redaction([target.role]), (line) => (text += line))
  const chosen = await chooseTypes(aws.ec2, { region: target.region, zones: ZONES, clock }, signal)
  const running = verifyAccount(
    {
      ...{ api: aws, leftovers, clock, batchClock: instantWindows(clock), random: new SeededRandom(1) },
      ...{ log: silentLogger, target, chosen, transcript, onResult: () => undefined },
    },
    signal,
  )
  let isOver = false
  const ended = running.finally(() => {
    isOver = true
  })
  ended.catch(() => undefined)
  for (let step = 0; !isOver; step++) {
    if (step === MOST_STEPS) throw new InvariantError('the verification of the fake does not end')
    await clock.advance(STEP)
  }
  return { ...(await ended), transcript: text, aws }
}

/** Returns the calls of a run against the fake. */
export const fakeCalls = async () => readTranscript((await verifyFake()).transcript).calls
