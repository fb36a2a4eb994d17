import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const main = join(fileURLToPath(new URL('../../', import.meta.url)), 'cli/src/main.ts')
const running: { readonly child: ChildProcess; readonly ended: Promise<number | null> }[] = []

/** A `kerf` process, and the first thing it prints that matches. */
const kerf = async (args: readonly string[], ...wanted: readonly RegExp[]): Promise<readonly string[]> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
  })
  running.push({ child, ended: once(child, 'close').then(([code]): number | null => code) })
  let output = ''
  return await new Promise((resolve, reject) => {
    const note = (text: string): void => {
      output += text
      const found = wanted.map((pattern) => pattern.exec(output)?.[1])
      if (found.every((each) => each !== undefined)) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', note)
    child.stderr.setEncoding('utf8').on('data', note)
    child.on('exit', () => reject(new Error(`kerf ${args.join(' ')} ended: ${output}`)))
  })
}

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
})

test('kerf up --dashboard and kerf dashboard serve the same cluster, each behind its own token', async () => {
  const [kubeconfig = '', beside = ''] = await kerf(
    ['up', '--headless', '--dashboard'],
    /KUBECONFIG=(\S+)/,
    /Dashboard: (http:\S+)/,
  )
  const [alone = ''] = await kerf(['dashboard', '--kubeconfig', kubeconfig], /Dashboard: (http:\S+)/)
  for (const url of [beside, alone]) {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)
    const { clusters } = (await (await fetch(`${url}config`)).json()) as { clusters: readonly { name: string }[] }
    const pools = await fetch(`${url}clusters/${clusters[0]?.name}/apis/karpenter.sh/v1/nodepools`)
    expect(((await pools.json()) as { items: readonly object[] }).items).toHaveLength(1)
    const stranger = await fetch(`${new URL(url).origin}/config`)
    expect(stranger.status).toBe(404)
  }
  // The Kerf beside it answers for itself; of another cluster's the page asks through the API server.
  const metrics = await (await fetch(`${beside}controllers/kerf/metrics`)).text()
  expect(metrics).toMatch(/^karpenter_cluster_state_synced 1$/m)
  const catalogue = await (await fetch(`${beside}controllers/kerf/kerf/v1/catalogue`)).json()
  expect(catalogue).toMatchObject({ pools: { general: 0 } })
  expect((await fetch(`${alone}controllers/cluster/metrics`)).status).toBe(404)
  for (const { child, ended } of running) {
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  }
}, 900_000)
