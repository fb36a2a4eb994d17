import { createHash } from 'node:crypto'
import type { CreateFleetCommandInput, CreateFleetError, CreateFleetInstance, Tag } from '@aws-sdk/client-ec2'
import { type Clock, type Metrics, TtlCache } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import { type BatchAnswer, Batcher } from '../batching/batcher.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import { awsTags } from '../labels.ts'
import type { LaunchContext } from './launch-context.ts'

/** A wish for one instance, and for which claim. */
export interface FleetRequest {
  readonly claim: { readonly uid: string; readonly name: string }
  readonly input: CreateFleetCommandInput
  /** What the answer is read with; the same for equal inputs. */
  readonly context: LaunchContext
}

/** What EC2 answered to one wish. Without an instance, the errors say why. */
export interface FleetAnswer {
  readonly instance?: Omit<CreateFleetInstance, 'InstanceIds'> & { readonly id: string }
  readonly errors: readonly CreateFleetError[]
  readonly context: LaunchContext
}

/** One call to EC2, which can be repeated: the same token for the same content is the same fleet. */
interface Call {
  readonly requests: readonly FleetRequest[]
  readonly input: CreateFleetCommandInput
}

/** The value of a tag ends at 256 characters; a digest of 12 and a space take 13. */
const TOGETHER = 19
const DIGEST = 12
/** Longer than a claim waits for its launch. */
const UNCERTAIN_FOR = 600_000

const TOO_FEW: CreateFleetError = {
  ErrorCode: 'TooFewInstances',
  ErrorMessage: 'EC2 launched fewer instances than were asked for and did not say why',
}

/** How a claim is named in the tag of what was launched for it. */
export const claimDigest = (uid: string): string => createHash('sha256').update(uid).digest('hex').slice(0, DIGEST)

const withTags = (input: CreateFleetCommandInput, tags: readonly Tag[]): CreateFleetCommandInput => ({
  ...input,
  TagSpecifications: (input.TagSpecifications ?? []).map((spec) =>
    spec.ResourceType === 'instance' ? { ...spec, Tags: [...(spec.Tags ?? []), ...tags] } : spec,
  ),
})

/** The call for several equal wishes: who they are for is on the instances from birth. */
const callFor = (attemptOf: (uid: string) => number, first: FleetRequest, ...others: readonly FleetRequest[]): Call => {
  const requests = [first, ...others].toSorted((a, b) => (a.claim.uid < b.claim.uid ? -1 : 1))
  const tags = [
    { Key: awsTags.launchedFor, Value: requests.map(({ claim }) => claimDigest(claim.uid)).join(' ') },
    ...(others.length === 0 ? [{ Key: awsTags.nodeClaim, Value: first.claim.name }] : []),
  ]
  const complete = withTags(
    {
      ...first.input,
      TargetCapacitySpecification: { ...first.input.TargetCapacitySpecification, TotalTargetCapacity: requests.length },
    },
    tags,
  )
  // EC2 repeats its answer to a token, also when that was a shortage: another attempt needs another one.
  const attempts = requests.map(({ claim }) => attemptOf(claim.uid))
  const token = createHash('sha256')
    .update(JSON.stringify([complete, attempts]))
    .digest('hex')
  return { requests, input: { ...complete, ClientToken: token } }
}

/**
 * Launches through CreateFleet (`spec/aws.md` 2.18): equal wishes that come close together are one call, and nothing is
 * launched twice. The token of a call follows from its content, its claims and how often EC2 has answered for them. When its outcome is not known (the
 * connection broke, EC2 failed), the very same call is what the next attempt for any of its claims sends, so EC2 answers
 * with what it launched the first time.
 */
export class Fleets {
  readonly #ec2: Ec2Api
  readonly #batches: Batcher<FleetRequest, FleetAnswer>
  readonly #uncertain: TtlCache<string, Call>
  readonly #resending = new Map<Call, Promise<ReadonlyMap<string, FleetAnswer>>>()
  readonly #answered: TtlCache<string, FleetAnswer>
  /** How often EC2 has answered for a claim. */
  readonly #attempts: TtlCache<string, number>
  readonly #onErrors: (errors: readonly CreateFleetError[], context: LaunchContext) => void

