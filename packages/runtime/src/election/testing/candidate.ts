import { kinds } from '@kerf/apis'
import { type Clock, sleep } from '../../clock/clock.ts'
import { RecordingLogger } from '../../logging/recording-logger.ts'
import { PrometheusMetrics } from '../../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../../random/seeded-random.ts'
import type { FakeApi } from '../../testing/fake-api.ts'
import { RecordingEventRecorder } from '../../testing/recording-event-recorder.ts'
import { LeaderElector, type LeaderElectorOptions } from '../leader-elector.ts'

export const lease = { namespace: 'kube-system', name: 'karpenter-leader-election' }

/** Returns a candidate for leader election that is not started yet, and everything that it logs, measures and publishes. */
export const candidate = (
  identity: string,
  api: LeaderElectorOptions['client'],
  clock: Clock,
  { isHeard = true, ...options }: Partial<LeaderElectorOptions> & { readonly isHeard?: boolean } = {},
) => {
  const logger = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  const events = new RecordingEventRecorder()
  const random = new SeededRandom(identity)
  const stop = new AbortController()
  const state = { leads: false, lost: false, error: undefined as unknown, ended: false }
  const elector = new LeaderElector({
    client: api,
    clock,
    random,
    logger,
    metrics,
    ...(isHeard && { events }),
    lease,
    identity,
    ...options,
  })
  const start = (drain = 0): void => {
    void elector
      .run(stop.signal, async (lost) => {
        state.leads = true
        lost.addEventListener('abort', () => {
          state.leads = false
          state.lost = true
        })
        await new Promise<void>((resolve) => {
          for (const signal of [lost, stop.signal]) signal.addEventListener('abort', () => resolve())
        })
        if (drain > 0 && !lost.aborted) await sleep(clock, drain)
        state.leads = false
      })
      .catch((error: unknown) => {
        state.error = error
      })
      .finally(() => {
        state.ended = true
      })
  }
  return { events, identity, logger, metrics, random, start, state, stop }
}

export const holder = (api: FakeApi): string | undefined => api.objects(kinds.Lease)[0]?.spec.holderIdentity
