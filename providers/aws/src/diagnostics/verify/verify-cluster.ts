import {
  coreResources,
  crdManifests,
  findCondition,
  karpenterKinds,
  kinds,
  labels,
  type Milliseconds,
  type NodeClaim,
} from '@kerf/apis'
import { CliError } from '@kerf/provider-kit/command-line'
import {
  type Clock,
  ControllerManager,
  type KubeClient,
  type Logger,
  type Random,
  SharedInformers,
  silentMetrics,
  sleep,
} from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import type { AwsApi } from '../../api/aws-api.ts'
import type { AwsProvider } from '../../aws-provider.ts'
import { assembleAws } from '../../create-aws.ts'
import { ec2NodeClassKind, ec2NodeClassResource } from '../../node-class/ec2-node-class.ts'
import { defaultAwsSettings } from '../../settings/aws-settings.ts'
import { type VerifyTarget, verifyClusterName } from './verify-plan.ts'

export interface VerifyClusterDeps {
  readonly api: AwsApi
  readonly clock: Clock
  /** The clock for the windows of batched calls, if the main clock is virtual. */
  readonly batchClock?: Clock
  readonly random: Random
  readonly log: Logger
  readonly target: VerifyTarget
}

type Requirements = NodeClaim['spec']['requirements']

const NODE_CLASS = 'kerf-verify'
const classRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: NODE_CLASS } as const
const SERVICE_CIDR = '10.100.0.0/16'
/** RFC 2606 reserves the domain .invalid, so an instance cannot reach a cluster there. */
const ENDPOINT = 'https://kerf-verify.invalid'
const LOOK_EVERY = 1_000
const READY_WITHIN = 180_000
const GONE_WITHIN = 300_000

/**
 * Polls until the condition is true.
 * @returns whether it became true in time
 */
export const until = async (
  clock: Clock,
  within: Milliseconds,
  signal: AbortSignal,
  isSo: () => Promise<boolean>,
): Promise<boolean> => {
  const end = clock.monotonic() + within
  while (!(await isSo())) {
    if (clock.monotonic() > end) return false
    await sleep(clock, LOOK_EVERY, signal)
  }
  return true
}

/** Returns an EKS client that describes this cluster without calling AWS, because the cluster does not exist there. */
const eksApi = ({ kubernetesVersion: version }: VerifyTarget): AwsApi['eks'] => ({
  describeCluster: () => Promise.resolve({ version, endpoint: ENDPOINT, serviceCidr: SERVICE_CIDR }),
})

/** Runs Kerf's AWS provider and its controllers like `kerf run`, against the real EC2 and a private API server in this process. */
export class VerifyCluster {
  readonly client: KubeClient
  readonly provider: AwsProvider
  readonly #deps: VerifyClusterDeps
  readonly #newProvider: () => AwsProvider
  readonly #stop: AbortController

  private constructor(
    deps: VerifyClusterDeps,
    of: { readonly client: KubeClient; readonly provider: AwsProvider; readonly newProvider: () => AwsProvider },
    stop: AbortController,
  ) {
    this.#deps = deps
    this.client = of.client
    this.provider = of.provider
    this.#newProvider = of.newProvider
    this.#stop = stop
  }

  /** Starts the API server and the controllers. The EC2NodeClass exists, but has not been reconciled yet. */
  static async start(deps: VerifyClusterDeps): Promise<VerifyCluster> {
    const { api, clock, batchClock, random, log, target } = deps
    const cluster = new SandboxCluster({
      ...{ clock, random: random },
      ...{ kubelet: false, scheduler: false, events: false },
    })
    const { client } = cluster
    for (const { manifest } of crdManifests({ resources: [...coreResources, ec2NodeClassResource] }))
      await client.create(kinds.CustomResourceDefinition, { ...manifest, spec: { ...manifest.spec } })
    await client.create(ec2NodeClassKind, {
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: NODE_CLASS },
      spec: {
        role: target.role,
        amiSelectorTerms: [{ alias: 'al2023@latest' }],
        subnetSelectorTerms: target.subnetIds.map((id) => ({ id })),
        securityGroupSelectorTerms: target.securityGroupIds.map((id) => ({ id })),
        tags: { 'kerf.sh/verify': target.run },
      },
    })
    const informers = new SharedInformers({ client, clock, random: random, logger: log })
    const settings = { ...defaultAwsSettings(verifyClusterName(target.run)), eksControlPlane: true }
    const newProvider = (): AwsProvider =>
      assembleAws(
        { client, informers, clock, random: random, events: { publish: () => undefined }, log },
        {
          api: { ...api, eks: eksApi(target) },
          metrics: silentMetrics,
          settings: { ...settings, clusterEndpoint: ENDPOINT },
          region: target.region,
          caBundle: Buffer.from('no cluster').toString('base64'),
          reservedCapacity: false,
          minValuesPolicy: 'Strict',
          ...(batchClock === undefined ? {} : { batchClock }),
        },
      )
    const provider = newProvider()
    const manager = new ControllerManager({ clock, random: random, logger: log, metrics: silentMetrics })
    manager.add(...provider.controllers())
    const stop = new AbortController()
    void cluster.start(stop.signal)
    informers.start(stop.signal)
    void manager.run({ stop: stop.signal, abandon: stop.signal })
    return new VerifyCluster(deps, { client, provider, newProvider }, stop)
  }

  /** Returns a provider with empty caches, as after a restart. */
  restarted(): AwsProvider {
    return this.#newProvider()
  }

  /**
   * Waits until the controllers have found all resources that the node class selects.
   * @throws CliError that lists the missing resources
   */
  async ready(signal: AbortSignal): Promise<void> {
    await this.provider.warmUp(signal)
    const read = () => this.client.get(ec2NodeClassKind, { name: NODE_CLASS })
    const isReady = async (): Promise<boolean> => findCondition(await read(), 'Ready')?.status === 'True'
    if (await until(this.#deps.clock, READY_WITHIN, signal, isReady)) return
    const problems = ((await read()).status?.conditions ?? [])
      .filter(({ status, type }) => status !== 'True' && type !== 'Ready')
      .map(({ type, message = '' }) => `${type}: ${message}`)
    throw new CliError(`the EC2NodeClass is not ready after ${READY_WITHIN / 1000} s (${problems.join('; ')})`)
  }

  /** Creates a NodeClaim as the provisioner would. */
  claim(name: string, requirements: Requirements): Promise<NodeClaim> {
    return this.client.create(karpenterKinds.NodeClaim, {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name, labels: { [labels.nodePool]: NODE_CLASS } },
      spec: { nodeClassRef: classRef, requirements },
    })
  }

  /**
   * Deletes the NodeClaims and the node class.
   * @returns true if the controllers removed the finalizer of the node class in time
   */
  async retire(signal: AbortSignal): Promise<boolean> {
    for (const claim of (await this.client.list(karpenterKinds.NodeClaim)).items)
      await this.client.delete(karpenterKinds.NodeClaim, { name: claim.metadata.name })
    await this.client.delete(ec2NodeClassKind, { name: NODE_CLASS })
    return until(
      this.#deps.clock,
      GONE_WITHIN,
      signal,
      async () => (await this.client.list(ec2NodeClassKind)).items.length === 0,
    )
  }

  stop(): void {
    this.#stop.abort(new Error('the verification is over'))
  }
}
