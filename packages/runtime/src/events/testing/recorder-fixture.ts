import { type Event, kinds, type Pod } from '@kerf/apis'
import { pod as buildPod } from '@kerf/testing'
import { VirtualClock } from '../../clock/virtual-clock.ts'
import { RecordingLogger } from '../../logging/recording-logger.ts'
import { PrometheusMetrics } from '../../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../../random/seeded-random.ts'
import { FakeApi } from '../../testing/fake-api.ts'
import { ApiEventRecorder } from '../api-event-recorder.ts'
import type { RecordedEvent } from '../event-recorder.ts'

/** Creates a recorder in virtual time, and returns it with everything that it writes. */
export const fixture = (random = new SeededRandom(1)) => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  const recorder = new ApiEventRecorder({ client: api, clock, random, logger, metrics })
  const written = (): readonly Event[] => api.objects(kinds.Event)
  return { api, clock, logger, metrics, random, recorder, written }
}

export const pod = (name: string): Pod =>
  buildPod(name, { namespace: 'shop', spec: { containers: [] }, metadata: { resourceVersion: '5' } })

export const failed = (name: string, message: string, dedupeValues?: readonly string[]): RecordedEvent => ({
  object: pod(name),
  type: 'Warning',
  reason: 'FailedScheduling',
  message,
  ...(dedupeValues && { dedupeValues }),
})
