import type { NodeClaim } from '@kerf/apis'
import { FakeGcp, GcpPrices, gceNode, instanceRequest } from '@kerf/provider-gcp/testing'
import type { Clock, KubeClient, SeededRandom } from '@kerf/runtime'
import type { OfferingSelector } from '@kerf/sandbox'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { type CallWatcher, GcpCalls } from './gcp-calls.ts'
import type { GcpFault } from './gcp-fault.ts'
import { makeProviderId } from './names.ts'

export interface GcpAccountDeps extends CallWatcher {
  readonly clock: Clock
  readonly random: SeededRandom
  readonly client: KubeClient
  /** Called once for each instance that boots. Returns true if the instance never registers a Node. */
  readonly neverRegisters: () => boolean
  /** Stops the kubelet of a node whose instance is gone. */
  readonly silence: (nodeName: string) => void
  /** Called when an instance is deleted by someone other than Kerf. */
  readonly interrupted: (providerID: string) => void
  /** Marks offerings as unavailable until the returned function is called. */
  readonly beginShortage: () => () => void
}

type Instance = ReturnType<FakeGcp['instances']['all']>[number]

const SECOND = 1_000
const AN_HOUR = 3_600_000
const REGION = 'us-central1'

/** Instances that Kerf does not own: one belongs to a cluster of the same name in another region, and one was created by hand. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'karpenter-other-x7k2p': {
    'karpenter-sh-nodepool': 'open',
    'karpenter-k8s-gcp-gcenodeclass': 'default',
    'goog-k8s-cluster-name': 'demo',
    'goog-k8s-cluster-location': 'europe-west1',
  },
  jumpbox: {},
}

/** A project with injected faults. It also contains instances that Kerf does not own. */
export class GcpAccount {
  readonly gcp: FakeGcp
  readonly calls: GcpCalls
  readonly kubelets: InstanceKubelets
  /** The provider IDs of instances that Kerf does not own. */
  readonly foreignInstances: ReadonlySet<string>
  readonly #deps: GcpAccountDeps
  readonly #prices: GcpPrices
  /** The names of instances that have booted. */
  readonly #booted = new Set<string>()
  /** Functions that end the active faults. */
  readonly #over = new Set<() => void>()
  #token = 0

  constructor(deps: GcpAccountDeps) {
    const { clock, random, client, neverRegisters, silence } = deps
    this.#deps = deps
    this.#prices = new GcpPrices({ clock, region: REGION })
    this.gcp = new FakeGcp(clock)
    this.calls = new GcpCalls(this.gcp, deps)
    const zone = `${REGION}-a`
    for (const [name, labels] of Object.entries(FOREIGN))
      this.gcp.instances.plant(zone, instanceRequest(name, zone, { labels }), AN_HOUR)
    this.foreignInstances = new Set(Object.keys(FOREIGN).map((name) => makeProviderId({ zone, name })))
    this.kubelets = new InstanceKubelets({
      ...{ client, clock, random: random.fork('kubelets'), neverRegisters, silence },
      nodeOf: (name) => this.#nodeOf(name),
    })
  }

