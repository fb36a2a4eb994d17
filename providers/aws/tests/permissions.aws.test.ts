import { karpenterKinds, kinds } from '@kerf/apis'
import { findComponents, freePort } from '@kerf/control-plane'
import { controllerPermissions } from '@kerf/controllers'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { type AuditedPlane, startAuditedPlane } from '../../../tests/integration/install/audited-plane.ts'
import { chartEnvironment } from '../../../tests/integration/install/chart-env.ts'
import { accountGrants, allowedByOthers, forbidden, unused } from '../../../tests/integration/install/granted.ts'
import { named, parseDocuments } from '../../../tests/integration/install/helm.ts'
import { KeptProcess } from '../../../tests/integration/install/kept-process.ts'
import { manifestsFor } from '../../../tests/integration/install/released.ts'
import { running } from '../../../tests/integration/story/nginx-story.ts'
import { httpClient } from '../../../tests/integration/story/story-cluster.ts'
import { realUntil, type Until } from '../../../tests/integration/story/until.ts'
import { AwsAccount, applyAll, CLUSTER, QUEUE } from './aws-story.ts'
import { NodeHarness } from './node-harness.ts'

const ACCOUNT = { namespace: 'kube-system', name: 'karpenter' }
const components = findComponents()
const why = 'missing' in components ? ` (skipped: no ${components.missing.join(', ')})` : ''

const manifests = manifestsFor('aws')
/** The manifests of the controller, filled in as docs/install.md describes. */
const filledIn = manifests.karpenter.replaceAll('your-cluster-name', CLUSTER)

/** A running Kerf on AWS with only the roles of one service account. */
interface RoledStory {
  readonly until: Until
  readonly client: ReturnType<typeof httpClient>
  readonly harness: NodeHarness
  /** Stops Kerf as Kubernetes stops a container. */
  stop(): Promise<void>
  close(): Promise<void>
}

const openStory = async (
  audited: AuditedPlane,
  account: AwsAccount,
  env: Readonly<Record<string, string>>,
): Promise<RoledStory> => {
  const client = httpClient(audited.plane)
  const kerf = KeptProcess.start(
    await audited.accountKubeconfig(),
    [
      '--provider=aws',
      `--metrics-port=${await freePort()}`,
      '--cluster-endpoint=https://demo.example.com',
      '--aws-region=us-east-1',
      `--aws-endpoint-url=${account.proxy.endpoint}`,
      '--log-format=json',
    ],
    { ...env, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test', INTERRUPTION_QUEUE: QUEUE },
  )
  const harness = new NodeHarness({ client, ec2: account.api().ec2, proxy: account.proxy })
  harness.start()
  return {
    client,
    harness,
    until: realUntil(client, () => kerf.output),
    stop: async () => {
      expect(await kerf.stop()).toBe(0)
    },
    close: async () => {
      await kerf.kill()
      await harness.stop()
      await client.close()
    },
  }
}

const scale = ({ client }: RoledStory, replicas: number): Promise<unknown> =>
  client.patch(
    kinds.Deployment,
    { name: 'nginx', namespace: 'default' },
    { type: 'merge', body: { spec: { replicas } } },
  )

/** Scales up, interrupts an instance, deletes a Node, scales down to zero, and deletes the node class. */
const tellLife = async (story: RoledStory, account: AwsAccount): Promise<void> => {
  const { client, harness } = story
  await applyAll(client, 4)
  const areRunning = async (): Promise<boolean> => (await running(client)).length === 4
  await story.until('four pods running', areRunning)
  await story.until('the claims tagged', async () =>
    (await client.list(karpenterKinds.NodeClaim)).items.every(
      ({ metadata }) => metadata.annotations?.['karpenter.k8s.aws/tagged'] === 'true',
    ),
  )
  const [claim] = (await client.list(karpenterKinds.NodeClaim)).items
  const id = claim?.status?.providerID?.split('/').at(-1) ?? ''
  await account.sendMessage(
    JSON.stringify({
      version: '0',
      source: 'aws.ec2',
      'detail-type': 'EC2 Spot Instance Interruption Warning',
      time: new Date().toISOString(),
      detail: { 'instance-id': id, 'instance-action': 'terminate' },
    }),
  )
  await story.until('the interrupted claim gone', async () =>
    (await client.list(karpenterKinds.NodeClaim)).items.every(({ metadata }) => metadata.name !== claim?.metadata.name),
  )
  await story.until('four pods running again', areRunning)
  const [node] = (await client.list(kinds.Node, { labelSelector: 'karpenter.sh/nodepool' })).items
  await client.delete(kinds.Node, { name: node?.metadata.name ?? '' })
  await story.until('the deleted node gone', async () =>
    (await client.list(kinds.Node)).items.every(({ metadata }) => metadata.uid !== node?.metadata.uid),
  )
  await story.until('four pods on other nodes', areRunning)
  await scale(story, 0)
  await story.until('every claim gone', async () => (await client.list(karpenterKinds.NodeClaim)).items.length === 0)
  await story.until('every instance ended', async () => (await harness.instances()).length === 0)
  await client.delete(karpenterKinds.NodePool, { name: 'general' })
  await client.delete(ec2NodeClassKind, { name: 'default' })
  await story.until('the class gone', async () => (await client.list(ec2NodeClassKind)).items.length === 0)
}

/**
 * The roles of Karpenter's own chart have other tests: providers/aws/tests/guides/take-over.aws.test.ts shows that Kerf works under them, and
 * tests/integration/install/upstream-roles.test.ts shows which features they do not permit.
 */
describe.skipIf('missing' in components)(`on AWS, under roles${why}`, () => {
  let account: AwsAccount
  let audited: AuditedPlane
  beforeAll(async () => {
    account = await AwsAccount.open()
  })
  afterAll(() => account.close())
  const startPlane = async (): Promise<void> => {
    audited = await startAuditedPlane(ACCOUNT)
    await audited.kubectl(['apply', '--server-side', '-f', '-'], manifests.crds)
    await audited.kubectl(
      ['create', '-f', '-'],
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'kube-dns', namespace: 'kube-system' },
        spec: { clusterIP: '10.96.0.10', ports: [{ port: 53, protocol: 'UDP' }] },
      }),
    )
  }

  test('the plain manifests grant the necessary permissions and no others', async () => {
    await startPlane()
    let story: RoledStory | undefined
    try {
      await audited.kubectl(['apply', '-f', '-'], filledIn)
      const env = chartEnvironment(named(parseDocuments(filledIn), 'Deployment'))
      story = await openStory(audited, account, env)
      await tellLife(story, account)
      const { client } = story
      await story.until('prices kept', async () =>
        (await client.list(kinds.ConfigMap, { namespace: 'kube-system' })).items.some(
          ({ metadata }) => metadata.name === 'karpenter-aws-prices',
        ),
      )
      await story.stop()
      const requests = audited.requests()
      const grants = await accountGrants(audited, ACCOUNT)
      expect(forbidden(requests)).toEqual([])
      expect(allowedByOthers(requests, new Set(grants.map(({ role }) => role)))).toEqual([])
      // The stories of the chart's roles enable every option, so they check the permissions that do not depend on the provider.
      const ofControllers = new Set(controllerPermissions([]).flatMap(({ names = [] }) => names))
      const ofProvider = grants.filter(
        ({ role, names = [] }) => role !== 'karpenter-core' && !names.some((name) => ofControllers.has(name)),
      )
      expect(ofProvider.length).toBeGreaterThan(8)
      expect(unused(ofProvider, requests, await processPermissions('aws'))).toEqual([])
    } finally {
      await story?.close()
      await audited.stop()
    }
  })
})
