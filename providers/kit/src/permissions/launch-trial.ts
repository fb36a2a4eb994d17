import type { InstanceType } from '@kerf/engine'

/** The result of a trial launch. */
export type TrialResult =
  | { readonly kind: 'passed' }
  /** A problem that lasts until somebody fixes it. */
  | { readonly kind: 'refused'; readonly reason: string; readonly message: string; readonly isKept: boolean }
  /** The result is not known yet; try again later. */
  | { readonly kind: 'again' }

/**
 * The cloud refused the trial, and may accept another instance type. `result` is the outcome when no other type is left, given
 * the names of the types that were tried.
 */
export interface TypeRefusal {
  readonly kind: 'refused-type'
  /** What the cloud says of the type, with the remedy. */
  readonly why: string
  readonly result: (tried: readonly string[]) => TrialResult
}

/** How many instance types one trial tries: each costs calls that launches need too. */
const MOST_TYPES = 5

/**
 * Tries a launch with one type after the other, to find missing permissions before pods depend on them. A type that the
 * cloud refuses is added to `refused` with the reason, and another one is tried. Once all types are in `refused`, all are tried again.
 *
 * @throws what `run` throws.
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
