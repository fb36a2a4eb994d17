import type { CustomResource } from '@kerf/apis/schema'
import type { ProviderContext } from '@kerf/provider-contract'
import {
  type Controller,
  ControllerManager,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { type Interceptor, SandboxCluster } from '@kerf/sandbox'

export interface ControllerHarnessOptions {
  /** The kinds that the API server serves in addition to those of Karpenter. */
  readonly resources: readonly CustomResource[]
  readonly controllersOf: (context: ProviderContext & { readonly clock: VirtualClock }) => readonly Controller[]
  /** Intercepts every call of the controllers to the API server. */
  readonly interceptor?: Interceptor
}

/** Creates controllers with an API server in virtual time, without a kubelet, a scheduler and Events. */
export const createControllerHarness = async ({ resources, controllersOf, interceptor }: ControllerHarnessOptions) => {
  const clock = new VirtualClock()
  const random = new SeededRandom(1)
  const cluster = new SandboxCluster({
    ...{ clock, random: random.fork('cluster') },
    ...{ kubelet: false, scheduler: false, events: false },
  })
  const { client } = cluster
  await installCustomResources(client, resources)
  const own = cluster.api.client(interceptor === undefined ? {} : { interceptor })
  const [events, log] = [new RecordingEventRecorder(), new RecordingLogger()]
  const informers = new SharedInformers({ client: own, clock, random, logger: log })
  const controllers = controllersOf({ client: own, informers, clock, random, events, log })
  const manager = new ControllerManager({ clock, random, logger: log, metrics: new PrometheusMetrics() })
  manager.add(...controllers)
  const stop = new AbortController()
  return {
    ...{ clock, client, events, log },
    /** Starts the controllers. */
    start: async (): Promise<void> => {
      void cluster.start(stop.signal)
      informers.start(stop.signal)
      void manager.run({ stop: stop.signal, abandon: stop.signal })
      await clock.advance(500)
    },
    stop: () => stop.abort(new Error('the test is over')),
  }
}
