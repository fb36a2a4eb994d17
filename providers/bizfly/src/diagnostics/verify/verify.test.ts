import { UsageError } from '@kerf/provider-kit/command-line'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { bizflyNodeClassKind, bizflyNodeClassResource } from '../../node-class/bizfly-node-class.ts'
import { bizflyNodeClassDescriptor } from '../../node-class/node-class-descriptor.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { CLUSTER } from '../../testing/fake-bizfly/names.ts'
import { runVerify, type VerifyOptions } from './run-verify.ts'

const verified = async () => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  await installCustomResources(client, [bizflyNodeClassResource])
  await client.create(bizflyNodeClassKind, bizflyNodeClassDescriptor.example)
  const { account, cloud, api } = fakeApi(clock)
  const run = async (output: VerifyOptions['output'] = 'table', withCluster = true) => {
    let text = ''
    const code = await runVerify(
      { output },
      { stdout: { write: (part) => (text += part) }, env: { BKE_CLUSTER_ID: CLUSTER } },
      {
        ...{ clock, client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: () => ({ api }),
      },
    )
    return { code, text }
  }
  return { account, cloud, client, run }
}

test('a complete account passes, and nothing is changed', async () => {
  const { account, cloud, run } = await verified()
  const { code, text } = await run()
  expect([code, text]).toEqual([
    0,
    expect.stringContaining('6 passed, 0 warnings, 0 failed, 1 skipped; nothing was changed'),
  ])
  expect(text).toContain('ubuntu: image-1.36.1, flatcar: image-1.36.9-flatcar')
  expect([account.servers.size, cloud.problems]).toEqual([0, []])
})

test('refused credentials are reported with the remedy, and nothing else is checked', async () => {
  const { cloud, run } = await verified()
  cloud.password = 'another'
  const { code, text } = await run('json')
  const { checks } = JSON.parse(text)
  expect([code, checks.length]).toEqual([1, 2])
  expect(checks[0].remedy).toContain('correct BIZFLY_CLOUD_EMAIL and BIZFLY_CLOUD_PASSWORD')
})

test('each problem of a class is reported with its condition', async () => {
  const { account, cloud, run } = await verified()
  account.versions = []
  cloud.denied.add('networks')
  const { code, text } = await run('json')
  const failed = JSON.parse(text).checks.filter(({ outcome }: { readonly outcome: string }) => outcome === 'failed')
  expect([code, failed.map(({ check }: { readonly check: string }) => check)]).toEqual([
    3,
    ['NetworksReady would be True', 'ImagesReady would be True'],
  ])
})

test('without a cluster, the checks of the cluster are skipped', async () => {
  const { run } = await verified()
  const { code, text } = await run('table', false)
  expect([code, text]).toEqual([0, expect.stringContaining('2 passed, 0 warnings, 0 failed, 3 skipped')])
})

test('a connection that cannot be made is a usage error', async () => {
  const connect = () => {
    throw new Error('BKE_CLUSTER_ID is not set')
  }
  const streams = { stdout: { write: () => undefined }, env: {} }
  const signal = new AbortController().signal
  await expect(
    runVerify({ output: 'json' }, streams, { clock: new VirtualClock(), client: undefined, signal, connect }),
  ).rejects.toThrow(UsageError)
})
