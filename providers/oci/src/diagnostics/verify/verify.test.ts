import { UsageError } from '@kerf/provider-kit/command-line'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { communityNodeClassResource } from '../../node-class/community-node-class.ts'
import { oracleNodeClassKind, oracleNodeClassResource } from '../../node-class/oracle-node-class.ts'
import { fakeApi } from '../../testing/fake-oci/fake-api.ts'
import { COMPARTMENT, REGION } from '../../testing/fake-oci/names.ts'
import { createClasses } from '../../testing/oci-harness.ts'
import type { TenancyFinding } from './finding.ts'
import { runVerify, type VerifyOptions } from './run-verify.ts'

const verifiedTenancy = async () => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  await installCustomResources(client, [communityNodeClassResource, oracleNodeClassResource])
  await createClasses(client, {})
  const { account, cloud, api } = fakeApi(clock)
  const prices = { isBroken: false }
  const run = async (options: Partial<VerifyOptions> = {}, withCluster = true) => {
    let text = ''
    const code = await runVerify(
      { output: 'json', ...options },
      { stdout: { write: (part) => (text += part) }, env: { COMPARTMENT_ID: COMPARTMENT } },
      {
        ...{ clock, client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: async () => ({
          ...{ api, region: REGION },
          readPrices: async () => {
            if (prices.isBroken) throw new Error('the price list does not answer')
            return new Map([['B1', 1]])
          },
        }),
      },
    )
    return { code, text }
  }
  const problems = async () => {
    const { code, text } = await run()
    const { checks }: { readonly checks: readonly TenancyFinding[] } = JSON.parse(text)
    const found = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
    return { code, found }
  }
  return { account, cloud, client, prices, run, problems }
}

test('a complete tenancy passes, and nothing is written', async () => {
  const { account, cloud, run } = await verifiedTenancy()
  const { code, text } = await run({ output: 'table' })
  expect([code, text]).toEqual([0, expect.stringContaining('0 warnings, 0 failed')])
  expect(text).toContain('7 shapes in Uocm:PHX-AD-1, Uocm:PHX-AD-2, Uocm:PHX-AD-3')
  expect(text).toContain('OCINodeClass default')
  expect(text).toContain('OciNodeClass default')
  expect(cloud.requests.filter(({ operation }) => !/^(?:List|Get)/.test(operation))).toEqual([])
  expect([account.instances.size, cloud.problems]).toEqual([0, []])
})

test('refused credentials are reported with the remedy, and nothing else is checked', async () => {
  const { cloud, problems } = await verifiedTenancy()
  cloud.keys.clear()
  const { code, found } = await problems()
  expect([code, found.length]).toEqual([1, 1])
  expect(found[0]?.remedy).toContain('OCI_AUTH_METHOD')
})

test('each missing policy is reported with the remedy', async () => {
  const { cloud, problems, prices } = await verifiedTenancy()
  for (const operation of ['ListInstances', 'ListSubnets', 'ListImages']) cloud.denied.add(operation)
  prices.isBroken = true
  const { code, found } = await problems()
  expect(code).toBe(3)
  expect(found.map(({ outcome, check, object }) => `${outcome}: ${check} (${object})`)).toEqual([
    `failed: instances can be listed (compartment ${COMPARTMENT})`,
    `failed: subnets can be listed (compartment ${COMPARTMENT})`,
    'warning: prices can be read (the price list of Oracle)',
    'failed: Image would be True (OCINodeClass default)',
    'failed: Network would be True (OCINodeClass default)',
    'failed: SubnetsReady would be True (OciNodeClass default)',
  ])
  expect(found[0]?.remedy).toContain('"kerf oci roles"')
})

test('a class that selects nothing, a tenancy without subnets, and no cluster', async () => {
  const { account, client, problems, run } = await verifiedTenancy()
  account.subnets = []
  const spec = { volumeConfig: { bootVolumeConfig: { imageConfig: { imageFilter: { osVersionFilter: '99' } } } } }
  await client.patch(oracleNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec } })
  const { code, found } = await problems()
  expect([code, found.map(({ check, outcome }) => `${outcome}: ${check}`)]).toEqual([
    3,
    [
      'warning: subnets can be listed',
      'failed: Image would be True',
      'failed: Network would be True',
      'failed: SubnetsReady would be True',
    ],
  ])
  account.subnets = [{ id: 'ocid1.subnet.oc1.phx.a', name: 'nodes', cidr: '10.0.0.0/20', free: 1 }]
  const alone = await run({ output: 'table' }, false)
  expect([alone.code, alone.text]).toEqual([0, expect.stringContaining('no cluster was specified')])
})

test('a connection that cannot be made and a missing compartment are usage errors', async () => {
  const clock = new VirtualClock()
  const streams = { stdout: { write: () => undefined }, env: {} }
  const signal = new AbortController().signal
  const { api } = fakeApi(clock)
  const connections = [
    async () => Promise.reject(new Error('there are no credentials')),
    async () => ({ api, region: REGION, readPrices: undefined }),
  ]
  for (const connect of connections)
    await expect(runVerify({ output: 'json' }, streams, { clock, client: undefined, signal, connect })).rejects.toThrow(
      UsageError,
    )
})
