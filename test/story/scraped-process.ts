import { kinds } from '@kerf/apis'
import { freePort } from '@kerf/control-plane'
import { openSandbox } from '../../cli/src/up/open-sandbox.ts'
import { KerfProcess } from './kerf-process.ts'
import { applyExample } from './manifests.ts'
import { httpClient, installCrds } from './story-cluster.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * What a scrape of a real `kerf run` says: it reaches a sandbox over HTTP, holds the Lease, has launched nodes for the
 * quick start's pods, and all of them run. Some families are written every few seconds: `holds` says what is waited for.
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
    const end = Date.now() + 120_000
    const isRunning = async (): Promise<boolean> => {
      const pods = (await client.list(kinds.Pod)).items
      return pods.length > 0 && pods.every(({ status }) => status?.phase === 'Running')
    }
    while (!(await isRunning())) {
      if (Date.now() > end) throw new Error(`the pods do not run after two minutes. ${kerf.output}`)
      await pause(100)
    }
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      if (!answer.ok) throw new Error(`the scrape failed with ${answer.status}`)
      const text = await answer.text()
      if (holds(text)) return text
      if (Date.now() > end) throw new Error(`the metrics are not complete after two minutes. ${kerf.output}`)
      await pause(250)
    }
  } finally {
    await kerf?.stop()
    await client.close()
    await cluster.close()
  }
}
