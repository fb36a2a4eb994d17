import { karpenterKinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { PrometheusMetrics, silentLogger, VirtualClock } from '@kerf/runtime'
import { type ControllerSettings, defaultControllerSettings } from '../deps.ts'
import { ClusterState, type StateDeps } from '../state/cluster-state.ts'
import { ManualInformers } from './manual-informers.ts'

/** A client for code that must not call the API; what is in `answers` may be called. */
export const refusingClient = (answers: Partial<KubeClient> = {}): KubeClient => {
  const refuse = (call: string) => (): never => {
    throw new Error(`unexpected call of ${call}`)
  }
  return {
    get: refuse('get'),
    list: refuse('list'),
    watch: refuse('watch'),
    create: refuse('create'),
    update: refuse('update'),
    patch: refuse('patch'),
    delete: refuse('delete'),
    evict: refuse('evict'),
    bind: refuse('bind'),
    raw: refuse('raw'),
    ...answers,
  }
}

/** Cluster state over informers that a test fills by hand. */
export const stateWorld = (options: { settings?: Partial<ControllerSettings>; client?: Partial<KubeClient> } = {}) => {
  const informers = new ManualInformers()
  const clock = new VirtualClock()
  const deps: StateDeps = {
    client: refusingClient(options.client),
    clock,
    informers,
    log: silentLogger,
    metrics: new PrometheusMetrics(),
    provider: {
      name: 'test',
      nodeClasses: [karpenterKinds.KWOKNodeClass],
      wellKnownLabels: [],
      repairPolicies: [],
      create: () => Promise.reject(new Error('not here')),
      delete: () => Promise.reject(new Error('not here')),
      get: () => Promise.reject(new Error('not here')),
      list: async () => [],
      instanceTypes: async () => [],
      isDrifted: async () => undefined,
    },
    settings: { ...defaultControllerSettings, ...options.settings },
  }
  const state = new ClusterState(deps)
  state.follow()
  return { informers, clock, deps, state }
}
