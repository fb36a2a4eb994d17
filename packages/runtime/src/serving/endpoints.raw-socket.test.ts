import { SystemClock } from '../clock/system-clock.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { type AttackedServer, rawSocketSuite } from '../testing/raw-socket-suite.ts'
import { serveEndpoints } from './endpoints.ts'
import type { HttpLimits } from './http-server.ts'

const attacked = async (of: 'metrics' | 'health', limits: Partial<HttpLimits> = {}): Promise<AttackedServer> => {
  const logger = new RecordingLogger()
  const endpoints = await serveEndpoints({
    clock: new SystemClock(),
    metrics: new PrometheusMetrics(),
    logger,
    metricsPort: 0,
    healthProbePort: 0,
    address: '127.0.0.1',
    ready: {},
    profiling: true,
    answer: async (path) => (path.startsWith('/kerf/') ? { path: decodeURIComponent(path) } : undefined),
    limits,
  })
  const server = endpoints[of]
  return {
    port: server.port,
    good: of === 'metrics' ? '/metrics' : '/healthz',
    prefixes: ['', of === 'metrics' ? '/debug/pprof' : '/readyz'],
    connections: () => server.connections(),
    faults: () => logger.messages('error'),
    stop: () => endpoints.close(),
  }
}

rawSocketSuite('the metrics endpoint', (limits) => attacked('metrics', limits))
rawSocketSuite('the health endpoint', (limits) => attacked('health', limits))
