import { type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import {
  type ControllerSettings,
  type Decision,
  defaultControllerSettings,
  Kerf,
  requiredKinds,
} from '@kerf/controllers'
import { type InstanceType, type Reason, schedule, sentenceOf } from '@kerf/engine'
import { KwokProvider } from '@kerf/provider-kwok'
import {
  ApiEventRecorder,
  type FeatureGates,
  type Logger,
  PrometheusMetrics,
  SharedInformers,
  sleep,
} from '@kerf/runtime'
import { CliError } from '../cli-error.ts'
import { hourlyPrices } from '../cluster/hourly-prices.ts'
import { allCrdFiles } from '../crds/crd-files.ts'
import { applyManifests } from '../manifests/apply-manifests.ts'
import { KindDirectory } from '../manifests/kind-directory.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { parseManifests } from '../manifests/parse-manifests.ts'
import { type Knowledge, type Observed, observeCluster } from './observe-cluster.ts'
import type { OpenCluster } from './open-cluster.ts'

export interface SessionOptions {
  readonly cluster: OpenCluster
  readonly logger: Logger
  readonly instanceTypes: readonly InstanceType[]
  readonly featureGates: FeatureGates
  /** Of this build of Kerf. */
  readonly version?: string
  /** Called for each decision, in words. */
  onDecision(line: string): void
}

/** Milliseconds from a stored definition to a served kind, at the most. */
const SERVED_WITHIN = 15_000

const podCount = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? 'pod' : 'pods'}`

const describe = (decision: Decision): string => {
  switch (decision.kind) {
    case 'launch': {
      // The provider takes any zone of this price.
      const { instanceType, capacityType } = decision.cheapest
      return `${decision.nodeClaim}: ${instanceType} ${capacityType} for ${podCount(decision.pods)}`
    }
    case 'place':
      return `capacity for ${podCount(decision.pods)} on ${decision.node}`
    case 'refuse':
      return `${decision.pod} is unschedulable: ${words(decision.reasons)}`
  }
}

const words = (reasons: readonly Reason[]): string => reasons.map(sentenceOf).join('; ')

/** Kerf with the KWOK provider at work on a cluster, and what `up` reads of both. */
export class Session {
  readonly #options: SessionOptions
  readonly #kerf: Kerf
  readonly #metrics = new PrometheusMetrics()
  readonly #informers: SharedInformers
  readonly #provider: KwokProvider
  readonly #settings: ControllerSettings
  readonly #priceOf: Knowledge['priceOf']
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: SessionOptions) {
    this.#options = options
    const { client, clock, random } = options.cluster
    const { logger } = options
    const metrics = this.#metrics
    this.#settings = { ...defaultControllerSettings, featureGates: options.featureGates }
    this.#informers = new SharedInformers({ client, clock, random, logger })
    const events = new ApiEventRecorder({ client, clock, random, logger, component: 'karpenter' })
    this.#provider = new KwokProvider(
      { client, informers: this.#informers, clock, random, events, log: logger },
      { instanceTypes: options.instanceTypes, settings: { simulateKubelet: !options.cluster.playsKubelets } },
    )
    this.#kerf = new Kerf(
      {
        client,
        informers: this.#informers,
        provider: this.#provider,
        clock,
        random,
        metrics,
        events,
        log: logger,
        settings: this.#settings,
      },
      { schedule, ...(options.version === undefined ? {} : { version: options.version }) },
    )
    this.#priceOf = hourlyPrices(options.instanceTypes, (pool, type, offering) =>
      this.#kerf.priceOf(pool, type, offering),
    )
    this.#kerf.decisions.onDecision((decision) => options.onDecision(describe(decision)))
  }

  /** Makes sure that the cluster knows our kinds: installs them where the cluster is ours, asks for them otherwise. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { client, disposable } = this.#options.cluster
    const manifests = allCrdFiles().flatMap(({ yaml, fileName }) => parseManifests(yaml, fileName))
    if (disposable) {
      await applyManifests(client, new KindDirectory(client), manifests, signal)
      await this.#served(signal)
      return
    }
    const missing = await this.#missing()
    if (missing.length > 0) {
      throw new CliError(
        `the cluster lacks the custom resources ${missing.join(', ')}; install them with: kerf crds | kubectl apply --server-side -f -`,
      )
    }
  }

  /** An API server takes some time from storing a CRD to serving its kind. */
  async #served(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.cluster
    const deadline = clock.now() + SERVED_WITHIN
    for (;;) {
      const missing = await this.#missing()
      if (missing.length === 0) return
      if (clock.now() > deadline)
        throw new CliError(
          `the API server does not serve ${missing.join(', ')} ${SERVED_WITHIN / 1000} s after the CRDs were stored`,
        )
      await sleep(clock, 100, signal)
    }
  }

  async #missing(): Promise<readonly string[]> {
    const known = new KindDirectory(this.#options.cluster.client)
    const missing: string[] = []
    for (const kind of requiredKinds({ provider: this.#provider, settings: this.#settings })) {
      if ((await known.find(`${kind.group}/${kind.version}`, kind.kind)) === undefined)
        missing.push(`${kind.plural}.${kind.group}`)
    }
    return missing
  }

  /** Starts watching and deciding. Call once, after `prepare`. */
  start(): void {
    this.#running = this.#kerf.run({ stop: this.#stop.signal })
  }

  /** Applies manifests; returns how many objects. */
  apply(manifests: readonly Manifest[], signal: AbortSignal): Promise<number> {
    const { client } = this.#options.cluster
    return applyManifests(client, new KindDirectory(client), manifests, signal)
  }

  /** Kerf's metrics in Prometheus' text format. */
  metrics(): Promise<string> {
    return this.#metrics.text()
  }

  /** What Kerf answers on its metrics port. */
  answer(path: string, signal: AbortSignal): Promise<object | undefined> {
    return this.#kerf.respond(path, signal)
  }

  /** Everything that Kerf has decided so far. */
  get decisions(): readonly Decision[] {
    return this.#kerf.decisions.all
  }

  /** The cluster as the informers know it now. */
  look(): ReturnType<typeof observeCluster> & { readonly busy: boolean } {
    const values = <T extends KubeObject>(kind: ResourceKind<T>): readonly T[] => [...this.#informers.of(kind).values()]
    const observed: Observed = {
      pods: values(kinds.Pod),
      nodes: values(kinds.Node),
      claims: values(karpenterKinds.NodeClaim),
      workloads: [...values(kinds.Deployment), ...values(kinds.StatefulSet), ...values(kinds.ReplicaSet)],
    }
    return { ...observeCluster(observed, this.#knowledge()), busy: this.#kerf.busy }
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  #knowledge(): Knowledge {
    const { decisions } = this.#kerf
    return {
      priceOf: this.#priceOf,
      whyClaim: (name) => {
        const launch = decisions.launchOf(name)
        return launch?.kind === 'launch' && launch.reasons.length > 0 ? words(launch.reasons) : undefined
      },
      whyPending: (pod) => {
        const refusal = decisions.refusalOf(pod)
        return refusal === undefined ? undefined : words(refusal.reasons)
      },
    }
  }
}
