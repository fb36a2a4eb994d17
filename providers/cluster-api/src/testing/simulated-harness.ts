import { type KubeClient, RecordingLogger, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import type { ClusterApiVersion } from '../objects/api-version.ts'
import { installClusterApi } from './player/definitions.ts'
import { MachineSetPlayer, type MachineSetPlayerOptions } from './player/machine-set-player.ts'
import { clusterObject } from './player/management-objects.ts'

/** A management cluster that is also the workload cluster, with simulated controllers in virtual time. */
export interface PlayedBed {
  readonly clock: VirtualClock
  readonly client: KubeClient
  readonly cluster: SandboxCluster
  readonly player: MachineSetPlayer
  readonly log: RecordingLogger
  stop(): void
}

/** Starts the controllers in an empty cluster with one Cluster object. */
export const startPlayedBed = async (
  options: Partial<MachineSetPlayerOptions> & { readonly seed?: number; readonly version?: ClusterApiVersion } = {},
): Promise<PlayedBed> => {
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
  const player = new MachineSetPlayer({
    ...{ clock, log, version, management: client, workload: client },
    random: random.fork('player'),
    ...options,
  })
  await client.create(player.kinds.Cluster, clusterObject(player.kinds))
  const stop = new AbortController()
  player.start(stop.signal)
  return { clock, client, cluster, player, log, stop: () => stop.abort(new Error('the test is over')) }
}
