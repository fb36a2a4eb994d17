import {
  isConditionTrue,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type ProviderVocabulary,
  READY,
  type ResourceKind,
} from '@kerf/apis'
import {
  type ControllerSettings,
  consolidatable,
  type Decision,
  defaultControllerSettings,
  Kerf,
  requiredKinds,
} from '@kerf/controllers'
import { type InstanceType, type Reason, reasonSentence, scheduleInSteps } from '@kerf/engine'
import { CliError } from '@kerf/provider-kit/command-line'
import { KwokProvider, type StandIn } from '@kerf/provider-kwok'
import { ApiEventRecorder, type FeatureGates, type Logger, PrometheusMetrics, SharedInformers } from '@kerf/runtime'
import { hourlyPrices } from '../cluster/hourly-prices.ts'
import { allCrdManifests } from '../crds/crd-files.ts'
import { applyManifests } from '../manifests/apply-manifests.ts'
import { KindDirectory } from '../manifests/kind-directory.ts'
import type { Manifest } from '../manifests/manifest.ts'
import { nodeGroupLabels } from '../node-group-labels.ts'
import { type Knowledge, type Observed, observeCluster } from './observe-cluster.ts'
import type { OpenCluster } from './open-cluster.ts'

export interface SessionOptions {
  readonly cluster: OpenCluster
  readonly logger: Logger
  readonly instanceTypes: readonly InstanceType[]
  /** Labels that the session supports in addition to KWOK's labels. */
  readonly labels: ProviderVocabulary
  readonly featureGates: FeatureGates
  /** Node classes of other providers, whose instances this session simulates. */
  readonly standIns?: readonly StandIn[]
  /** The version of this build of Kerf. */
  readonly version?: string
  /** Called with one sentence for each decision. */
  onDecision(line: string): void
}

const podCount = ({ length }: readonly unknown[]): string => `${length} ${length === 1 ? 'pod' : 'pods'}`

const describe = (decision: Decision, obstacles: () => readonly string[]): string => {
  switch (decision.kind) {
    case 'launch': {
      // The text contains no zone, because the provider may use any zone with this price.
      const { instanceType, capacityType } = decision.cheapest
      return `${decision.nodeClaim}: ${instanceType} ${capacityType} for ${podCount(decision.pods)}`
    }
    case 'place':
      return `capacity for ${podCount(decision.pods)} on ${decision.node}`
    case 'refuse':
      return `${decision.pod} is unschedulable: ${refusal(decision.reasons, obstacles)}`
  }
}

/** Returns why a pod was refused. If no NodePool can launch nodes, the text also explains why. */
const refusal = (reasons: readonly Reason[], obstacles: () => readonly string[]): string =>
  [words(reasons), ...(reasons.some(({ code }) => code === 'nodepool.none') ? obstacles() : [])].join('; ')

const words = (reasons: readonly Reason[]): string => reasons.map(reasonSentence).join('; ')

