import { labels, type Milliseconds, type NodeClaim } from '@kerf/apis'
import { assembleAws, defaultAwsSettings } from '@kerf/provider-aws'
import { ec2Type, FakeAws, type FakeInstance, fakePrice } from '@kerf/provider-aws/testing'
import type { CloudProvider, ProviderContext } from '@kerf/provider-contract'
import type { Clock, KubeClient, Metrics, Random } from '@kerf/runtime'
import type { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { AwsCalls, type Caller, type CallFault } from './aws-calls.ts'
import type { AwsFault } from './aws-fault.ts'
import { awsKubelets } from './aws-kubelets.ts'
import { plantForeignInstances } from './foreign-instances.ts'
import { findOwners, shortDigest } from './owners.ts'
import { rebalanceAdvice, spotWarning, stateChange } from './queue-messages.ts'

/** Small and medium instance types of several families and both architectures. They offer enough choice, and plans with them are fast. */
const TYPES = [
  't3.medium',
  't3.large',
  't3.2xlarge',
  't4g.medium',
  't4g.xlarge',
  'a1.large',
  'm5.large',
  'm5.xlarge',
  'm5.4xlarge',
  'm5d.large',
  'm7i-flex.large',
  'm6g.large',
  'c5.large',
  'c5d.4xlarge',
  'c7g.medium',
  'r5.large',
  'i3.large',
  'i4i.xlarge',
]

const CLUSTER = 'demo'
const QUEUE = 'demo'
const KUBERNETES = '1.36'
const TERMINATION: Milliseconds = 5_000
/** The time from the notice to the interruption of a spot instance (Amazon EC2 User Guide, "Spot Instance interruption notices"). */
const NOTICE: Milliseconds = 120_000
/** The share of lost events. EC2 sends events on a best effort basis (Amazon EC2 User Guide, "Spot Instance interruption notices"). */
const LOST_EVENTS = 0.2
const EVENT_TAKES: Milliseconds = 1_000
const BETWEEN_COPIES: Milliseconds = 20_000

/** The collaborators of the account, and the functions that it reports to. */
export interface AccountDeps {
  readonly clock: Clock
  readonly random: Random
  readonly client: KubeClient
  readonly claims: () => readonly NodeClaim[]
  readonly silence: (nodeName: string) => void
  readonly neverRegisters: () => boolean
  /** Called when Kerf makes a call. The returned fault is injected into the call. */
  called(call: string): CallFault | undefined
  /** Called when an instance is launched. */
  launched(providerID: string): void
  /** Called before TerminateInstances terminates an instance. */
  terminating(providerID: string): void
  /** Called when EC2 interrupts an instance, and when an instance fails. */
  interrupted(providerID: string): void
  messageDeleted(body: string): void
}

/** A process that calls the account. */
export interface AwsProcess extends Caller {
  readonly metrics: Metrics
  readonly reservedCapacity: boolean
  readonly nodeOverlay: boolean
}

const providerIdOf = ({ data }: FakeInstance): string =>
  `aws:///${data.Placement?.AvailabilityZone ?? ''}/${data.InstanceId}`

/** Returns the digests of the NodeClaims that the instance may have been launched for. */
const claimsOf = ({ data }: FakeInstance): readonly string[] =>
  (data.Tags?.find(({ Key }) => Key === 'kerf.sh/nodeclaims')?.Value ?? '').split(' ')

/** An in-memory AWS account, with the instances of a cluster, instances of other owners, and injected faults. */
export class AwsAccount {
  readonly aws: FakeAws
  readonly calls: AwsCalls
  readonly kubelets: InstanceKubelets
  /** Instances of other owners, by provider ID. */
  readonly foreignInstances: ReadonlySet<string>
  readonly #deps: AccountDeps
  /** The process that launched each instance. */
  readonly #launchers = new Map<string, Caller>()
  readonly #blind = new Set<string>()
  /** The functions that end the active faults. */
  readonly #over = new Set<() => void>()

  constructor(deps: AccountDeps) {
    const { clock } = deps
    this.#deps = deps
    this.aws = new FakeAws(clock, { terminationDelay: TERMINATION, kubernetes: KUBERNETES })
    const { ec2 } = this.aws
    ec2.types = TYPES.map(ec2Type)
    this.foreignInstances = new Set(plantForeignInstances(ec2).map(providerIdOf))
    this.calls = new AwsCalls(this.aws, clock, deps)
    this.kubelets = awsKubelets(ec2, deps)
    ec2.watchers.push({
      launched: (instance) => {
        this.#noteLaunch(instance)
        deps.launched(providerIdOf(instance))
      },
      terminating: (instance) => deps.terminating(providerIdOf(instance)),
      ending: ({ data, endsAt }) => this.#reportTermination(data.InstanceId, endsAt),
    })
  }

  /** Returns the provider for one process, as `kerf run` creates it. `start` loads the data that the first plan needs. */
  provider(
    context: ProviderContext,
    process: AwsProcess,
  ): { readonly provider: CloudProvider; readonly start: (signal: AbortSignal) => Promise<void> } {
    const { metrics, reservedCapacity, nodeOverlay } = process
    const provider = assembleAws(context, {
      api: this.calls.of(process),
      metrics,
      settings: { ...defaultAwsSettings(CLUSTER), interruptionQueue: QUEUE },
      region: 'us-east-1',
      caBundle: 'Q0E=',
      namespace: 'kube-system',
      reservedCapacity,
      nodeOverlay,
      minValuesPolicy: 'Strict',
    })
    return { provider, start: (signal) => provider.warmUp(signal) }
  }

  /** Returns the instances of this cluster, including terminating ones. */
  living(): readonly LiveInstance[] {
    return this.#live(this.#own())
  }

  /** Returns the instances of this cluster that are not terminating. */
  running(): readonly LiveInstance[] {
    return this.#live(this.#own().filter(({ endsAt }) => endsAt === undefined))
  }

  /** Returns the price of the offering that a NodeClaim was launched with, in dollars per hour. */
  priceOf({ metadata }: NodeClaim): number | undefined {
    const type = this.aws.ec2.types.find(({ InstanceType }) => InstanceType === metadata.labels?.[labels.instanceType])
    return type && fakePrice(type, metadata.labels?.[labels.capacityType] ?? '')
  }

  /** Makes an instance die. */
  kill(pick: number): void {
    const instance = this.#pick(this.#running(), pick)
    if (instance === undefined) return
    this.#deps.interrupted(providerIdOf(instance))
    this.aws.ec2.end(instance.data.InstanceId)
  }

  /** Interrupts a spot instance. The warning may be late and may be repeated. The instance terminates in any case. */
  interrupt(pick: number, late: Milliseconds, copies: number): void {
    const { clock } = this.#deps
    const spot = this.#running().filter(({ data }) => data.InstanceLifecycle === 'spot')
    const instance = this.#pick(spot, pick)
    if (instance === undefined) return
    const { InstanceId: id } = instance.data
    this.#deps.interrupted(providerIdOf(instance))
    this.#send(spotWarning(id, clock.now()), late, copies)
    clock.timer(NOTICE, () => {
      if (this.aws.ec2.instances.get(id)?.endsAt === undefined) this.aws.ec2.end(id)
    })
  }

  /** Begins a fault of AWS, which ends after its duration. A shortage from `beginShortage` ends with the fault. */
  inject(fault: AwsFault, beginShortage: () => () => void): void {
    const { aws } = this
    const { clock } = this.#deps
    switch (fault.kind) {
      case 'aws-call':
        this.calls.add(fault)
        return
      case 'few-left': {
        const stock = { of: fault.selector, left: fault.left }
        aws.ec2.stocks.push(stock)
        const isOver = beginShortage()
        this.#lasts(fault.duration, () => {
          isOver()
          aws.ec2.stocks.splice(aws.ec2.stocks.indexOf(stock), 1)
        })
        return
      }
      case 'seen-late':
        aws.ec2.unseenFor = fault.by
        aws.ec2.tagsUnseenFor = fault.by
        this.#lasts(fault.duration, () => {
          aws.ec2.unseenFor = 0
          aws.ec2.tagsUnseenFor = 0
        })
        return
      case 'empty-bucket':
        aws.requests.drain({ service: 'EC2', action: fault.action }, fault.duration)
        return
      case 'queue-message': {
        const { about, pick, late, copies } = fault
        if (about === 'spot') this.interrupt(pick, late, copies)
        else if (about === 'nonsense') this.#send('no event', late, copies)
        else {
          const id = this.#pick(this.#running(), pick)?.data.InstanceId
          if (about === 'unknown') this.#send(spotWarning('i-0fedcba9876543210', clock.now()), late, copies)
          else if (id !== undefined) this.#send(rebalanceAdvice(id, clock.now()), late, copies)
        }
      }
    }
  }

  /** Makes the offerings that match the pattern unavailable. Returns a function that makes them available again. */
  stockOut(pattern: Extract<AwsFault, { kind: 'few-left' }>['selector']): () => void {
    const { stockOuts } = this.aws.ec2
    stockOuts.push(pattern)
    return () => {
      const at = stockOuts.indexOf(pattern)
      if (at >= 0) stockOuts.splice(at, 1)
    }
  }

  /** Ends all faults. */
  recover(): void {
    this.calls.clear()
    for (const over of [...this.#over]) over()
    const { ec2, ssm, iam, pricing, sqs, eks } = this.aws
    ec2.stockOuts.length = 0
    for (const { faults } of [ec2, ssm, iam, pricing, sqs, eks]) faults.recover()
  }

  /**
   * Records which process launched the instance, and marks duplicates that the process could not avoid. A new process finds only the
   * instances that EC2 lists. If EC2 does not list a fresh instance yet, the process may launch a second one, because the token differs
   * when the fleet's content has changed.
   */
  #noteLaunch(instance: FakeInstance): void {
    const { caller } = this.calls
    if (caller === undefined) return
    const { InstanceId: id } = instance.data
    this.#launchers.set(id, caller)
    const claims = claimsOf(instance)
    const since = this.#deps.clock.now() - this.aws.ec2.unseenFor
    const isTwin = (other: FakeInstance): boolean =>
      (other.data.LaunchTime?.getTime() ?? 0) > since &&
      this.#launchers.get(other.data.InstanceId) !== caller &&
      claimsOf(other).some((claim) => claims.includes(claim))
    for (const other of this.#running()) {
      if (other.data.InstanceId === id || !isTwin(other)) continue
      this.#blind.add(id)
      this.#blind.add(other.data.InstanceId)
    }
  }

  #running(): readonly FakeInstance[] {
    return this.#own().filter(({ endsAt }) => endsAt === undefined)
  }

  #own(): readonly FakeInstance[] {
    return this.aws.ec2.living().filter((instance) => !this.foreignInstances.has(providerIdOf(instance)))
  }

  #live(instances: readonly FakeInstance[]): readonly LiveInstance[] {
    const byDigest = new Map<string, NodeClaim>()
    const known = new Map<string, string>()
    const ids = new Set(instances.map(providerIdOf))
    for (const claim of this.#deps.claims()) {
      const digest = this.#digestOf(claim.metadata.uid ?? '')
      byDigest.set(digest, claim)
      const providerID = claim.status?.providerID ?? ''
      if (ids.has(providerID)) known.set(providerID, digest)
    }
    const candidates = new Map(instances.map((each) => [providerIdOf(each), claimsOf(each)] as const))
    const owners = findOwners(candidates, known)
    const { clock } = this.#deps
    return instances.map((each) => {
      const providerID = providerIdOf(each)
      const digest = owners.get(providerID) ?? ''
      return {
        providerID,
        claimUid: byDigest.get(digest)?.metadata.uid ?? digest,
        isBlind: this.#blind.has(each.data.InstanceId),
        launchedAt: (each.data.LaunchTime?.getTime() ?? 0) - clock.now() + clock.monotonic(),
      }
    })
  }

  readonly #digests = new Map<string, string>()

  #digestOf(uid: string): string {
    const known = this.#digests.get(uid) ?? shortDigest(uid)
    this.#digests.set(uid, known)
    return known
  }

  #pick(from: readonly FakeInstance[], pick: number): FakeInstance | undefined {
    return from[pick % Math.max(1, from.length)]
  }

  /** Sends the EventBridge event for a change of state, regardless of the cause of the change. The event may get lost. */
  #reportTermination(id: string, endsAt: Milliseconds): void {
    const { clock, random } = this.#deps
    const changes = [
      { state: 'shutting-down', at: clock.monotonic() },
      { state: 'terminated', at: endsAt },
    ] as const
    for (const { state, at } of changes) {
      if (random.next() < LOST_EVENTS) continue
      const late = at - clock.monotonic() + EVENT_TAKES
      this.#send(stateChange(id, state, clock.now() + late), late, 1)
    }
  }

  /**
   * A standard queue delivers at least once (Amazon SQS Developer Guide), so copies may arrive long after Kerf deleted the first message.
   */
  #send(body: string, late: Milliseconds, copies: number): void {
    for (let copy = 0; copy < copies; copy++)
      this.#deps.clock.timer(late + copy * BETWEEN_COPIES, () => this.aws.sqs.send(body))
  }

  #lasts(duration: Milliseconds, over: () => void): void {
    const end = (): void => {
      if (this.#over.delete(end)) over()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }
}
