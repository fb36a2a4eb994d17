import { type KubeObject, kinds, noVocabulary, type ResourceKind } from '@kerf/apis'
import { resetCluster } from '@kerf/control-plane'
import { untilTrue } from '@kerf/control-plane/progress'
import type { TestCluster } from '@kerf/control-plane/testing'
import { type ControllerSettings, defaultControllerSettings, Kerf, permissionOptions } from '@kerf/controllers'
import { type InstanceType, scheduleInSteps } from '@kerf/engine'
import { KwokProvider, loadInstanceTypes, simulatedKubeletSwitch } from '@kerf/provider-kwok'
import {
  ApiEventRecorder,
  type Clock,
  findConnection,
  HttpKubeClient,
  isAlreadyExists,
  type KubeClient,
  type Metrics,
  type PermissionCondition,
  PrometheusMetrics,
  type Random,
  SeededRandom,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { clusterWait } from './cluster-state.ts'
import { parseMetrics, type Sample } from './metrics-text.ts'

/** The cluster of a story: a sandbox or a real control plane. */
export interface StoryCluster {
  readonly client: KubeClient
  readonly clock: Clock
  /**
   * Runs the cluster until the condition is true. Rejects with a message that contains `what`: after `seconds` of virtual time,
   * or in real time if the cluster makes no progress.
   */
  until(what: string, isSo: () => Promise<boolean>, seconds?: number): Promise<void>
  /** Runs the cluster for a while. */
  pass(seconds: number): Promise<void>
  /** Returns the response of Kerf's metrics endpoint. */
  metrics(): Promise<readonly Sample[]>
  /** Deletes an object like `kubectl delete KIND NAME --wait=false`. */
  deleteByHand(kind: ResourceKind, name: string): Promise<void>
  /** Scales an object like `kubectl scale KIND NAME --replicas=N`. */
  scaleByHand(kind: ResourceKind, name: string, replicas: number): Promise<void>
  close(): Promise<void>
}

export interface KerfOptions {
  readonly simulateKubelet: boolean
  /** Default: the built-in one. */
  readonly catalogue?: readonly InstanceType[]
  readonly settings?: Partial<ControllerSettings>
}

/** Starts Kerf in this process. */
export const startKerf = async (
  client: KubeClient,
  clock: Clock,
  random: Random,
  options: KerfOptions,
): Promise<{ readonly kerf: Kerf; readonly metrics: Metrics; stop(): Promise<void> }> => {
  const log = silentLogger
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000, ...options.settings }
  const on: readonly PermissionCondition[] = options.simulateKubelet ? [simulatedKubeletSwitch] : []
  const own = declaredOnly(client, await processPermissions('kwok'), [...permissionOptions(settings), ...on])
  const informers = new SharedInformers({ client: own, clock, random, logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random, logger: log })
  const context = { client: own, informers, clock, random, events, log }
  const provider = new KwokProvider(context, {
    labels: noVocabulary,
    instanceTypes: options.catalogue ?? (await loadInstanceTypes()),
    settings: { simulateKubelet: options.simulateKubelet },
  })
  const metrics = new PrometheusMetrics()
  const kerf = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps })
  const stop = new AbortController()
  const running = kerf.run({ stop: stop.signal })
  return {
    kerf,
    metrics,
    stop: async () => {
      stop.abort()
      await running
      await events.close()
    },
  }
}

export const installCrds = async (client: KubeClient): Promise<void> => {
  for (const { manifest } of allCrdFiles()) {
    // A manifest is the object itself, with a looser type.
    const definition = manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> }
    await client.create(kinds.CustomResourceDefinition, definition).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error
    })
  }
}

