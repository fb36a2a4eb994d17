import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { BrowserContext } from 'playwright-core'
import type { Scrape } from './day-cluster.ts'

/** The series that the charts query. The history omits other series, so that it stays small. */
const SERIES =
  /^karpenter_(?:nodes_created|nodeclaims|nodepools|pods|cluster|scheduler|voluntary|nodes_allocatable|nodes_total_pod)/
const SAMPLE = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)/

/** Returns the scrapes as one OpenMetrics document, in which all samples of a series are next to each other, in order of time. */
export const toOpenMetrics = (scrapes: readonly Scrape[]): string => {
  const series = new Map<string, string[]>()
  for (const { at, text } of scrapes) {
    for (const line of text.split('\n')) {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      if (!SERIES.test(name)) continue
      const key = `${name}${labels}`
      const samples = series.get(key)
      const sample = `${key} ${value} ${(at / 1000).toFixed(3)}`
      if (samples === undefined) series.set(key, [sample])
      else samples.push(sample)
    }
  }
  return `${[...series]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, samples]) => samples)
    .join('\n')}\n# EOF\n`
}

/** A Prometheus on loopback that contains these scrapes. */
export interface History {
  readonly url: string
  close(): void
}

const READY_WITHIN = 60_000

/** Waits until the Prometheus logs the port that it has chosen, and returns its URL. */
const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      const [, address] = /Listening on.*?address="?(127\.0\.0\.1:\d+)/i.exec(log) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`prometheus ended with exit code ${code}: ${log.slice(-500)}`)))
  })

const whenReady = async (url: string): Promise<void> => {
  for (let waited = 0; waited < READY_WITHIN; waited += 250) {
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined)
    if (answer?.ok === true) return
    await setTimeout(250)
  }
  throw new Error(`prometheus is not ready after ${READY_WITHIN / 1000} s`)
}

/** Starts a Prometheus whose history consists of the scrapes. Throws if prometheus or promtool is not installed. */
export const startHistory = async (scrapes: readonly Scrape[]): Promise<History> => {
  const directory = mkdtempSync(join(tmpdir(), 'kerf-history-'))
  const file = join(directory, 'scrapes.txt')
  const blocks = join(directory, 'data')
  writeFileSync(file, toOpenMetrics(scrapes))
  writeFileSync(join(directory, 'prometheus.yaml'), 'scrape_configs: []\n')
  const made = spawnSync('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, blocks], { encoding: 'utf8' })
  if (made.status !== 0) {
    rmSync(directory, { recursive: true, force: true })
    throw new Error(`promtool cannot make a history: ${made.error?.message ?? made.stderr}`)
  }
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${blocks}`,
      '--web.listen-address=127.0.0.1:0',
      '--storage.tsdb.retention.time=30d',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const close = (): void => {
    child.kill('SIGTERM')
    child.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  }
  try {
    const url = await addressOf(child)
    await whenReady(url)
    return { url, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Forwards the pages' requests for the cluster's Prometheus to the Prometheus with the history, because the sandbox runs no Service. */
export const forwardToHistory = (context: BrowserContext, { url }: Pick<History, 'url'>): Promise<unknown> =>
  context.route(/\/services\/prometheus:9090\/proxy\//, async (route) => {
    const asked = route.request().url()
    const path = asked.slice(asked.indexOf('/proxy/') + '/proxy'.length)
    const answer = await fetch(`${url}${path}`)
    await route.fulfill({ status: answer.status, contentType: 'application/json', body: await answer.text() })
  })
