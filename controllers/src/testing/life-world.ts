import {
  apiVersionOf,
  findCondition,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Node,
  type NodeClaim,
  type NodeClaimSpec,
  nodeClassLabel,
  type Pod,
  type ResourceKind,
} from '@kerf/apis'
import { type CloudProvider, type NodeLifecycleHook, overlaidProvider } from '@kerf/provider-contract'
import { KwokProvider, type KwokSettings, loadInstanceTypes, SimulatedOutages } from '@kerf/provider-kwok'
import {
  ApiError,
  ControllerManager,
  type InformerFactory,
  type KubeClient,
  type Milliseconds,
  PrometheusMetrics,
  type Random,
  RecordingEventRecorder,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { type ApiCall, type SandboxApi, SandboxCluster } from '@kerf/sandbox'
import { type ControllerSettings, type Deps, defaultControllerSettings } from '../deps.ts'
import type { LivenessTimeouts } from '../lifecycle/liveness.ts'
import { RegistrationOutcomes } from '../lifecycle/registration-outcomes.ts'
import { lifecycleControllers } from '../lifecycle-controllers.ts'
import { conditionText, readIfThere, sumOfMetric } from './world/api-readings.ts'
import { declaredCalls } from './world/declared-calls.ts'

export const CLASS_REF = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' } as const
const CLASS_LABEL = nodeClassLabel(CLASS_REF)

export interface LifeWorldOptions {
  readonly seed?: number
  readonly kwok?: Partial<KwokSettings>
  readonly settings?: Partial<ControllerSettings>
  readonly timeouts?: Partial<LivenessTimeouts>
  readonly hooks?: readonly NodeLifecycleHook[]
  /** `nodeRegistrationDelay` of the node class. */
  readonly registrationDelay?: string
  /** What the controllers' provider is, made from the KWOK provider. */
  readonly provider?: (kwok: KwokProvider) => CloudProvider
}

/** What a fault hook may do to a call of Kerf: throw to fail it, `crash` to end the process. */
export type Fault = (call: ApiCall, when: 'before' | 'after') => ApiError | 'crash' | undefined

interface Incarnation {
  readonly stop: AbortController
  isDead: boolean
}

/**
 * A sandbox API with Kerf's lifecycle and termination over it, in virtual time. What the world does by `admin` is not
 * subject to faults; what Kerf does is.
 */
export class LifeWorld {
  readonly clock = new VirtualClock()
  readonly cluster: SandboxCluster
  readonly api: SandboxApi
  readonly admin: KubeClient
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly outages = new SimulatedOutages()
  metrics = new PrometheusMetrics()
  fault: Fault | undefined
  /** Keeps attached volumes attached, as a broken storage driver does. */
  volumesStick = false
  /** Calls of Kerf since the world began. */
  calls = 0
  readonly #random: SeededRandom
  readonly #options: LifeWorldOptions
  readonly #catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>
  #current: Incarnation | undefined

  private constructor(options: LifeWorldOptions, catalogue: Awaited<ReturnType<typeof loadInstanceTypes>>) {
    this.#options = options
    this.#catalogue = catalogue
    this.#random = new SeededRandom(options.seed ?? 1)
    // The KWOK provider plays the kubelets, so that what it does on a real API server is what is tested.
    this.cluster = new SandboxCluster({
      clock: this.clock,
      random: this.#random.fork('cluster'),
      kubelet: false,
      scheduler: false,
      events: false,
      interceptor: {
        before: (call) => {
          const isDetaching = call.verb === 'delete' && call.kind?.kind === 'VolumeAttachment'
          if (this.volumesStick && isDetaching) throw apiError(500)
        },
      },
    })
    this.api = this.cluster.api
    this.admin = this.cluster.client
  }

  static async create(options: LifeWorldOptions = {}): Promise<LifeWorld> {
    const world = new LifeWorld(options, await loadInstanceTypes())
    await installCustomResources(world.admin)
    const delay = options.registrationDelay
    await world.admin.create(karpenterKinds.KWOKNodeClass, {
      apiVersion: apiVersionOf(karpenterKinds.KWOKNodeClass),
      kind: 'KWOKNodeClass',
      metadata: { name: CLASS_REF.name },
      spec: delay === undefined ? {} : { nodeRegistrationDelay: delay },
    })
    void world.cluster.start()
    world.start()
    await world.clock.advance(100)
    return world
  }

  /** Starts a new process: nothing of the one before is remembered. */
  start(): void {
    const incarnation: Incarnation = { stop: new AbortController(), isDead: false }
    this.#current = incarnation
    const clock = this.clock
    const random = this.#random.fork(`process-${this.calls}`)
    const settings = this.#settings
    const client = declaredCalls(
      this.api.client({
        interceptor: {
          before: (call) => this.#intercept(incarnation, call, 'before'),
          after: (call) => this.#intercept(incarnation, call, 'after'),
        },
      }),
      settings,
    )
    const informers = new SharedInformers({ client, clock, random, logger: this.log })
    const { kwok, deps } = this.#parts(client, informers, random)
    const manager = new ControllerManager({ clock, random, logger: this.log, metrics: new PrometheusMetrics() })
    const { timeouts } = this.#options
    const lifecycle = { outcomes: new RegistrationOutcomes(), ...(timeouts === undefined ? {} : { timeouts }) }
    manager.add(...lifecycleControllers(deps, lifecycle), ...kwok.controllers())
    informers.start(incarnation.stop.signal)
    void manager.run({ stop: incarnation.stop.signal, abandon: incarnation.stop.signal })
  }

  get #settings(): ControllerSettings {
    return { ...defaultControllerSettings, ...this.#options.settings }
  }

  #parts(client: KubeClient, informers: InformerFactory, random: Random): { kwok: KwokProvider; deps: Deps } {
    const context = { client, informers, clock: this.clock, random, events: this.events, log: this.log }
    const kwok = new KwokProvider(context, {
      instanceTypes: this.#catalogue,
      outages: this.outages,
      settings: this.#options.kwok ?? {},
    })
    const decorated = this.#options.provider?.(kwok) ?? kwok
    const { hooks } = this.#options
    const provider =
      hooks === undefined ? decorated : { ...overlaidProvider(decorated, { apply: (_, types) => types }), hooks }
    return { kwok, deps: { ...context, provider, metrics: this.metrics, settings: this.#settings } }
  }

  /** For a controller that a test asks by hand, pass by pass, about what it put into these informers. */
  depsWith(informers: InformerFactory): Deps {
    return this.#parts(this.admin, informers, this.#random.fork('by hand')).deps
  }

  /** SIGKILL: calls under way are never answered, and nothing else happens. */
  kill(): void {
    const incarnation = this.#current
    if (incarnation === undefined) return
    incarnation.isDead = true
    incarnation.stop.abort(new Error('killed'))
    this.#current = undefined
  }

  get isRunning(): boolean {
    return this.#current !== undefined
  }

  #intercept(incarnation: Incarnation, call: ApiCall, when: 'before' | 'after'): Promise<void> | void {
    if (incarnation.isDead) return new Promise<void>(() => {})
    if (when === 'before') this.calls++
    const fault = this.fault?.(call, when)
    if (fault === undefined) return
    if (fault !== 'crash') throw fault
    this.kill()
    return new Promise<void>(() => {})
  }

  async pass(span: Milliseconds): Promise<void> {
    await this.clock.advance(span)
  }

  async claim(name = 'a', traits: ClaimTraits = {}): Promise<NodeClaim> {
    const { spec, metadata, pool } = traits
    return await this.admin.create(karpenterKinds.NodeClaim, {
      apiVersion: apiVersionOf(karpenterKinds.NodeClaim),
      kind: 'NodeClaim',
      metadata: {
        name,
        ...metadata,
        labels: { [labels.nodePool]: pool ?? 'default', [CLASS_LABEL]: CLASS_REF.name, ...metadata?.labels },
      },
      spec: {
        nodeClassRef: CLASS_REF,
        requirements: [{ key: labels.instanceType, operator: 'In', values: ['s-4x-amd64-linux'] }],
        resources: { requests: { cpu: '1' } },
        expireAfter: 'Never',
        ...spec,
      },
    })
  }

  /** The claim as stored; nothing when it is gone. */
  async readClaim(name = 'a'): Promise<NodeClaim | undefined> {
    return await this.read(karpenterKinds.NodeClaim, name)
  }

  /** Whether the claim is there, and not on its way out. */
  async isStaying(name = 'a'): Promise<boolean> {
    const claim = await this.readClaim(name)
    return claim !== undefined && claim.metadata.deletionTimestamp === undefined
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.admin.list(kinds.Node)).items
  }

  /** The one Node there is. */
  async node(): Promise<Node> {
    const [node, ...others] = await this.nodes()
    if (node === undefined || others.length > 0)
      throw new Error(`expected one node, found ${others.length + (node ? 1 : 0)}`)
    return node
  }

  async read<T extends KubeObject>(kind: ResourceKind<T>, name: string, namespace?: string): Promise<T | undefined> {
    return await readIfThere(this.admin, kind, namespace === undefined ? { name } : { name, namespace })
  }

  /** `status reason` of a condition of the claim. */
  async condition(type: string, name = 'a'): Promise<string | undefined> {
    return conditionText(await this.readClaim(name), type)
  }

  async patch<T extends KubeObject>(kind: ResourceKind<T>, object: T, body: object, subresource?: string): Promise<T> {
    const { name = '', namespace } = object.metadata
    return await this.admin.patch(
      kind,
      namespace === undefined ? { name } : { name, namespace },
      { type: 'merge', body },
      subresource === undefined ? {} : { subresource },
    )
  }

  /** A pod that runs on the node. */
  async pod(name: string, nodeName: string, traits: PodTraits = {}): Promise<Pod> {
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'default', ...traits.metadata },
      spec: {
        containers: [{ name: 'main', image: 'main' }],
        nodeName,
        terminationGracePeriodSeconds: 0,
        ...traits.spec,
      },
    }
    return await this.admin.create(kinds.Pod, pod)
  }

  async pods(): Promise<readonly string[]> {
    return (await this.admin.list(kinds.Pod)).items.map(({ metadata }) => metadata.name).sort()
  }

  async delete(kind: ResourceKind, object: KubeObject | undefined): Promise<void> {
    if (object === undefined) throw new Error('nothing to delete')
    const { name = '', namespace } = object.metadata
    await this.admin.delete(kind, namespace === undefined ? { name } : { name, namespace })
  }

  /** A claim that has become an initialised node. */
  async readyClaim(name = 'a', traits: ClaimTraits = {}): Promise<NodeClaim> {
    await this.claim(name, traits)
    await this.pass(3_000)
    const claim = await this.readClaim(name)
    if (claim === undefined || findCondition(claim, 'Initialized')?.status !== 'True') {
      throw new Error(`claim ${name} did not initialise: ${JSON.stringify(claim?.status)}`)
    }
    return claim
  }

  /** The value of a metric's series, `0` when it does not exist. */
  async metric(name: string, wanted: Readonly<Record<string, string>> = {}): Promise<number> {
    return await sumOfMetric(this.metrics, name, wanted)
  }
}

export interface ClaimTraits {
  readonly pool?: string
  readonly spec?: Partial<NodeClaimSpec>
  readonly metadata?: Partial<NodeClaim['metadata']>
}

export interface PodTraits {
  readonly metadata?: Partial<Pod['metadata']>
  readonly spec?: Partial<Pod['spec']>
}

/** A provider whose methods can be replaced one by one. */
export const plain = (provider: CloudProvider): CloudProvider =>
  overlaidProvider(provider, { apply: (_, types) => types })

export const apiError = (code: number, message = `simulated ${code}`): ApiError =>
  new ApiError({ code, reason: REASONS[code] ?? 'InternalError', message })

const REASONS: Readonly<Record<number, string>> = {
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
}
