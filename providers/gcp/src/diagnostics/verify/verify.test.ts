import { UsageError } from '@kerf/provider-kit/command-line'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { gceNodeClassKind, gceNodeClassResource } from '../../node-class/gce-node-class.ts'
import { fakeApi, fakeBillingCatalog, fakeIamApi, loadSdk } from '../../testing/fake-gcp/connect.ts'
import { FakeGcp } from '../../testing/fake-gcp/fake-gcp.ts'
import { CLUSTER, PROJECT, REGION } from '../../testing/fake-gcp/names.ts'
import { gceNodeClass } from '../../testing/gce-node-class.ts'
import { publishImages } from '../../testing/gcp-harness.ts'
import { BOOTSTRAP_SECRET, sourceTemplate } from '../../testing/source-template.ts'
import type { ProjectFinding } from './finding.ts'
import { runVerify, type VerifyOptions } from './run-verify.ts'

beforeAll(loadSdk)

const env = { PROJECT_ID: PROJECT, CLUSTER_NAME: CLUSTER, CLUSTER_LOCATION: REGION }

const harness = async () => {
  const clock = new VirtualClock()
  const client = new SandboxApi({ clock, random: new SeededRandom(1) }).client()
  await installCustomResources(client, [gceNodeClassResource])
  await client.create(gceNodeClassKind, gceNodeClass('default'))
  const gcp = new FakeGcp(clock)
  gcp.templates = [sourceTemplate('default-pool')]
  await publishImages(gcp, client, '125-19216-220-12', 0)
  const settings: Record<string, string> = {}
  const run = async (options: Partial<VerifyOptions> = {}, withCluster = true) => {
    let text = ''
    const code = await runVerify(
      { output: 'json', ...options },
      { stdout: { write: (part) => (text += part) }, env: { ...env, ...settings } },
      {
        ...{ clock, client: withCluster ? client : undefined, signal: new AbortController().signal },
        connect: ({ clusterLocation: location }) => ({
          ...{ api: fakeApi(gcp, { location }), iam: fakeIamApi(gcp), billing: fakeBillingCatalog(gcp) },
        }),
      },
    )
    return { code, text }
  }
  const problems = async (options: Partial<VerifyOptions> = {}) => {
    const { code, text } = await run(options)
    const { checks }: { readonly checks: readonly ProjectFinding[] } = JSON.parse(text)
    return { code, found: checks.filter(({ outcome }) => outcome !== 'passed') }
  }
  return { gcp, client, settings, run, problems }
}

test('a complete project passes; nothing is written, and the credentials in the template are not shown', async () => {
  const { gcp, run } = await harness()
  const { code, text } = await run({ output: 'table' })
  expect([code, text]).toEqual([0, expect.stringContaining('0 warnings, 0 failed, 0 skipped; nothing was changed')])
  expect(text).toContain('pods in range pods')
  expect(text).toContain('node pool default-pool')
  expect(text).toMatch(/current prices can be read: \d+ instance types on demand, \d+ as spot/)
  expect(text).toContain('-cos-125-19216-220-12-c-pre')
  expect(text).not.toContain(BOOTSTRAP_SECRET)
  const changing = gcp.requests.filter(({ id }) => /\.(?:insert|delete|create|setLabels)$/.test(id))
  expect(changing).toEqual([])
})

test('refused credentials end the checks, with exit code 1', async () => {
  const { gcp, problems } = await harness()
  gcp.tokens.clear()
  const { code, found } = await problems()
  expect([code, found.map(({ outcome }) => outcome)]).toEqual([1, ['failed', 'skipped']])
  expect(found[0]?.remedy).toContain('iam.gke.io/gcp-service-account')
})

test('each missing permission is listed with what fails without it', async () => {
  const { gcp, problems } = await harness()
  for (const name of ['compute.instances.create', 'iam.serviceAccounts.actAs']) gcp.iam.denied.add(name)
  gcp.forbidden.add('compute.instances.list')
  const { code, found } = await problems()
  expect(code).toBe(3)
  expect(found).toMatchObject([
    {
      seen: 'missing: compute.instances.create; without them Kerf cannot launch instances with their disks, and delete them',
      remedy: expect.stringContaining('"kerf gcp roles"'),
    },
    {
      object: 'service account 1234-compute@developer.gserviceaccount.com',
      remedy: expect.stringContaining('roles/iam'),
    },
    { check: 'the instances of the cluster can be listed', remedy: expect.stringContaining('"kerf gcp roles"') },
  ])
})