  /** Boots running instances and stops the kubelets of instances that no longer run, once now and then every second. */
  start(): void {
    const running = new Set(this.#own().flatMap(({ body, status }) => (status === 'RUNNING' ? [body.name] : [])))
    for (const name of running)
      if (!this.#booted.has(name)) {
        this.#booted.add(name)
        this.kubelets.boot(name)
      }
    for (const name of this.#booted)
      if (!running.has(name)) {
        this.#booted.delete(name)
        this.kubelets.end(name, 0)
      }
    this.#deps.clock.timer(SECOND, () => this.start())
  }

  /** Returns the existing instances that Kerf created. */
  billed(): readonly LiveInstance[] {
    return this.#own().map((instance) => this.#live(instance))
  }

  /** Returns the instances that Kerf created, except those that are being deleted. */
  running(): readonly LiveInstance[] {
    return this.#own()
      .filter(({ status }) => status !== 'STOPPING' && status !== 'TERMINATED')
      .map((instance) => this.#live(instance))
  }

  /** Returns a message for each deleted resource that Kerf does not own. */
  takenFromOthers(): readonly string[] {
    const there = new Set(this.gcp.instances.all().map(({ zone, body }) => makeProviderId({ zone, name: body.name })))
    return [...this.foreignInstances].filter((id) => !there.has(id)).map((id) => `${id} is gone`)
  }

  /** Returns the price of the offering with which a NodeClaim was launched. */
  priceOf({ metadata: { labels = {} } }: NodeClaim): number | undefined {
    const { 'node.kubernetes.io/instance-type': type = '', 'topology.kubernetes.io/zone': zone = '' } = labels
    return labels['karpenter.sh/capacity-type'] === 'spot' ? this.#prices.spot(type, zone) : this.#prices.onDemand(type)
  }

  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(
    offerings: OfferingSelector,
    code: Extract<GcpFault, { kind: 'insert-fails-later' }>['code'] = 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
  ): () => void {
    const { instances } = this.gcp
    const failure = { code, offerings }
    instances.failures.push(failure)
    return () => {
      instances.failures = instances.failures.filter((each) => each !== failure)
    }
  }

  /** Removes a running instance, chosen by `pick`. */
  kill(pick: number): void {
    this.#end(picked(this.#running(), pick))
  }

  /** Preempts a spot instance, chosen by `pick`. */
  preempt(pick: number): void {
    const instance = picked(
      this.#running().filter(({ body }) => body.scheduling?.provisioningModel === 'SPOT'),
      pick,
    )
    if (instance === undefined) return
    this.#deps.interrupted(makeProviderId({ zone: instance.zone, name: instance.body.name }))
    this.gcp.instances.preempt(instance.zone, instance.body.name)
  }

  /** Starts a fault of Google Cloud, which ends after its duration. */
  inject(fault: GcpFault): void {
    const { gcp } = this
    const { beginShortage } = this.#deps
    switch (fault.kind) {
      case 'gcp-call':
        this.calls.add(fault)
        return
      case 'insert-fails-later':
        this.#lasts(fault.duration, beginShortage(), this.stockOut(fault.selector, fault.code))
        return
      case 'tokens-revoked':
        this.#renewTokens()
        return
      case 'identity-gone':
        gcp.tokens.clear()
        this.#lasts(fault.duration, beginShortage(), () => this.#renewTokens())
        return
      case 'slow': {
        const { durations } = gcp.instances
        gcp.instances.durations = { ...durations, insert: 90_000, listLag: 20_000 }
        this.#lasts(fault.duration, beginShortage(), () => {
          gcp.instances.durations = durations
        })
        return
      }
      case 'instance-deleted':
        // A NodeClaim may be waiting for this instance, so the loss counts as a short shortage.
        beginShortage()()
        this.#end(picked(this.#own(), fault.pick))
    }
  }

  /** Ends all faults. */
  recover(): void {
    for (const over of [...this.#over]) over()
    this.calls.clear()
    this.gcp.instances.failures = []
  }

  #renewTokens(): void {
    this.gcp.tokens.clear()
    this.gcp.tokens.add(`token-${++this.#token}`)
  }

  #end(instance: Instance | undefined): void {
    if (instance === undefined) return
    const { zone, body } = instance
    this.#deps.interrupted(makeProviderId({ zone, name: body.name }))
    this.gcp.instances.vanish(zone, body.name)
  }

  #lasts(duration: number, ...ends: readonly (() => void)[]): void {
    const end = (): void => {
      if (this.#over.delete(end)) for (const each of ends) each()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }

  #own(): readonly Instance[] {
    return this.gcp.instances
      .all()
      .filter(({ zone, body }) => !this.foreignInstances.has(makeProviderId({ zone, name: body.name })))
  }

  #running(): readonly Instance[] {
    return this.#own().filter(({ status }) => status === 'RUNNING')
  }

  #live({ zone, body }: Instance): LiveInstance {
    return { providerID: makeProviderId({ zone, name: body.name }), claimUid: this.calls.ownerOf(body.name) }
  }

  #nodeOf(name: string) {
    const instance = this.#running().find(({ body }) => body.name === name)
    return instance && gceNode(instance)
  }
}
