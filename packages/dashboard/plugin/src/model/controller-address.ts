import { listAt, numberAt, objectName, textAt } from './read.ts'

const proxied = (namespace: string, service: string, port: string | number): string =>
  `/api/v1/namespaces/${namespace}/services/${service}:${port}/proxy`

/** Converts `namespace/service:port`, the format in the settings, to a path of the API server. */
export const controllerBase = (address: string): string | undefined => {
  const [, namespace, service, port] = /^([a-z0-9-]+)\/([a-z0-9-]+):([a-z0-9-]+)$/.exec(address.trim()) ?? []
  return namespace === undefined || service === undefined || port === undefined
    ? undefined
    : proxied(namespace, service, port)
}

/** Returns the paths of the listed services that Karpenter's chart or Kerf's chart can have created. */
export const listedBases = (services: unknown): readonly string[] =>
  listAt(services, 'items').flatMap((service) => {
    const ports = listAt(service, 'spec', 'ports')
    const number = numberAt(ports.find((each) => textAt(each, 'name') === 'http-metrics') ?? ports[0], 'port')
    return number === undefined
      ? []
      : [proxied(textAt(service, 'metadata', 'namespace') ?? '', objectName(service), number)]
  })

/** The default locations according to the charts' guides. Used if the user is not allowed to list the services of all namespaces. */
export const usualBases: readonly string[] = ['kube-system', 'karpenter'].map((namespace) =>
  proxied(namespace, 'karpenter', 8080),
)
