import { type Condition, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import { isAlreadyExists, isNotFound, type KubeClient } from '@kerf/runtime'
import { type Definitions, readDefinitions, withWebhooksAt } from './definitions.ts'
import { ManagerProcesses } from './manager-processes.ts'
import { managerNames } from './managers.ts'

const WEBHOOKS = {
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
} as const

const webhookKind = (kind: string): ResourceKind => ({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind,
  plural: WEBHOOKS[kind as keyof typeof WEBHOOKS],
  namespaced: false,
})

/**
 * Removes the webhook configurations of stopped managers. Until then the API server refuses most changes of Cluster API objects, including
 * deletions.
 */
export const removeWebhooks = async (client: KubeClient): Promise<void> => {
  for (const { kind, metadata } of managerNames.flatMap((name) => readDefinitions(name).webhookConfigurations)) {
    await client.delete(webhookKind(kind), metadata).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
}

const createOnce = async (client: KubeClient, kind: ResourceKind, object: KubeObject): Promise<void> => {
  await client.create(kind, object).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

interface EstablishedDefinition {
  readonly status?: { readonly conditions?: readonly Condition[] | null }
}

/** Waits until the definition is established, which means that the API server serves its kind. */
const untilEstablished = async (client: KubeClient, name: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries += 1) {
    const { status } = (await client.get(kinds.CustomResourceDefinition, { name })) as EstablishedDefinition
    if (status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the definition ${name} is not established after 30 s`)
}

/**
 * Makes a cluster a management cluster of Cluster API: installs the definitions of its modules, starts the four managers and registers
 * their webhooks after they respond. Takes about ten seconds.
 * @param kubeconfig path of the file with which the managers reach the cluster, as administrators
 */
export const startClusterApi = async (client: KubeClient, kubeconfig: string): Promise<ManagerProcesses> => {
  const managers = await ManagerProcesses.prepare(kubeconfig)
  try {
    const definitions: readonly Definitions[] = managerNames.map((name) =>
      withWebhooksAt(readDefinitions(name), managers.webhookServer(name)),
    )
    const resources = definitions.flatMap(({ resourceDefinitions }) => resourceDefinitions)
    await Promise.all(resources.map((each) => createOnce(client, kinds.CustomResourceDefinition, each)))
    await Promise.all(resources.map(({ metadata }) => untilEstablished(client, metadata.name)))
    for (const name of managerNames) managers.start(name)
    await Promise.all(managerNames.map((name) => managers.untilReady(name)))
    // The webhooks are registered last, because the API server refuses all requests for which a webhook's server does not respond.
    const webhooks = definitions.flatMap(({ webhookConfigurations }) => webhookConfigurations)
    await Promise.all(webhooks.map((each) => createOnce(client, webhookKind(each.kind), each)))
    return managers
  } catch (error) {
    await managers.stop()
    throw error
  }
}
