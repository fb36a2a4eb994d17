import { UsageError } from '@kerf/provider-kit/command-line'
import { nearest } from '@kerf/runtime'

/** The kinds of objects that `kerf explain` supports. */
export type ExplainedKind = 'pod' | 'node' | 'nodeclaim' | 'nodepool'

/** One object, named in the same way as for kubectl. */
export interface Target {
  readonly kind: ExplainedKind
  readonly name: string
}

/** For each kind, the names that kubectl accepts. */
export const kindNames: Readonly<Record<ExplainedKind, readonly string[]>> = {
  pod: ['pod', 'pods', 'po'],
  node: ['node', 'nodes', 'no'],
  nodeclaim: ['nodeclaim', 'nodeclaims', 'nodeclaim.karpenter.sh', 'nodeclaims.karpenter.sh'],
  nodepool: ['nodepool', 'nodepools', 'nodepool.karpenter.sh', 'nodepools.karpenter.sh'],
}

const kinds = Object.keys(kindNames) as readonly ExplainedKind[]

/** Returns the kind with this name, ignoring case, or undefined if there is none. */
const parseKind = (text: string): ExplainedKind | undefined =>
  kinds.find((kind) => kindNames[kind].includes(text.toLowerCase()))

/**
 * Parses `TYPE/NAME`.
 * @throws UsageError for an unsupported kind, and for text without a name
 */
export const parseTarget = (text: string): Target => {
  const slash = text.indexOf('/')
  const [type, name] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)]
  const kind = parseKind(type)
  if (kind === undefined) {
    const meant = nearest(type.toLowerCase(), kinds)
    throw new UsageError(
      `${text}: kerf explain takes ${kinds.map((each) => `${each}/NAME`).join(', ')}${meant === undefined ? '' : `; did you mean ${meant}${slash < 0 ? ' NAME' : `/${name}`}?`}`,
    )
  }
  if (name === '') throw new UsageError(`${text}: the name is missing: kerf explain ${kind}/NAME`)
  return { kind, name }
}

/**
 * Returns `NAMESPACE/NAME` of a pod. The namespace comes from `name` if it contains one, otherwise from `--namespace`, otherwise it
 * is `default`.
 * @throws UsageError if both are given and differ
 */
export const qualifiedPodName = (name: string, namespace: string | undefined): string => {
  if (!name.includes('/')) return `${namespace ?? 'default'}/${name}`
  if (namespace !== undefined && !name.startsWith(`${namespace}/`))
    throw new UsageError(`${name} is not in the namespace of --namespace ${namespace}; use only one of the two`)
  return name
}
