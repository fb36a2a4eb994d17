import { kinds } from '@kerf/apis'
import { freePort } from '@kerf/control-plane'
import { untilTrue, type Wait } from '@kerf/control-plane/progress'
import { openSandbox } from '../../../packages/cli/src/up/open-sandbox.ts'
import { clusterWait } from './cluster-state.ts'
import { KerfProcess } from './kerf-process.ts'
import { applyExample } from './manifests.ts'
import { httpClient, installCrds } from './story-cluster.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Returns the names of the series of a scrape, without their values. */
const familyNames = (text: string): string => [...text.matchAll(/^\w+(?:\{.*\})?(?= )/gm)].join('\n')

/**
 * Returns a scrape of a real `kerf run` that connects to a sandbox over HTTP, holds the Lease, and has launched nodes for the
 * quick start's pods, which all run. Some families are written only every few seconds, so it waits until `holds` returns true.
 */
export const scrapeOfProcess = async (holds: (text: string) => boolean = () => true): Promise<string> => {
  const cluster = await openSandbox({ port: 0, speed: 1, seed: 1, env: {}, progress: () => {} })
  const client = httpClient(cluster)
  const port = await freePort()
  let kerf: KerfProcess | undefined
  try {
    await installCrds(client)
    await applyExample(client, 'quickstart/nodepool.yaml', () => pause(200))
    await applyExample(client, 'quickstart/nginx.yaml', () => pause(200))
    kerf = KerfProcess.start(cluster.kubeconfig, [`--metrics-port=${port}`, '--leader-election-namespace=kube-system'])
    const wait = (what: string): Wait => clusterWait(client, what, () => kerf?.output.slice(-3_000) ?? '')
    await untilTrue(async () => {
      const pods = (await client.list(kinds.Pod)).items
      return pods.length > 0 && pods.every(({ status }) => status?.phase === 'Running')
    }, wait('every pod to run'))
    let text = ''
    const metrics: Wait = { ...wait('the metrics to be complete'), fingerprint: () => familyNames(text) }
    await untilTrue(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      if (!answer.ok) throw new Error(`the scrape failed with ${answer.status}`)
      text = await answer.text()
      return holds(text)
    }, metrics)
    return text
  } finally {
    await kerf?.stop()
    await client.close()
    await cluster.close()
  }
}
