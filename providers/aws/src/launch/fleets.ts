import { createHash } from 'node:crypto'
import type { CreateFleetCommandInput, CreateFleetError, CreateFleetInstance, Tag } from '@aws-sdk/client-ec2'
import type { Milliseconds } from '@kerf/apis'
import { Batcher, type BatchResult } from '@kerf/provider-kit'
import { type Clock, type Metrics, sleep, TtlCache } from '@kerf/runtime'
import type { Ec2Api } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { awsTags } from '../labels.ts'
import type { FleetOutcome } from './fleet-outcomes.ts'
import type { LaunchContext } from './launch-context.ts'
import { launchedForValue } from './launched-for.ts'

/** A request for one instance, and its NodeClaim. */
export interface FleetRequest {
  readonly claim: { readonly uid: string; readonly name: string }
  readonly input: CreateFleetCommandInput
  /** The context for interpreting the response. Requests with equal inputs have the same context. */
  readonly context: LaunchContext
}

/** EC2's response to one request. If it contains no instance, the errors contain the reason. */
export interface FleetResult {
  readonly instance?: Omit<CreateFleetInstance, 'InstanceIds'> & { readonly id: string }
  readonly errors: readonly CreateFleetError[]
  readonly context: LaunchContext
}

/** One call to EC2. Repeating it is safe, because EC2 returns the same fleet for the same token and content. */
interface Call {
  readonly requests: readonly FleetRequest[]
  readonly input: CreateFleetCommandInput
}

/** The maximum number of requests per call, as in upstream. */
const TOGETHER = 1_000
/** How long a call with an unknown outcome can be repeated. This is longer than a NodeClaim waits for its launch. */
const UNCERTAIN_FOR: Milliseconds = 600_000
/**
 * The pauses between retries of a call with an unknown outcome. If the outcome is still unknown after the last retry, the NodeClaims of the
 * call fail.
 */
const PAUSES: readonly Milliseconds[] = [1_000, 2_000, 4_000]
/**
 * How long all NodeClaims of a failed call receive its error. After that time, the next attempt for any of these claims repeats the call.
 */
const REST: Milliseconds = 1_000

const TOO_FEW: CreateFleetError = {
  ErrorCode: 'TooFewInstances',
  ErrorMessage: 'EC2 launched fewer instances than requested and returned no reason',
}

const withTags = (input: CreateFleetCommandInput, tags: readonly Tag[]): CreateFleetCommandInput => ({
  ...input,
  TagSpecifications: (input.TagSpecifications ?? []).map((spec) =>
    spec.ResourceType === 'instance' ? { ...spec, Tags: [...(spec.Tags ?? []), ...tags] } : spec,
  ),
})

/** Returns the call for several equal requests. EC2 sets the tag with the NodeClaims on every instance at launch. */
const callFor = (attemptOf: (uid: string) => number, first: FleetRequest, ...others: readonly FleetRequest[]): Call => {
  const requests = [first, ...others].toSorted((a, b) => (a.claim.uid < b.claim.uid ? -1 : 1))
  const tags = [
    { Key: awsTags.launchedFor, Value: launchedForValue(requests.map(({ claim }) => claim.uid)) },
    ...(others.length === 0 ? [{ Key: awsTags.nodeClaim, Value: first.claim.name }] : []),
  ]
  const complete = withTags(
    {
      ...first.input,
      TargetCapacitySpecification: { ...first.input.TargetCapacitySpecification, TotalTargetCapacity: requests.length },
    },
    tags,
  )
  // EC2 returns the same response for the same token, even an error about missing capacity. Therefore another attempt needs another token.
  const attempts = requests.map(({ claim }) => attemptOf(claim.uid))
  const token = createHash('sha256')
    .update(JSON.stringify([complete, attempts]))
    .digest('hex')
  return { requests, input: { ...complete, ClientToken: token } }
}

/** The error of the last attempt to determine the outcome of a call. */
interface Setback {
  readonly error: unknown
  readonly notBefore: Milliseconds
}

/**
 * Launches instances with CreateFleet (`providers/aws/docs/spec/aws.md#batching`). Equal requests that arrive close together share one
 * call, and nothing is launched twice. The token of a call depends on its content, its NodeClaims, and how often EC2 has responded for
 * them. The outcome of a call is unknown if the connection broke, EC2 failed, or a retry was refused. In that case, the next attempt for
 * any of its claims sends the same call again. EC2 returns what it launched the first time, and each claim gets one of those instances. The
 * first retries happen while the claims still wait, because otherwise hundreds of claims would fail at the same time and retry separately.
 */
export class Fleets {
  readonly #ec2: Ec2Api
  readonly #clock: Clock
  readonly #batchClock: Clock
  readonly #batches: Batcher<FleetRequest, FleetResult>
  readonly #uncertain: TtlCache<string, Call>
  readonly #resending = new Map<Call, Promise<ReadonlyMap<string, FleetResult>>>()
  readonly #setbacks = new WeakMap<Call, Setback>()
  readonly #answered: TtlCache<string, FleetResult>
  /**
   * The UIDs of NodeClaims for which repeating the call no longer returns the result of the launch. For these claims, only instance tags
   * show what was launched.
   */
  readonly #untold: TtlCache<string, true>
  /** How often EC2 has responded for each NodeClaim. */
  readonly #attempts: TtlCache<string, number>
  readonly #onErrors: (outcome: FleetOutcome) => void

