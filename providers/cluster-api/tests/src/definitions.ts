import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KubeObject } from '@kerf/apis'
import { parseAllDocuments } from 'yaml'
import { runProgram } from '../../../../tests/support/control-plane/src/index.ts'
import { cachedPath, type ManagerName, managerNames, missingManagers, moduleDirectory } from './managers.ts'

/** The objects that a manager needs in the API server. */
export interface Definitions {
  readonly resourceDefinitions: readonly CustomResourceDefinition[]
  readonly webhookConfigurations: readonly WebhookConfiguration[]
}

/** The address of a webhook in the module: a service in the manager's namespace. */
interface ServiceReference {
  readonly service: { readonly path?: string }
}

/** The fields of a CustomResourceDefinition that the harness reads. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly conversion?: { readonly strategy: string; readonly webhook?: { readonly clientConfig: ServiceReference } }
  }
}

/** A validating or mutating webhook configuration. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks: readonly { readonly name: string; readonly clientConfig: ServiceReference }[]
}

/** The location of each manager's configuration: module and folder. */
const folders: Readonly<Record<ManagerName, readonly [module: string, folder: string]>> = {
  core: ['sigs.k8s.io/cluster-api', 'core/config/default'],
  'kubeadm-bootstrap': ['sigs.k8s.io/cluster-api', 'bootstrap/kubeadm/config/default'],
  'kubeadm-control-plane': ['sigs.k8s.io/cluster-api', 'controlplane/kubeadm/config/default'],
  'development-infrastructure': ['sigs.k8s.io/cluster-api/test', 'infrastructure/docker/config/default'],
}

export const definitionsPath = (name: ManagerName): string => cachedPath(`${name}.definitions.json`)

/**
 * Renders the configuration of the module with the Kustomize in kubectl, and keeps the objects for the API server. Drops all other objects
 * (deployments, roles, certificates), which are for managers that run as pods.
 * @throws Error when kubectl refuses
 */
export const renderDefinitions = async (name: ManagerName, kubectl: string): Promise<void> => {
  const [module, folder] = folders[name]
  const result = await runProgram(kubectl, ['kustomize', join(moduleDirectory(module), folder)], {
    PATH: process.env['PATH'] ?? '',
  })
  if (result.code !== 0) throw new Error(`kubectl kustomize of ${module}/${folder} failed:\n${result.stderr}`)
  const objects = parseAllDocuments(result.stdout).map((document) => document.toJS() as KubeObject)
  const definitions = {
    resourceDefinitions: objects.filter(({ kind }) => kind === 'CustomResourceDefinition'),
    webhookConfigurations: objects.filter(({ kind }) => kind.endsWith('WebhookConfiguration')),
  }
  const path = definitionsPath(name)
  mkdirSync(join(path, '..'), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, JSON.stringify(definitions))
  renameSync(temporary, path)
}

/** Returns the files of the harness that the cache of earlier builds lacks. */
export const missingFiles = (): readonly string[] => [
  ...missingManagers(),
  ...managerNames.filter((name) => !existsSync(definitionsPath(name))).map((name) => `definitions of ${name}`),
]

/** Returns the objects that `renderDefinitions` kept. */
export const readDefinitions = (name: ManagerName): Definitions =>
  JSON.parse(readFileSync(definitionsPath(name), 'utf8')) as Definitions

/** Returns the definitions with every webhook pointing to a server of the harness on loopback. */
export const withWebhooksAt = (
  { resourceDefinitions, webhookConfigurations }: Definitions,
  server: { readonly port: number; readonly ca: string },
): Definitions => {
  const at = (config: ServiceReference): object => ({
    url: `https://127.0.0.1:${server.port}${config.service.path ?? '/'}`,
    caBundle: Buffer.from(server.ca).toString('base64'),
  })
  return {
    resourceDefinitions: resourceDefinitions.map((definition) => {
      const { conversion } = definition.spec
      if (conversion?.webhook === undefined) return definition
      const webhook = { ...conversion.webhook, clientConfig: at(conversion.webhook.clientConfig) }
      return {
        ...definition,
        spec: { ...definition.spec, conversion: { ...conversion, webhook } },
      } as typeof definition
    }),
    webhookConfigurations: webhookConfigurations.map((configuration) => ({
      ...configuration,
      webhooks: configuration.webhooks.map((webhook) => ({ ...webhook, clientConfig: at(webhook.clientConfig) })),
    })) as readonly WebhookConfiguration[],
  }
}
