import { delimiter, join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { runtimeErrors } from '../errors/runtime-errors.ts'
import type { Connection } from './connection.ts'
import { fixedCredentials } from './credentials.ts'
import type { PluginTerminal } from './exec-credentials.ts'
import { inClusterConnection } from './in-cluster.ts'
import { Kubeconfig } from './kubeconfig.ts'
import { type Network, networkFromEnv } from './network.ts'

export interface ConnectOptions {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of a kubeconfig, from a flag. The file must exist. As in kubectl, an empty string means that the flag is not set. */
  readonly kubeconfig?: string
  readonly context?: string
  /** The terminal that credential plugins use to interact with the user. Without it, they cannot interact. */
  readonly terminal?: PluginTerminal
  /**
   * The search order if no file is given. `controller` (default) is the order of Karpenter: the pod's service account comes before
   * `~/.kube/config`. `kubectl` uses the service account only if there is no kubeconfig.
   */
  readonly order?: 'controller' | 'kubectl'
}

const homeConfig = (env: ConnectOptions['env']): string =>
  join(env['HOME'] || env['USERPROFILE'] || '.', '.kube', 'config')

/**
 * Determines how to reach the API server. Looks at the given file and then at the files in `KUBECONFIG`. After that, `order` decides
 * whether the in-cluster service account or `~/.kube/config` comes first. If the kubeconfig has no proxy, the connection gets the one from
 * the environment. It also gets the certificate authorities of the system.
 *
 * @throws KerfError that lists the places that were searched
 */
export const findConnection = (options: ConnectOptions): Connection => {
  const { env } = options
  const network = networkFromEnv(env)
  const found = search(options, network)
  const proxyUrl = found.proxyUrl ?? network.proxyFor(found.server)
  return { ...found, ...(proxyUrl !== undefined && { proxyUrl }), authorities: network.authorities }
}

const search = (options: ConnectOptions, network: Network): Connection => {
  const { clock, env, kubeconfig, terminal, order = 'controller' } = options
  const context = options.context || undefined
  const deps = { clock, terminal, network }
  if (kubeconfig) return Kubeconfig.load([kubeconfig]).connection(deps, context)
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  const home = homeConfig(env)
  const fromFiles = (files: readonly string[]): Connection | undefined => {
    const found = Kubeconfig.load(files, { optional: true })
    return found.isEmpty ? undefined : found.connection(deps, context)
  }
  // Contexts exist only in kubeconfigs, so a given context excludes the service account.
  const fromPod = (): Connection | undefined => (context === undefined ? inClusterConnection(env, clock) : undefined)
  const namespace = env['POD_NAMESPACE']
  const withNamespace = (pod: Connection | undefined): Connection | undefined =>
    pod === undefined || !namespace ? pod : { ...pod, namespace }
  const found =
    order === 'kubectl'
      ? (fromFiles(listed.length > 0 ? listed : [home]) ?? withNamespace(fromPod()) ?? fromMaster(env))
      : (fromFiles(listed) ?? fromPod() ?? fromFiles([home]))
  if (found !== undefined) return found
  const places = listed.length > 0 ? listed : ['$KUBECONFIG']
  const searched =
    order === 'kubectl' && listed.length > 0
      ? [...places, 'the in-cluster service account']
      : [...places, 'the in-cluster service account', home]
  throw runtimeErrors.NoCluster({ searched })
}

/** Returns a connection to the server in `KUBERNETES_MASTER`, which kubectl uses if no server is configured elsewhere. */
const fromMaster = (env: ConnectOptions['env']): Connection | undefined => {
  const server = env['KUBERNETES_MASTER']
  if (!server || !URL.canParse(server)) return undefined
  return { server, tls: {}, credentials: fixedCredentials({}), origin: '$KUBERNETES_MASTER' }
}
