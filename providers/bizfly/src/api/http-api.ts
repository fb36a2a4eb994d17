import { ownField } from '@kerf/apis'
import {
  type Credentials,
  HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  usualRetries,
} from '@kerf/provider-kit'
import type { WriteGate } from '@kerf/runtime'
import type { BizflyApi, Flavor, KubernetesVersion, Server, Task } from './bizfly-api.ts'
import { type ServiceName, serviceAddresses } from './sign-in.ts'

export interface HttpApiOptions extends Pick<HttpClientOptions, 'send' | 'clock' | 'random' | 'retries'> {
  readonly credentials: Credentials
  /** The URL at which Kerf signs in, without a trailing slash. */
  readonly api: string
  readonly region: string
  readonly clusterId: string
  readonly clusterToken: string
  /** Called right before each write request, including retries. */
  readonly gate?: WriteGate | undefined
}

const HEADERS = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' } as const

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Returns the items in which the field is a string. Other items are unusable. */
const itemsWith = <T>(field: string, value: unknown): readonly T[] =>
  list(value).filter((item): item is T => {
    const text = ownField(item, field)
    return typeof text === 'string' && text !== ''
  })

const ids = (value: unknown): readonly string[] => itemsWith<{ readonly id: string }>('id', value).map(({ id }) => id)

/** Returns a client that calls the API over HTTP. All API paths are in this file (`providers/bizfly/docs/spec/bizfly.md#calls`). */
export const httpApi = (options: HttpApiOptions): BizflyApi => {
  const { clock, random, retries = usualRetries, credentials, api, region, clusterId, clusterToken, gate } = options
  const client = new HttpClient({
    ...{ clock, random, retries, credentials },
    send: (request, signal) => {
      if (request.method !== 'GET') gate?.check()
      return options.send(request, signal)
    },
  })
  const addressOf = serviceAddresses(api, region, client)
  const call = async (
    service: ServiceName,
    method: HttpRequest['method'],
    path: string,
    signal: AbortSignal,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<unknown> => {
    const url = new URL(`${await addressOf(service, signal)}${path}`)
    const request = { method, url, headers: { ...HEADERS, ...headers } }
    const { text } = await client.call(
      body === undefined ? request : { ...request, body: JSON.stringify(body) },
      signal,
    )
    return text === '' ? undefined : JSON.parse(text)
  }
  const read = (path: string, signal: AbortSignal) => call('cloud_server', 'GET', path, signal)
  const item = (id: string): string => encodeURIComponent(id)
  return {
    flavors: async (signal) => itemsWith<Flavor>('name', await read('/flavors?new=true', signal)),
    launchServer: async (request, signal) => {
      const answer = await call('cloud_server', 'POST', '/servers', signal, { body: [request] })
      const [id] = list(ownField(answer, 'task_id'))
      return typeof id === 'string' ? id : undefined
    },
    task: async (id, signal) => {
      const answer = await read(`/tasks/${item(id)}`, signal)
      return { ready: false, ...(answer as Partial<Task> | undefined) }
    },
    servers: async (name, signal) =>
      itemsWith<Server>('id', await read(name === undefined ? '/servers' : `/servers?name=${item(name)}`, signal)),
    server: async (id, signal) => (await read(`/servers/${item(id)}`, signal)) as Server,
    deleteServer: async (id, volumes, signal) => {
      await call('cloud_server', 'DELETE', `/servers/${item(id)}`, signal, { body: { delete_volume: volumes } })
    },
    networks: async (signal) => ids(await read('/vpc-networks', signal)),
    firewalls: async (signal) => ids(await read('/firewalls', signal)),
    kubernetesVersions: async (signal) => {
      const answer = await call('kubernetes_engine', 'GET', '/k8s_versions', signal)
      return itemsWith<KubernetesVersion>('kubernetes_version', ownField(answer, 'controller_versions'))
    },
    leaveCluster: async (node_name, signal) => {
      await call('kubernetes_engine', 'POST', `/engine/cluster_leave/${item(clusterId)}`, signal, {
        ...{ body: { node_name }, headers: { 'x-cluster-token': clusterToken } },
      })
    },
  }
}
