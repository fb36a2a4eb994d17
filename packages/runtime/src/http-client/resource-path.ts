import type { KubeObject, ResourceKind } from '@kerf/apis'

export interface PathParts {
  readonly namespace?: string | undefined
  readonly name?: string
  readonly subresource?: string | undefined
}

/** Returns the URL path of a kind's collection, of one object, or of its subresource. */
export const resourcePath = <T extends KubeObject>(kind: ResourceKind<T>, parts: PathParts = {}): string => {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`
  const scope = kind.namespaced && parts.namespace ? `/namespaces/${encodeURIComponent(parts.namespace)}` : ''
  const name = parts.name === undefined ? '' : `/${encodeURIComponent(parts.name)}`
  return `${root}${scope}/${kind.plural}${name}${parts.subresource === undefined ? '' : `/${parts.subresource}`}`
}

/** Returns `path?a=1&b=2` with the parameters that are set. */
export const withQuery = (
  path: string,
  query: Readonly<Record<string, string | number | boolean | undefined>>,
): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? path : `${path}?${search}`
}
