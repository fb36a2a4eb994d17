import { readFileSync } from 'node:fs'
import { kinds } from '@kerf/apis'
import { freePort } from '@kerf/control-plane'
import type { KubeClient } from '@kerf/runtime'
import { type AttackedServer, rawSocketSuite } from '@kerf/runtime/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenCluster } from '../../../packages/cli/src/up/open-cluster.ts'
import { openSandbox } from '../../../packages/cli/src/up/open-sandbox.ts'
import { KerfProcess } from './kerf-process.ts'
import { bareEnvironment, startKerf } from './start-kerf.ts'
import { httpClient, installCrds } from './story-cluster.ts'

/** On request, fails in each way that would end a Node process. */
const FAULTS = `process.on('SIGUSR2', () => {
  Promise.reject(new Error('a rejection that nobody foresaw'))
  Promise.reject(undefined)
  setImmediate(() => { throw new Error('an exception that nobody foresaw') })
})`

let cluster: OpenCluster
let client: KubeClient & { close(): Promise<void> }
beforeAll(async () => {
  cluster = await openSandbox({ port: 0, speed: 1, seed: 1, env: {}, progress: () => {} })
  client = httpClient(cluster)
  await installCrds(client)
})
afterAll(async () => {
  await client.close()
  await cluster.close()
})

interface Run {
  readonly kerf: KerfProcess
  readonly metrics: number
  readonly health: number
}

const start = async (lease: string): Promise<Run> => {
  const [metrics, health] = [await freePort(), await freePort()]
  const ports = [`--metrics-port=${metrics}`, `--health-probe-port=${health}`]
  const election = ['--leader-election-namespace=kube-system', `--leader-election-name=${lease}`]
  const kerf = KerfProcess.start(cluster.kubeconfig, [...ports, ...election, '--enable-profiling'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULTS)}`,
  })
  await kerf.printed(/became leader/)
  return { kerf, metrics, health }
}

const unforeseen = (output: string): readonly string[] =>
  output.split('\n').filter((line) => line.includes('unforeseen') || line.includes('request to an endpoint failed'))

describe('a process of kerf run', () => {
  test('continues after unforeseen errors, and logs and counts them', async () => {
    const { kerf, metrics } = await start('unforeseen')
    const counted = async (): Promise<readonly string[]> => {
      const text = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
      return text.split('\n').filter((line) => line.startsWith('kerf_unforeseen_errors_total'))
    }
    expect(await counted()).toEqual([
      'kerf_unforeseen_errors_total{kind="rejection"} 0',
      'kerf_unforeseen_errors_total{kind="exception"} 0',
    ])
    kerf.signal('SIGUSR2')
    await expect
      .poll(counted)
      .toEqual(['kerf_unforeseen_errors_total{kind="rejection"} 2', 'kerf_unforeseen_errors_total{kind="exception"} 1'])
    expect(kerf.output).toContain('a rejection that nobody foresaw')
    expect(kerf.output).toContain('an exception that nobody foresaw')
    expect(await kerf.stop()).toBe(0)
  })

  test('does not reveal the token of its kubeconfig', async () => {
    const token = /token: (\S+)/.exec(readFileSync(cluster.kubeconfig, 'utf8'))?.[1] ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    const { kerf } = await start('silent')
    expect(await kerf.stop()).toBe(0)
    expect(kerf.output).toContain('"starting"')
    expect(kerf.output).not.toContain(token)
  })

  test('exits when another process takes its Lease', async () => {
    const { kerf } = await start('taken')
    const lease = { namespace: 'kube-system', name: 'taken' }
    const body = { spec: { holderIdentity: 'thief', renewTime: new Date().toISOString().replace('Z', '000Z') } }
    await client.patch(kinds.Lease, lease, { type: 'merge', body })
    expect(await kerf.ended).toBe(1)
    expect(kerf.output).toContain('lost the lease kube-system/taken to thief')
  })
})

const attackedRun = async (of: 'metrics' | 'health'): Promise<AttackedServer> => {
  const run = await start(`attacked-${of}`)
  let ended = false
  void run.kerf.ended.then(() => {
    ended = true
  })
  return {
    port: run[of],
    good: of === 'metrics' ? '/metrics' : '/healthz',
    prefixes: of === 'metrics' ? ['', '/kerf/v1/nodes'] : [''],
    faults: () => unforeseen(run.kerf.output),
    hasEnded: () => ended,
    stop: () => run.kerf.stop(),
  }
}
rawSocketSuite('the metrics port of kerf run', () => attackedRun('metrics'), false)
rawSocketSuite('the health port of kerf run', () => attackedRun('health'), false)

const attackedUp = async (): Promise<AttackedServer> => {
  const program = startKerf(['up', '--headless', '--no-dashboard'], { env: bareEnvironment() })
  const kubeconfig = readFileSync(await program.printed(/KUBECONFIG=(\S+)/), 'utf8')
  const [, port = '', token = ''] = /server: http:\/\/127\.0\.0\.1:(\d+)\/(\S+)/.exec(kubeconfig) ?? []
  const watch = 'api/v1/nodes?watch=true'
  return {
    port: Number(port),
    good: '/readyz',
    prefixes: [`/${token}`],
    upgrades: [
      { name: 'with the token', path: `/${token}/${watch}`, opens: true },
      { name: 'without the token', path: `/${watch}`, opens: false },
    ],
    faults: () => unforeseen(program.output),
    hasEnded: () => program.hasEnded,
    stop: async () => {
      program.child.kill('SIGTERM')
      await program.ended
    },
  }
}
rawSocketSuite('the API server of kerf up', attackedUp, false)
