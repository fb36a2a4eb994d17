import type { Instance } from '@aws-sdk/client-ec2'
import type { Milliseconds } from '@kerf/apis'
import { DeleteError, NodeClaimNotFoundError, NotKnownYetError, providerErrors } from '@kerf/provider-contract'
import { type Batcher, ListCache, unlessGone } from '@kerf/provider-kit'
import { type Clock, defineMetrics, type Metrics, WaitingError } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, ec2Tags } from '../api/aws-api.ts'
import {
  describeBatches,
  LIVE_STATES,
  type TagQuestion,
  taggedBatches,
  terminateBatches,
} from '../batching/instance-batches.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { terminationFailure } from '../failures/termination-failure.ts'
import { awsLabels } from '../label-names.ts'
import { awsTags } from '../labels.ts'
import { type AwsInstance, toAwsInstance } from './aws-instance.ts'
import { hasMark, isOtherClusters, missingOwnerTags } from './ownership.ts'

/** How long after a change EC2's responses may be inconsistent, according to the EC2 Developer Guide. */
const SETTLED_AFTER: Milliseconds = 300_000

/** The number of ids in one DescribeInstances call of `instance-batches.ts`. */
const MOST_BY_ID = 500

export const instanceMetrics = defineMetrics({
  failures: {
    name: 'karpenter_cloudprovider_instance_termination_failures_total',
    type: 'counter',
    help: 'Instances whose termination EC2 rejected.',
    labels: ['zone', 'zone_id'],
  },
})

/** The instances of this cluster (`providers/aws/docs/spec/aws.md#instances`). They are read in batches and cached from the last listing. */
export class Instances {
  readonly #ec2: Ec2Api
  readonly #clusterName: string
  readonly #reservedCapacity: boolean
  readonly #known: ListCache<AwsInstance>
  readonly #describe: Batcher<string, Instance | undefined>
  readonly #tagged: Batcher<TagQuestion, readonly Instance[]>
  /** The converted form of each of EC2's instance descriptions. Several requests may return the same description object. */
  readonly #read = new WeakMap<Instance, AwsInstance>()
  readonly #terminate: Batcher<string, boolean>
  readonly #failures
  readonly #isZoneShifted: (zone: string) => boolean
  readonly #untagged = new Set<(id: string) => void>()

