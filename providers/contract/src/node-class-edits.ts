import type { KubeObject } from '@kerf/apis'
import { ownValue } from '@kerf/apis'
import type { NodeClassDescriptor } from './provider-descriptor.ts'

/**
 * What the edit of a field does to nodes that were launched before: `drift` replaces them, `may-drift` replaces those that
 * differ from what is selected now, `none` leaves them as they are.
 */
export interface NodeClassEdit {
  readonly field: string
  readonly effect: 'drift' | 'may-drift' | 'none'
}

type Spec = Readonly<Record<string, unknown>>

const specOf = (nodeClass: KubeObject): Spec => {
  const { spec }: KubeObject & { readonly spec?: Spec } = nodeClass
  return spec ?? {}
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** `T` differs from `KubeObject` only in what its spec holds, and the field comes from a class of the same kind. */
const withField = <T extends KubeObject>(nodeClass: T, field: string, value: unknown): T =>
  ({ ...nodeClass, spec: { ...specOf(nodeClass), [field]: value } }) as T

/** What an edit of a node class would change, field by field of its spec, in the order of names. */
export const nodeClassEdits = <T extends KubeObject>(
  { hash, selectors }: Pick<NodeClassDescriptor<T>, 'hash' | 'selectors'>,
  before: T,
  after: T,
): readonly NodeClassEdit[] => {
  const [old, now] = [specOf(before), specOf(after)]
  const effectOf = (field: string): NodeClassEdit['effect'] => {
    // What is hashed may follow from a selector, as the AMI family follows from an alias.
    if (hash !== undefined && hash.of(before) !== hash.of(withField(before, field, ownValue(now, field))))
      return 'drift'
    return selectors.includes(field) ? 'may-drift' : 'none'
  }
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .toSorted()
    .filter((field) => !isSame(ownValue(old, field), ownValue(now, field)))
    .map((field) => ({ field, effect: effectOf(field) }))
}
