import { kinds, type NodeClaim } from '@kerf/apis'
import {
  ACCESS_KEY,
  CLUSTER,
  FakeAccount,
  FakeAlibaba,
  type FakeInstance,
  nodeName,
  onDemandPrice,
  REGION,
  registeredNode,
  spotPrice,
} from '@kerf/provider-alibaba/testing'
import type { Clock, KubeClient, SeededRandom } from '@kerf/runtime'
import type { CloudCall, OfferingSelector } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked, tolerating } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { type AlibabaCalls, alibabaCalls } from './alibaba-calls.ts'
import type { AlibabaFault } from './alibaba-fault.ts'

export interface AlibabaAccountDeps {
  readonly clock: Clock
  readonly random: SeededRandom
  readonly client: KubeClient
  /** Called once for each instance that boots. Returns true if the instance never registers a Node. */
  readonly neverRegisters: () => boolean
  /** Stops the kubelet of a node whose instance is gone. */
  readonly silence: (nodeName: string) => void
  /** Called when ECS reclaims an instance, or when an instance fails. */
  readonly interrupted: (providerID: string) => void
  /** Called when Kerf starts to release an instance. */
  readonly terminating: (providerID: string) => void
  /** Marks offerings as unavailable until the returned function is called. */
  readonly beginShortage: () => () => void
  /** Called for each request. Returns the fault to inject, if any. May crash the process. */
  readonly called: (call: CloudCall) => FailedCall | undefined
}

/** The time between the notice and the release of a spot instance. */
const NOTICE = 300_000
const STARTS_FOR = 8_000
const AN_HOUR = 3_600_000
const UID_TAG = 'karpenter.k8s.alibabacloud/nodeclaim-uid'

/**
 * The tags of four instances that do not belong to this Kerf. Karpenter launched the first for another cluster. The second is in an ACK
 * node pool of this cluster. Another tool tagged the third for this cluster. The fourth is unrelated.
 */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  {
    'kubernetes.io/cluster/c-other': 'owned',
    'ecs:ecs-cluster-id': 'c-other',
    'karpenter.sh/nodepool': 'open',
    'karpenter.k8s.alibabacloud/ecsnodeclass': 'default',
  },
  { [`kubernetes.io/cluster/${CLUSTER}`]: 'owned', 'ack.aliyun.com': CLUSTER },
  { [`kubernetes.io/cluster/${CLUSTER}`]: 'owned', 'ecs:ecs-cluster-id': CLUSTER },
  { Name: 'database' },
]

const nodeProviderId = (id: string): string => `${REGION}.${id}`

/** An account with injected faults. It also contains instances that Kerf does not own. */
export class AlibabaAccount {
  readonly fake: FakeAlibaba
  readonly calls: AlibabaCalls
  readonly kubelets: InstanceKubelets
  /** The provider IDs of instances that Kerf does not own. */
  readonly foreignInstances: ReadonlySet<string>
  readonly #deps: AlibabaAccountDeps
  readonly #account: FakeAccount
  /** Functions that end the active faults. */
  readonly #over = new Set<() => void>()

