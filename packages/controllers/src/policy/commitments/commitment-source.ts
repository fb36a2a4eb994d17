import {
  CLUSTER_POLICY,
  type ClusterPolicy,
  type ClusterPolicyStatus,
  formatTime,
  isEqualJson,
  karpenterKinds,
  type Milliseconds,
  ProblemError,
  policyKinds,
} from '@kerf/apis'
import { type Controller, done, type Informer, type Outcome, retryAfter } from '@kerf/runtime'
import type { Deps } from '../../deps.ts'
import { readOnlySource } from '../../read-only-source.ts'
import type { CommitmentSpec } from '../../state/commitments/prepaid-terms.ts'
import { readTextSource, type TextSourceDeps } from '../read-text-source.ts'
import { type CommitmentSourceSpec, commitmentOrigin, parseCommitmentDocument } from './commitment-document.ts'

const EVERY: Milliseconds = 60_000
const ACCOUNT_EVERY: Milliseconds = 3_600_000
/** How long reads may fail for reasons that usually pass, before the condition says so. */
const PATIENCE: Milliseconds = 300_000

type ReadCommitments = NonNullable<ClusterPolicyStatus['commitmentSource']>

/** A source that could not be read. */
interface Failure {
  readonly origin: string
  readonly problem: string
  /** When the first of the failed reads was, by the monotonic clock. */
  readonly since: Milliseconds
  /** Whether a user must act. Otherwise the next attempt may succeed. */
  readonly isLasting: boolean
}

type SourceDeps = Pick<Deps, 'informers' | 'provider' | 'clock'> & TextSourceDeps

/**
 * The commitments that the ClusterPolicy reads from a ConfigMap, a file or the account (`docs/spec/policies.md#sources-of-commitments`).
 * They take effect when they are in the status of the policy, which also keeps them across restarts. If the source cannot be read, they
 * remain in effect. If the policy names another source and that cannot be read, they end.
 */
export class CommitmentSource {
  readonly #deps: SourceDeps
  readonly #policies: Informer<ClusterPolicy>
  /** The commitments that this process read last, and their source. */
  #read: ReadCommitments | undefined
  /** The last read, if it failed. */
  #failure: Failure | undefined

  constructor(deps: SourceDeps) {
    this.#deps = deps
    this.#policies = deps.informers.optional(policyKinds.ClusterPolicy)
  }

  get #policy(): ClusterPolicy | undefined {
    const policy = this.#policies.get(CLUSTER_POLICY)
    return policy?.metadata.deletionTimestamp === undefined ? policy : undefined
  }

  /** The commitments that were read, for the status of the policy. Undefined if there are none. */
  get status(): ReadCommitments | undefined {
    const policy = this.#policy
    if (policy?.spec.commitmentSource === undefined) return undefined
    const read = this.#read ?? policy.status?.commitmentSource
    const isOfOtherSource = read?.source !== commitmentOrigin(policy.spec.commitmentSource)
    return isOfOtherSource && this.#currentFailure !== undefined ? undefined : read
  }

  /** A sentence that describes why the source could not be read and what to do. Undefined if it was read. */
  get problem(): string | undefined {
    const failure = this.#currentFailure
    if (failure === undefined) return undefined
    const { commitments = [], readAt = '' } = this.status ?? {}
    const isPatient = !failure.isLasting && this.#deps.clock.monotonic() - failure.since < PATIENCE
    if (isPatient && commitments.length > 0) return undefined
    const inForce =
      commitments.length === 0
        ? 'No commitment of this source is in force.'
        : `The ${commitments.length} commitments read at ${readAt} stay in force.`
    return `spec.commitmentSource: ${failure.problem} ${inForce}`
  }

  /** The failure of the source that the policy names. */
  get #currentFailure(): Failure | undefined {
    const source = this.#policy?.spec.commitmentSource
    return source !== undefined && this.#failure?.origin === commitmentOrigin(source) ? this.#failure : undefined
  }

  /** Returns the controller `policy.commitments`. */
  controller(): Controller {
    return {
      name: 'policy.commitments',
      // The CRD of policies may be missing, so the controller must not wait for it.
      sources: [readOnlySource(this.#deps.informers, karpenterKinds.NodePool)],
      subscribe: (enqueue) =>
        this.#policies.onChange(({ before, after }) => {
          const isSame =
            before?.metadata.uid === after?.metadata.uid &&
            isEqualJson(before?.spec.commitmentSource ?? {}, after?.spec.commitmentSource ?? {})
          if (!isSame) enqueue((after ?? before)?.metadata.name ?? '')
        }),
      concurrency: 1,
      reconcile: (name, signal) => this.#reconcile(name, signal),
    }
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<Outcome> {
    if (name !== CLUSTER_POLICY) return done()
    const spec = this.#policy?.spec.commitmentSource
    if (spec === undefined) {
      this.#read = undefined
      this.#failure = undefined
      return done()
    }
    const origin = commitmentOrigin(spec)
    try {
      const commitments = await this.#load(spec, signal)
      const before = this.status
      this.#failure = undefined
      const isSame = before?.source === origin && isEqualJson(before.commitments, commitments)
      this.#read = isSame ? before : { source: origin, readAt: formatTime(this.#deps.clock.now()), commitments }
    } catch (error) {
      signal.throwIfAborted()
      this.#fail(origin, error)
      if (!(error instanceof ProblemError)) throw error
    }
    return retryAfter(spec.account === undefined || this.#failure !== undefined ? EVERY : ACCOUNT_EVERY)
  }

  #fail(origin: string, error: unknown): void {
    const cause = error instanceof Error ? error.message : String(error)
    const isLasting = error instanceof ProblemError
    const earlier = this.#failure?.origin === origin ? this.#failure.since : undefined
    this.#failure = {
      origin,
      problem: isLasting ? cause : `${origin} could not be read (${cause}). Kerf tries again.`,
      since: earlier ?? this.#deps.clock.monotonic(),
      isLasting,
    }
  }

  async #load(spec: CommitmentSourceSpec, signal: AbortSignal): Promise<readonly CommitmentSpec[]> {
    if (spec.account !== undefined) return this.#fromAccount(spec.account, signal)
    const text = await readTextSource(this.#deps, { section: 'spec.commitmentSource', ...spec }, signal)
    try {
      return parseCommitmentDocument(text)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      throw new ProblemError(`${commitmentOrigin(spec)}: ${error.message}.`, { cause: error })
    }
  }

  async #fromAccount(
    { share }: NonNullable<CommitmentSourceSpec['account']>,
    signal: AbortSignal,
  ): Promise<readonly CommitmentSpec[]> {
    const { provider } = this.#deps
    if (provider.commitments === undefined)
      throw new ProblemError(
        `the provider ${provider.name} reads no commitments from the account. Declare them in spec.commitments, in a ConfigMap or in a file.`,
      )
    const commitments = await provider.commitments(signal)
    return commitments.map(({ name, ...terms }): CommitmentSpec => ({ name, prepaid: { ...terms, share } }))
  }
}
