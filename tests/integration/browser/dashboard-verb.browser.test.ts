import type { StartedProgram } from '@kerf/control-plane'
import { afterAll, expect, test } from 'vitest'
import { startKerf } from '../story/start-kerf.ts'
import { openContext } from './chromium.ts'
import { borrowChromium } from './shared-chromium.ts'

const running: StartedProgram[] = []

const kerf = (...args: readonly string[]): StartedProgram => {
  const program = startKerf(args)
  running.push(program)
  return program
}

afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
})

test('kerf up --dashboard and kerf dashboard serve the same cluster, each with its own token', async () => {
  const up = kerf('up', '--headless', '--dashboard')
  const kubeconfig = await up.printed(/KUBECONFIG=(\S+)/)
  const beside = await up.printed(/Dashboard: (http:\S+)/)
  const alone = await kerf('dashboard', '--kubeconfig', kubeconfig).printed(/Dashboard: (http:\S+)/)
  for (const url of [beside, alone]) {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/$/)
    const { clusters } = (await (await fetch(`${url}config`)).json()) as { clusters: readonly { name: string }[] }
    const pools = await fetch(`${url}clusters/${clusters[0]?.name}/apis/karpenter.sh/v1/nodepools`)
    expect(((await pools.json()) as { items: readonly object[] }).items).toHaveLength(1)
    const stranger = await fetch(`${new URL(url).origin}/config`)
    expect(stranger.status).toBe(404)
  }
  // Kerf runs in the process of this dashboard, which therefore asks Kerf directly. For any other cluster, the page asks Kerf through the
  // API server.
  const metrics = await (await fetch(`${beside}controllers/kerf/metrics`)).text()
  expect(metrics).toMatch(/^karpenter_cluster_state_synced 1$/m)
  const instanceTypes = await (await fetch(`${beside}controllers/kerf/kerf/v1/instance-types`)).json()
  expect(instanceTypes).toMatchObject({ pools: { general: 0 } })
  expect((await fetch(`${alone}controllers/cluster/metrics`)).status).toBe(404)
  // If there is only one cluster, the first page is Kerf's overview instead of Headlamp's list of clusters.
  const browser = await borrowChromium()
  const page = await (await openContext(browser)).newPage()
  await page.goto(beside)
  await page.waitForURL(`${beside}c/kerf/karpenter`)
  await page.getByText('Lowest possible cost', { exact: false }).first().waitFor()
  await browser.close()
  for (const { child, ended } of running) {
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0 })
  }
})
