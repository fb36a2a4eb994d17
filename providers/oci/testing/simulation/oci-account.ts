import type { NodeClaim } from '@kerf/apis'
import {
  CLUSTER,
  FakeAccount,
  type FakeInstance,
  FakeOci,
  fakeStockOut,
  fakeTypes,
  registeredNode,
  VM_LAUNCH_TIMEOUT,
} from '@kerf/provider-oci/testing'
import type { Clock, KubeClient, SeededRandom } from '@kerf/runtime'
import type { CloudCall, OfferingSelector } from '@kerf/sandbox'
import type { FailedCall } from '../../../../tests/simulation/environment/cloud-faults.ts'
import { priceIn } from '../../../../tests/simulation/environment/clouds/price-in.ts'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'
import { type OciCalls, ociCalls } from './oci-calls.ts'
import type { OciFault } from './oci-fault.ts'

export interface OciAccountDeps {
  readonly clock: Clock
  readonly random: SeededRandom
  readonly client: KubeClient
  /** Called once for each instance that boots. Returns true if the instance never registers a Node. */
  readonly neverRegisters: () => boolean
  /** Stops the kubelet of a node whose instance is gone. */
  readonly silence: (nodeName: string) => void
  /** Called when an instance fails. */
  readonly interrupted: (providerID: string) => void
  /** Called when Kerf starts to terminate an instance. */
  readonly terminating: (providerID: string) => void
  /** Marks offerings as unavailable until the returned function is called. */
  readonly beginShortage: () => () => void
  /** Called for each request. Returns the fault to inject, if any. May crash the process. */
  readonly called: (call: CloudCall) => FailedCall | undefined
}

const STARTS_FOR = 8_000
const AN_HOUR = 3_600_000
const UID_TAG = 'KerfNodeClaimUid'
const POOL_TAGS = { KarpenterNodePool: 'open', KarpenterNodeClass: 'default' }

/**
 * The free-form tags of four instances that do not belong to this Kerf. Kerf launched the first for another cluster. Oracle's provider
 * launched the second, also for another cluster. Another tool tagged the third with this cluster's name. The fourth is unrelated.
 */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { ...POOL_TAGS, KerfCluster: 'another', KerfNodeClaim: 'theirs', [UID_TAG]: 'u-1' },
  POOL_TAGS,
  { KerfCluster: CLUSTER },
  { Name: 'database' },
]

const types = fakeTypes()

/** A tenancy with injected faults. It also contains instances that Kerf does not own. */
export class OciAccount {
  readonly fake: FakeOci
  readonly calls: OciCalls
  readonly kubelets: InstanceKubelets
  readonly foreignInstances: ReadonlySet<string>
  readonly #deps: OciAccountDeps
  readonly #account: FakeAccount
  /** Functions that end the active faults. */
  readonly #over = new Set<() => void>()

  constructor(deps: OciAccountDeps) {
    const { clock, random, client, neverRegisters, silence } = deps
    this.#deps = deps
    this.#account = new FakeAccount(clock, { startsFor: STARTS_FOR })
    this.fake = new FakeOci(this.#account)
    this.calls = ociCalls(this.fake, (call) => deps.called(call))
    this.foreignInstances = new Set(
      FOREIGN.map((freeformTags, index) => {
        const displayName = `foreign-${index}`
        return this.#account.put({ freeformTags, displayName }, AN_HOUR).id
      }),
    )
    this.kubelets = new InstanceKubelets({
      ...{ client, clock, random: random.fork('kubelets'), neverRegisters, silence },
      nodeOf: (id) => {
        const instance = this.#account.instances.get(id)
        return instance === undefined || instance.endsAt !== undefined
          ? undefined
          : registeredNode(this.#account, instance, 'oracle')
      },
    })
    this.#account.onLaunched = ({ id, isHostless, startsUntil }) => {
      if (isHostless) clock.timer(startsUntil - clock.monotonic(), () => this.kubelets.boot(id))
      else this.kubelets.boot(id)
    }
    this.#account.onTerminated = ({ id, details }) => {
      deps.terminating(id)
      this.kubelets.end(details.displayName, 0)
    }
  }