  constructor(
    parts: { readonly ec2: Ec2Api; readonly clock: Clock; readonly batchClock: Clock; readonly metrics: Metrics },
    /** Told of the errors of each call once, also when it launched something. */
    onErrors: (errors: readonly CreateFleetError[], context: LaunchContext) => void,
  ) {
    this.#ec2 = parts.ec2
    this.#onErrors = onErrors
    this.#uncertain = new TtlCache(parts.clock, { ttl: UNCERTAIN_FOR })
    this.#answered = new TtlCache(parts.clock, { ttl: UNCERTAIN_FOR })
    this.#attempts = new TtlCache(parts.clock, { ttl: UNCERTAIN_FOR })
    this.#batches = new Batcher({
      metrics: parts.metrics,
      clock: parts.batchClock,
      name: 'create_fleet',
      idle: 35,
      max: 1_000,
      items: TOGETHER,
      bucketOf: ({ input }) => JSON.stringify(input),
      send: async (requests, signal) => {
        const [first, ...others] = requests
        if (first === undefined) return []
        const answers = await this.#call(
          callFor((uid) => this.#attempts.get(uid) ?? 0, first, ...others),
          signal,
        )
        return requests.map(
          ({ claim, context }): BatchAnswer<FleetAnswer> => ({
            ok: true,
            value: answers.get(claim.uid) ?? { errors: [TOO_FEW], context },
          }),
        )
      },
    })
  }

  /** Whether an earlier launch for the claim may have come through without our knowing its answer. */
  isOpen(uid: string): boolean {
    return this.#uncertain.has(uid) || this.#answered.has(uid)
  }

  /** The answer of an earlier launch for the claim whose outcome was not known; it is asked for again. */
  async settle(uid: string, signal: AbortSignal): Promise<FleetAnswer | undefined> {
    const known = this.#answered.get(uid)
    if (known !== undefined) return this.#take(uid, known)
    const call = this.#uncertain.get(uid)
    if (call === undefined) return undefined
    signal.throwIfAborted()
    let running = this.#resending.get(call)
    if (running === undefined) {
      running = this.#call(call, new AbortController().signal).finally(() => this.#resending.delete(call))
      this.#resending.set(call, running)
    }
    const answer = (await running).get(uid)
    return answer === undefined ? undefined : this.#take(uid, answer)
  }

  /** Asks for one instance. */
  async launch(request: FleetRequest, signal: AbortSignal): Promise<FleetAnswer> {
    const answer = await this.#batches.add(request, signal)
    return this.#take(request.claim.uid, answer)
  }

  #take(uid: string, answer: FleetAnswer): FleetAnswer {
    this.#answered.delete(uid)
    return answer
  }

  async #call(call: Call, signal: AbortSignal): Promise<ReadonlyMap<string, FleetAnswer>> {
    const { requests } = call
    let answers: ReadonlyMap<string, FleetAnswer>
    try {
      answers = await this.#send(call, signal)
    } catch (error) {
      // A service that failed may have launched; one that refused has not.
      const isUncertain = awsFailureOf(error).class === 'server'
      for (const { claim } of requests) {
        if (isUncertain) this.#uncertain.set(claim.uid, call)
        else this.#uncertain.delete(claim.uid)
      }
      throw error
    }
    for (const { claim } of requests) {
      this.#uncertain.delete(claim.uid)
      this.#attempts.set(claim.uid, (this.#attempts.get(claim.uid) ?? 0) + 1)
      const answer = answers.get(claim.uid)
      // Kept until it is taken: whoever asked may have gone away meanwhile.
      if (answer?.instance !== undefined) this.#answered.set(claim.uid, answer)
    }
    const [first] = requests
    const errors = [...answers.values()].find((answer) => answer.errors.length > 0)?.errors ?? []
    if (first !== undefined && errors.length > 0) this.#onErrors(errors, first.context)
    return answers
  }

  async #send({ requests, input }: Call, signal: AbortSignal): Promise<ReadonlyMap<string, FleetAnswer>> {
    const { Instances: launched = [], Errors: errors = [] } = await this.#ec2.createFleet(input, signal)
    const instances = launched.flatMap(({ InstanceIds: ids = [], ...rest }) => ids.map((id) => ({ ...rest, id })))
    return new Map(
      requests.map(({ claim, context }, index) => {
        const instance = instances[index]
        if (instance !== undefined) return [claim.uid, { instance, errors, context }]
        return [claim.uid, { errors: errors.length === 0 ? [TOO_FEW] : errors, context }]
      }),
    )
  }
}
