import { groupVersion, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { isInsufficientCapacity, isNodeClaimNotFound } from '@kerf/provider-contract'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { NoResponseError, type Send } from '@kerf/provider-kit'
import { PrometheusMetrics, type Random, SeededRandom, VirtualClock } from '@kerf/runtime'
import type { AzureProvider } from '../azure-provider.ts'
import { assembleAzure } from '../create-azure.ts'
import { aksNodeClassKind, aksNodeClassResource } from '../node-class/aks-node-class.ts'
import { azurePermissions } from '../permissions.ts'
import { aksNodeClass } from './aks-node-class.ts'
import { azureTestSettings, CLASS, classRef } from './azure-harness.ts'
import { fakeAzureApi } from './fake-azure/connect.ts'
import { FakeAzure } from './fake-azure/fake-azure.ts'

const FINALIZER = 'karpenter.sh/termination'
const MOST_CLAIMS = 8

/** A process with those components of Kerf that launch instances. When it dies, none of its work continues. */
interface Life {
  isOver: boolean
  provider: AzureProvider
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined)

/**
 * Runs launches and deletions with many faults: lost answers, throttling, VMs that fail after they were accepted, exhausted capacity, and a
 * process that dies before or after any request. The controllers continue, like those of the next leader.
 */
export class FaultRun {
  readonly azure: FakeAzure
  readonly #harness: ProviderHarness<AzureProvider>
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #busy = new Set<string>()
  #life: Life
  #isFaulty = true
  #names = 0
  deaths = 0
  launches = 0

  private constructor(deps: {
    azure: FakeAzure
    harness: ProviderHarness<AzureProvider>
    clock: VirtualClock
    random: Random
  }) {
    this.azure = deps.azure
    this.#harness = deps.harness
    this.#clock = deps.clock
    this.#random = deps.random
    this.#life = { isOver: false, provider: deps.harness.provider }
  }

  static async create(seed: number): Promise<FaultRun> {
    const clock = new VirtualClock({ turns: 3 })
    const azure = new FakeAzure(clock)
    const random = new SeededRandom(`azure faults ${seed}`)
    const lives: { send: Send }[] = []
    const harness = await createProviderHarness({
      ...{ seed, clock, classRef, permissions: azurePermissions, startUp: 5_000 },
      nodeClasses: [aksNodeClassResource],
      prepare: async (client) => {
        await client
          .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
          .catch(() => undefined)
        await client.create(aksNodeClassKind, aksNodeClass(CLASS))
      },
      newProvider: (context) => {
        const life = { send: azure.send }
        lives.push(life)
        return assembleAzure(context, {
          api: fakeAzureApi(azure, undefined, (request, signal) => life.send(request, signal)),
          metrics: new PrometheusMetrics(),
          ...{ settings: azureTestSettings(), caBundle: 'Q0E=', namespace: 'kube-system', hasBilling: true },
        })
      },
    })
    const run = new FaultRun({ azure, harness, clock, random })
    run.#begin(lives)
    return run
  }

  stop(): void {
    this.#harness.stop()
  }

  /** Makes a random step every few seconds. */
  async play(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      await this.#act()
      await this.#core()
      await this.#clock.advance(1_000 + Math.floor(this.#random.next() * 8_000))
    }
  }

  /** Ends all faults, deletes all NodeClaims, and waits for garbage collection. */
  async calm(): Promise<void> {
    this.#isFaulty = false
    this.azure.vms.stockOuts = []
    this.azure.vms.laterFailures = []
    for (const { metadata } of await this.#claims())
      await this.#harness.client.delete(karpenterKinds.NodeClaim, { name: metadata.name })
    for (let part = 0; part < 240; part++) {
      await this.#core()
      await this.#clock.advance(10_000)
    }
  }

  async claimNames(): Promise<readonly string[]> {
    return (await this.#claims()).map(({ metadata }) => metadata.name)
  }

  #chance(of: number): boolean {
    return this.#random.next() < of
  }

  /** Starts a new process, whose requests encounter faults. */
  #begin(lives: { send: Send }[]): void {
    const provider = this.#harness.newProvider()
    const own = lives.at(-1)
    const life: Life = { isOver: false, provider }
    this.#life = life
    this.#busy.clear()
    if (own === undefined) return
    const die = (): Promise<never> => {
      life.isOver = true
      this.deaths++
      this.#clock.timer(2_000, () => this.#begin(lives))
      return never()
    }
    const lost = (): NoResponseError =>
      new NoResponseError('management.azure.com', {
        ...{ kind: 'lost', code: 'ECONNRESET', message: 'the connection broke', wasNeverSent: false },
      })
    own.send = async (request, signal) => {
      if (life.isOver) return never()
      if (!this.#isFaulty) return this.azure.send(request, signal)
      const isWrite = request.method !== 'GET' && !request.url.pathname.includes('ResourceGraph')
      if (isWrite && this.#chance(0.06)) return die()
      if (this.#chance(0.04)) throw lost()
      if (this.#chance(0.02))
        return {
          status: 429,
          headers: { 'retry-after': '5' },
          text: '{"error":{"code":"TooManyRequests","message":"slow"}}',
        }
      const answer = await this.azure.send(request, signal)
      if (isWrite && this.#chance(0.06)) return die()
      if (isWrite && this.#chance(0.04)) throw lost()
      return answer
    }
  }

  async #act(): Promise<void> {
    const die = this.#random.next()
    const { vms } = this.azure
    if (die < 0.45) return await this.#newClaim()
    if (die < 0.65) return await this.#endClaim()
    if (die < 0.72) {
      const failure = { code: 'ZonalAllocationFailed', message: 'Allocation failed.' }
      vms.laterFailures = this.#chance(0.5) ? [{ pattern: {}, failure }] : []
    } else if (die < 0.8) vms.stockOuts = this.#chance(0.5) ? [{ capacityType: 'spot' }] : []
    else if (die < 0.84) this.azure.tokens.revoke()
    else if (die < 0.88) {
      // A user deletes a VM.
      const [vm] = this.azure.resources().filter(({ type }) => type.endsWith('virtualmachines'))
      if (vm !== undefined) vms.end(vm.name)
    }
  }

  async #newClaim(): Promise<void> {
    if ((await this.#claims()).length >= MOST_CLAIMS) return
    const kind = karpenterKinds.NodeClaim
    await this.#harness.client.create(kind, {
      apiVersion: groupVersion(kind),
      kind: kind.kind,
      metadata: { name: `claim-${this.#names++}`, finalizers: [FINALIZER], labels: { [labels.nodePool]: 'default' } },
      spec: { nodeClassRef: classRef, requirements: [], resources: { requests: { cpu: '1' } } },
    })
  }

  async #endClaim(): Promise<void> {
    const claims = await this.#claims()
    const claim = claims[Math.floor(this.#random.next() * claims.length)]
    if (claim !== undefined) await this.#harness.client.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
  }

  async #claims(): Promise<readonly NodeClaim[]> {
    return (await this.#harness.client.list(karpenterKinds.NodeClaim)).items
  }

  /** Does the work of the core for each NodeClaim, one call at a time. */
  async #core(): Promise<void> {
    const life = this.#life
    if (life.isOver) return
    for (const claim of await this.#claims()) {
      const { uid = '', deletionTimestamp } = claim.metadata
      if (this.#busy.has(uid)) continue
      if (deletionTimestamp === undefined && (claim.status?.providerID ?? '') !== '') continue
      this.#busy.add(uid)
      const step = deletionTimestamp === undefined ? this.#launch(life, claim) : this.#finish(life, claim)
      void step.catch(() => undefined).finally(() => life === this.#life && this.#busy.delete(uid))
    }
  }

  async #launch(life: Life, claim: NodeClaim): Promise<void> {
    const { client } = this.#harness
    const ref = { name: claim.metadata.name }
    try {
      const { providerID, capacity, allocatable } = await life.provider.create(claim, new AbortController().signal)
      if (life.isOver) return
      this.launches++
      const body = { status: { providerID, capacity, allocatable } }
      await client.patch(karpenterKinds.NodeClaim, ref, { type: 'merge', body }, { subresource: 'status' })
    } catch (error) {
      if (!life.isOver && isInsufficientCapacity(error)) await client.delete(karpenterKinds.NodeClaim, ref)
    }
  }

  async #finish(life: Life, claim: NodeClaim): Promise<void> {
    try {
      await life.provider.delete(claim, new AbortController().signal)
    } catch (error) {
      if (life.isOver || !isNodeClaimNotFound(error)) return
      const change = { type: 'merge', body: { metadata: { finalizers: null } } } as const
      await this.#harness.client.patch(karpenterKinds.NodeClaim, { name: claim.metadata.name }, change)
    }
  }
}
