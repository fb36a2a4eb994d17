import type { ResourceRegistry } from '../resources/resource-registry.ts'
import { kubernetesVersion } from '../schema/type-schema.ts'
import { statusErrors } from '../store/status-errors.ts'
import { DiscoveryDocuments } from './discovery-documents.ts'
import { OpenApiDocuments } from './openapi-documents.ts'

const [, major = '1', minor = '36'] = /^v(\d+)\.(\d+)/.exec(kubernetesVersion) ?? []

/** The document at `/version`. Its build fields show that the server is a sandbox. */
const versionDocument = {
  major,
  minor,
  gitVersion: `${kubernetesVersion}+kerf`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'none',
  platform: 'sandbox/node',
}

/** The documents that describe the API: versions, discovery and OpenAPI. */
export class ApiDocuments {
  readonly discovery: DiscoveryDocuments
  readonly openApi: OpenApiDocuments

  constructor(registry: ResourceRegistry) {
    this.discovery = new DiscoveryDocuments(registry)
    this.openApi = new OpenApiDocuments(registry)
  }

  /** Returns the document at a path, or `undefined`. `aggregated` selects the newer form of discovery. */
  find(path: string, aggregated: boolean): object | string | undefined {
    const [first, second, third, ...rest] = path.split('/').filter((part) => part !== '')
    switch (first) {
      case undefined:
        return { paths: ['/api', '/apis', '/healthz', '/livez', '/openapi/v2', '/openapi/v3', '/readyz', '/version'] }
      case 'version':
        return versionDocument
      case 'healthz':
      case 'livez':
      case 'readyz':
        return 'ok'
      case 'api':
        if (second === undefined) return aggregated ? this.discovery.aggregated(true) : this.discovery.coreVersions()
        return third === undefined ? this.discovery.resourceList('', second) : undefined
      case 'apis':
        if (second === undefined) return aggregated ? this.discovery.aggregated(false) : this.discovery.groupList()
        if (third === undefined) return this.discovery.group(second)
        return rest.length === 0 ? this.discovery.resourceList(second, third) : undefined
      case 'openapi':
        if (second === 'v2') return this.openApi.swagger()
        if (second !== 'v3') return undefined
        return third === undefined ? this.openApi.index() : this.openApi.document([third, ...rest].join('/'))
      default:
        return undefined
    }
  }

  /** Like `find`, for callers in this process. Throws 404 if there is no document. */
  get(path: string): unknown {
    const document = this.find(path.split('?')[0] ?? path, false)
    if (document === undefined) throw statusErrors.noSuchResource()
    return document
  }
}
