import type { InstanceType } from '@kerf/engine'

/** The result of a trial launch. */
export type TrialResult =
  | { readonly kind: 'passed' }
  /** A problem that remains until a user resolves it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string; readonly isKept: boolean }
  /** The result is not known yet, so the trial must be repeated later. */
  | { readonly kind: 'again' }

/**
 * The cloud refused the trial for a reason that might not apply to other instance types. If no other type is left, `result` returns the
 * result of the trial from the names of the types that were tried.
 */
export interface TypeRefusal {
  readonly kind: 'refused-type'
  /** Why the cloud refused the instance type, with the remedy. */
  readonly why: string
  readonly result: (tried: readonly string[]) => TrialResult
}

/** The maximum number of instance types per trial, because a trial uses up part of the call limits that launches also need. */
const MOST_TYPES = 5

/**
 * Tries to launch one instance type after another, to find missing permissions before pods depend on them. If the cloud refuses a type,
 * adds the type to `refused` with the reason, and tries the next one. If all types are in `refused`, tries all of them again.
 *
 * @throws the error of `run`.
 */
export const tryTypes = async (
  types: readonly InstanceType[],
  refused: Map<string, string>,
  run: (type: InstanceType) => Promise<TrialResult | TypeRefusal>,
): Promise<TrialResult> => {
  if (types.every(({ name }) => refused.has(name))) refused.clear()
  const tried: string[] = []
  let last: TypeRefusal | undefined
  for (const type of types.filter(({ name }) => !refused.has(name)).slice(0, MOST_TYPES)) {
    const outcome = await run(type)
    if (outcome.kind !== 'refused-type') return outcome
    last = outcome
    tried.push(type.name)
    refused.set(type.name, outcome.why)
  }
  return last?.result(tried) ?? { kind: 'again' }
}
