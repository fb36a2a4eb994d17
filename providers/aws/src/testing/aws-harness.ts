import { kinds } from '@kerf/apis'
import { type DeclaredPrice, DeclaredPrices, declaredPrices } from '@kerf/provider-contract'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { type KubeClient, PrometheusMetrics, VirtualClock } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import type { AwsOptions } from '../aws-deps.ts'
import type { AwsProvider } from '../aws-provider.ts'
import { assembleAws } from '../create-aws.ts'
import {
  type EC2NodeClass,
  type EC2NodeClassSpec,
  ec2NodeClassKind,
  ec2NodeClassResource,
} from '../node-class/ec2-node-class.ts'
import { awsPermissions } from '../permissions.ts'
import { type AwsSettings, defaultAwsSettings } from '../settings/aws-settings.ts'
import { ec2NodeClass } from './ec2-node-class.ts'
import { FakeAws, instantWindows } from './fake-aws/fake-aws.ts'

export const TERMINATION_DELAY = 4_000
export const CLASS = 'default'
export const classRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: CLASS } as const
/** The Kubernetes version of the sandbox. */
const KUBERNETES = '1.36'
const DISCOVERY = { 'karpenter.sh/discovery': 'demo' }
export const never = new AbortController().signal

/** A node class for which the fake cloud has all resources. */
export const nodeClassSpec: EC2NodeClassSpec = {
  role: 'KarpenterNodeRole-demo',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: [{ tags: DISCOVERY }],
  securityGroupSelectorTerms: [{ tags: DISCOVERY }],
}

export interface AwsHarnessOptions {
  readonly seed?: number
  readonly spec?: Partial<EC2NodeClassSpec>
  readonly settings?: Partial<AwsSettings>
  /** Changes the cloud before anything starts. */
  readonly before?: (aws: FakeAws) => void
  readonly reservedCapacity?: boolean
  readonly nodeOverlay?: boolean
  /** Intercepts every call of the provider and its controllers to the cluster. */
  readonly interceptor?: Interceptor
}

/** The AWS provider and its controllers with an in-memory cluster and an in-memory AWS. */
export interface AwsHarness extends ProviderHarness<AwsProvider> {
  /** Replaces the prices of the price book. */
  readonly declare: (...prices: readonly DeclaredPrice[]) => void
  readonly metrics: PrometheusMetrics
  readonly aws: FakeAws
  nodeClass(): Promise<EC2NodeClass>
  /** Changes the node class, and gives its controllers a second to react. */
  change(spec: Partial<EC2NodeClassSpec>): Promise<void>
}

/** Creates the objects that the provider needs in a cluster: the kube-system namespace, the DNS service, and a node class. */
const prepareCluster = async (client: KubeClient, spec: Partial<EC2NodeClassSpec> = {}): Promise<void> => {
  await client
    .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined)
  await client.create(kinds.Service, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'kube-dns', namespace: 'kube-system' },
    spec: { clusterIP: '10.100.0.10', ports: [{ port: 53 }] },
  })
  await client.create(ec2NodeClassKind, ec2NodeClass(CLASS, { spec: { ...nodeClassSpec, ...spec } }))
}

const providerOptions = (
  options: AwsHarnessOptions,
  { aws, metrics, clock }: Pick<AwsHarness, 'aws' | 'metrics' | 'clock'>,
): AwsOptions => ({
  api: aws,
  metrics,
  settings: { ...defaultAwsSettings('demo'), ...options.settings },
  region: 'us-east-1',
  caBundle: 'Q0E=',
  namespace: 'kube-system',
  reservedCapacity: options.reservedCapacity ?? true,
  nodeOverlay: options.nodeOverlay ?? false,
  minValuesPolicy: 'Strict',
  batchClock: instantWindows(clock),
})

/** Creates a harness in which everything has started and the node class is ready. */
export const createAwsHarness = async (options: AwsHarnessOptions = {}): Promise<AwsHarness> => {
  // Batches need additional turns of the event loop.
  const clock = new VirtualClock({ turns: 3 })
  const metrics = new PrometheusMetrics()
  const aws = new FakeAws(clock, { terminationDelay: TERMINATION_DELAY, kubernetes: KUBERNETES })
  options.before?.(aws)
  const { interceptor } = options
  let declared = new DeclaredPrices()
  const harness = await createProviderHarness({
    seed: options.seed ?? 1,
    clock,
    nodeClasses: [ec2NodeClassResource],
    classRef,
    permissions: awsPermissions,
    permissionOptions: options.nodeOverlay === true ? ['NodeOverlay'] : [],
    ...(interceptor === undefined ? {} : { interceptor }),
    prepare: (client) => prepareCluster(client, options.spec),
    newProvider: (context) => {
      declared = declaredPrices(context.informers)
      return assembleAws(context, providerOptions(options, { aws, metrics, clock }))
    },
    startUp: 2_000,
  })
  const { client } = harness
  return {
    ...harness,
    metrics,
    aws,
    declare: (...prices) => declared.replace(prices),
    nodeClass: () => client.get(ec2NodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(ec2NodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
