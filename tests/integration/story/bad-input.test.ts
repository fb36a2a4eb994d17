import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { karpenterKinds, kinds } from '@kerf/apis'
import { untilTrue } from '@kerf/control-plane/progress'
import { describeOnCluster } from '@kerf/control-plane/testing'
import { kwokNodeClassKind } from '@kerf/provider-kwok/node-class'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerNames } from '../../../packages/cli/src/providers.ts'
import { clusterWait } from './cluster-state.ts'
import { KerfProcess } from './kerf-process.ts'
import { applyExample } from './manifests.ts'
import { httpClient, installCrds } from './story-cluster.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kerf-bad-input-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
})

const kubeconfigFor = (server: string): string => {
  const file = join(directory, 'config')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'it',
    clusters: [{ name: 'it', cluster: { server } }],
    users: [{ name: 'it', user: { token: 'x' } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
  }
  writeFileSync(file, JSON.stringify(config))
  return file
}

/** Starts the server on loopback, and returns its port. */
const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the exit code and the output. The log goes to a separate file, so that only error messages are left. */
const run = async (kubeconfig: string, ...flags: readonly string[]) => {
  const kerf = KerfProcess.start(kubeconfig, ['--log-output-paths=stdout', '--log-format=json', ...flags])
  const code = await kerf.ended
  const lines = kerf.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  return { code, lines }
}

describe('kerf run reports an error in one line', () => {
  test('no API server at the address', async () => {
    const { code, lines } = await run(kubeconfigFor('http://127.0.0.1:9'), '--disable-leader-election')
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'kerf: cannot reach the API server http://127.0.0.1:9: connection refused; check that the cluster is up and that KUBECONFIG (or --kubeconfig) names the right server',
      ],
    })
  })

  test.each([
    ['--metric-port=1', /^kerf: unknown flag --metric-port; did you mean --metrics-port\?$/],
    ['--batch-idle-duration=soon', /^kerf: --batch-idle-duration: "soon" is not a duration.*$/],
    ['--provider=none', new RegExp(`^kerf: --provider: "none" is not one of ${providerNames.join(', ')}; .*$`)],
    ['extra', /^kerf: unexpected argument "extra"; see: kerf run --help$/],
  ])('wrong use: %s', async (flag, expected) => {
    const { code, lines } = await run(kubeconfigFor('http://127.0.0.1:9'), flag)
    expect(code).toBe(2)
    expect(lines).toEqual([expect.stringMatching(expected)])
  })

  test('a catalogue that cannot be read', async () => {
    const file = join(directory, 'types.json')
    writeFileSync(file, '[{"name": 7}]')
    const kubeconfig = kubeconfigFor('http://127.0.0.1:9')
    const { code, lines } = await run(kubeconfig, '--disable-leader-election', `--instance-types-file-path=${file}`)
    expect(code).not.toBe(0)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(file)
  })

  test('a signal before the first response of the API server ends the process without an error', async () => {
    const asked = Promise.withResolvers<void>()
    const silent = createServer(() => asked.resolve())
    const port = await portOf(silent)
    const kerf = KerfProcess.start(kubeconfigFor(`http://127.0.0.1:${port}`), ['--disable-leader-election'])
    try {
      await asked.promise
      expect(await kerf.stop(), kerf.output).toBe(0)
    } finally {
      await kerf.kill()
      silent.close()
    }
  })

  test('no namespace for the Lease', async () => {
    const { code, lines } = await run(kubeconfigFor('http://127.0.0.1:9'))
    expect(code).toBe(2)
    expect(lines).toEqual([
      'kerf: no namespace for the leader election lease; set --leader-election-namespace, or set --disable-leader-election if only one replica runs',
    ])
  })
})

describeOnCluster('kerf run on a cluster', (shared) => {
  test('with credentials that the cluster does not know', async () => {
    const config: unknown = JSON.parse(readFileSync(shared().kubeconfig, 'utf8'))
    const file = join(directory, 'unauthorised')
    writeFileSync(file, JSON.stringify(config).replace(/"token":"[^"]*"/, '"token":"wrong"'))
    const { code, lines } = await run(file, '--disable-leader-election')
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(
        /^kerf: the API server https:.* does not accept the credentials of context .*; log in again, .*$/,
      ),
    ])
  })

  test('without the custom resources', async () => {
    const { code, lines } = await run(shared().kubeconfig, '--disable-leader-election')
    expect({ code, lines }).toEqual({
      code: 1,
      lines: [
        'kerf: the cluster lacks the custom resources nodepools.karpenter.sh, nodeclaims.karpenter.sh, kwoknodeclasses.karpenter.kwok.sh; install them with `kerf crds | kubectl apply -f -`',
      ],
    })
  })

  test('with its port in use, with a second Kerf, and with a NodePool whose NodeClass is missing', async () => {
    const client = httpClient(shared())
    await installCrds(client)
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 200))
    const until = (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> =>
      untilTrue(isSo, clusterWait(client, what))

    const squatter = createServer()
    const port = await portOf(squatter)
    const blocked = await run(shared().kubeconfig, '--disable-leader-election', `--metrics-port=${port}`)
    squatter.close()
    expect(blocked).toEqual({
      code: 1,
      lines: [
        `kerf: port ${port} on 127.0.0.1 for the metrics endpoint is already in use; stop the other process or choose another port with --metrics-port`,
      ],
    })

    await applyExample(client, 'quickstart/nodepool.yaml', pause)
    await client.delete(kwokNodeClassKind, { name: 'default' })
    const flags = ['--leader-election-namespace=default', '--log-format=json']
    const first = KerfProcess.start(shared().kubeconfig, flags)
    const leads = (kerf: KerfProcess): boolean => kerf.output.includes('became leader')
    try {
      await until('the first to lead', () => leads(first))
      const second = KerfProcess.start(shared().kubeconfig, flags)
      try {
        const ready = async (): Promise<string> => {
          const pool = await client.get(karpenterKinds.NodePool, { name: 'general' })
          return pool.status?.conditions?.find(({ type }) => type === 'NodeClassReady')?.reason ?? ''
        }
        await until('the missing NodeClass to be told', async () => (await ready()) === 'NodeClassNotFound')
        await pause()
        expect(leads(second)).toBe(false)
        expect(await first.stop()).toBe(0)
        await until('the second to take over', () => leads(second))
        const lease = await client.get(kinds.Lease, { name: 'karpenter-leader-election', namespace: 'default' })
        expect(lease.spec.leaseTransitions).toBeGreaterThan(0)
      } finally {
        expect(await second.stop()).toBe(0)
      }
    } finally {
      await first.kill().catch(() => {})
      await client.close()
    }
  })
})