  constructor(
    deps: {
      readonly ec2: Ec2Api
      readonly clock: Clock
      readonly metrics: Metrics
      readonly isZoneShifted: (zone: string) => boolean
      /** Returns when an instance was launched, according to its NodeClaim. */
      readonly launchTime: (id: string) => Milliseconds | undefined
    },
    of: { readonly clusterName: string; readonly reservedCapacity: boolean },
  ) {
    this.#ec2 = deps.ec2
    this.#clusterName = of.clusterName
    this.#reservedCapacity = of.reservedCapacity
    this.#isZoneShifted = deps.isZoneShifted
    this.#known = new ListCache({
      clock: deps.clock,
      list: (signal) => this.#listed(signal),
      idOf: ({ id }) => id,
      createdAt: (id, known) => known?.launchedAt ?? deps.launchTime(id),
      settledAfter: SETTLED_AFTER,
      // While traffic is shifted away from a zone, a response may lack existing instances in that zone.
      isUnanswered: ({ zone }) => this.#isZoneShifted(zone),
    })
    this.#describe = describeBatches(deps.ec2, deps)
    this.#tagged = taggedBatches(deps.ec2, deps, this.#own)
    this.#terminate = terminateBatches(deps.ec2, deps)
    this.#failures = instanceMetrics.register(deps.metrics).failures
  }

  /**
   * Returns one instance. Does not check its owner, because the caller's NodeClaim contains its id. Also returns an instance whose
   * ownership tags were removed, and then calls the listeners of `onUntagged`.
   * @param from `memory`: the state as last seen, unless the instance is unknown or was terminating; `cloud`: the current state from EC2.
   * @throws NodeClaimNotFoundError if it is terminated, or if EC2 does not find it although it is old enough to be visible.
   */
  async get(id: string, from: 'memory' | 'cloud', signal: AbortSignal): Promise<AwsInstance> {
    if (from === 'memory' && this.#known.get(id) === undefined) await this.#known.ensureListed(signal)
    const known = this.#known.get(id)
    // While traffic is shifted away from a zone, EC2's responses about instances there are not reliable.
    if (known !== undefined && ((from === 'memory' && !known.isEnding) || this.#isZoneShifted(known.zone))) return known
    const found = await this.#describe.add(id, signal)
    if (found === undefined && this.#known.isYoung(id))
      throw new NotKnownYetError(`EC2 does not return instance ${id} yet, which was launched recently`)
    const instance = found === undefined ? undefined : this.#instance(found)
    if (instance === undefined || instance.isGone) {
      this.#known.forget(id)
      throw new NodeClaimNotFoundError(`instance ${id} is gone`)
    }
    if (isOtherClusters(instance.tags, this.#clusterName))
      throw providerErrors.ForeignInstance({
        instance: `instance ${id}`,
        problem: `has the tag of cluster ${instance.tags[awsTags.clusterName]}, but this is ${this.#clusterName}`,
        remedy: `the tag ${awsTags.clusterName} is corrected`,
      })
    this.#known.set(instance)
    if (!instance.isEnding && missingOwnerTags(instance.tags, this.#clusterName).length > 0)
      for (const listener of this.#untagged) listener(id)
    return instance
  }

  /**
   * Calls the listener whenever an instance of this cluster is seen without its ownership tags. Returns a function that removes
   * the listener.
   */
  onUntagged(listener: (id: string) => void): () => void {
    this.#untagged.add(listener)
    return () => this.#untagged.delete(listener)
  }

  /** Returns the tags of an instance as it was last seen. */
  knownTags(id: string): Readonly<Record<string, string>> | undefined {
    return this.#known.get(id)?.tags
  }

  /** Lists the instances that were launched for this cluster and are not gone. */
  list(signal: AbortSignal): Promise<readonly AwsInstance[]> {
    return this.#known.list(signal)
  }

  /**
   * Returns the current state of these instances, by id. Leaves out instances that are gone or missing in the response. If all ids fit into
   * one call, requests the instances by id. Otherwise lists all instances, because a page of a listing contains twice as many instances.
   */
  async current(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, AwsInstance>> {
    if (ids.length === 0) return new Map()
    if (ids.length > MOST_BY_ID) {
      const wanted = new Set(ids)
      const listed = await this.list(signal)
      return new Map(listed.filter(({ id }) => wanted.has(id)).map((each) => [each.id, each]))
    }
    const answers = await Promise.allSettled(ids.map((id) => this.get(id, 'cloud', signal)))
    signal.throwIfAborted()
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const [failed] = answers.flatMap((answer) =>
      answer.status === 'rejected' && !(answer.reason instanceof NodeClaimNotFoundError) ? [answer.reason] : [],
    )
    // If only some states are unknown, the other states are returned. If all are unknown, EC2 has failed.
    if (found.length === 0 && failed !== undefined) throw failed
    return new Map(found.map((each) => [each.id, each]))
  }

  /** Returns the instances whose tag has one of the values. `*` matches any text. Requests that arrive close together share a call. */
  async tagged(question: TagQuestion, signal: AbortSignal): Promise<readonly AwsInstance[]> {
    return (await this.#tagged.add(question, signal)).map((each) => this.#instanceOnce(each))
  }

  /**
   * Terminates an instance. Does nothing if it is already terminating.
   *
   * @throws NodeClaimNotFoundError once it is gone, DeleteError while EC2 refuses the termination and a user must act.
   */
  async terminate(id: string, signal: AbortSignal): Promise<void> {
    const instance = await this.get(id, 'cloud', signal)
    if (instance.isEnding) return
    if (this.#isZoneShifted(instance.zone))
      throw new WaitingError(
        `traffic was shifted away from ${instance.zone}: instance ${id} is terminated when the shift ends`,
      )
    const missing = missingOwnerTags(instance.tags, this.#clusterName)
    if (!hasMark(instance.tags, this.#clusterName))
      throw new DeleteError(
        'OwnershipUnknown',
        `instance ${id} runs without the tags of cluster ${this.#clusterName}; restore ${missing.join(', ')}, or terminate it`,
      )
    try {
      if (!(await this.#terminate.add(id, signal))) {
        // EC2 described this instance a moment ago but does not find it now, so its responses are not consistent yet.
        throw new NotKnownYetError(`EC2 does not find instance ${id}, which it described a moment ago`)
      }
      this.#known.set({ ...instance, isEnding: true })
    } catch (error) {
      if (!(error instanceof NodeClaimNotFoundError || error instanceof NotKnownYetError))
        this.#failures.inc({ zone: instance.zone, zone_id: instance.zoneId ?? '' })
      throw terminationFailure(id, error, missing) ?? error
    }
  }

  /**
   * Adds tags to an instance.
   *
   * @throws NodeClaimNotFoundError for an instance that is gone.
   */
  async tag(id: string, tags: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const known = this.#known.get(id)
    if (known !== undefined && this.#isZoneShifted(known.zone))
      throw new WaitingError(
        `traffic was shifted away from ${known.zone}: instance ${id} is tagged when the shift ends`,
      )
    const isGone = (error: unknown): boolean => classifyAwsFailure(error).class === 'not-found'
    await unlessGone(() => this.#ec2.createTags([id], ec2Tags(tags), signal), isGone, `instance ${id} is gone`)
    if (known !== undefined) this.#known.set({ ...known, tags: { ...known.tags, ...tags } })
  }

  /** Caches an instance that a launch has just returned. */
  remember(instance: AwsInstance): void {
    this.#known.set(instance)
  }

  async #listed(signal: AbortSignal): Promise<readonly AwsInstance[]> {
    const found = await this.#ec2.describeInstances({ filters: [...this.#own, LIVE_STATES] }, signal)
    return found.map((each) => this.#instance(each))
  }

  get #own() {
    return [
      ec2Filter('tag-key', awsTags.nodePool),
      ec2Filter('tag-key', awsLabels.nodeClass),
      ec2Filter(`tag:${awsTags.clusterName}`, this.#clusterName),
    ]
  }

  #instanceOnce(instance: Instance): AwsInstance {
    const known = this.#read.get(instance) ?? this.#instance(instance)
    this.#read.set(instance, known)
    return known
  }

  #instance(instance: Instance): AwsInstance {
    return toAwsInstance(instance, { reservedCapacity: this.#reservedCapacity })
  }
}
