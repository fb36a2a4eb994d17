import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { NodeClassDescriptor } from './provider-descriptor.ts'

/**
 * The effect of an edited field on existing nodes. `drift`: all nodes are replaced. `may-drift`: the nodes that the selectors no longer
 * match are replaced. `none`: no nodes are replaced.
 */
export interface NodeClassEdit {
  readonly field: string
  readonly effect: 'drift' | 'may-drift' | 'none'
}

type Spec = Readonly<Record<string, unknown>>

const nodeClassSpec = (nodeClass: KubeObject): Spec => {
  const { spec }: KubeObject & { readonly spec?: Spec } = nodeClass
  return spec ?? {}
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The cast is safe, because `T` differs from `KubeObject` only in its spec, and the field comes from a node class of the same kind. */
const withField = <T extends KubeObject>(nodeClass: T, field: string, value: unknown): T =>
  ({ ...nodeClass, spec: { ...nodeClassSpec(nodeClass), [field]: value } }) as T

/** Returns the edits between two versions of a node class, one per spec field, sorted by name. */
export const nodeClassEdits = <T extends KubeObject>(
  { hash, selectors }: Pick<NodeClassDescriptor<T>, 'hash' | 'selectors'>,
  before: T,
  after: T,
): readonly NodeClassEdit[] => {
  const [old, now] = [nodeClassSpec(before), nodeClassSpec(after)]
  const effectOf = (field: string): NodeClassEdit['effect'] => {
    // A hashed value may depend on a selector. For example, the AMI family depends on an alias.
    if (hash !== undefined && hash.of(before) !== hash.of(withField(before, field, ownValue(now, field))))
      return 'drift'
    return selectors.some((each) => each === field || each.startsWith(`${field}.`)) ? 'may-drift' : 'none'
  }
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .toSorted()
    .filter((field) => !isSame(ownValue(old, field), ownValue(now, field)))
    .map((field) => ({ field, effect: effectOf(field) }))
}
