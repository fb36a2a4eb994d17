import { UsageError } from '@kerf/provider-kit/command-line'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { writingActions } from '../../api/action-routes.ts'
import { clusterTag } from '../../names.ts'
import { ecsNodeClassKind, ecsNodeClassResource } from '../../node-class/ecs-node-class.ts'
import { ecsNodeClassDescriptor } from '../../node-class/node-class-descriptor.ts'
import { CLUSTER, JOIN_TOKEN, REGION } from '../../testing/fake-alibaba/names.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import type { AccountFinding } from './finding.ts'
import { runVerify, type VerifyOptions } from './run-verify.ts'

const verifiedAccount = async (options: Parameters<typeof fakeApi>[1] = {}) => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  await installCustomResources(client, [ecsNodeClassResource])
  await client.create(ecsNodeClassKind, ecsNodeClassDescriptor.example)
  const { account, cloud, api } = await fakeApi(clock, options)
  const run = async (options: Partial<VerifyOptions> = {}, withCluster = true) => {
    let text = ''
    const code = await runVerify(
      { output: 'json', ...options },
      { stdout: { write: (part) => (text += part) }, env: { CLUSTER_ID: CLUSTER, REGION_ID: REGION } },
      {
        ...{ clock, client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: async () => ({ api, region: REGION }),
      },
    )
    return { code, text }
  }
  const problems = async () => {
    const { code, text } = await run()
    const { checks }: { readonly checks: readonly AccountFinding[] } = JSON.parse(text)
    const found = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    return { code, found }
  }
  return { account, cloud, client, run, problems }
}

test('a complete account passes; nothing is written, and the token of the script is not shown', async () => {
  const { account, cloud, run } = await verifiedAccount()
  const { code, text } = await run({ output: 'table' })
  expect([code, text]).toEqual([0, expect.stringContaining('0 warnings, 0 failed')])
  expect(text).toContain('in stock on demand in cn-hangzhou-h, cn-hangzhou-i, cn-hangzhou-j')
  expect(text).toContain('with the runtime of node pool np-default')
  expect(text).toContain('250 in vsw-h')
  expect(text).not.toContain(JOIN_TOKEN)
  for (const action of writingActions) expect(cloud.count(action)).toBe(0)
  expect([account.instances.size, cloud.problems]).toEqual([0, []])
})

test('missing or refused keys are reported with the remedy, and nothing else is checked', async () => {
  const refused = await verifiedAccount()
  refused.cloud.keys.clear()
  const missing = await verifiedAccount({ keys: () => Promise.reject(new Error('there are none')) })
  for (const { problems } of [refused, missing]) {
    const { code, found } = await problems()
    expect([code, found.length]).toEqual([1, 1])
    expect(found[0]?.remedy).toContain('RRSA')
  }
})

test('each missing permission is reported with the remedy, and an empty list of instances is not trusted', async () => {
  const { cloud, problems } = await verifiedAccount()
  for (const action of ['DescribeInstances', 'DescribeSpotPriceHistory', 'DescribeVSwitches']) cloud.denied.add(action)
  const { code, found } = await problems()
  expect(code).toBe(3)
  expect(found.map(({ check }) => check)).toEqual([
    'the instances of the cluster can be listed',
    'prices can be read',
    'VSwitchesReady would be True',
  ])
  for (const { remedy } of found) expect(remedy).toContain('"kerf alibaba roles"')
})

test('a class that selects nothing, full vSwitches, sold-out types and an unknown cluster', async () => {
  const { account, client, problems, run } = await verifiedAccount()
  account.vSwitches = account.vSwitches.map((each) => ({ ...each, free: 3 }))
  account.soldOut = [{ capacityType: 'on-demand' }]
  account.put({ tags: { [clusterTag(CLUSTER)]: 'owned' } })
  const spec = { imageSelectorTerms: [{ id: 'm-none' }] }
  await client.patch(ecsNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec } })
  const { code, found } = await problems()
  expect([code, found.map(({ check, outcome }) => `${outcome}: ${check}`)]).toEqual([
    3,
    [
      'warning: the region has instance types in stock',
      'failed: ImagesReady would be True',
      'warning: the vSwitches have free addresses',
    ],
  ])
  const { text } = await run({ clusterId: 'c-other' })
  expect(text).toContain('correct CLUSTER_ID')
})

test('without a cluster, the checks of the cluster are skipped', async () => {
  const { run } = await verifiedAccount()
  const { code, text } = await run({ output: 'table' }, false)
  expect([code, text]).toEqual([0, expect.stringContaining('3 skipped')])
})

test('a connection that cannot be made is a usage error', async () => {
  const clock = new VirtualClock()
  const connect = async () => Promise.reject(new Error('CLUSTER_ID is not set'))
  const streams = { stdout: { write: () => undefined }, env: {} }
  const signal = new AbortController().signal
  await expect(runVerify({ output: 'json' }, streams, { clock, client: undefined, signal, connect })).rejects.toThrow(
    UsageError,
  )
})
