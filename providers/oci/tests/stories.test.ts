import { kinds, labels } from '@kerf/apis'
import { sampled } from '@kerf/testing'
import { testOneIn } from '@kerf/testing/sampled-test'
import { expect, test } from 'vitest'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import type { Upstream } from '../src/names.ts'
import { AVAILABILITY_DOMAINS } from '../src/testing/fake-oci/names.ts'
import { story } from './kerf-on-fake-oci.ts'

const testSome = testOneIn(2, 'stories on Oracle Cloud')

const upstreams: readonly Upstream[] = ['oracle', 'community']

test.each(sampled(upstreams, 1, 'lives on Oracle Cloud'))(
  'ten pods get nodes of the %s kind, and after the scale-down no instance is left',
  async (upstream) => {
    const { runs, leavesNothing, living, cloud } = await story({ upstream, replicas: 10 })
    await runs(10)
    expect(living().length).toBeGreaterThan(0)
    await leavesNothing()
    // Every request was valid for the SDK's models.
    expect(cloud.problems).toEqual([])
  },
)

testSome('nodes of both kinds run in one cluster, and nothing of either is left', async () => {
  const { client, runs, claims, living, leavesNothing, cloud } = await story({ replicas: 2, hasOtherPool: true })
  await runs(2)
  for (const pool of ['general', 'other']) {
    const pods = nginx(2)
    const { template } = pods.spec
    const spec = { ...template.spec, nodeSelector: { [labels.nodePool]: pool } }
    await client.create(kinds.Deployment, {
      ...pods,
      metadata: { ...pods.metadata, name: pool },
      spec: { ...pods.spec, template: { ...template, spec } },
    })
  }
  await runs(6)
  const classes = (await claims()).map(({ spec }) => spec.nodeClassRef.kind)
  expect(new Set(classes)).toEqual(new Set(['OCINodeClass', 'OciNodeClass']))
  expect(living()).toHaveLength(classes.length)
  for (const name of ['general', 'other']) await client.delete(kinds.Deployment, { name, namespace: 'default' })
  await leavesNothing()
  expect(cloud.problems).toEqual([])
})

test.each(sampled([false, true], 1, 'shortages on Oracle Cloud'))(
  'pods run elsewhere if an availability domain has no hosts (after the launch was accepted: %s)',
  async (isAfterwards) => {
    const { runs, living, leavesNothing } = await story({
      before: ({ account }) => {
        account.stockOuts = [{ availabilityDomain: AVAILABILITY_DOMAINS[0], isAfterwards }]
      },
    })
    await runs(3)
    const running = living().filter(({ failure }) => failure === undefined)
    expect(running.map(({ details }) => details.availabilityDomain)).not.toContain(AVAILABILITY_DOMAINS[0])
    await leavesNothing()
  },
)

testSome('expired credentials are reported on the class, and pods run once the credentials work again', async () => {
  const { runs, run, pass, condition, cloud, leavesNothing } = await story({
    before: ({ cloud }) =>
      cloud.fail('ListSubnets', { refusal: { status: 401, code: 'NotAuthenticated', message: 'the token expired' } }),
  })
  await pass(60)
  expect(await condition('Ready')).toMatch(/^(?:Unknown|False) /)
  expect(await condition('Network')).toMatch(/CredentialsRefused: .*the token expired/)
  expect(await run()).toBe(0)
  cloud.recover()
  await runs(3)
  await leavesNothing()
})

testSome('a service limit keeps pods pending with a reason, and they run once it is raised', async () => {
  const { runs, run, pass, events, account, leavesNothing } = await story({
    before: ({ account }) => {
      account.ocpuLimit = 0
    },
  })
  await pass(120)
  expect(await run()).toBe(0)
  expect(await events()).toMatch(/service limits were exceeded/)
  account.ocpuLimit = 1_000
  await runs(3)
  await leavesNothing()
})
