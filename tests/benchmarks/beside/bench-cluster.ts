import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KubeObject, karpenterKinds, kinds, type Milliseconds } from '@kerf/apis'
import { type ControlPlaneOptions, startControlPlane } from '@kerf/control-plane'
import { defaultKwokSettings, generatedEntries, simulatedKubelet } from '@kerf/provider-kwok'
import {
  type Clock,
  ControllerManager,
  findConnection,
  HttpKubeClient,
  isNotFound,
  type KubeClient,
  PrometheusMetrics,
  SharedInformers,
  SystemClock,
  SystemRandom,
  silentLogger,
  sleep,
} from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { allCrdFiles } from '../../../packages/cli/src/crds/crd-files.ts'
import { type AutoscalerWrites, auditFlags, writesSince } from './audit.ts'
import { Observer } from './observer.ts'
import { Timeline } from './timeline.ts'
import { type Wanted, type WorkloadChoice, wantedObjects } from './workload.ts'

/** A new cluster in which no autoscaler runs yet. */
export interface BenchCluster {
  readonly client: KubeClient
  readonly observer: Observer
  readonly timeline: Timeline
  readonly clock: Clock
  /**
   * Returns the number of the autoscaler's requests that changed objects since the given time, by verb and resource. Empty if the cluster
   * does not count requests.
   */
  writes(since: Milliseconds): AutoscalerWrites
  /** Waits until this much time has passed in the cluster. */
  pass(milliseconds: Milliseconds): Promise<void>
  close(): Promise<void>
}

/** The resources that a process has used. */
export interface Used {
  readonly cpuSeconds: number
  readonly peakMebibytes: number
}

/** A running autoscaler. */
export interface Running {
  readonly hasEnded: boolean
  used(): Promise<Used>
  stop(): Promise<void>
}

/** A real control plane, to which programs can connect. */
export interface RealCluster extends BenchCluster {
  readonly kubeconfig: string
  /** The path of the file of instance types, in the format of upstream's KWOK provider. */
  readonly catalogueFile: string
  /** Returns the path of a kubeconfig for a user of the control plane. */
  kubeconfigOf(user: string): string
}

/** The user name of every measured program. It distinguishes the program's requests from all others. */
const AUTOSCALER = 'autoscaler'

/** Creates an object. Retries, because after a CRD is stored, the API server needs some time until it serves the kind. */
const create = async (client: KubeClient, { kind, object }: Wanted, clock: SystemClock): Promise<void> => {
  for (let tries = 1; ; tries++) {
    try {
      await client.create(kind, object)
      return
    } catch (error) {
      if (!isNotFound(error) || tries === 100) throw error
      await sleep(clock, 100)
    }
  }
}

/**
 * Starts a real control plane, and installs the NodePool, the node class and Deployments without pods. Simulates the kubelets of all nodes
 * that have a provider ID of the KWOK provider, whichever program created these nodes.
 */
export const openRealCluster = async (
  choice: WorkloadChoice,
  options: ControlPlaneOptions = {},
): Promise<RealCluster> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-beside-'))
  const auditLog = join(directory, 'audit.log')
  const plane = await startControlPlane({
    ...options,
    users: [...(options.users ?? []), { name: AUTOSCALER, groups: ['system:masters'] }],
    // A caller with its own audit log counts the requests itself.
    flags: { 'kube-apiserver': auditFlags(AUTOSCALER, directory, auditLog), ...options.flags },
  })
  const clock = new SystemClock()
  const random = new SystemRandom()
  const logger = silentLogger
  const connection = findConnection({ clock, env: {}, kubeconfig: plane.kubeconfig })
  const client = new HttpKubeClient({ connection, clock, random, logger })
  const stop = new AbortController()
  const close = async (running: Promise<unknown>): Promise<void> => {
    stop.abort()
    await running.catch(() => {})
    await client.close()
    await plane.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    for (const { manifest } of allCrdFiles()) {
      const definition = manifest as unknown as KubeObject & { spec: Readonly<Record<string, unknown>> }
      await client.create(kinds.CustomResourceDefinition, definition)
    }
    const catalogueFile = join(directory, 'instance-types.json')
    writeFileSync(catalogueFile, JSON.stringify(generatedEntries()))
    for (const wanted of wantedObjects(choice)) await create(client, wanted, clock)

    const informers = new SharedInformers({ client, clock, random, logger })
    const events = new RecordingEventRecorder()
    const manager = new ControllerManager({ clock, random, logger, metrics: new PrometheusMetrics() })
    manager.add(...simulatedKubelet({ client, informers, clock, random, events, log: logger }, defaultKwokSettings))
    const observer = new Observer(informers, clock)
    const timeline = new Timeline(informers, clock)
    informers.start(stop.signal)
    await informers.of(karpenterKinds.NodeClaim).synced(stop.signal)
    const running = manager.run({ stop: stop.signal })
    return {
      client,
      observer,
      timeline,
      clock,
      writes: (since) => writesSince(auditLog, since),
      pass: (milliseconds) => sleep(clock, milliseconds),
      kubeconfig: plane.kubeconfigOf(AUTOSCALER),
      catalogueFile,
      kubeconfigOf: (user) => plane.kubeconfigOf(user),
      close: () => close(running),
    }
  } catch (error) {
    await close(Promise.resolve())
    throw error
  }
}