  constructor(deps: AlibabaAccountDeps) {
    const { clock, random, client, neverRegisters, silence } = deps
    this.#deps = deps
    this.#account = new FakeAccount(clock, { startsFor: STARTS_FOR })
    this.fake = new FakeAlibaba(this.#account)
    this.calls = alibabaCalls(this.fake, (call) => deps.called(call))
    const foreign = FOREIGN.map((tags) => this.#account.put({ tags }, AN_HOUR).id)
    this.foreignInstances = new Set(foreign.map(nodeProviderId))
    this.kubelets = new InstanceKubelets({
      ...{ client, clock, random: random.fork('kubelets'), neverRegisters, silence },
      nodeOf: (id) => {
        const instance = this.#account.instances.get(id)
        return instance === undefined || instance.endsAt !== undefined
          ? undefined
          : registeredNode(this.#account, instance)
      },
    })
    this.#account.onLaunched = ({ id }) => this.kubelets.boot(id)
    this.#account.onReleased = ({ id }) => {
      deps.terminating(nodeProviderId(id))
      this.kubelets.end(nodeName(id), 0)
    }
  }

  /** Returns the existing instances that Kerf launched. */
  billed(): readonly LiveInstance[] {
    return this.#own().map(({ id, tags }) => ({
      providerID: nodeProviderId(id),
      claimUid: tags[UID_TAG as keyof typeof tags] ?? `none ${id}`,
    }))
  }

  /** Returns the instances that Kerf launched, except those that are being released. */
  running(): readonly LiveInstance[] {
    const ending = new Set(this.#own().flatMap(({ id, endsAt }) => (endsAt === undefined ? [] : [nodeProviderId(id)])))
    return this.billed().filter(({ providerID }) => !ending.has(providerID))
  }

  priceOf({ metadata: { labels = {} } }: NodeClaim): number | undefined {
    const type = this.#account.types.find(
      ({ InstanceTypeId }) => InstanceTypeId === labels['node.kubernetes.io/instance-type'],
    )
    if (type === undefined) return undefined
    return labels['karpenter.sh/capacity-type'] === 'spot'
      ? spotPrice(type, labels['topology.kubernetes.io/zone'] ?? '')
      : onDemandPrice(type)
  }

  /** Returns a message for each missing instance that Kerf does not own. */
  takenFromOthers(): readonly string[] {
    const there = new Set(this.#account.instances.living().map(({ id }) => nodeProviderId(id)))
    return [...this.foreignInstances].filter((id) => !there.has(id)).map((id) => `${id} is gone`)
  }

  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void {
    const account = this.#account
    account.outOfStock = [...account.outOfStock, selector]
    return () => {
      account.outOfStock = account.outOfStock.filter((each) => each !== selector)
    }
  }

  /** Removes a running instance, chosen by `pick`. */
  kill(pick: number): void {
    this.#end(
      picked(
        this.#own().filter(({ endsAt }) => endsAt === undefined),
        pick,
      ),
    )
  }

  /** Sets the condition with which ACK announces that ECS will reclaim a spot instance. ECS releases the instance later. */
  interrupt(pick: number): void {
    const instance = picked(
      this.#own().filter(({ endsAt, isSpot }) => isSpot && endsAt === undefined),
      pick,
    )
    if (instance === undefined) return
    const { client, clock, interrupted } = this.#deps
    interrupted(nodeProviderId(instance.id))
    const ref = { name: nodeName(instance.id) }
    const expired = { type: 'InstanceExpired', status: 'True', reason: 'Recycling', message: '' }
    void tolerating(async () => {
      const { status } = await client.get(kinds.Node, ref)
      const lastTransitionTime = new Date(clock.now()).toISOString()
      const conditions = [...(status?.conditions ?? []), { ...expired, lastTransitionTime }]
      await client.patch(
        kinds.Node,
        ref,
        { type: 'merge', body: { status: { conditions } } },
        { subresource: 'status' },
      )
    })
    clock.timer(NOTICE, () => this.#end(this.#account.instances.get(instance.id)))
  }

  /** Starts a fault, which ends after its duration. */
  inject(fault: AlibabaFault): void {
    const account = this.#account
    const { beginShortage } = this.#deps
    switch (fault.kind) {
      case 'alibaba-call':
        this.calls.add(fault)
        return
      case 'keys-expired': {
        this.fake.keys.clear()
        this.#lasts(fault.duration, beginShortage(), () =>
          this.fake.keys.set(ACCESS_KEY.id, { secret: ACCESS_KEY.secret }),
        )
        return
      }
      case 'lists-empty':
        this.fake.denied.add('DescribeInstances')
        this.#lasts(fault.duration, beginShortage(), () => this.fake.denied.delete('DescribeInstances'))
        return
      case 'vswitches-full': {
        account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: 0 }))
        this.#lasts(fault.duration, beginShortage(), () => {
          account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: 250 }))
        })
        return
      }
      case 'quota-zero':
        account.quota = { 'on-demand': 0, spot: 0 }
        this.#lasts(fault.duration, beginShortage(), () => {
          account.quota = { 'on-demand': 10_000, spot: 10_000 }
        })
        return
      case 'lists-lag':
        account.options.listLag = fault.duration
        this.#lasts(fault.duration, beginShortage(), () => {
          account.options.listLag = 0
        })
    }
  }

  /** Ends all faults. */
  recover(): void {
    for (const over of [...this.#over]) over()
    this.calls.clear()
    this.#account.outOfStock = []
  }

  #end(instance: FakeInstance | undefined): void {
    if (instance === undefined) return
    this.#deps.interrupted(nodeProviderId(instance.id))
    this.#account.vanish(instance.id)
    this.kubelets.end(nodeName(instance.id), 0)
  }

  #lasts(duration: number, ...ends: readonly (() => void)[]): void {
    const end = (): void => {
      if (this.#over.delete(end)) for (const each of ends) each()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }

  #own(): readonly FakeInstance[] {
    return this.#account.instances.living().filter(({ id }) => !this.foreignInstances.has(nodeProviderId(id)))
  }
}
