import { coreVocabulary } from '@kerf/apis'
import type { CloudProvider } from '@kerf/provider-contract'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { type KubeClient, PrometheusMetrics, SeededRandom, silentLogger, VirtualClock } from '@kerf/runtime'
import { RecordingEventRecorder } from '@kerf/runtime/testing'
import { type ControllerSettings, type Deps, defaultControllerSettings } from '../../deps.ts'
import { ManualInformers } from './manual-informers.ts'
import { refusingClient } from './refusing-client.ts'

export interface ManualOptions {
  readonly settings?: Partial<ControllerSettings>
  /** The API calls that the test allows. All others fail the test. */
  readonly client?: Partial<KubeClient>
  /** The provider's methods that the test defines. By default the provider has no instances and no instance types. */
  readonly provider?: Partial<CloudProvider>
}

const emptyProvider: CloudProvider = {
  name: 'test',
  nodeClasses: [kwokNodeClassKind],
  vocabulary: coreVocabulary,
  repairPolicies: [],
  create: () => Promise.reject(new Error('not here')),
  delete: () => Promise.reject(new Error('not here')),
  get: () => Promise.reject(new Error('not here')),
  list: async () => [],
  instanceTypes: async () => [],
  isDrifted: async () => undefined,
}

/** Returns the dependencies of a controller that the test calls directly. The test fills the informers. */
export const manualDeps = (options: ManualOptions = {}) => {
  const informers = new ManualInformers()
  const clock = new VirtualClock()
  const events = new RecordingEventRecorder()
  const metrics = new PrometheusMetrics()
  const deps: Deps = {
    client: refusingClient(options.client),
    clock,
    informers,
    events,
    metrics,
    log: silentLogger,
    random: new SeededRandom(1),
    provider: { ...emptyProvider, ...options.provider },
    settings: { ...defaultControllerSettings, ...options.settings },
  }
  return { informers, clock, events, metrics, deps }
}
