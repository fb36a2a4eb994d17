import { groupVersion, type KubeObject, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { loadInstanceTypes, SimulatedOutages } from '@kerf/provider-kwok'
import { kwokNodeClassKind, kwokNodeClassResource } from '@kerf/provider-kwok/node-class'
import {
  type InformerFactory,
  type KubeClient,
  type PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { type ApiCall, type SandboxApi, SandboxCluster } from '@kerf/sandbox'
import { nodeClassRef } from '@kerf/testing'
import type { Deps } from '../../deps.ts'
import type { Kerf } from '../../kerf.ts'
import { installLegacyKinds } from '../../legacy/install-legacy-kinds.ts'
import type { Fault, FaultResult, HarnessOptions } from './harness-options.ts'
import { HarnessProcess } from './harness-process.ts'
import { HarnessReadings } from './harness-readings.ts'

/**
 * The test harness: Kerf's controllers with the KWOK provider and a sandbox cluster, in virtual time. `admin` is the client of the test.
 * Only calls of Kerf are counted and subject to faults.
 */
export class Harness extends HarnessReadings {
  readonly clock = new VirtualClock()
  readonly cluster: SandboxCluster
  readonly api: SandboxApi
  readonly admin: KubeClient
  readonly events = new RecordingEventRecorder()
  readonly log = new RecordingLogger()
  readonly outages = new SimulatedOutages()
  fault: Fault | undefined
  /** The total number of API calls by Kerf. */
  calls = 0
  readonly #options: HarnessOptions
  readonly #instanceTypes: Awaited<ReturnType<typeof loadInstanceTypes>>
  readonly #random: SeededRandom
  readonly #end = new AbortController()
  #processes = 0
  #process: HarnessProcess
  #names = 0

  private constructor(options: HarnessOptions, instanceTypes: Awaited<ReturnType<typeof loadInstanceTypes>>) {
    super()
    this.#options = options
    this.#instanceTypes = instanceTypes
    this.fault = options.fault
    this.#random = new SeededRandom(options.seed ?? 1)
    const isWhole = options.cluster === 'whole'
    this.cluster = new SandboxCluster({
      clock: this.clock,
      random: this.#random.fork('cluster'),
      events: false,
      scheduler: isWhole,
      ...(isWhole ? {} : { kubelet: false }),
      ...(options.clusterInterceptor === undefined ? {} : { interceptor: options.clusterInterceptor }),
    })
    this.api = this.cluster.api
    this.admin = this.cluster.client
    this.#process = this.#newProcess()
  }

  /** Creates a cluster with the custom resources and the KWOKNodeClass `default`, and starts Kerf. */
  static async create(options: HarnessOptions = {}): Promise<Harness> {
    const harness = new Harness(options, await loadInstanceTypes())
    await harness.#install()
    if ((options.cluster ?? 'api') !== 'api') void harness.cluster.start(harness.#end.signal)
    harness.#process.run()
    await harness.pass(100)
    return harness
  }

  async #install(): Promise<void> {
    await installCustomResources(this.admin, [kwokNodeClassResource])
    const { legacy } = this.#options
    if (legacy !== undefined) {
      const { admin: client, clock, log } = this
      const installing = installLegacyKinds({ client, clock, log, templates: legacy.templates }, this.#end.signal)
      await this.pass(1_000)
      await installing
    }
    const delay = this.#options.registrationDelay
    await this.admin.create(kwokNodeClassKind, {
      apiVersion: groupVersion(kwokNodeClassKind),
      kind: 'KWOKNodeClass',
      metadata: { name: nodeClassRef.name },
      spec: delay === undefined ? {} : { nodeRegistrationDelay: delay },
    })
  }

  #newProcess(): HarnessProcess {
    const { api, clock, events, log, outages } = this
    const random = this.#random.fork(`process-${this.#processes++}`)
    const surroundings = { api, clock, events, log, outages, instanceTypes: this.#instanceTypes }
    return new HarnessProcess(surroundings, this.#options, random, (call, when) => this.#meet(call, when))
  }

  #meet(call: ApiCall, when: 'before' | 'after'): Promise<void> | void {
    if (when === 'before') this.calls++
    const result = this.fault?.(call, when)
    return result instanceof Promise ? result.then((value) => this.#suffer(value)) : this.#suffer(result)
  }

  #suffer(result: FaultResult): Promise<void> | void {
    if (result === undefined) return
    if (result instanceof Error) throw result
    if (result === 'crash') this.kill()
    else this.restart()
    return new Promise<void>(() => {})
  }

  /**
   * The Kerf of the current process.
   *
   * @throws if the test chooses the controllers.
   */
  get kerf(): Kerf {
    const { kerf } = this.#process
    if (kerf === undefined) throw new Error('this harness runs only some controllers: create it without `controllers`')
    return kerf
  }

  /** The metrics of the current process or, if it was killed, of the last process. */
  get metrics(): PrometheusMetrics {
    return this.#process.metrics
  }

  get isRunning(): boolean {
    return !this.#process.isDead
  }

  /** The number of processes that were started after the first one. */
  get restarts(): number {
    return this.#processes - 1
  }

  /** Kills the process: pending calls get no response, and nothing else runs. */
  kill(): void {
    this.#process.kill()
  }

  /** Starts a new process without any state of the previous one. */
  start(): void {
    this.#process = this.#newProcess()
    this.#process.run()
  }

  restart(): void {
    this.kill()
    this.start()
  }

  /** Stops the process and the cluster. */
  stop(): void {
    this.kill()
    this.#end.abort(new Error('the test is over'))
  }

  async pass(duration: Milliseconds): Promise<void> {
    await this.clock.advance(duration)
  }

  /** Returns dependencies with these informers, for a controller that the test calls directly. */
  depsWith(informers: InformerFactory): Deps {
    return this.#process.depsWith(informers, this.#random.fork('by hand'))
  }

  /** Returns a name that this harness has not returned before: `PREFIX0`, `PREFIX1`. */
  newName(prefix: string): string {
    return `${prefix}${this.#names++}`
  }

  /** Creates an object. Ignores fields that only the API server sets. */
  async put<T extends KubeObject>(kind: ResourceKind<T>, object: NoInfer<T>): Promise<T> {
    const { resourceVersion: _, uid: __, creationTimestamp: ___, generation: ____, ...metadata } = object.metadata
    return await this.admin.create(kind, { ...object, metadata })
  }

  /** Merges the body into an object. If only a name is passed, the namespace is `default`. */
  async patch<T extends KubeObject>(
    kind: ResourceKind<T>,
    object: string | NoInfer<T>,
    body: object,
    subresource?: string,
  ): Promise<T> {
    const { name, namespace } =
      typeof object === 'string'
        ? { name: object, namespace: kind.namespaced ? 'default' : undefined }
        : object.metadata
    return await this.admin.patch(
      kind,
      namespace === undefined ? { name } : { name, namespace },
      { type: 'merge', body },
      subresource === undefined ? {} : { subresource },
    )
  }

  async delete(kind: ResourceKind, object: KubeObject | undefined): Promise<void> {
    if (object === undefined) throw new Error('nothing to delete')
    const { name, namespace } = object.metadata
    await this.admin.delete(kind, namespace === undefined ? { name } : { name, namespace })
  }
}
