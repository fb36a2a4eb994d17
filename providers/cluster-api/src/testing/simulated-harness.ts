import { type KubeClient, RecordingLogger, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import type { ClusterApiVersion } from '../objects/api-version.ts'
import { installClusterApi } from './simulator/definitions.ts'
import { MachineSetSimulator, type MachineSetSimulatorOptions } from './simulator/machine-set-simulator.ts'
import { clusterObject } from './simulator/management-objects.ts'

/** A management cluster that is also the workload cluster, with simulated controllers in virtual time. */
export interface SimulatedHarness {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly cluster: SandboxCluster
  readonly simulator: MachineSetSimulator
  readonly log: RecordingLogger
  stop(): void
}

/** Starts the controllers in an empty cluster with one Cluster object. */
export const startSimulatedHarness = async (
  options: Partial<MachineSetSimulatorOptions> & { readonly seed?: number; readonly version?: ClusterApiVersion } = {},
): Promise<SimulatedHarness> => {
  const clock = new VirtualClock()
  const random = new SeededRandom(options.seed ?? 1)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster') },
    ...{ kubelet: false, scheduler: false, events: false },
  })
  const { client } = cluster
  const version = options.version ?? 'v1beta2'
  await installClusterApi(client, version)
  const log = new RecordingLogger()
  const simulator = new MachineSetSimulator({
    ...{ clock, log, version, management: client, workload: client },
    random: random.fork('player'),
    ...options,
  })
  await client.create(simulator.kinds.Cluster, clusterObject(simulator.kinds))
  const stop = new AbortController()
  simulator.start(stop.signal)
  return { clock, client, cluster, simulator, log, stop: () => stop.abort(new Error('the test is over')) }
}