/** Returns the sandbox with a virtual clock, so that minutes of virtual time take little real time. */
export const sandboxStory = async (
  seed = 1,
  options: Pick<KerfOptions, 'catalogue' | 'settings'> = {},
): Promise<StoryCluster> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(seed)
  const cluster = new SandboxCluster({ clock, random: random.fork('cluster') })
  const starting = cluster.start()
  await clock.advance(1_000)
  await starting
  await installCrds(cluster.client)
  const { stop, metrics } = await startKerf(cluster.api.client(), clock, random.fork('kerf'), {
    simulateKubelet: false,
    ...options,
    settings: {
      featureGates: { ...defaultControllerSettings.featureGates, StaticCapacity: true },
      ...options.settings,
    },
  })
  const step = 100
  const drive = (action: Promise<void>): Promise<void> => clock.advanceUntilDone(action, step)
  let moving: Promise<void> | undefined
  /** Parallel waits of one story share the clock: virtual time advances for all of them at once. */
  const tick = (): Promise<void> => {
    moving ??= clock.advance(step).finally(() => {
      moving = undefined
    })
    return moving
  }
  return {
    client: cluster.client,
    clock,
    pass: (seconds) => clock.advance(seconds * 1_000),
    metrics: async () => parseMetrics(await metrics.text()),
    deleteByHand: (kind, name) => cluster.client.delete(kind, { name }),
    scaleByHand: async (kind, name, replicas) => {
      const patch = { type: 'merge', body: { spec: { replicas } } } as const
      await cluster.client.patch(kind, { name }, patch, { subresource: 'scale' })
    },
    until: async (what, isSo, seconds = 120) => {
      const end = clock.monotonic() + seconds * 1_000
      while (!(await isSo())) {
        if (clock.monotonic() > end) throw new Error(`waited ${seconds} s of virtual time in vain for: ${what}`)
        await tick()
      }
    },
    close: async () => {
      await drive(stop())
      await drive(cluster.stop())
    },
  }
}

/** Returns Kerf's client for a real control plane. */
export const httpClient = (cluster: Pick<TestCluster, 'kubeconfig'>): HttpKubeClient => {
  const clock = new SystemClock()
  const connection = findConnection({ clock, env: {}, kubeconfig: cluster.kubeconfig })
  return new HttpKubeClient({ connection, clock, random: new SystemRandom(), logger: silentLogger })
}

const ask = async (cluster: TestCluster, ...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await cluster.kubectl(args)
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`)
}

const typeName = ({ plural, group }: ResourceKind): string => (group === '' ? plural : `${plural}.${group}`)

const definitionNames: ReadonlySet<string> = new Set(
  allCrdFiles().map(({ manifest }) => (manifest as unknown as KubeObject).metadata.name ?? ''),
)

/** Returns the cluster after removing the objects of the previous story, except Kerf's custom resource definitions. */
export const emptied = async (cluster: TestCluster): Promise<TestCluster> => {
  await resetCluster(cluster, definitionNames)
  return cluster
}

/**
 * Returns the real control plane. `start` starts Kerf and returns a function that stops it. `scrape` reads Kerf's metrics
 * endpoint, for stories that need metrics.
 */
export const realStory = async (
  cluster: TestCluster,
  start: (client: KubeClient) => Promise<() => Promise<void>>,
  scrape: () => Promise<string> = () => Promise.reject(new Error('this story has no metrics endpoint')),
): Promise<StoryCluster> => {
  const client = httpClient(cluster)
  await installCrds(client)
  const stop = await start(client)
  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
  return {
    client,
    pass: (seconds) => pause(seconds * 1_000),
    clock: new SystemClock(),
    metrics: async () => parseMetrics(await scrape()),
    deleteByHand: (kind, name) => ask(cluster, 'delete', typeName(kind), name, '--wait=false'),
    scaleByHand: (kind, name, replicas) => ask(cluster, 'scale', typeName(kind), name, `--replicas=${replicas}`),
    until: (what, isSo) => untilTrue(isSo, { ...clusterWait(client, what), everyMs: 100 }),
    close: async () => {
      await stop()
      await client.close()
    },
  }
}
