import { findCondition, kinds } from '@kerf/apis'
import { createControllerHarness } from '@kerf/provider-kit/testing/controller-harness'
import { type KubeClient, parseSettings } from '@kerf/runtime'
import { onTestFinished } from 'vitest'
import type { CommunityImageVersion, NodeImageVersion } from '../api/azure-api.ts'
import { AzureApiError } from '../api/azure-api-error.ts'
import { type AksNodeClassDeps, aksNodeClassControllers } from '../controllers/node-class/aks-node-class-status.ts'
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  aksNodeClassKind,
  aksNodeClassResource,
} from '../node-class/aks-node-class.ts'
import { azureSettings } from '../settings/azure-settings.ts'
import { aksNodeClass } from './aks-node-class.ts'

export const MINUTE = 60_000
export const NETWORKS = '/subscriptions/1/resourceGroups/MC_demo/providers/Microsoft.Network/virtualNetworks'
export const CLUSTER_SUBNET = `${NETWORKS}/aks-vnet-12345678/subnets/aks-subnet`
export const ENCRYPTION_SET = '/subscriptions/1/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/own'
const SYSTEM = 'karpenter'

export const refused = (status: number, code: string) => new AzureApiError({ status, code, message: `no: ${code}` })

/** The answers of the harness's Azure and API server. A test may change them while the controllers run. */
interface Answers {
  version: string
  /**
   * The image versions in the community gallery, by image definition. If only `2204gen2containerd` is set, the gallery has no other
   * definition.
   */
  community: Record<string, readonly CommunityImageVersion[]>
  shared: readonly NodeImageVersion[]
  images: Error | undefined
  subnet: Error | undefined
  encryptionSet: Error | undefined
  policies: Error | undefined
}

const published = (name: string, publishedDate: string): CommunityImageVersion => ({ name, publishedDate })
export const OLD = published('202601.05.0', '2026-01-05T00:00:00Z')
export const NEW = published('202602.02.0', '2026-02-02T00:00:00Z')

const withVersion = (client: KubeClient, answers: Answers): KubeClient =>
  new Proxy(client, {
    get: (target, name) => {
      if (name === 'raw') return async () => ({ gitVersion: answers.version })
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: readonly unknown[]) => {
        const [kind] = args
        if (name === 'list' && answers.policies !== undefined && Reflect.get(kind ?? {}, 'group') === 'cilium.io')
          return Promise.reject(answers.policies)
        return Reflect.apply(member, target, args)
      }
    },
  })

export interface HarnessOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly spec?: AKSNodeClassSpec
  readonly answers?: Partial<Answers>
  /** Gallery images by definition. They are added to the oldest images or replace them. */
  readonly published?: Answers['community']
  /** The status that an earlier process wrote into the node class. */
  readonly status?: NonNullable<AKSNodeClass['status']>
  /** The maintenance window when the controllers start. */
  readonly window?: Readonly<Record<string, string>>
}

export const nodeClassHarness = async ({
  env = {},
  spec = {},
  answers: given = {},
  published: more = {},
  status,
  window,
}: HarnessOptions = {}) => {
  const answers: Answers = {
    version: 'v1.33.5',
    community: {
      ...Object.fromEntries(
        ['2204gen2containerd', '2204containerd', '2204gen2arm64containerd', '2404gen2containerd'].map((name) => [
          name,
          [OLD],
        ]),
      ),
      ...more,
    },
    shared: [],
    ...{ images: undefined, subnet: undefined, encryptionSet: undefined, policies: undefined },
    ...given,
  }
  const calls: string[] = []
  const answer = async <T>(call: string, error: Error | undefined, value: () => T): Promise<T> => {
    calls.push(call)
    if (error !== undefined) throw error
    return value()
  }
  const api = {
    images: {
      communityImageVersions: (_gallery, definition) =>
        answer(definition, answers.images, () => answers.community[definition] ?? []),
      nodeImageVersions: () => answer('nodeImageVersions', answers.images, () => answers.shared),
    },
    network: { subnet: (id) => answer(`subnet ${id}`, answers.subnet, () => ({ id })) },
    compute: { probeDiskEncryptionSet: (id) => answer(`probe ${id}`, answers.encryptionSet, () => undefined) },
  } satisfies AksNodeClassDeps['api']
  const { settings } = parseSettings(azureSettings, {
    VNET_SUBNET_ID: CLUSTER_SUBNET,
    AZURE_NODE_RESOURCE_GROUP: 'MC_demo',
    ...env,
  })
  const harness = await createControllerHarness({
    resources: [aksNodeClassResource],
    controllersOf: (context) =>
      aksNodeClassControllers({
        context: { ...context, client: withVersion(context.client, answers) },
        ...{ api, settings, namespace: SYSTEM },
      }),
  })
  onTestFinished(() => harness.stop())
  await harness.client.create(aksNodeClassKind, aksNodeClass('default', { spec }))
  if (status !== undefined)
    await harness.client.patch(
      aksNodeClassKind,
      { name: 'default' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    )
  const setWindow = async (data: Readonly<Record<string, string>>): Promise<void> => {
    const metadata = { name: 'upcoming-maintenance-window', namespace: SYSTEM }
    await harness.client
      .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } })
      .catch(() => undefined)
    await harness.client.delete(kinds.ConfigMap, metadata).catch(() => undefined)
    await harness.client.create(kinds.ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
  }
  if (window !== undefined) await setWindow(window)
  await harness.start()
  const nodeClass = (): Promise<AKSNodeClass> => harness.client.get(aksNodeClassKind, { name: 'default' })
  const told = async (type: string): Promise<string> => {
    const { status, reason, message } = findCondition(await nodeClass(), type) ?? {}
    return `${status} ${reason}: ${message}`
  }
  return {
    ...{ ...harness, answers, calls, nodeClass, told, setWindow },
    images: async () => ((await nodeClass()).status?.images ?? []).map(({ id }) => id.replace(/^.*\/images\//, '')),
    edit: async (change: object): Promise<void> => {
      await harness.client.patch(aksNodeClassKind, { name: 'default' }, { type: 'merge', body: { spec: change } })
      await harness.clock.advance(500)
    },
  }
}