test('a project in which the API for permission tests is disabled', async () => {
  const { gcp, problems } = await harness()
  gcp.iam.isDisabled = true
  expect(await problems()).toMatchObject({
    code: 0,
    found: [{ outcome: 'skipped', seen: expect.stringContaining('cloudresourcemanager') }],
  })
})

test('a disabled API, an unknown cluster, a missing template and a class without images', async () => {
  const { gcp, client, problems } = await harness()
  const failing = async (options: Partial<VerifyOptions> = {}) =>
    (await problems(options)).found.map(({ check, remedy }) => `${check}: ${remedy}`)
  gcp.templates = []
  gcp.offer.images.length = 0
  expect(await failing()).toEqual([
    expect.stringContaining(
      'the start of nodes can be copied from a node pool: check in "gcloud compute instance-templates list"',
    ),
    expect.stringContaining('ImagesReady would be True: correct the field'),
  ])
  await client.delete(gceNodeClassKind, { name: 'default' })
  gcp.disabled.add('container')
  expect(await failing()).toContainEqual(
    expect.stringContaining('the GKE cluster can have nodes of Kerf: gcloud services enable'),
  )
  gcp.disabled.clear()
  expect(await failing({ location: 'us-central1-a' })).toContainEqual(
    expect.stringContaining('the GKE cluster can have nodes of Kerf: correct CLUSTER_NAME'),
  )
})

test('each problem of the source node pool has its own remedy', async () => {
  const { gcp, settings, problems } = await harness()
  const source = async () => {
    const { found } = await problems()
    return found.map(({ check, seen, remedy }) => [check, seen, remedy])
  }
  const check = 'the start of nodes can be copied from a node pool'
  settings['DEFAULT_NODEPOOL_TEMPLATE_NAME'] = 'absent'
  expect(await source()).toEqual([
    [check, 'the cluster has no node pool absent', 'create it, or correct DEFAULT_NODEPOOL_TEMPLATE_NAME'],
  ])
  settings['DEFAULT_NODEPOOL_TEMPLATE_NAME'] = 'other'
  gcp.gke.nodePools = [{ name: 'other', status: 'PROVISIONING' }]
  expect(await source()).toEqual([
    [check, expect.stringContaining('is PROVISIONING'), expect.stringMatching(/^wait until it is RUNNING/)],
  ])
  settings['DEFAULT_NODEPOOL_TEMPLATE_NAME'] = ''
  expect(await source()).toEqual([
    [check, expect.stringContaining('other is PROVISIONING'), expect.stringMatching(/^create one, which may/)],
  ])
  gcp.gke.nodePools = [{ name: 'other', status: 'RUNNING' }]
  expect(await source()).toEqual([
    [check, expect.stringContaining('has no instance template'), expect.stringContaining('instance-templates list')],
  ])
})

test.each([
  ['a request limit', { code: 'rateLimitExceeded', status: 403 }, 'try again in a minute'],
  ['a project without billing', { code: 'BILLING_DISABLED', status: 403 }, 'gcloud billing projects link'],
  ['an invalid name', { code: 'INVALID_ARGUMENT', status: 400 }, 'correct CLUSTER_LOCATION'],
  ['an outage', { code: 'backendError', status: 503 }, 'try again; if the problem remains'],
])('%s has the remedy of its cause, not of its status', async (_, fault, remedy) => {
  const { gcp, problems } = await harness()
  gcp.faults.standing('compute.machineTypes.aggregatedList', fault)
  const { found } = await problems()
  expect(found).toMatchObject([{ check: 'the region has instance types', remedy: expect.stringContaining(remedy) }])
})

test('prices that cannot be read are a warning with the remedy, because Kerf has built-in prices', async () => {
  const { gcp, problems, run } = await harness()
  gcp.billing.isDisabled = true
  expect(await problems()).toMatchObject({
    code: 0,
    found: [
      {
        check: 'the current prices can be read',
        outcome: 'warning',
        seen: expect.stringMatching(/^SERVICE_DISABLED: .*; Kerf uses the prices of its table$/),
        remedy: expect.stringContaining('cloudbilling.googleapis.com'),
      },
    ],
  })
  gcp.billing.isDisabled = false
  expect((await run({ location: 'europe-north2' })).text).toContain('GCP_PRICE_FILE')
})

test('without a cluster, the checks of the cluster are skipped', async () => {
  const { run } = await harness()
  const { code, text } = await run({ output: 'table' }, false)
  expect([code, text]).toEqual([0, expect.stringContaining('1 skipped')])
})

test('missing settings are a usage error', async () => {
  const { run } = await harness()
  await expect(run({ project: '' })).rejects.toThrow(UsageError)
  await expect(run({ clusterName: '' })).rejects.toThrow('CLUSTER_NAME is not set')
})
