import { type KubeObject, kinds } from '@kerf/apis'
import { CliError, UsageError } from '@kerf/provider-kit/command-line'
import { ApiError, isForbidden, type KubeClient, shownServer, textOfThrown } from '@kerf/runtime'
import { type ClusterChoice, connect } from './connect.ts'

/** Matches `controller`, which stands for the default service, and `controller:NAMESPACE/SERVICE:PORT`. */
const SERVICE = /^controller(?::([a-z0-9-]+)\/([a-z0-9-]+):([a-z0-9-]+))?$/
const ADDRESS = /^https?:\/\//i
const PATH = '/kerf/v1/instance-types'
/** The timeout of a request to a controller's address. */
const PATIENCE_MS = 15_000

/** Returns whether `--instance-types` refers to a running controller instead of a file or a provider. */
export const isRunningController = (source: string): boolean =>
  ADDRESS.test(source) || source === 'controller' || source.startsWith('controller:')

/** The label that the charts of Kerf and Karpenter set on their service. */
const CHART_SERVICE = 'app.kubernetes.io/name=karpenter'

const REMEDY =
  'or save its response to a file, with kubectl port-forward -n kube-system service/karpenter 8080:8080 and curl localhost:8080/kerf/v1/instance-types, and give that file'

const proxied = (namespace: string, service: string, port: string | number): string =>
  `/api/v1/namespaces/${namespace}/services/${service}:${port}/proxy`

/** The services in the default namespaces of the charts. Used if the user is not allowed to list services. */
const usualPlaces: readonly string[] = ['kube-system', 'karpenter'].map((namespace) =>
  proxied(namespace, 'karpenter', 8080),
)

const serviceBase = (service: KubeObject & { readonly spec?: unknown }): readonly string[] => {
  const { ports = [] } = (service.spec ?? {}) as { readonly ports?: readonly { name?: string; port?: number }[] }
  const port = (ports.find(({ name }) => name === 'http-metrics') ?? ports[0])?.port
  return port === undefined ? [] : [proxied(service.metadata.namespace ?? 'default', service.metadata.name, port)]
}

const installedPlaces = async (client: Pick<KubeClient, 'list'>): Promise<readonly string[]> => {
  try {
    const { items } = await client.list(kinds.Service, { labelSelector: CHART_SERVICE })
    return items.flatMap(serviceBase)
  } catch (error) {
    if (isForbidden(error)) return usualPlaces
    throw error
  }
}

/** Returns why the API server refused a proxied request, as text for the user. */
const errorProblem = (error: unknown): string => {
  if (!(error instanceof ApiError)) return textOfThrown(error)
  if (error.code === 403) return 'this user cannot get services/proxy there'
  if (error.code === 404) return 'no such service or port, or it is not an endpoint of Kerf'
  if (error.code === 503) return 'no pod of the service responds'
  return error.message
}

const readThroughServer = async (named: readonly string[] | undefined, choice: ClusterChoice): Promise<unknown> => {
  const { connection, client } = connect(choice)
  try {
    const places = named ?? (await installedPlaces(client))
    const problems: string[] = []
    for (const place of places) {
      try {
        return await client.raw(`${place}${PATH}`)
      } catch (error) {
        // If the API server refuses the credentials here, it refuses them for the other services too.
        if (error instanceof ApiError && error.code === 401) throw error
        problems.push(`${place.replace('/api/v1/namespaces/', '').replace('/proxy', '')}: ${errorProblem(error)}`)
      }
    }
    const found = problems.length === 0 ? `no service has the label ${CHART_SERVICE}` : problems.join('; ')
    throw new CliError(
      `the instance types of the running Kerf cannot be read through ${shownServer(connection.server)}: ${found}. Name its service with --instance-types controller:NAMESPACE/SERVICE:PORT, ${REMEDY}`,
    )
  } finally {
    await client.close()
  }
}

const readAddress = async (source: string): Promise<unknown> => {
  if (!URL.canParse(source)) throw new UsageError(`--instance-types ${source}: not a URL`)
  const url = new URL(source)
  if (url.pathname === '/') url.pathname = PATH
  const failed = (problem: string, cause?: unknown): CliError =>
    new CliError(
      `the instance types of the running Kerf cannot be read at ${url.origin}${url.pathname}: ${problem}; give the URL of its metrics port, ${REMEDY}`,
      { cause },
    )
  let response: Response
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown }
    throw failed(textOfThrown(cause ?? error), error)
  }
  if (!response.ok) throw failed(`HTTP status ${response.status}`)
  try {
    return await response.json()
  } catch (error) {
    throw failed('the response is not JSON', error)
  }
}

/**
 * Returns the response of the running controller at `/kerf/v1/instance-types`. `source` is an address, to which the request goes directly,
 * or `controller` or `controller:NAMESPACE/SERVICE:PORT`. These two reach the controller through the service proxy of the API server.
 * @throws CliError with the remedy if the controller cannot be reached; UsageError for an invalid value
 */
export const askController = async (source: string, choice: ClusterChoice): Promise<unknown> => {
  if (ADDRESS.test(source)) return await readAddress(source)
  const [matched, namespace, service, port] = SERVICE.exec(source) ?? []
  if (matched === undefined)
    throw new UsageError(
      `--instance-types ${source}: controller, or controller:NAMESPACE/SERVICE:PORT such as controller:kube-system/karpenter:8080`,
    )
  const isNamed = namespace !== undefined && service !== undefined && port !== undefined
  return await readThroughServer(isNamed ? [proxied(namespace, service, port)] : undefined, choice)
}