  /** Returns the existing instances that Kerf launched, except those of failed launches, which cost nothing. */
  billed(): readonly LiveInstance[] {
    return this.#own().map(({ id, details }) => ({
      providerID: id,
      claimUid: details.freeformTags?.[UID_TAG] ?? `none ${id}`,
    }))
  }

  /** Returns the instances that Kerf launched, except those that are being terminated. */
  running(): readonly LiveInstance[] {
    const ending = new Set(this.#own().flatMap(({ id, endsAt }) => (endsAt === undefined ? [] : [id])))
    return this.billed().filter(({ providerID }) => !ending.has(providerID))
  }

  /**
   * Reports whether a launch has failed. If `failsOver`, a launch that got no host within the launch timeout of virtual machines has also
   * failed.
   */
  hasFailedLaunch(providerID: string, failsOver: boolean): boolean {
    const instance = this.#account.instances.get(providerID)
    if (instance === undefined || instance.failure !== undefined) return true
    const age = this.#deps.clock.now() - instance.createdAt
    return failsOver && instance.isHostless && age >= VM_LAUNCH_TIMEOUT
  }

  priceOf(claim: NodeClaim): number | undefined {
    return priceIn(types, claim)
  }

  /** Returns a message for each missing instance that Kerf does not own. */
  takenFromOthers(): readonly string[] {
    const there = new Set(this.#account.instances.living().map(({ id }) => id))
    return [...this.foreignInstances].filter((id) => !there.has(id)).map((id) => `${id} is gone`)
  }

  /** Makes the offerings unavailable. Returns a function that makes them available again. */
  stockOut(selector: OfferingSelector): () => void {
    return this.#stockOut(fakeStockOut(selector, 'oracle'))
  }

  /** Removes a running instance, chosen by `pick`. */
  kill(pick: number): void {
    const instance = picked(
      this.#own().filter(({ endsAt }) => endsAt === undefined),
      pick,
    )
    if (instance === undefined) return
    this.#deps.interrupted(instance.id)
    this.#account.end(instance.id)
    this.kubelets.end(instance.details.displayName, 0)
  }

  /** Starts a fault, which ends after its duration. */
  inject(fault: OciFault): void {
    const account = this.#account
    switch (fault.kind) {
      case 'oci-call':
        this.calls.add(fault)
        return
      case 'oci-key-expired':
        this.fake.keys.clear()
        this.#lasts(fault.duration, () => this.fake.restoreKey())
        return
      case 'oci-denied':
        this.fake.denied.add(fault.operation)
        this.#lasts(fault.duration, () => this.fake.denied.delete(fault.operation))
        return
      case 'oci-subnet-full':
        account.subnets = account.subnets.map((each) => ({ ...each, free: 0 }))
        this.#lasts(fault.duration, () => {
          account.subnets = account.subnets.map((each) => ({ ...each, free: 4_000 }))
        })
        return
      case 'oci-limit':
        account.ocpuLimit = 0
        this.#lasts(fault.duration, () => {
          account.ocpuLimit = 10_000
        })
        return
      case 'oci-lists-lag':
        account.options.listLag = fault.duration
        this.#lasts(fault.duration, () => {
          account.options.listLag = 0
        })
        return
      case 'oci-late-shortage': {
        const { availabilityDomain } = fault
        account.options.startsFor = fault.after
        const end = this.#stockOut({ availabilityDomain, isAfterwards: true })
        this.#lasts(fault.duration, () => {
          account.options.startsFor = STARTS_FOR
          end()
        })
        return
      }
      case 'oci-no-hosts':
        account.hasHosts = false
        account.options.startsFor = fault.startsFor
        this.#lasts(fault.duration, () => {
          account.hasHosts = true
          account.options.startsFor = STARTS_FOR
        })
    }
  }

  /** Ends all faults. */
  recover(): void {
    for (const over of [...this.#over]) over()
    this.calls.clear()
    this.#account.stockOuts = []
  }

  #stockOut(stockOut: FakeAccount['stockOuts'][number]): () => void {
    const account = this.#account
    account.stockOuts = [...account.stockOuts, stockOut]
    return () => {
      account.stockOuts = account.stockOuts.filter((each) => each !== stockOut)
    }
  }

  /** Ends a fault after a duration. Until then, all offerings count as unavailable. */
  #lasts(duration: number, over: () => void): void {
    const endShortage = this.#deps.beginShortage()
    const end = (): void => {
      if (!this.#over.delete(end)) return
      endShortage()
      over()
    }
    this.#over.add(end)
    this.#deps.clock.timer(duration, end)
  }

  #own(): readonly FakeInstance[] {
    return this.#account.instances
      .living()
      .filter(({ id, failure }) => failure === undefined && !this.foreignInstances.has(id))
  }
}