  constructor(
    deps: { readonly ec2: Ec2Api; readonly clock: Clock; readonly batchClock: Clock; readonly metrics: Metrics },
    /** Called once with the errors of each call, even if it launched something. */
    onErrors: (outcome: FleetOutcome) => void,
  ) {
    this.#ec2 = deps.ec2
    this.#clock = deps.clock
    this.#batchClock = deps.batchClock
    this.#onErrors = onErrors
    this.#uncertain = new TtlCache(deps.clock, { ttl: UNCERTAIN_FOR })
    this.#answered = new TtlCache(deps.clock, { ttl: UNCERTAIN_FOR })
    this.#untold = new TtlCache(deps.clock, { ttl: UNCERTAIN_FOR })
    this.#attempts = new TtlCache(deps.clock, { ttl: UNCERTAIN_FOR })
    this.#batches = new Batcher({
      metrics: deps.metrics,
      clock: deps.batchClock,
      name: 'create_fleet',
      idle: 35,
      max: 1_000,
      items: TOGETHER,
      bucketOf: ({ input }) => JSON.stringify(input),
      send: async (requests) => {
        const [first, ...others] = requests
        if (first === undefined) return []
        const answers = await this.#untilKnown(callFor((uid) => this.#attempts.get(uid) ?? 0, first, ...others))
        return requests.map(
          ({ claim, context }): BatchResult<FleetResult> => ({
            ok: true,
            value: answers.get(claim.uid) ?? { errors: [TOO_FEW], context },
          }),
        )
      },
    })
  }

  /** Returns true if `settle` has, or can still obtain, the result of an earlier launch for the NodeClaim. */
  isOpen(uid: string): boolean {
    return this.#uncertain.has(uid) || this.#answered.has(uid)
  }

  /** Returns true if an earlier launch for the NodeClaim may have succeeded although its instance is unknown. */
  mayHaveLaunched(uid: string): boolean {
    return this.isOpen(uid) || this.#untold.has(uid)
  }

  /** Returns the result of an earlier launch for the NodeClaim. If the outcome of that launch is unknown, repeats its call. */
  async settle(uid: string, signal: AbortSignal): Promise<FleetResult | undefined> {
    const known = this.#answered.get(uid)
    if (known !== undefined) return known
    const call = this.#uncertain.get(uid)
    if (call === undefined) return undefined
    signal.throwIfAborted()
    let running = this.#resending.get(call)
    if (running === undefined) {
      const setback = this.#setbacks.get(call)
      if (setback !== undefined && setback.notBefore > this.#clock.monotonic()) throw setback.error
      running = this.#untilKnown(call).finally(() => this.#resending.delete(call))
      this.#resending.set(call, running)
    }
    return (await running).get(uid)
  }

  /** Requests one instance. */
  launch(request: FleetRequest, signal: AbortSignal): Promise<FleetResult> {
    return this.#batches.add(request, signal)
  }

  /** Records that the NodeClaim has its instance, so the response can be dropped. */
  taken(uid: string): void {
    this.#answered.delete(uid)
  }

  /** Sends a call, and retries it while the outcome is unknown. It continues even if a waiting NodeClaim is aborted. */
  async #untilKnown(call: Call): Promise<ReadonlyMap<string, FleetResult>> {
    const signal = new AbortController().signal
    for (const pause of PAUSES) {
      try {
        return await this.#call(call, signal)
      } catch (error) {
        if (!this.#isUncertain(call)) throw error
        await sleep(this.#batchClock, pause, signal)
      }
    }
    try {
      return await this.#call(call, signal)
    } catch (error) {
      this.#setbacks.set(call, { error, notBefore: this.#clock.monotonic() + REST })
      throw error
    }
  }

  #isUncertain(call: Call): boolean {
    return call.requests.some(({ claim }) => this.#uncertain.get(claim.uid) === call)
  }

  async #call(call: Call, signal: AbortSignal): Promise<ReadonlyMap<string, FleetResult>> {
    const { requests } = call
    let answers: ReadonlyMap<string, FleetResult>
    try {
      answers = await this.#send(call, signal)
    } catch (error) {
      this.#failed(call, error)
      throw error
    }
    for (const { claim } of requests) {
      this.#uncertain.delete(claim.uid)
      this.#untold.delete(claim.uid)
      this.#attempts.set(claim.uid, (this.#attempts.get(claim.uid) ?? 0) + 1)
      const answer = answers.get(claim.uid)
      // The caller may have been aborted in the meantime, so the result is kept.
      if (answer?.instance !== undefined) this.#answered.set(claim.uid, answer)
    }
    const [first] = requests
    const errors = [...answers.values()].find((answer) => answer.errors.length > 0)?.errors ?? []
    const hasLaunched = [...answers.values()].some(({ instance }) => instance !== undefined)
    if (first !== undefined && errors.length > 0) this.#onErrors({ errors, hasLaunched, context: first.context })
    return answers
  }

  /**
   * Handles a failed call. After a server error, EC2 may have launched something. A refused call launched nothing, but earlier
   * attempts may have.
   */
  #failed(call: Call, error: unknown): void {
    const { isRefusal, class: kind } = classifyAwsFailure(error)
    const isRepeat = this.#isUncertain(call)
    const isOver = isRefusal && kind !== 'rate-limited'
    for (const { claim } of call.requests) {
      if (isRepeat ? isOver : isRefusal) this.#uncertain.delete(claim.uid)
      else this.#uncertain.set(claim.uid, call)
      if (isRepeat && isOver) this.#untold.set(claim.uid, true)
    }
  }

  async #send({ requests, input }: Call, signal: AbortSignal): Promise<ReadonlyMap<string, FleetResult>> {
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
