import { karpenterKinds, kinds } from '@kerf/apis'
import type { Loan } from '@kerf/control-plane'
import { untilPasses } from '@kerf/control-plane/progress'
import { defaultControllerSettings, Kerf } from '@kerf/controllers'
import { scheduleInSteps } from '@kerf/engine'
import { type AwsApi, assembleAws, defaultAwsSettings, sdkApi } from '@kerf/provider-aws'
import { ec2NodeClassKind } from '@kerf/provider-aws/node-class'
import { ec2NodeClass } from '@kerf/provider-aws/testing/node-class'
import {
  ApiEventRecorder,
  type KubeClient,
  PrometheusMetrics,
  RecordingLogger,
  SeededRandom,
  SharedInformers,
  SystemClock,
  SystemRandom,
} from '@kerf/runtime'
import { declaredOnly } from '@kerf/runtime/testing'
import { SandboxCluster } from '@kerf/sandbox'
import { processPermissions } from '../../../packages/cli/src/run/process-permissions.ts'
import { nginx } from '../../../tests/integration/story/spread-objects.ts'
import { installCrds } from '../../../tests/integration/story/story-cluster.ts'
import { problemsIn, realUntil } from '../../../tests/integration/story/until.ts'
import { AwsProxy } from './aws-proxy.ts'
import { IMAGE_VERSION, IMAGES } from './emulated-images.ts'
import { callEks, callForm } from './emulator-call.ts'
import { harnessTypes, NodeHarness } from './node-harness.ts'
import { nodePool } from './node-pool.ts'
import { borrowEmulator, type EmulatorAccess } from './shared-emulator.ts'

export const CLUSTER = 'demo'
export const QUEUE = 'demo-interruptions'
const ROLE = 'KarpenterNodeRole-demo'
const never = new AbortController().signal

const endpointOf = ({ access }: Loan<EmulatorAccess>): string => `http://127.0.0.1:${access.port}`

/** A borrowed emulator with its proxy, and an emulated account that is ready for a cluster. */
export class AwsAccount {
  readonly proxy: AwsProxy
  /** The URL of the emulator without the proxy and its faults. */
  readonly endpoint: string
  readonly #emulator: Loan<EmulatorAccess>

  private constructor(emulator: Loan<EmulatorAccess>, proxy: AwsProxy) {
    this.#emulator = emulator
    this.proxy = proxy
    this.endpoint = endpointOf(emulator)
  }

  /** @param contents `nothing` for an account as AWS creates it, `prepared` for one that is ready for a cluster */
  static async open(contents: 'prepared' | 'nothing' = 'prepared'): Promise<AwsAccount> {
    process.env['AWS_ACCESS_KEY_ID'] = 'test'
    process.env['AWS_SECRET_ACCESS_KEY'] = 'test'
    process.env['AWS_EC2_METADATA_DISABLED'] = 'true'
    const emulator = await borrowEmulator()
    const proxy = await AwsProxy.start(emulator.access.port)
    const account = new AwsAccount(emulator, proxy)
    proxy.types = harnessTypes
    proxy.priceOf = (type, capacityType) => {
      const [family = '', size = ''] = type.split('.')
      const base = { c5: 0.085, m5: 0.096, r5: 0.126 }[family] ?? 1
      const times = { large: 1, xlarge: 2, '2xlarge': 4 }[size] ?? 8
      return Math.round(base * times * (capacityType === 'spot' ? 0.4 : 1) * 1e6) / 1e6
    }
    for (const { id, path } of IMAGES)
      proxy.parameters.set(
        `/aws/service/eks/optimized-ami/${IMAGE_VERSION}/amazon-linux-2023/${path}/standard/recommended/image_id`,
        id,
      )
    if (contents === 'prepared') await account.#prepare()
    return account
  }

  /** Returns an API client for calls that Kerf does not make. By default, these calls bypass the proxy and its faults. */
  api(endpoint: string = this.endpoint): AwsApi {
    const clock = new SystemClock()
    return sdkApi({
      region: 'us-east-1',
      endpoint,
      maxAttempts: 3,
      version: 'test',
      clock,
      metrics: new PrometheusMetrics(),
    })
  }

  async close(): Promise<void> {
    await this.proxy.stop()
    this.#emulator.giveBack()
  }

