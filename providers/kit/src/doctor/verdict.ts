import type { Severity, Verdict } from '@kerf/provider-contract'

export const inOrder = (seen: string): Verdict => ({ kind: 'in-order', seen })

export const undecided = (why: string): Verdict => ({ kind: 'undecided', why })

/** Returns the verdict `found` if there are objects, otherwise `in-order`. */
export const foundAny = (
  objects: readonly string[],
  found: { readonly seen: string; readonly remedy: string; readonly severity?: Severity },
  otherwise: string,
): Verdict => (objects.length === 0 ? inOrder(otherwise) : { kind: 'found', objects, ...found })
