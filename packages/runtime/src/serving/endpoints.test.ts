import { createServer } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { HastyClock } from '../testing/hasty-clock.ts'
import { bindAddress, type EndpointsOptions, serveEndpoints } from './endpoints.ts'
import { HttpServer } from './http-server.ts'

const open: { close(): Promise<void> | unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const serve = async (options: Partial<EndpointsOptions> = {}) => {
  const metrics = new PrometheusMetrics()
  const logger = new RecordingLogger()
  const base = {
    clock: new HastyClock(),
    metrics,
    logger,
    metricsPort: 0,
    healthProbePort: 0,
    address: '127.0.0.1',
    ready: {},
  }
  const endpoints = await serveEndpoints({ ...base, ...options })
  open.push(endpoints)
  const get = async (port: number, path: string, method = 'GET') => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    const { headers, status } = answer
    return { status, type: headers.get('content-type'), allow: headers.get('allow'), text: await answer.text() }
  }
  return { endpoints, get, logger, metrics }
}

const occupied = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe('the endpoints', () => {
  test('serve the metrics in the Prometheus format', async () => {
    const { endpoints, get, metrics } = await serve()
    metrics.counter({ name: 'karpenter_x_total', help: 'x', labels: ['a'] }).inc({ a: 'b' })
    const answer = await get(endpoints.metrics.port, '/metrics')
    expect(answer).toMatchObject({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8' })
    expect(answer.text).toContain('karpenter_x_total{a="b"} 1')
    expect((await get(endpoints.metrics.port, '/healthz')).status).toBe(404)
    expect(await get(endpoints.metrics.port, '/metrics', 'POST')).toMatchObject({ status: 405, allow: 'GET, HEAD' })
    expect(await get(endpoints.metrics.port, '/metrics', 'HEAD')).toMatchObject({ status: 200, text: '' })
    expect(await get(endpoints.health.port, '/metrics')).toMatchObject({ status: 404, text: 'not found\n' })
    expect((await get(endpoints.metrics.port, '/debug/pprof/profile')).status).toBe(404)
  })

  test('serve JSON responses by path, and failures are logged with the endpoint and the path', async () => {
    const timeouts = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeouts.mockRestore())
    const signals: AbortSignal[] = []
    const error = new Error('broken')
    const { endpoints, get, logger } = await serve({
      answer: async (path, signal) => {
        signals.push(signal)
        if (path === '/kerf/broken') throw error
        return path === '/kerf/nodes' ? { nodes: 2 } : undefined
      },
    })
    const { port } = endpoints.metrics
    expect(await get(port, '/kerf/nodes?a=b')).toMatchObject({
      status: 200,
      type: 'application/json; charset=utf-8',
      text: '{"nodes":2}',
    })
    expect((await get(port, '/kerf/other')).status).toBe(404)
    expect(signals).toEqual(timeouts.mock.results.map(({ value }) => value))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false])
    expect(timeouts.mock.calls).toEqual([[20_000], [20_000]])
    expect((await get(port, '/kerf/broken?a')).status).toBe(500)
    expect(logger.lines.map(({ fields }) => fields)).toEqual([{ endpoint: 'metrics', path: '/kerf/broken?a', error }])
  })

  test('report whether Kerf is ready, and what it waits for', async () => {
    let waitsFor: string | undefined = 'v1/Pod is not in sync'
    const ready = {
      caches: () => waitsFor,
      crds: async () => {
        if (waitsFor !== undefined) throw new Error('cannot reach the API server')
        return undefined
      },
    }
    const { endpoints, get, logger } = await serve({ ready })
    expect(await get(endpoints.health.port, '/healthz')).toMatchObject({ status: 200, text: 'ok' })
    expect(await get(endpoints.health.port, '/readyz')).toMatchObject({
      status: 500,
      text: '[-]caches: v1/Pod is not in sync\n[-]crds: cannot reach the API server\nfailed\n',
    })
    waitsFor = undefined
    expect(await get(endpoints.health.port, '/readyz')).toMatchObject({ status: 200, text: 'ok' })
    expect((await get(endpoints.health.port, '/readyz')).type).toBe('text/plain; charset=utf-8')
    expect((await get(endpoints.health.port, '/healthz?verbose')).text).toBe('[+]ping ok\nok\n')
    expect((await get(endpoints.health.port, '/readyz?verbose')).text).toBe('[+]caches ok\n[+]crds ok\nok\n')
    expect(logger.lines).toEqual([])
  })

  test('close connections that transfer nothing for a minute, unless configured otherwise', async () => {
    const listen = vi.spyOn(HttpServer, 'listen')
    onTestFinished(() => listen.mockRestore())
    await serve()
    await serve({ limits: { silence: 5_000 } })
    expect(listen.mock.calls.map(([{ limits }]) => limits?.silence)).toEqual([60_000, 60_000, 5_000, 5_000])
  })

  test('profile the process on request', async () => {
    const { endpoints, get } = await serve({ profiling: true })
    expect(await get(endpoints.metrics.port, '/debug/pprof/heap')).toMatchObject({
      status: 200,
      type: 'application/octet-stream',
    })
    expect((await get(endpoints.metrics.port, '/debug/pprof/nothing')).status).toBe(404)
  })

  test('name the port, the address and the flag in the error if a port is in use, and leave no port open', async () => {
    const port = await occupied()
    await expect(serve({ healthProbePort: port })).rejects.toMatchObject({
      code: 'PortInUse',
      exitCode: 1,
      message: `port ${port} on 127.0.0.1 for the health endpoint is already in use; stop the other process or choose another port with --health-probe-port`,
    })
    await expect(serve({ metricsPort: port })).rejects.toThrow('--metrics-port')
    const free = await serve()
    const freed = free.endpoints.metrics.port
    await free.endpoints.close()
    await expect(serve({ metricsPort: freed, healthProbePort: port })).rejects.toMatchObject({ code: 'PortInUse' })
    expect((await serve({ metricsPort: freed })).endpoints.metrics.port).toBe(freed)
  })

  test('refuse an address of another machine with an error of one line', async () => {
    await expect(serve({ address: '192.0.2.1' })).rejects.toMatchObject({ code: 'CannotListen' })
  })

  test('listen on loopback unless in a cluster or configured otherwise', () => {
    expect(bindAddress('', {})).toBe('127.0.0.1')
    expect(bindAddress('', { KUBERNETES_SERVICE_HOST: '10.0.0.1' })).toBe('')
    expect(bindAddress('0.0.0.0', {})).toBe('0.0.0.0')
  })
})