  async #prepare(): Promise<void> {
    await this.addCluster(CLUSTER)
    await callForm(this.endpoint, 'iam', {
      Action: 'CreateRole',
      RoleName: ROLE,
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [] }),
    })
    await callForm(this.endpoint, 'sqs', { Action: 'CreateQueue', QueueName: QUEUE })
  }

  /** Adds an EKS cluster with three subnets and a security group that carry its tags. */
  async addCluster(name: string): Promise<void> {
    const { ec2 } = this.api()
    const subnets = await ec2.describeSubnets([], never)
    const groups = await ec2.describeSecurityGroups([], never)
    const ids = [
      ...subnets.slice(0, 3).flatMap(({ SubnetId }) => SubnetId ?? []),
      ...groups.slice(0, 1).flatMap(({ GroupId }) => GroupId ?? []),
    ]
    await ec2.createTags(ids, [{ Key: 'karpenter.sh/discovery', Value: name }], never)
    const roleArn = 'arn:aws:iam::123456789012:role/cluster'
    await callEks(this.endpoint, 'POST', '', { name, roleArn, resourcesVpcConfig: {} })
  }

  async sendMessage(body: string): Promise<void> {
    const url = await this.api().sqs.queueUrl(QUEUE, never)
    await callForm(this.endpoint, 'sqs', { Action: 'SendMessage', QueueUrl: url, MessageBody: body })
  }
}

export interface AwsStory {
  readonly client: KubeClient
  readonly account: AwsAccount
  readonly harness: NodeHarness
  readonly log: RecordingLogger
  readonly metrics: PrometheusMetrics
  until(what: string, isSo: () => Promise<boolean>, seconds?: number): Promise<void>
  close(): Promise<void>
}

/** Starts Kerf with the AWS provider on a cluster, through the SDK, the proxy and the emulator, in real time. */
export const startAwsStory = async (
  client: KubeClient,
  account: AwsAccount,
  options: { readonly seed?: number } = {},
): Promise<AwsStory> => {
  const clock = new SystemClock()
  const random = options.seed === undefined ? new SystemRandom() : new SeededRandom(options.seed)
  const log = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  await installCrds(client)
  const own = declaredOnly(client, await processPermissions('aws'))
  const informers = new SharedInformers({ client: own, clock, random, logger: log })
  const events = new ApiEventRecorder({ client: own, clock, random, logger: log })
  const context = { client: own, informers, clock, random, events, log }
  const api = sdkApi({
    region: 'us-east-1',
    endpoint: account.proxy.endpoint,
    maxAttempts: 3,
    version: '0.1.0',
    clock,
    metrics,
  })
  const provider = assembleAws(context, {
    api,
    metrics,
    settings: {
      ...defaultAwsSettings(CLUSTER),
      clusterEndpoint: 'https://demo.example.com',
      interruptionQueue: QUEUE,
    },
    region: 'us-east-1',
    caBundle: 'Q0E=',
    namespace: 'kube-system',
    reservedCapacity: true,
    minValuesPolicy: 'Strict',
  })
  await provider.warmUp(never)
  const settings = { ...defaultControllerSettings, cpuRequests: 2_000 }
  const kerf = new Kerf({ ...context, provider, settings, metrics }, { schedule: scheduleInSteps })
  const stop = new AbortController()
  const running = kerf.run({ stop: stop.signal, abandon: stop.signal })
  const harness = new NodeHarness({ client, ec2: account.api().ec2, proxy: account.proxy })
  harness.start()
  return {
    client,
    account,
    harness,
    log,
    metrics,
    until: realUntil(client, () => problemsIn(log, 8)),
    close: async () => {
      stop.abort(new Error('the story is over'))
      await running
      await harness.stop()
      await events.close()
    },
  }
}

/** Opens a sandbox that runs in real time and has no kubelets, because the harness simulates them. */
export const openSandbox = async (seed: number): Promise<{ readonly client: KubeClient; close(): Promise<void> }> => {
  const clock = new SystemClock()
  const cluster = new SandboxCluster({ clock, random: new SeededRandom(seed), kubelet: false })
  await cluster.start()
  return { client: cluster.client, close: () => cluster.stop() }
}

/** Creates the objects of a team: a NodePool, its EC2NodeClass and a Deployment. */
export const applyAll = async (client: KubeClient, replicas: number): Promise<void> => {
  // The API server needs a moment until it serves a new CRD.
  const retrying = (create: () => Promise<unknown>): Promise<unknown> =>
    untilPasses(create, { what: 'the first object of a new kind' })
  await retrying(() =>
    client.create(
      ec2NodeClassKind,
      ec2NodeClass('default', {
        spec: {
          role: ROLE,
          amiSelectorTerms: [{ alias: 'al2023@latest' }],
          subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': CLUSTER } }],
          securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': CLUSTER } }],
          tags: { team: 'web' },
        },
      }),
    ),
  )
  await retrying(() => client.create(karpenterKinds.NodePool, nodePool()))
  await retrying(() => client.create(kinds.Deployment, nginx(replicas)))
}
