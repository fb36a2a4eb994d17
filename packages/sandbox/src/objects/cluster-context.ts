import type { Clock, EventRecorder, InformerFactory, KubeClient, Logger, Random } from '@kerf/runtime'

/** The dependencies of every controller of the sandbox cluster. */
export interface ClusterContext {
  readonly client: KubeClient
  readonly informers: InformerFactory
  readonly clock: Clock
  readonly random: Random
  readonly events: EventRecorder
  readonly logger: Logger
}