/** Runs Kerf with the KWOK provider in a cluster, and reads the state of both for the screen. */
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
      {
        instanceTypes: options.instanceTypes,
        labels: options.labels,
        settings: { simulateKubelet: !options.cluster.playsKubelets },
        standIns: options.standIns ?? [],
      },
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
        nodeGroupLabels,
      },
      { schedule: scheduleInSteps, ...(options.version === undefined ? {} : { version: options.version }) },
    )
    this.#priceOf = hourlyPrices(options.instanceTypes, (pool, type, offering) =>
      this.#kerf.priceOf(pool, type, offering),
    )
    this.#kerf.decisions.onDecision((decision) => options.onDecision(describe(decision, () => this.#obstacles())))
  }

  /**
   * Ensures that the cluster serves Kerf's kinds. Installs the CRDs in a disposable cluster; in other clusters, throws CliError if CRDs
   * are missing.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    const { disposable } = this.#options.cluster
    const manifests = allCrdManifests()
    if (disposable) {
      await this.apply(manifests, signal)
      return
    }
    const missing = await this.#missing()
    if (missing.length > 0) {
      throw new CliError(
        `the cluster lacks the custom resources ${missing.join(', ')}; install them with: kerf crds | kubectl apply --server-side -f -`,
      )
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

  /** Starts the watches and the controllers. Call once, after `prepare`. */
  start(): void {
    this.#running = this.#kerf.run({ stop: this.#stop.signal })
  }

  /**
   * Applies manifests and returns the number of objects. Calls `leftOut` for each object that the cluster refuses and that no plan needs.
   */
  apply(manifests: readonly Manifest[], signal: AbortSignal, leftOut?: (line: string) => void): Promise<number> {
    const { client, clock } = this.#options.cluster
    return applyManifests({ client, clock, kinds: new KindDirectory(client) }, manifests, signal, leftOut)
  }

  /** Returns the names in the list for which the cluster has no namespace. */
  async missingNamespaces(names: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    if (names.length === 0) return []
    const { items } = await this.#options.cluster.client.list(kinds.Namespace, { signal })
    const there = new Set(items.map(({ metadata }) => metadata.name))
    return names.filter((name) => !there.has(name))
  }

  /** Returns Kerf's metrics in the Prometheus text format. */
  metrics(): Promise<string> {
    return this.#metrics.text()
  }

  /** Returns the response of Kerf's metrics port for this path. */
  answer(path: string, signal: AbortSignal): Promise<object | undefined> {
    return this.#kerf.respond(path, signal)
  }

  /** All decisions that Kerf has made so far. */
  get decisions(): readonly Decision[] {
    return this.#kerf.decisions.all
  }

  /** Returns the view of the cluster according to the informers. */
  look(): ReturnType<typeof observeCluster> {
    const values = <T extends KubeObject>(kind: ResourceKind<T>): readonly T[] => [...this.#informers.of(kind).values()]
    const observed: Observed = {
      pods: values(kinds.Pod),
      nodes: values(kinds.Node),
      claims: values(karpenterKinds.NodeClaim),
      workloads: [...values(kinds.Deployment), ...values(kinds.StatefulSet), ...values(kinds.ReplicaSet)],
    }
    return observeCluster(observed, this.#knowledge())
  }

  /**
   * Returns in how many milliseconds Kerf may consolidate nodes, if nothing else changes:
   * - if consolidateAfter has not passed for all nodes: the longest remaining time; times after `horizon` are ignored
   * - otherwise, while Kerf still searches for nodes to disrupt: 0
   * - after a search without a result: undefined
   */
  async consolidatesWithin(horizon: Milliseconds, signal: AbortSignal): Promise<Milliseconds | undefined> {
    const now = this.#options.cluster.clock.now()
    const pools = this.#informers.of(karpenterKinds.NodePool)
    const waits = [...this.#informers.of(karpenterKinds.NodeClaim).values()].flatMap((claim) => {
      const pool = pools.get(claim.metadata.labels?.[labels.nodePool] ?? '')
      const { after } = pool === undefined ? {} : consolidatable(claim, pool, now)
      return after === undefined || after > horizon ? [] : [after]
    })
    if (waits.length > 0) return Math.max(...waits)
    return (await this.#kerf.disruption.isIdle(signal)) ? undefined : 0
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** Returns why NodePools are not ready, according to their conditions. */
  #obstacles(): readonly string[] {
    return [...this.#informers.of(karpenterKinds.NodePool).values()].flatMap((pool) => {
      const causes = (pool.status?.conditions ?? []).filter(({ type, status }) => type !== READY && status === 'False')
      if (isConditionTrue(pool, READY) || causes.length === 0) return []
      return [
        `NodePool ${pool.metadata.name} is not ready: ${causes.map(({ message, reason }) => message || reason).join(', ')}`,
      ]
    })
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
        const refused = decisions.refusalOf(pod)
        return refused === undefined ? undefined : refusal(refused.reasons, () => this.#obstacles())
      },
    }
  }
}
