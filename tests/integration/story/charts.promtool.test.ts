import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@kerf/control-plane'
import { untilPasses } from '@kerf/control-plane/progress'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { charts, readRange } from '../../../packages/dashboard/plugin/src/model/charts.ts'
import { controllerCharts } from '../../../packages/dashboard/plugin/src/model/controller-charts.ts'
import { alerts, dashboardQueries } from '../monitoring/monitoring-files.ts'
import { scrapeOfProcess } from './scraped-process.ts'

const directory = mkdtempSync(join(tmpdir(), 'kerf-prometheus-'))
let target: Server
let prometheus: ChildProcess
let base = ''

beforeAll(async () => {
  const text = await scrapeOfProcess((scrape) => scrape.includes('karpenter_nodes_allocatable{'))
  target = createServer((_request, response) => response.end(text)).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const { port } = target.address() as AddressInfo
  writeFileSync(
    join(directory, 'prometheus.yml'),
    `scrape_configs: [{job_name: karpenter, scrape_interval: 1s, static_configs: [{targets: ['127.0.0.1:${port}']}]}]\n`,
  )
  const own = await freePort()
  base = `http://127.0.0.1:${own}`
  prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${own}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  )
  // Rates need at least two scrapes.
  await untilPasses(
    async () => {
      const answer = await fetch(`${base}/api/v1/query?query=count_over_time(karpenter_build_info[1m])`)
      const { data } = (await answer.json()) as { data: { result: readonly { value: readonly [number, string] }[] } }
      expect(Number(data.result[0]?.value[1])).toBeGreaterThanOrEqual(4)
    },
    { what: 'four scrapes in Prometheus' },
  )
})
afterAll(async () => {
  if (prometheus?.exitCode === null) {
    prometheus.kill('SIGTERM')
    await once(prometheus, 'exit')
  }
  target?.close()
  rmSync(directory, { recursive: true, force: true })
})

/** Charts that may have no data while the controller is idle. Their queries must be valid even then. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  'disrupted',
  'pending',
  'latency',
  // KWOK has no interruption queue, and its calls do not fail.
  'interruptions',
  'cloudErrors',
  // The rate of a total that does not grow is 0, so the quantile of the rate is not a number.
  'cloudLatency',
  'scheduling',
  'disruptionTime',
])

test.each([...charts, ...controllerCharts])(
  'Prometheus answers the chart of $id for the cluster and for a pool',
  async ({ id, by, query }) => {
    for (const selector of [{}, { nodePool: 'general' }]) {
      const now = Math.floor(Date.now() / 1000)
      const asked = new URLSearchParams({
        query: query(selector, '300s'),
        start: String(now - 30),
        end: String(now),
        step: '1',
      })
      const answer = readRange(await (await fetch(`${base}/api/v1/query_range?${asked}`)).json(), by)
      expect(answer).not.toHaveProperty('problem')
      if (MAY_BE_EMPTY.has(id) || !('lines' in answer)) continue
      expect(answer.lines.length).toBeGreaterThan(0)
      // The labels identify each line.
      expect(new Set(answer.lines.map(({ name }) => name)).size).toBe(answer.lines.length)
    }
  },
)

test.each([...dashboardQueries, ...alerts.map(({ expr }) => expr)])('Prometheus answers %s', async (query) => {
  const answer = (await (await fetch(`${base}/api/v1/query?${new URLSearchParams({ query })}`)).json()) as {
    readonly status: string
  }
  expect(answer).toMatchObject({ status: 'success' })
})

test('a query with a mistake is reported with Prometheus’ own message', async () => {
  const answer = await fetch(`${base}/api/v1/query_range?query=sum(&start=1&end=2&step=1`)
  expect(readRange(await answer.json(), [])).toEqual({ problem: expect.stringContaining('parse error') })
})
