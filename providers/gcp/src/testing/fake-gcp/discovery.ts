import { readFileSync } from 'node:fs'

/**
 * The parts of Google's API descriptions that the provider uses: `compute.v1.json` and `container.v1.json`, cut down from the discovery
 * documents of November 2026 in google-api-python-client 2.202.0 (PyPI, Apache-2.0), without the descriptions. `readOnly` and `inputOnly`
 * are derived from the descriptions.
 */

/** A schema of a discovery document. */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any'
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  /** Only the service sets the field. */
  readonly readOnly?: boolean
  /** The service never returns the field. */
  readonly inputOnly?: boolean
  /** The methods for which the field is required. */
  readonly requiredFor?: readonly string[]
}

export interface Parameter extends Schema {
  readonly location: 'path' | 'query'
  readonly required?: boolean
}

interface Method {
  readonly id: string
  readonly httpMethod: string
  readonly path: string
  readonly flatPath: string
  readonly parameters: Readonly<Record<string, Parameter>>
  readonly request?: { readonly $ref: string }
  readonly response: { readonly $ref: string }
}

export interface ApiDocument {
  readonly rootUrl: string
  readonly servicePath: string
  readonly methods: Readonly<Record<string, Method>>
  readonly schemas: Readonly<Record<string, Schema>>
}

const documentIn = (file: string): ApiDocument => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const documents = { compute: documentIn('compute.v1.json'), container: documentIn('container.v1.json') } as const

/** The API method that a request calls, and the values of its path parameters. */
export interface Route {
  /** The id of the method, for example `compute.instances.insert`. */
  readonly id: string
  readonly document: ApiDocument
  readonly method: Method
  readonly pathValues: Readonly<Record<string, string>>
}

const patternOf = ({ servicePath }: ApiDocument, { flatPath }: Method): RegExp =>
  new RegExp(`^/${servicePath}${flatPath.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

const routes = Object.values(documents).flatMap((document) =>
  Object.values(document.methods).map((method) => ({ document, method, pattern: patternOf(document, method) })),
)

/** Returns the API method that matches a request, or undefined if there is none. */
export const routeOfRequest = (httpMethod: string, pathname: string): Route | undefined => {
  for (const { document, method, pattern } of routes) {
    const found = method.httpMethod === httpMethod ? pattern.exec(pathname) : null
    if (found !== null) {
      const values = Object.entries(found.groups ?? {}).map(
        ([name, value]) => [name, decodeURIComponent(value)] as const,
      )
      return { id: method.id, document, method, pathValues: Object.fromEntries(values) }
    }
  }
  return undefined
}
